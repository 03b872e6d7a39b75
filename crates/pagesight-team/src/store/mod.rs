//! Stores baselines in PostgreSQL, with branches, the last 50 versions, and who accepted them.
//! `rows` writes them. The text of the baseline of a page is the same as that of its file.

pub(crate) mod rows;
#[cfg(test)]
mod with_postgres;

use std::time::Duration;

use pagesight_check::baseline::stored::{depth, missing, read_fingerprint, write_fingerprint};
use pagesight_check::baseline::{
    BaselineError, Baselines, Branches, Fit, Listed, Name, PageKey, PageText, Result, StoredPage,
    Version,
};
use pagesight_core::fingerprint::{Depth, Fingerprint, Size};
use tokio_postgres::Row;
use tokio_postgres::types::FromSqlOwned;

use crate::postgres::blocking::BlockingDatabase;
use crate::postgres::{PATIENCE, StoreAddress};
pub use rows::MOST_PICTURE_BYTES;
use rows::{BaselineRow, NAMED, clean, key, lock, page_key, page_row, retire, save_row};

/// A PostgreSQL store that was chosen, with the branch and the user that baselines belong to.
#[derive(Clone, Debug)]
pub struct StoreChoice {
    /// The address of the database.
    pub address: StoreAddress,
    /// The branch that saved baselines belong to, and its base.
    pub branches: Branches,
    /// The user who accepts baselines.
    pub accepted_by: String,
}

impl StoreChoice {
    /// Connects, and creates or updates the tables. Blocks.
    pub fn open(&self) -> Result<PostgresBaselines> {
        PostgresBaselines::open(&self.address, self.branches.clone(), &self.accepted_by)
    }

    /// Returns the place of the baselines for people: the address with its branch.
    pub fn shown(&self) -> String {
        let (branch, base) = (self.branches.branch(), self.branches.base());
        let base = match base == branch {
            true => String::new(),
            false => format!(", based on {base}"),
        };
        format!("{}, branch {branch}{base}", self.address.shown())
    }
}

/// A store of baselines in a PostgreSQL database.
pub struct PostgresBaselines {
    database: BlockingDatabase,
    branches: Branches,
    accepted_by: String,
    /// How long a database that does not answer is accepted.
    patience: Duration,
}

/// A name on a branch, or on its base.
#[derive(Clone)]
struct NameOnBranch {
    branch: String,
    base: String,
    name: String,
}

impl PostgresBaselines {
    /// Connects, and creates or updates the tables. What is saved belongs to the branch and names
    /// `accepted_by`.
    pub fn open(
        address: &StoreAddress,
        branches: Branches,
        accepted_by: &str,
    ) -> Result<PostgresBaselines> {
        let database = BlockingDatabase::open(address)?;
        let accepted_by = clean(accepted_by);
        Ok(PostgresBaselines { database, branches, accepted_by, patience: PATIENCE })
    }

    /// Waits longer for a database that does not answer.
    pub fn with_patience(self, patience: Duration) -> PostgresBaselines {
        PostgresBaselines { patience, ..self }
    }

    /// Returns a column of the baseline of a page: that of the branch, else that of its base.
    fn page_column<T: FromSqlOwned + Send + 'static>(
        &self,
        key: &PageKey,
        column: &str,
    ) -> Result<Option<T>> {
        let find = format!(
            "SELECT {column} FROM baseline WHERE key = $1 AND current AND branch IN ($2, $3)
             ORDER BY branch = $2 DESC LIMIT 1"
        );
        let (branch, base) = (self.branches.branch().to_owned(), self.branches.base().to_owned());
        let input = (find, page_key(key), branch, base);
        Ok(self.database.run(self.patience, input, |client, (find, key, branch, base)| {
            Box::pin(async move {
                let row = client.query_opt(find.as_str(), &[key, branch, base]).await?;
                Ok(row.and_then(|row| row.get(0)))
            })
        })?)
    }

    fn named(&self, name: &Name) -> NameOnBranch {
        NameOnBranch {
            branch: self.branches.branch().to_owned(),
            base: self.branches.base().to_owned(),
            name: name.as_str().to_owned(),
        }
    }

    fn shown(&self) -> &str {
        self.database.address().shown()
    }

    /// Returns columns of the current baselines, by name: those of the branch, else those of its
    /// base.
    fn current(&self, columns: &str) -> Result<Vec<Row>> {
        let query = format!(
            "SELECT {columns} FROM (
                 SELECT DISTINCT ON (key) * FROM baseline
                 WHERE kind = 'named' AND current AND branch IN ($1, $2)
                 ORDER BY key, branch = $1 DESC
             ) AS effective
             ORDER BY name COLLATE \"C\", route COLLATE \"C\", width, height,
                 scope COLLATE \"C\", depth"
        );
        let input = (query, self.branches.branch().to_owned(), self.branches.base().to_owned());
        Ok(self.database.run(self.patience, input, |client, (query, branch, base)| {
            Box::pin(async move { client.query(query.as_str(), &[branch, base]).await })
        })?)
    }
}

