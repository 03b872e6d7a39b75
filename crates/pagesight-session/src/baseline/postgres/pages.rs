//! The baselines of the pages of a check in PostgreSQL, with their pictures. The text of a baseline
//! is the same as that of its file.

use std::time::Duration;

use tokio_postgres::types::FromSqlOwned;

use super::rows::{BaselineRow, PAGE, clean, key, save_row};
use crate::baseline::branches::Branches;
use crate::baseline::model::{BaselineError, Result};
use crate::postgres::blocking::BlockingDatabase;
use crate::postgres::{PATIENCE, StoreAddress};

/// The largest picture that is stored.
pub const MOST_PICTURE_BYTES: usize = 8 << 20;

/// The identity of the baseline of a page of a check.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PageKey {
    /// The name of the page.
    pub name: String,
    /// The browser.
    pub browser: String,
    /// The width of the viewport.
    pub width: u32,
    /// The height of the viewport.
    pub height: u32,
    /// The scope; empty for the whole page.
    pub scope: String,
}

/// A baseline of a page of a check.
#[derive(Clone, Debug, Default)]
pub struct StoredPage {
    /// The text of the baseline, in the form of its file.
    pub text: String,
    /// The route, the hash and the depth of its fingerprint, for listings.
    pub route: String,
    /// The hash.
    pub hash: String,
    /// The depth.
    pub depth: String,
    /// The picture as a PNG file.
    pub picture: Option<Vec<u8>>,
}

impl PageKey {
    fn hashed(&self) -> Vec<u8> {
        let viewport = format!("{}x{}", self.width, self.height);
        key(&[PAGE, &self.name, &self.browser, &viewport, &self.scope])
    }

    /// Returns the row of a baseline. A picture that is too large is an error.
    pub(crate) fn row(&self, page: StoredPage, branch: &str, by: &str) -> Result<BaselineRow> {
        let bytes = page.picture.as_ref().map_or(0, Vec::len);
        if bytes > MOST_PICTURE_BYTES {
            return Err(BaselineError::Picture { bytes, most: MOST_PICTURE_BYTES });
        }
        Ok(BaselineRow {
            kind: PAGE,
            branch: branch.to_owned(),
            key: self.hashed(),
            name: clean(&self.name),
            browser: clean(&self.browser),
            route: clean(&page.route),
            width: self.width.into(),
            height: self.height.into(),
            scope: clean(&self.scope),
            depth: page.depth,
            hash: page.hash,
            captured_at: String::new(),
            fingerprint: clean(&page.text),
            picture: page.picture,
            accepted_by: clean(by),
        })
    }
}

/// The baselines of the pages of a check in a PostgreSQL database.
pub struct PostgresPages {
    database: BlockingDatabase,
    branches: Branches,
    accepted_by: String,
    /// How long a database that does not answer is accepted.
    patience: Duration,
}

impl PostgresPages {
    /// Connects, and creates or updates the tables. What is saved belongs to the branch and names
    /// `accepted_by`.
    pub fn open(
        address: &StoreAddress,
        branches: Branches,
        accepted_by: &str,
    ) -> Result<PostgresPages> {
        let database = BlockingDatabase::open(address)?;
        let accepted_by = accepted_by.to_owned();
        Ok(PostgresPages { database, branches, accepted_by, patience: PATIENCE })
    }

    /// Waits longer for a database that does not answer.
    pub fn with_patience(self, patience: Duration) -> PostgresPages {
        PostgresPages { patience, ..self }
    }

    /// Returns the branch of its baselines, and the base of that.
    pub fn branches(&self) -> &Branches {
        &self.branches
    }

    /// Returns the database for messages.
    pub fn shown(&self) -> &str {
        self.database.address().shown()
    }

    /// Returns a column of a baseline: that of the branch, else that of its base.
    fn column<T: FromSqlOwned + Send + 'static>(
        &self,
        key: &PageKey,
        column: &str,
    ) -> Result<Option<T>> {
        let find = format!(
            "SELECT {column} FROM baseline WHERE key = $1 AND current AND branch IN ($2, $3)
             ORDER BY branch = $2 DESC LIMIT 1"
        );
        let (branch, base) = (self.branches.branch().to_owned(), self.branches.base().to_owned());
        let input = (find, key.hashed(), branch, base);
        Ok(self.database.run(self.patience, input, |client, (find, key, branch, base)| {
            Box::pin(async move {
                let row = client.query_opt(find.as_str(), &[key, branch, base]).await?;
                Ok(row.and_then(|row| row.get(0)))
            })
        })?)
    }

    /// Returns the text of a baseline.
    pub fn text(&self, key: &PageKey) -> Result<Option<String>> {
        self.column(key, "fingerprint")
    }

    /// Returns the picture of a baseline, if it has one.
    pub fn picture(&self, key: &PageKey) -> Result<Option<Vec<u8>>> {
        self.column(key, "picture")
    }

    /// Saves a baseline on the branch.
    pub fn save(&self, key: &PageKey, page: StoredPage) -> Result<i64> {
        let row = key.row(page, self.branches.branch(), &self.accepted_by)?;
        save_row(&self.database, self.patience, row)
    }
}
