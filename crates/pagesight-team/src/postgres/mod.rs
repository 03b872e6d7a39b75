//! A PostgreSQL database as a store: `address` reads its URL and finds the password, `tls` encrypts
//! the connection, `database` connects and reconnects, `schema` creates and checks the tables, and
//! `blocking` serves callers that are not asynchronous. The tables are described in docs/scale.md.

pub(crate) mod address;
pub(crate) mod blocking;
pub(crate) mod database;
mod error;
mod schema;
#[cfg(test)]
pub(crate) mod test_server;
mod tls;

pub use address::StoreAddress;
pub use database::{Database, PATIENCE};
pub use error::PostgresError;
