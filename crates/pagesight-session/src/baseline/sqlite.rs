//! Stores baselines in an SQLite file with a write-ahead log, so that several processes can use it
//! at once. Each save is one transaction. A file that cannot be read is refused and left unchanged.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use pagesight_browser::lock;
use pagesight_core::fingerprint::{Depth, FINGERPRINT_VERSION, Fingerprint, Size};
use rusqlite::{
    Connection, ErrorCode, OptionalExtension, Row, Transaction, TransactionBehavior, params,
};

use super::model::{BaselineError, Baselines, Fit, Listed, Name, Result, Version};
use super::stored::{depth, missing, newer, read_fingerprint, write_fingerprint};
use crate::private_files;

/// The version of the schema.
const SCHEMA: i64 = 1;
/// Identifies a file as ours: "pgst".
const APPLICATION: i64 = 0x7067_7374;
/// How long to wait for a different process that has locked the file.
const PATIENCE: Duration = Duration::from_secs(15);
/// SQLite itself does not wait while a different process creates the file.
const PAUSE: Duration = Duration::from_millis(15);
/// How many versions of one baseline are kept.
const MOST_VERSIONS: i64 = 20;

const TABLES: &str = "
    CREATE TABLE baseline (
        version INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL, route TEXT NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL, scope TEXT NOT NULL, depth TEXT NOT NULL,
        hash TEXT NOT NULL, captured_at TEXT NOT NULL, current INTEGER NOT NULL, fingerprint TEXT NOT NULL
    ) STRICT;
    CREATE INDEX by_key ON baseline (name, route, width, height, scope, depth);
";
/// The version of the stored form of a fingerprint.
const WRITTEN_AS: &str =
    "CASE WHEN json_valid(fingerprint) THEN json_extract(fingerprint, '$.version') END";
const SAME_KEY: &str =
    "name = ?1 AND route = ?2 AND width = ?3 AND height = ?4 AND scope = ?5 AND depth = ?6";

/// A store of baselines in an SQLite file.
pub struct SqliteBaselines {
    path: PathBuf,
    connection: Mutex<Connection>,
}

impl SqliteBaselines {
    /// Opens the file; creates it if there is none.
    pub fn open(path: &Path) -> Result<SqliteBaselines> {
        let broken =
            |reason: String| BaselineError::Broken { path: path.display().to_string(), reason };
        if let Some(folder) = path.parent() {
            private_files::create_folders(folder).map_err(|error| broken(error.to_string()))?;
        }
        if path != Path::new(":memory:") {
            // SQLite gives its log the mode of the file.
            private_files::create(path).map_err(|error| broken(error.to_string()))?;
        }
        let begun = Instant::now();
        loop {
            match try_open(path) {
                Ok(connection) => {
                    return Ok(SqliteBaselines {
                        path: path.to_owned(),
                        connection: Mutex::new(connection),
                    });
                }
                Err(Trouble::Sql(error)) if is_busy(&error) && begun.elapsed() < PATIENCE => {
                    std::thread::sleep(PAUSE)
                }
                Err(Trouble::Sql(error)) => return Err(explained(path, &error)),
                Err(Trouble::Known(error)) => return Err(error),
            }
        }
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        lock(&self.connection)
    }

    fn shown(&self) -> String {
        self.path.display().to_string()
    }

    /// Runs work in one transaction that may write.
    fn write<T>(&self, work: impl Fn(&Transaction<'_>) -> rusqlite::Result<T>) -> Result<T> {
        let mut connection = self.connection();
        let done = connection.transaction_with_behavior(TransactionBehavior::Immediate).and_then(
            |transaction| {
                let made = work(&transaction)?;
                transaction.commit()?;
                Ok(made)
            },
        );
        done.map_err(|error| explained(&self.path, &error))
    }

    fn read<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        work(&self.connection()).map_err(|error| explained(&self.path, &error))
    }
}

enum Trouble {
    Sql(rusqlite::Error),
    Known(BaselineError),
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Trouble {
        Trouble::Sql(error)
    }
}

