//! Writes rows of the table of baselines, mostly within a transaction of the caller.

use std::time::Duration;

use pagesight_check::baseline::stored::newer;
use pagesight_check::baseline::{self, BaselineError, PageKey, StoredPage};
use pagesight_core::fingerprint::FINGERPRINT_VERSION;
use sha2::{Digest, Sha256};
use tokio_postgres::{Error, Transaction};

use crate::postgres::blocking::BlockingDatabase;

/// The kind of baselines that are saved under a name.
pub(crate) const NAMED: &str = "named";
/// The kind of baselines of the pages of a check.
pub(crate) const PAGE: &str = "page";
/// The largest picture that is stored.
pub const MOST_PICTURE_BYTES: usize = 8 << 20;
/// How many versions of one baseline are kept.
const MOST_VERSIONS: i64 = 50;

/// A version that is written.
#[derive(Clone, Debug, Default)]
pub(crate) struct BaselineRow {
    pub(crate) kind: &'static str,
    pub(crate) branch: String,
    pub(crate) key: Vec<u8>,
    pub(crate) name: String,
    pub(crate) browser: String,
    pub(crate) route: String,
    pub(crate) width: i64,
    pub(crate) height: i64,
    pub(crate) scope: String,
    pub(crate) depth: String,
    pub(crate) hash: String,
    pub(crate) captured_at: String,
    pub(crate) fingerprint: String,
    pub(crate) picture: Option<Vec<u8>>,
    pub(crate) accepted_by: String,
}

/// Returns the key of a baseline: a hash of its parts.
pub(crate) fn key(parts: &[&str]) -> Vec<u8> {
    let mut sum = Sha256::new();
    for part in parts {
        // With the length in front, two lists of parts are never the same text.
        sum.update((part.len() as u64).to_be_bytes());
        sum.update(part.as_bytes());
    }
    sum.finalize().to_vec()
}

/// Returns the key of the baseline of a page.
pub(crate) fn page_key(page: &PageKey) -> Vec<u8> {
    let viewport = format!("{}x{}", page.width, page.height);
    let parts = [PAGE, &page.name, &page.browser, &viewport, &page.scope, &page.emulation];
    // Without conditions it has the key that it always had.
    key(if page.emulation.is_empty() { &parts[..5] } else { &parts })
}

/// Returns the row of the baseline of a page. A picture that is too large is an error.
pub(crate) fn page_row(
    key: &PageKey,
    page: &StoredPage,
    branch: &str,
    by: &str,
) -> baseline::Result<BaselineRow> {
    let bytes = page.picture.as_ref().map_or(0, Vec::len);
    if bytes > MOST_PICTURE_BYTES {
        return Err(BaselineError::Picture { bytes, most: MOST_PICTURE_BYTES });
    }
    Ok(BaselineRow {
        kind: PAGE,
        branch: branch.to_owned(),
        key: page_key(key),
        name: clean(&key.name),
        browser: clean(&key.browser),
        route: clean(&page.route),
        width: key.width.into(),
        height: key.height.into(),
        scope: clean(&key.scope),
        depth: page.depth.clone(),
        hash: page.hash.clone(),
        captured_at: String::new(),
        fingerprint: clean(&page.text),
        picture: page.picture.clone(),
        accepted_by: clean(by),
    })
}

/// Replaces the only character that PostgreSQL cannot store in a text.
pub(crate) fn clean(text: &str) -> String {
    text.replace('\0', "\u{2400}")
}

/// Saves a version in a transaction of its own and returns its number.
pub(super) fn save_row(
    database: &BlockingDatabase,
    patience: Duration,
    row: BaselineRow,
) -> baseline::Result<i64> {
    let saved = database.run(patience, row, |client, row| {
        Box::pin(async move {
            let transaction = client.transaction().await?;
            let saved = save(&transaction, row).await?;
            transaction.commit().await.map(|()| saved)
        })
    })?;
    saved.map_err(|found| newer(database.address().shown(), found))
}

/// Saves a version as the current one and returns its number. The error inside is the version of
/// the form of a newer pagesight, whose baseline is not replaced.
pub(crate) async fn save(
    transaction: &Transaction<'_>,
    row: &BaselineRow,
) -> Result<Result<i64, i64>, Error> {
    lock(transaction, &row.key, &row.branch).await?;
    let newest = transaction
        .query_one(
            "SELECT max(written_as) FROM baseline WHERE key = $1 AND branch = $2",
            &[&row.key, &row.branch],
        )
        .await?
        .get::<_, Option<i32>>(0);
    let known = FINGERPRINT_VERSION as i32;
    if let Some(found) = newest.filter(|found| *found > known) {
        return Ok(Err(found.into()));
    }
    retire(transaction, &row.key, &row.branch).await?;
    let saved = transaction
        .query_one(
            "INSERT INTO baseline (kind, branch, key, name, browser, route, width, height, scope,
                 depth, hash, captured_at, written_as, fingerprint, picture, current, accepted_by)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, true, $16)
             RETURNING version",
            &[
                &row.kind,
                &row.branch,
                &row.key,
                &row.name,
                &row.browser,
                &row.route,
                &row.width,
                &row.height,
                &row.scope,
                &row.depth,
                &row.hash,
                &row.captured_at,
                &known,
                &row.fingerprint,
                &row.picture,
                &row.accepted_by,
            ],
        )
        .await?;
    transaction
        .execute(
            "DELETE FROM baseline WHERE key = $1 AND branch = $2 AND NOT current AND version NOT IN
                 (SELECT version FROM baseline WHERE key = $1 AND branch = $2
                  ORDER BY version DESC LIMIT $3)",
            &[&row.key, &row.branch, &MOST_VERSIONS],
        )
        .await?;
    Ok(Ok(saved.get(0)))
}

/// Waits until no other transaction changes the baseline with this key.
pub(crate) async fn lock(
    transaction: &Transaction<'_>,
    key: &[u8],
    branch: &str,
) -> Result<(), Error> {
    let lock = "SELECT pg_advisory_xact_lock(hashtextextended(encode($1, 'hex') || $2, 0))";
    transaction.execute(lock, &[&key, &branch]).await.map(drop)
}

/// Makes the current version of a key a part of the history.
pub(crate) async fn retire(
    transaction: &Transaction<'_>,
    key: &[u8],
    branch: &str,
) -> Result<(), Error> {
    let retire = "UPDATE baseline SET current = false WHERE key = $1 AND branch = $2 AND current";
    transaction.execute(retire, &[&key, &branch]).await.map(drop)
}
