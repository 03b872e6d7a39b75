//! Why a PostgreSQL store cannot be used.

use pagesight_check::baseline::BaselineError;

/// Why a PostgreSQL store cannot be used. No variant contains a password.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum PostgresError {
    #[error("the address of the store is not valid: {0}; write postgres://user@host/database")]
    Address(String),
    #[error(
        "the address of the store contains a password, which other users of this machine could read; remove it and set PGPASSWORD, or write it to the pass file"
    )]
    PasswordInAddress,
    #[error("the pass file {path} cannot be used: {reason}")]
    PassFile { path: String, reason: String },
    #[error("the certificates of {path} cannot be used: {reason}")]
    Certificates { path: String, reason: String },
    #[error("the store {store} does not answer: {reason}")]
    Unreachable { store: String, reason: String },
    #[error("the store {store} refused: {reason}")]
    Refused { store: String, reason: String },
    #[error(
        "the store {store} does not offer TLS; turn it on there, or write sslmode=disable if nobody else can read the network"
    )]
    NoTls { store: String },
    #[error(
        "the tables of {store} were made by a newer pagesight (version {found}, this one knows {known}); use that one"
    )]
    Newer { store: String, found: i32, known: i32 },
    #[error(
        "schema {schema} of {store} has tables that are not pagesight's; choose a schema with ?schema=NAME"
    )]
    Foreign { store: String, schema: String },
}

impl From<PostgresError> for BaselineError {
    fn from(error: PostgresError) -> BaselineError {
        BaselineError::Database(error.to_string())
    }
}