fn size(row: &Row) -> Size {
    let number = |column| u32::try_from(row.get::<_, i64>(column)).unwrap_or_default();
    Size { width: number("width"), height: number("height") }
}

impl Baselines for PostgresBaselines {
    fn save(&self, name: &Name, fingerprint: &Fingerprint) -> Result<i64> {
        let text = write_fingerprint(self.shown(), fingerprint)?;
        let Size { width, height } = fingerprint.viewport;
        let depth = fingerprint.depth.as_str();
        let viewport = format!("{width}x{height}");
        let parts =
            [NAMED, name.as_str(), &fingerprint.route, &viewport, &fingerprint.scope, depth];
        let row = BaselineRow {
            kind: NAMED,
            branch: self.branches.branch().to_owned(),
            key: key(&parts),
            name: name.as_str().to_owned(),
            route: clean(&fingerprint.route),
            width: width.into(),
            height: height.into(),
            scope: clean(&fingerprint.scope),
            depth: depth.to_owned(),
            hash: clean(&fingerprint.hash),
            captured_at: clean(&fingerprint.captured_at),
            fingerprint: text,
            accepted_by: self.accepted_by.clone(),
            ..BaselineRow::default()
        };
        save_row(&self.database, self.patience, row)
    }

    fn find(&self, name: &Name, fit: Fit<'_>) -> Result<Fingerprint> {
        let Size { width, height } = fit.viewport.unwrap_or_default();
        let (route, scope) = (clean(fit.route.unwrap_or_default()), fit.scope.map(clean));
        let (depth, size) = (fit.depth.map(Depth::as_str), (i64::from(width), i64::from(height)));
        let input = (self.named(name), route, scope, depth, size);
        let text = self.database.run(self.patience, input, |client, input| {
            Box::pin(async move {
                let (NameOnBranch { branch, base, name }, route, scope, depth, (width, height)) =
                    input;
                let row = client
                    .query_opt(
                        "SELECT fingerprint FROM (
                             SELECT DISTINCT ON (key) * FROM baseline
                             WHERE kind = 'named' AND name = $1 AND current AND branch IN ($2, $3)
                             ORDER BY key, branch = $2 DESC
                         ) AS effective
                         ORDER BY route = $4 DESC, ($5::text IS NULL OR scope = $5) DESC,
                             ($6::text IS NULL OR depth = $6) DESC, (width = $7 AND height = $8) DESC,
                             version DESC
                         LIMIT 1",
                        &[name, branch, base, route, scope, depth, width, height],
                    )
                    .await?;
                Ok(row.map(|row| row.get::<_, String>(0)))
            })
        })?;
        text.map_or_else(|| Err(missing(self, name)), |text| read_fingerprint(self.shown(), &text))
    }

    fn list(&self) -> Result<Vec<Listed>> {
        let rows = self.current(
            "name, route, width, height, scope, depth, hash, captured_at, version,
             (SELECT count(*) FROM baseline AS of
              WHERE of.key = effective.key AND of.branch = effective.branch) AS versions",
        )?;
        let listed = |row: &Row| Listed {
            name: row.get("name"),
            route: row.get("route"),
            viewport: size(row),
            scope: row.get("scope"),
            depth: depth(row.get("depth")),
            hash: row.get("hash"),
            captured_at: row.get("captured_at"),
            version: row.get("version"),
            versions: row.get::<_, i64>("versions") as usize,
        };
        Ok(rows.iter().map(listed).collect())
    }

    fn all(&self) -> Result<Vec<(Name, Fingerprint)>> {
        let rows = self.current("name, fingerprint")?;
        let read =
            |row: &Row| Ok((Name::parse(row.get(0))?, read_fingerprint(self.shown(), row.get(1))?));
        rows.iter().map(read).collect()
    }

    fn history(&self, name: &Name) -> Result<Vec<Version>> {
        let rows = self.database.run(self.patience, self.named(name), |client, of| {
            Box::pin(async move {
                let versions = "SELECT version, route, width, height, hash, captured_at, current,
                     branch, accepted_by FROM baseline
                 WHERE kind = 'named' AND name = $1 AND branch IN ($2, $3) ORDER BY version DESC";
                client.query(versions, &[&of.name, &of.branch, &of.base]).await
            })
        })?;
        let version = |row: &Row| Version {
            version: row.get("version"),
            route: row.get("route"),
            viewport: size(row),
            hash: row.get("hash"),
            captured_at: row.get("captured_at"),
            current: row.get("current"),
            branch: Some(row.get("branch")),
            accepted_by: Some(row.get("accepted_by")),
            saved_at: None,
        };
        if rows.is_empty() {
            Err(missing(self, name))
        } else {
            Ok(rows.iter().map(version).collect())
        }
    }

    /// A version of the base branch is copied to the branch.
    fn restore(&self, name: &Name, version: i64) -> Result<()> {
        let input = (self.named(name), version, self.accepted_by.clone());
        let restored =
            self.database.run(self.patience, input, |client, (of, version, accepted_by)| {
                Box::pin(async move {
                    let transaction = client.transaction().await?;
                    let find = "SELECT key, branch FROM baseline WHERE version = $1 AND name = $2
                     AND kind = 'named' AND branch IN ($3, $4)";
                    let row = transaction
                        .query_opt(find, &[version, &of.name, &of.branch, &of.base])
                        .await?;
                    let Some(row) = row else { return Ok(false) };
                    let (key, branch): (Vec<u8>, String) = (row.get(0), row.get(1));
                    lock(&transaction, &key, &of.branch).await?;
                    retire(&transaction, &key, &of.branch).await?;
                    let done = if branch == of.branch {
                        let restore = "UPDATE baseline SET current = true WHERE version = $1";
                        transaction.execute(restore, &[version]).await?
                    } else {
                        let copy =
                            "INSERT INTO baseline (kind, branch, key, name, browser, route, width,
                             height, scope, depth, hash, captured_at, written_as, fingerprint,
                             picture, current, accepted_by)
                         SELECT kind, $2, key, name, browser, route, width, height, scope, depth,
                             hash, captured_at, written_as, fingerprint, picture, true, $3
                         FROM baseline WHERE version = $1";
                        transaction.execute(copy, &[version, &of.branch, accepted_by]).await?
                    };
                    // The version may have been deleted meanwhile; then the current one stays.
                    if done == 0 {
                        return Ok(false);
                    }
                    transaction.commit().await.map(|()| true)
                })
            })?;
        match restored {
            true => Ok(()),
            false if self.history(name).is_err() => Err(missing(self, name)),
            false => Err(BaselineError::Version { name: name.as_str().to_owned(), version }),
        }
    }

    fn delete(&self, name: &Name) -> Result<usize> {
        let gone = self.database.run(self.patience, self.named(name), |client, of| {
            Box::pin(async move {
                let delete =
                    "DELETE FROM baseline WHERE kind = 'named' AND name = $1 AND branch = $2";
                client.execute(delete, &[&of.name, &of.branch]).await
            })
        })?;
        if gone > 0 {
            return Ok(gone as usize);
        }
        match self.history(name) {
            Ok(_) => Err(BaselineError::OnBase {
                name: name.as_str().to_owned(),
                base: self.branches.base().to_owned(),
            }),
            Err(error) => Err(error),
        }
    }

    fn page_text(&self, key: &PageKey) -> Result<Option<PageText>> {
        let text = self.page_column(key, "fingerprint")?;
        let place = format!("its baseline in {}", self.shown());
        Ok(text.map(|text| PageText { text, place, repair: "" }))
    }

    fn page_picture(&self, key: &PageKey) -> Result<Option<Vec<u8>>> {
        self.page_column(key, "picture")
    }

    fn save_page(&self, key: &PageKey, page: &StoredPage) -> Result<()> {
        let row = page_row(key, page, self.branches.branch(), &self.accepted_by)?;
        save_row(&self.database, self.patience, row).map(drop)
    }

    fn most_picture_bytes(&self) -> Option<usize> {
        Some(MOST_PICTURE_BYTES)
    }
}
