//! Leases pages of the queue, extends and ends leases, and delivers results.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use pagesight_browser::lock;
use pagesight_check::baseline::stored::newer;
use pagesight_check::baseline::{BaselineError, PageKey, StoredPage};
use tokio_postgres::types::ToSql;

use crate::postgres::{Database, PostgresError, StoreAddress};
use crate::store::rows::{self, BaselineRow, clean, page_row};

/// A page that was leased this often without a result gets a result that says so.
pub const MOST_LEASES: i32 = 8;
/// How many expired leases are ended at a time.
const MOST_EXPIRED: i64 = 1_000;

/// A queue of pages in a PostgreSQL database.
pub struct Queue {
    pub(super) database: Database,
    /// Identifies this worker in the tables.
    worker: String,
    /// How long a lease lasts.
    lease: Duration,
    /// How long a database that does not answer is accepted.
    pub(super) patience: Duration,
    /// For each run, the turn of the page that was leased last: pages before it are leased or done.
    reached: Mutex<HashMap<i64, i64>>,
}

/// A page that this worker has leased.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeasedPage {
    /// The run.
    pub run: i64,
    /// Its number in the run.
    pub number: i64,
    /// The fencing number of the lease.
    pub fence: i32,
    /// The page to check, as it was enqueued.
    pub page: String,
}

/// The result of a leased page.
#[derive(Clone, Debug, Default)]
pub struct Delivery {
    /// One word for the result.
    pub verdict: String,
    /// Whether it fails the check.
    pub fails: bool,
    /// The result, as the caller writes it.
    pub result: String,
    /// A picture of the baseline.
    pub before: Option<Vec<u8>>,
    /// A picture of the page.
    pub after: Option<Vec<u8>>,
    /// A baseline that is saved together with the result: its key, itself, and its branch.
    pub baseline: Option<(PageKey, StoredPage, String)>,
}

/// Whether a result was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivered {
    /// It is the result of the page.
    Accepted,
    /// The page was leased to a different worker meanwhile; the result was not kept.
    Superseded,
}

impl Queue {
    /// Connects, and creates or updates the tables.
    pub async fn open(
        address: &StoreAddress,
        worker: &str,
        lease: Duration,
        patience: Duration,
    ) -> Result<Queue, PostgresError> {
        let database = Database::open(address).await?;
        let worker = clean(worker);
        Ok(Queue { database, worker, lease, patience, reached: Mutex::default() })
    }

    /// Returns how long a lease lasts.
    pub fn lease(&self) -> Duration {
        self.lease
    }

    /// Leases up to `most` waiting pages of a run.
    pub async fn lease_pages(&self, run: i64, most: i64) -> Result<Vec<LeasedPage>, PostgresError> {
        let from = *self.reached().get(&run).unwrap_or(&i64::MIN);
        let mut leased = self.lease_after(run, most, from).await?;
        if leased.is_empty() && from > i64::MIN {
            // A page before the last one may have become free again.
            leased = self.lease_after(run, most, i64::MIN).await?;
        }
        if let Some(turn) = leased.iter().map(|(_, turn)| *turn).max() {
            self.reached().insert(run, turn);
        }
        Ok(leased.into_iter().map(|(page, _)| page).collect())
    }

