//! One connection to a database. It connects again when the connection was lost, and repeats what
//! was under way, for a limited time.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use tokio::sync::Mutex;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Error, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::address::StoreAddress;
use super::error::PostgresError;
use super::{schema, tls};

/// How long callers that wait for an answer accept a database that does not answer.
pub const PATIENCE: Duration = Duration::from_secs(15);
/// The longest time that one statement or transaction may take.
const WORK_LIMIT: Duration = Duration::from_secs(120);
/// The pauses between two tries grow from the first to the last.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LAST_PAUSE: Duration = Duration::from_secs(2);
/// The words of the driver for a server without TLS.
const NO_TLS: &str = "server does not support TLS";

/// A database with the tables of this build.
pub struct Database {
    address: StoreAddress,
    tls: MakeRustlsConnect,
    connection: Mutex<Option<StoreConnection>>,
}

/// A connection with its prepared statements.
pub(crate) struct StoreConnection {
    client: Client,
    prepared: HashMap<&'static str, Statement>,
}

impl StoreConnection {
    /// Prepares a statement, once for this connection.
    pub(crate) async fn prepared(&mut self, sql: &'static str) -> Result<Statement, Error> {
        if let Some(known) = self.prepared.get(sql) {
            return Ok(known.clone());
        }
        let statement = self.client.prepare(sql).await?;
        self.prepared.insert(sql, statement.clone());
        Ok(statement)
    }
}

impl Deref for StoreConnection {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl DerefMut for StoreConnection {
    fn deref_mut(&mut self) -> &mut Client {
        &mut self.client
    }
}

impl Database {
    /// Connects, and creates or updates the tables.
    pub async fn open(address: &StoreAddress) -> Result<Database, PostgresError> {
        let tls = tls::connector(&address.verification)?;
        let database = Database { address: address.clone(), tls, connection: Mutex::new(None) };
        database.run(PATIENCE, &(), |_, _| Box::pin(async { Ok(()) })).await?;
        Ok(database)
    }

    /// Returns the address it was opened with.
    pub fn address(&self) -> &StoreAddress {
        &self.address
    }

    /// Runs `work` on the connection, with its input. If the connection is lost, connects again and
    /// repeats the work, until `patience` has passed. So `work` must be a single transaction, and
    /// harmless if it is repeated after it succeeded.
    pub(crate) async fn run<I: Sync, T>(
        &self,
        patience: Duration,
        input: &I,
        work: impl for<'a> Fn(&'a mut StoreConnection, &'a I) -> BoxFuture<'a, Result<T, Error>> + Sync,
    ) -> Result<T, PostgresError> {
        let begun = Instant::now();
        let mut pause = FIRST_PAUSE;
        loop {
            let failed = match self.try_once(input, &work).await {
                Err(Failure::Lost(reason)) if begun.elapsed() < patience => reason,
                Err(Failure::Lost(reason)) => return Err(self.unreachable(reason)),
                Err(Failure::Final(error)) => return Err(error),
                Ok(done) => return Ok(done),
            };
            tracing::debug!("the store is not available ({failed}); trying again");
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LAST_PAUSE);
        }
    }

    async fn try_once<I: Sync, T>(
        &self,
        input: &I,
        work: &(
             impl for<'a> Fn(&'a mut StoreConnection, &'a I) -> BoxFuture<'a, Result<T, Error>> + Sync
         ),
    ) -> Result<T, Failure> {
        let mut slot = self.connection.lock().await;
        let mut connection = match slot.take().filter(|connection| !connection.is_closed()) {
            Some(connection) => connection,
            None => self.connect().await?,
        };
        // If this future is dropped meanwhile, so is the connection, with its open transaction.
        let done = tokio::time::timeout(WORK_LIMIT, work(&mut connection, input)).await;
        let done = done.map_err(|_| Failure::Lost("it took too long".to_owned()))?;
        match done {
            Ok(done) => {
                *slot = Some(connection);
                Ok(done)
            }
            Err(error) if is_passing(&error) => Err(Failure::Lost(self.reason(&error))),
            Err(error) => {
                *slot = Some(connection);
                Err(Failure::Final(self.refused(&error)))
            }
        }
    }

    async fn connect(&self) -> Result<StoreConnection, Failure> {
        let connected = self.address.config.connect(self.tls.clone()).await;
        let (mut client, connection) = connected.map_err(|error| match is_passing(&error) {
            true => Failure::Lost(self.reason(&error)),
            false => Failure::Final(self.refused(&error)),
        })?;
        tokio::spawn(connection);
        let prepared =
            tokio::time::timeout(WORK_LIMIT, schema::prepare(&mut client, &self.address));
        match prepared.await {
            Err(_) => Err(Failure::Lost("it took too long".to_owned())),
            Ok(Err(schema::SchemaTrouble::Sql(error))) if is_passing(&error) => {
                Err(Failure::Lost(self.reason(&error)))
            }
            Ok(Err(schema::SchemaTrouble::Sql(error))) => Err(Failure::Final(self.refused(&error))),
            Ok(Err(schema::SchemaTrouble::Known(error))) => Err(Failure::Final(error)),
            Ok(Ok(())) => Ok(StoreConnection { client, prepared: HashMap::new() }),
        }
    }

    fn unreachable(&self, reason: String) -> PostgresError {
        PostgresError::Unreachable { store: self.address.shown().to_owned(), reason }
    }

    fn refused(&self, error: &Error) -> PostgresError {
        let store = self.address.shown().to_owned();
        let source = std::error::Error::source(error).map(ToString::to_string);
        match source.as_deref() {
            Some(NO_TLS) => PostgresError::NoTls { store },
            _ => PostgresError::Refused { store, reason: self.reason(error) },
        }
    }

    /// Returns the reason as one line, without the password.
    fn reason(&self, error: &Error) -> String {
        let text = match (error.as_db_error(), std::error::Error::source(error)) {
            (Some(error), _) => error.message().to_owned(),
            (None, Some(source)) => format!("{error}: {source}"),
            (None, None) => error.to_string(),
        };
        // Before anything is cut.
        let text = self.address.without_password(&text);
        text.lines().next().unwrap_or_default().chars().take(300).collect()
    }
}

enum Failure {
    /// The connection is lost, or there is none yet.
    Lost(String),
    /// Trying again would not help.
    Final(PostgresError),
}

/// Reports whether an error may be gone with the next try.
fn is_passing(error: &Error) -> bool {
    match error.code() {
        Some(code) => {
            let known = [
                SqlState::ADMIN_SHUTDOWN,
                SqlState::CRASH_SHUTDOWN,
                SqlState::CANNOT_CONNECT_NOW,
                SqlState::TOO_MANY_CONNECTIONS,
                SqlState::T_R_DEADLOCK_DETECTED,
                SqlState::T_R_SERIALIZATION_FAILURE,
            ];
            known.contains(code) || code.code().starts_with("08")
        }
        None => {
            let source = std::error::Error::source(error);
            error.is_closed()
                || source.is_some_and(|source| source.is::<std::io::Error>())
                || error.to_string().starts_with("timeout")
        }
    }
}

#[cfg(test)]
mod tests;
