//! Why a PostgreSQL store cannot be used.

/// Why a PostgreSQL store cannot be used. No variant contains a password.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
pub enum PostgresError {
    /// The address cannot be read.
    #[error("the address of the store is not valid: {0}; write postgres://user@host/database")]
    Address(String),
    /// The address contains a password.
    #[error(
        "the address of the store contains a password, which other users of this machine could read; remove it and set PGPASSWORD, or write it to the pass file"
    )]
    PasswordInAddress,
    /// The pass file cannot be used.
    #[error("the pass file {path} cannot be used: {reason}")]
    PassFile {
        /// The file.
        path: String,
        /// The reason.
        reason: String,
    },
    /// The certificates that the address names cannot be used.
    #[error("the certificates of {path} cannot be used: {reason}")]
    Certificates {
        /// The file, or the system's store.
        path: String,
        /// The reason.
        reason: String,
    },
    /// The database does not answer.
    #[error("the store {store} does not answer: {reason}")]
    Unreachable {
        /// The database, without a password.
        store: String,
        /// The reason.
        reason: String,
    },
    /// The database refused a statement or the user.
    #[error("the store {store} refused: {reason}")]
    Refused {
        /// The database, without a password.
        store: String,
        /// The reason.
        reason: String,
    },
    /// A newer pagesight created the tables.
    #[error(
        "the tables of {store} were made by a newer pagesight (version {found}, this one knows {known}); use that one"
    )]
    Newer {
        /// The database, without a password.
        store: String,
        /// The version of its tables.
        found: i32,
        /// The newest version that this build knows.
        known: i32,
    },
    /// The schema has tables of a different program.
    #[error(
        "schema {schema} of {store} has tables that are not pagesight's; choose a schema with ?schema=NAME"
    )]
    Foreign {
        /// The database, without a password.
        store: String,
        /// The schema.
        schema: String,
    },
}