    fn reached(&self) -> std::sync::MutexGuard<'_, HashMap<i64, i64>> {
        lock(&self.reached)
    }

    async fn lease_after(
        &self,
        run: i64,
        most: i64,
        from: i64,
    ) -> Result<Vec<(LeasedPage, i64)>, PostgresError> {
        let input = (run, from, most, self.lease.as_secs_f64(), self.worker.clone());
        self.database
            .run(self.patience, &input, |client, (run, from, most, lease, worker)| {
                Box::pin(async move {
                    // The index on waiting pages has dead entries at its beginning; `turn` skips
                    // them. ARRAY(…) makes PostgreSQL choose the rows first.
                    let lease_some = "UPDATE job
                         SET state = 1, fence = fence + 1, worker = $5,
                             lease_until = clock_timestamp() + $4 * interval '1 second'
                         WHERE run = $1 AND number = ANY(ARRAY(
                             SELECT number FROM job
                             WHERE run = $1 AND state = 0 AND turn > $2
                                 AND EXISTS (SELECT 1 FROM run WHERE id = $1 AND stopped_at IS NULL)
                             ORDER BY turn LIMIT $3 FOR UPDATE SKIP LOCKED))
                         RETURNING number, fence, page, turn";
                    let statement = client.prepared(lease_some).await?;
                    let rows = client.query(&statement, &[run, from, most, lease, worker]).await?;
                    let leased = rows.iter().map(|row| {
                        let (number, fence, page) = (row.get(0), row.get(1), row.get(2));
                        (LeasedPage { run: *run, number, fence, page }, row.get(3))
                    });
                    Ok(leased.collect())
                })
            })
            .await
    }

    /// Extends leases. Returns those that are lost, because a different worker has the page or the
    /// page is done.
    pub async fn extend(
        &self,
        held: &[LeasedPage],
        patience: Duration,
    ) -> Result<Vec<LeasedPage>, PostgresError> {
        let runs: Vec<i64> = held.iter().map(|page| page.run).collect();
        let numbers: Vec<i64> = held.iter().map(|page| page.number).collect();
        let fences: Vec<i32> = held.iter().map(|page| page.fence).collect();
        let input = (runs, numbers, fences, self.lease.as_secs_f64());
        let kept: Vec<(i64, i64)> = self
            .database
            .run(patience, &input, |client, (runs, numbers, fences, lease)| {
                Box::pin(async move {
                    let extend = "UPDATE job
                         SET lease_until = clock_timestamp() + $4 * interval '1 second'
                         FROM unnest($1::bigint[], $2::bigint[], $3::int[]) AS held (run, number, fence)
                         WHERE job.run = held.run AND job.number = held.number
                             AND job.fence = held.fence AND job.state = 1
                         RETURNING job.run, job.number";
                    let extend = client.prepared(extend).await?;
                    let rows = client.query(&extend, &[runs, numbers, fences, lease]).await?;
                    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
                })
            })
            .await?;
        let lost = |page: &&LeasedPage| !kept.contains(&(page.run, page.number));
        Ok(held.iter().filter(lost).cloned().collect())
    }

    /// Gives pages back, so that they wait again.
    pub async fn give_back(&self, held: &[LeasedPage]) -> Result<(), PostgresError> {
        let runs: Vec<i64> = held.iter().map(|page| page.run).collect();
        let numbers: Vec<i64> = held.iter().map(|page| page.number).collect();
        let fences: Vec<i32> = held.iter().map(|page| page.fence).collect();
        self.database
            .run(self.patience, &(runs, numbers, fences), |client, (runs, numbers, fences)| {
                Box::pin(async move {
                    let give_back = "UPDATE job SET state = 0, lease_until = NULL, worker = NULL
                         FROM unnest($1::bigint[], $2::bigint[], $3::int[]) AS held (run, number, fence)
                         WHERE job.run = held.run AND job.number = held.number
                             AND job.fence = held.fence AND job.state = 1";
                    client.execute(give_back, &[runs, numbers, fences]).await.map(drop)
                })
            })
            .await
    }

    /// Ends the expired leases of a run: the pages wait again, after all others. A page that was
    /// leased too often gets `failed` as its result. Returns how many leases were ended.
    pub async fn end_expired(&self, run: i64, failed: &Delivery) -> Result<u64, PostgresError> {
        let input = (run, failed.verdict.clone(), clean(&failed.result), self.worker.clone());
        self.database
            .run(self.patience, &input, |client, (run, verdict, result, worker)| {
                Box::pin(async move {
                    let end = "WITH expired AS MATERIALIZED (
                             SELECT number, fence FROM job
                             WHERE run = $1 AND state = 1 AND lease_until < clock_timestamp()
                             ORDER BY number LIMIT $2 FOR UPDATE SKIP LOCKED
                         ), ended AS (
                             UPDATE job SET
                                 state = CASE WHEN job.fence >= $3 THEN 2 ELSE 0 END,
                                 turn = job.turn + run.pages, lease_until = NULL, worker = NULL
                             FROM expired, run
                             WHERE run.id = $1 AND job.run = $1 AND job.number = expired.number
                             RETURNING job.number, job.fence
                         ), failed AS (
                             INSERT INTO result (run, number, fence, worker, verdict, fails, result)
                             SELECT $1, number, fence, $4, $5, true, $6 FROM ended WHERE fence >= $3
                         )
                         SELECT count(*) FROM ended";
                    let parameters: [&(dyn ToSql + Sync); 6] =
                        [run, &MOST_EXPIRED, &MOST_LEASES, worker, verdict, result];
                    let end = client.prepared(end).await?;
                    let row = client.query_one(&end, &parameters).await?;
                    Ok(row.get::<_, i64>(0) as u64)
                })
            })
            .await
    }

    /// Delivers the result of a leased page, together with its new baseline. If the connection was
    /// lost in the middle, the result is delivered once.
    pub async fn deliver(
        &self,
        page: &LeasedPage,
        delivery: Delivery,
        accepted_by: &str,
    ) -> Result<Delivered, BaselineError> {
        let row = match delivery.baseline {
            Some((key, stored, branch)) => Some(page_row(&key, &stored, &branch, accepted_by)?),
            None => None,
        };
        let input = DeliveryRow {
            page: page.clone(),
            worker: self.worker.clone(),
            verdict: delivery.verdict,
            fails: delivery.fails,
            result: clean(&delivery.result),
            before: delivery.before,
            after: delivery.after,
            baseline: row,
        };
        let accepted = self
            .database
            .run(self.patience, &input, |client, input| {
                Box::pin(async move {
                    if input.baseline.is_none() {
                        // One statement is one transaction, and one round trip.
                        let statement = client.prepared(DELIVER).await?;
                        let done = client.execute(&statement, &input.parameters()).await?;
                        return match done {
                            0 => was_accepted(client, input).await,
                            _ => Ok(Ok(true)),
                        };
                    }
                    let transaction = client.transaction().await?;
                    if transaction.execute(DELIVER, &input.parameters()).await? == 0 {
                        drop(transaction);
                        return was_accepted(client, input).await;
                    }
                    if let Some(row) = &input.baseline
                        && let Err(found) = rows::save(&transaction, row).await?
                    {
                        return Ok(Err(found));
                    }
                    transaction.commit().await.map(|()| Ok(true))
                })
            })
            .await?;
        match accepted {
            Ok(true) => Ok(Delivered::Accepted),
            Ok(false) => Ok(Delivered::Superseded),
            Err(found) => Err(newer(self.database.address().shown(), found)),
        }
    }
}

