//! A database for callers that are not asynchronous. Its connection lives on a thread of its own,
//! because a runtime must not be blocked or dropped by the tasks of a different one.

use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio_postgres::Error;

use super::address::StoreAddress;
use super::database::{Database, StoreConnection};
use super::error::PostgresError;

type Work = Box<dyn FnOnce(Arc<Database>) -> BoxFuture<'static, ()> + Send>;

/// A database whose calls block.
pub(crate) struct BlockingDatabase {
    address: StoreAddress,
    work: UnboundedSender<Work>,
}

impl BlockingDatabase {
    /// Connects, and creates or updates the tables.
    pub(crate) fn open(address: &StoreAddress) -> Result<BlockingDatabase, PostgresError> {
        let (work, mut todo) = unbounded_channel::<Work>();
        let (opened, is_open) = sync_channel(1);
        let opened_address = address.clone();
        let serve = move || {
            let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
                Ok(runtime) => runtime,
                Err(error) => {
                    let reason = error.to_string();
                    let store = opened_address.shown().to_owned();
                    let _ = opened.send(Err(PostgresError::Unreachable { store, reason }));
                    return;
                }
            };
            runtime.block_on(async move {
                let database = match Database::open(&opened_address).await {
                    Ok(database) => Arc::new(database),
                    Err(error) => return drop(opened.send(Err(error))),
                };
                let _ = opened.send(Ok(()));
                while let Some(work) = todo.recv().await {
                    work(database.clone()).await;
                }
            });
        };
        let gone = |reason: String| PostgresError::Unreachable {
            store: address.shown().to_owned(),
            reason,
        };
        std::thread::Builder::new()
            .name("postgres".to_owned())
            .spawn(serve)
            .map_err(|error| gone(error.to_string()))?;
        is_open.recv().map_err(|_| gone("its thread ended".to_owned()))??;
        Ok(BlockingDatabase { address: address.clone(), work })
    }

    /// Runs `work` as [`Database::run`] does, and waits for its result.
    pub(crate) fn run<I: Send + Sync + 'static, T: Send + 'static>(
        &self,
        patience: Duration,
        input: I,
        work: impl for<'a> Fn(&'a mut StoreConnection, &'a I) -> BoxFuture<'a, Result<T, Error>>
        + Send
        + Sync
        + 'static,
    ) -> Result<T, PostgresError> {
        let (answer, answered) = sync_channel(1);
        let sent = self.work.send(Box::new(move |database| {
            Box::pin(async move {
                let _ = answer.send(database.run(patience, &input, work).await);
            })
        }));
        let gone = || PostgresError::Unreachable {
            store: self.address.shown().to_owned(),
            reason: "its thread ended".to_owned(),
        };
        sent.map_err(|_| gone())?;
        answered.recv().map_err(|_| gone())?
    }

    pub(crate) fn address(&self) -> &StoreAddress {
        &self.address
    }
}