fn try_open(path: &Path) -> std::result::Result<Connection, Trouble> {
    let shown = path.display().to_string();
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(PATIENCE)?;
    let number = |connection: &Connection, pragma: &str| {
        connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0))
    };
    // The header is read before anything is written: a file that is not ours is left as it is.
    let (application, version) =
        (number(&connection, "application_id")?, number(&connection, "user_version")?);
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if application == APPLICATION && version > SCHEMA {
        return Err(Trouble::Known(BaselineError::Newer {
            path: shown,
            found: version,
            known: SCHEMA,
        }));
    }
    if application != APPLICATION && (tables > 0 || version != 0 || application != 0) {
        return Err(Trouble::Known(BaselineError::Foreign { path: shown }));
    }
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    if application != APPLICATION {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // A different process may have created the schema meanwhile.
        if number(&transaction, "application_id")? != APPLICATION {
            transaction.execute_batch(TABLES)?;
            transaction.pragma_update(None, "user_version", SCHEMA)?;
            transaction.pragma_update(None, "application_id", APPLICATION)?;
        }
        transaction.commit()?;
    }
    let sound: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if sound != "ok" {
        return Err(Trouble::Known(BaselineError::Damaged { path: shown, reason: sound }));
    }
    Ok(connection)
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

fn explained(path: &Path, error: &rusqlite::Error) -> BaselineError {
    let (path, reason) = (path.display().to_string(), error.to_string());
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
            BaselineError::Damaged { path, reason }
        }
        _ => BaselineError::Broken { path, reason },
    }
}

fn size(row: &Row<'_>) -> rusqlite::Result<Size> {
    Ok(Size { width: row.get("width")?, height: row.get("height")? })
}

impl Baselines for SqliteBaselines {
    fn save(&self, name: &Name, fingerprint: &Fingerprint) -> Result<i64> {
        let text = write_fingerprint(&self.shown(), fingerprint)?;
        let Size { width, height } = fingerprint.viewport;
        let (route, scope, depth) =
            (&fingerprint.route, &fingerprint.scope, fingerprint.depth.as_str());
        let saved = self.write(|transaction| {
            let key = params![name.as_str(), route, width, height, scope, depth];
            let newest: Option<i64> =
                transaction.query_row(&format!("SELECT max({WRITTEN_AS}) FROM baseline WHERE {SAME_KEY}"), key, |row| row.get(0))?;
            if let Some(found) = newest.filter(|found| *found > FINGERPRINT_VERSION.into()) {
                return Ok(Err(found));
            }
            transaction.execute(&format!("UPDATE baseline SET current = 0 WHERE {SAME_KEY}"), key)?;
            transaction.execute(
                "INSERT INTO baseline (name, route, width, height, scope, depth, hash, captured_at, current, fingerprint)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 1, ?9)",
                params![name.as_str(), route, width, height, scope, depth, fingerprint.hash, fingerprint.captured_at, text],
            )?;
            let version = transaction.last_insert_rowid();
            transaction.execute(
                &format!(
                    "DELETE FROM baseline WHERE {SAME_KEY} AND current = 0 AND version NOT IN
                     (SELECT version FROM baseline WHERE {SAME_KEY} ORDER BY version DESC LIMIT {MOST_VERSIONS})"
                ),
                key,
            )?;
            Ok(Ok(version))
        })?;
        saved.map_err(|found| newer(&self.shown(), found))
    }

    fn find(&self, name: &Name, fit: Fit<'_>) -> Result<Fingerprint> {
        let Size { width, height } = fit.viewport.unwrap_or_default();
        let text = self.read(|connection| {
            connection
                .query_row(
                    "SELECT fingerprint FROM baseline WHERE name = ?1 AND current = 1
                     ORDER BY route = ?2 DESC, (?5 IS NULL OR scope = ?5) DESC, (?6 IS NULL OR depth = ?6) DESC,
                              (width = ?3 AND height = ?4) DESC, version DESC LIMIT 1",
                    params![name.as_str(), fit.route.unwrap_or_default(), width, height, fit.scope, fit.depth.map(Depth::as_str)],
                    |row| row.get::<_, String>(0),
                )
                .optional()
        })?;
        text.map_or_else(|| Err(missing(self, name)), |text| read_fingerprint(&self.shown(), &text))
    }

