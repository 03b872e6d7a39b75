//! Creates and checks the tables. The migrations run in one transaction under a lock, so that one
//! of several processes runs them. Tables of a newer version are refused and left alone.

use tokio_postgres::{Client, Error};

use super::address::StoreAddress;
use super::error::PostgresError;

/// The version of the tables.
const VERSION: i32 = MIGRATIONS.len() as i32;
/// Identifies the lock of the migrations, together with the schema.
const LOCK: i32 = 0x7067_7374;

/// The statements that lead from each version to the next one.
const MIGRATIONS: [&str; 1] = [include_str!("tables.sql")];

/// Why the tables cannot be used.
pub(super) enum SchemaTrouble {
    Sql(Error),
    Known(PostgresError),
}

impl From<Error> for SchemaTrouble {
    fn from(error: Error) -> SchemaTrouble {
        SchemaTrouble::Sql(error)
    }
}

/// Selects the schema of a new connection, and creates or updates its tables.
pub(super) async fn prepare(
    client: &mut Client,
    address: &StoreAddress,
) -> Result<(), SchemaTrouble> {
    let schema = address.schema();
    // The name of a schema has no quotation mark, but may be a word of SQL.
    client.batch_execute(&format!("SET search_path TO \"{schema}\"")).await?;
    if version(client, schema).await? == Some(VERSION) {
        return Ok(());
    }
    let transaction = client.transaction().await?;
    transaction
        .execute("SELECT pg_advisory_xact_lock($1, hashtext($2))", &[&LOCK, &schema])
        .await?;
    let found = version(transaction.client(), schema).await?;
    let known = |error| Err(SchemaTrouble::Known(error));
    let store = address.shown().to_owned();
    match found {
        Some(found) if found > VERSION => {
            return known(PostgresError::Newer { store, found, known: VERSION });
        }
        Some(_) => {}
        None => {
            let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = $1";
            if transaction.query_one(tables, &[&schema]).await?.get::<_, i64>(0) > 0 {
                return known(PostgresError::Foreign { store, schema: schema.to_owned() });
            }
            let create = format!(
                "CREATE SCHEMA IF NOT EXISTS \"{schema}\";
                 CREATE TABLE pagesight_schema (version int NOT NULL);
                 INSERT INTO pagesight_schema VALUES (0)"
            );
            transaction.batch_execute(&create).await?;
        }
    }
    for migration in &MIGRATIONS[found.unwrap_or_default().max(0) as usize..] {
        transaction.batch_execute(migration).await?;
    }
    transaction.execute("UPDATE pagesight_schema SET version = $1", &[&VERSION]).await?;
    Ok(transaction.commit().await?)
}

/// Returns the version of the tables, if there are any.
async fn version(client: &Client, schema: &str) -> Result<Option<i32>, Error> {
    // A function such as to_regclass may use what this connection knew of the schema before a
    // different one created it.
    let known =
        "SELECT count(*) FROM pg_class JOIN pg_namespace AS space ON relnamespace = space.oid
         WHERE nspname = $1 AND relname = 'pagesight_schema'";
    if client.query_one(known, &[&schema]).await?.get::<_, i64>(0) == 0 {
        return Ok(None);
    }
    let version = format!("SELECT max(version) FROM \"{schema}\".pagesight_schema");
    let row = client.query_one(&version, &[]).await?;
    Ok(Some(row.get::<_, Option<i32>>(0).unwrap_or_default()))
}