/// Ends the lease and inserts the result, if the lease is the newest one.
const DELIVER: &str = "WITH mine AS (
         UPDATE job SET state = 2, lease_until = NULL, worker = NULL
         WHERE run = $1 AND number = $2 AND fence = $3 AND state = 1
         RETURNING run, number, fence
     )
     INSERT INTO result (run, number, fence, worker, verdict, fails, result, before, after)
     SELECT run, number, fence, $4, $5, $6, $7, $8, $9 FROM mine";

struct DeliveryRow {
    page: LeasedPage,
    worker: String,
    verdict: String,
    fails: bool,
    result: String,
    before: Option<Vec<u8>>,
    after: Option<Vec<u8>>,
    baseline: Option<BaselineRow>,
}

impl DeliveryRow {
    fn parameters(&self) -> [&(dyn ToSql + Sync); 9] {
        let page = &self.page;
        [
            &page.run,
            &page.number,
            &page.fence,
            &self.worker,
            &self.verdict,
            &self.fails,
            &self.result,
            &self.before,
            &self.after,
        ]
    }
}

/// Reports whether the result of this lease is there already: the answer to an earlier try was
/// lost.
async fn was_accepted(
    client: &tokio_postgres::Client,
    input: &DeliveryRow,
) -> Result<Result<bool, i64>, tokio_postgres::Error> {
    let find = "SELECT 1 FROM result WHERE run = $1 AND number = $2 AND fence = $3 AND worker = $4";
    let LeasedPage { run, number, fence, .. } = &input.page;
    let row = client.query_opt(find, &[run, number, fence, &input.worker]).await?;
    Ok(Ok(row.is_some()))
}