    fn list(&self) -> Result<Vec<Listed>> {
        self.read(|connection| {
            let mut statement = connection.prepare(
                "SELECT name, route, width, height, scope, depth, max(CASE current WHEN 1 THEN version END) AS newest,
                        max(CASE current WHEN 1 THEN hash END) AS hash, max(CASE current WHEN 1 THEN captured_at END) AS captured_at, count(*) AS versions
                 FROM baseline GROUP BY name, route, width, height, scope, depth ORDER BY name, route, width, height, scope, depth",
            )?;
            let rows = statement.query_map([], |row| {
                Ok(Listed {
                    name: row.get("name")?,
                    route: row.get("route")?,
                    viewport: size(row)?,
                    scope: row.get("scope")?,
                    depth: depth(&row.get::<_, String>("depth")?),
                    hash: row.get::<_, Option<String>>("hash")?.unwrap_or_default(),
                    captured_at: row.get::<_, Option<String>>("captured_at")?.unwrap_or_default(),
                    version: row.get::<_, Option<i64>>("newest")?.unwrap_or_default(),
                    versions: row.get::<_, i64>("versions")? as usize,
                })
            })?;
            rows.collect()
        })
    }

    fn all(&self) -> Result<Vec<(Name, Fingerprint)>> {
        let rows: Vec<(String, String)> = self.read(|connection| {
            let mut statement = connection.prepare(
                "SELECT name, fingerprint FROM baseline WHERE current = 1 ORDER BY name, route, width, height, scope, depth",
            )?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        })?;
        rows.into_iter()
            .map(|(name, text)| Ok((Name::parse(&name)?, read_fingerprint(&self.shown(), &text)?)))
            .collect()
    }

    fn history(&self, name: &Name) -> Result<Vec<Version>> {
        let versions: Vec<Version> = self.read(|connection| {
            let mut statement = connection.prepare(
                "SELECT version, route, width, height, hash, captured_at, current FROM baseline WHERE name = ?1 ORDER BY version DESC",
            )?;
            let rows = statement.query_map([name.as_str()], |row| {
                Ok(Version {
                    version: row.get("version")?,
                    route: row.get("route")?,
                    viewport: size(row)?,
                    hash: row.get("hash")?,
                    captured_at: row.get("captured_at")?,
                    current: row.get::<_, i64>("current")? == 1,
                    branch: None,
                    accepted_by: None,
                })
            })?;
            rows.collect()
        })?;
        if versions.is_empty() { Err(missing(self, name)) } else { Ok(versions) }
    }

    fn restore(&self, name: &Name, version: i64) -> Result<()> {
        let restored = self.write(|transaction| {
            // Only versions of the same key: the baselines of other routes and viewports stay.
            transaction.execute(
                "UPDATE baseline SET current = 0 WHERE (name, route, width, height, scope, depth) =
                 (SELECT name, route, width, height, scope, depth FROM baseline WHERE version = ?2 AND name = ?1)",
                params![name.as_str(), version],
            )?;
            transaction.execute("UPDATE baseline SET current = 1 WHERE name = ?1 AND version = ?2", params![name.as_str(), version])
        })?;
        match restored {
            0 if self.history(name).is_err() => Err(missing(self, name)),
            0 => Err(BaselineError::Version { name: name.as_str().to_owned(), version }),
            _ => Ok(()),
        }
    }

    fn delete(&self, name: &Name) -> Result<usize> {
        let gone = self.write(|transaction| {
            transaction.execute("DELETE FROM baseline WHERE name = ?1", [name.as_str()])
        })?;
        if gone == 0 { Err(missing(self, name)) } else { Ok(gone) }
    }
}
