//! Whole runs of the queue: adding, listing, stopping and reading them.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

use tokio_postgres::{Error, Row, Transaction};

use super::leases::Queue;
use crate::postgres::PostgresError;
use crate::store::rows::clean;

/// How many pages are inserted with one statement.
const CHUNK: usize = 5_000;
/// From this many pages on, the statistics of the table are updated.
const ANALYZED: usize = 1_000;
/// How many runs are kept; older ones that are done or stopped are deleted.
const MOST_RUNS: i64 = 20;
/// The time over which the speed of a run is measured.
const RATE_WINDOW: Duration = Duration::from_secs(60);

/// A run that is added.
#[derive(Clone, Debug, Default)]
pub struct NewRun {
    /// A description for people.
    pub subject: String,
    /// The plan of the check, for the workers.
    pub plan: String,
    /// The branch of the baselines.
    pub branch: String,
    /// The branch that it falls back to.
    pub base_branch: String,
    /// The user who added it.
    pub created_by: String,
    /// The pages, as the workers get them.
    pub pages: Vec<String>,
}

/// A run in a list.
#[derive(Clone, Debug)]
pub struct RunSummary {
    /// Its number.
    pub id: i64,
    /// A description for people.
    pub subject: String,
    /// The plan of the check, for the workers.
    pub plan: String,
    /// The branch of the baselines.
    pub branch: String,
    /// The branch that it falls back to.
    pub base_branch: String,
    /// How many pages it has.
    pub pages: u64,
    /// The user who added it.
    pub created_by: String,
    /// The time when it was added, in UTC.
    pub created_at: String,
    /// Whether it was stopped.
    pub stopped: bool,
}

/// The state of a run.
#[derive(Clone, Debug, Default)]
pub struct RunState {
    /// Pages that wait.
    pub waiting: u64,
    /// Pages that workers have.
    pub leased: u64,
    /// Pages that are done.
    pub done: u64,
    /// How many results there are of each verdict.
    pub verdicts: Vec<(String, u64)>,
    /// How many results fail the check.
    pub failing: u64,
    /// How many results were delivered per second in the last minute.
    pub rate: f64,
    /// The workers that have pages.
    pub workers: Vec<WorkerState>,
}

/// A worker that has pages.
#[derive(Clone, Debug)]
pub struct WorkerState {
    /// Its name.
    pub name: String,
    /// How many pages it has.
    pub pages: u64,
    /// Whether its lease has expired.
    pub expired: bool,
}

/// The accepted result of a page.
#[derive(Clone, Debug)]
pub struct PageResult {
    /// The number of the page in the run.
    pub number: i64,
    /// The page, as it was enqueued.
    pub page: String,
    /// The result, as the worker wrote it.
    pub result: String,
    /// A picture of the baseline.
    pub before: Option<Vec<u8>>,
    /// A picture of the page.
    pub after: Option<Vec<u8>>,
}

const RUN: &str = "id, subject, plan, branch, base_branch, pages, created_by,
     to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') AS created_at,
     stopped_at IS NOT NULL AS stopped";

fn run_of(row: &Row) -> RunSummary {
    RunSummary {
        id: row.get("id"),
        subject: row.get("subject"),
        plan: row.get("plan"),
        branch: row.get("branch"),
        base_branch: row.get("base_branch"),
        pages: row.get::<_, i64>("pages") as u64,
        created_by: row.get("created_by"),
        created_at: row.get("created_at"),
        stopped: row.get("stopped"),
    }
}

impl Queue {
    /// Adds a run with its pages and returns its number. Workers see all of its pages or none.
    pub async fn enqueue(&self, run: &NewRun) -> Result<i64, PostgresError> {
        // If the answer is lost, the next try finds the run by this word.
        let token = format!("{:016x}", RandomState::new().build_hasher().finish());
        let input = (token, run.clone());
        let id = self
            .database
            .run(self.patience, &input, |client, (token, run)| {
                Box::pin(async move {
                    let transaction = client.transaction().await?;
                    let Some(id) = insert_run(&transaction, token, run).await? else {
                        let known = "SELECT id FROM run WHERE token = $1";
                        return Ok(transaction.query_one(known, &[token]).await?.get(0));
                    };
                    insert_pages(&transaction, id, &run.pages).await?;
                    transaction.commit().await?;
                    if run.pages.len() >= ANALYZED {
                        client.batch_execute("ANALYZE job").await?;
                    }
                    Ok(id)
                })
            })
            .await?;
        self.prune().await?;
        Ok(id)
    }

    /// Deletes old runs that are done or stopped.
    async fn prune(&self) -> Result<(), PostgresError> {
        self.database
            .run(self.patience, &(), |client, ()| {
                Box::pin(async move {
                    let old = "SELECT id FROM run
                         WHERE id NOT IN (SELECT id FROM run ORDER BY id DESC LIMIT $1)
                             AND NOT EXISTS (SELECT 1 FROM job WHERE run = id AND state = 1)
                             AND (stopped_at IS NOT NULL
                                 OR NOT EXISTS (SELECT 1 FROM job WHERE run = id AND state = 0))
                         FOR UPDATE SKIP LOCKED";
                    let transaction = client.transaction().await?;
                    let rows = transaction.query(old, &[&MOST_RUNS]).await?;
                    let ids: Vec<i64> = rows.iter().map(|row| row.get(0)).collect();
                    for table in ["result", "job"] {
                        let delete = format!("DELETE FROM {table} WHERE run = ANY($1)");
                        transaction.execute(&delete, &[&ids]).await?;
                    }
                    transaction.execute("DELETE FROM run WHERE id = ANY($1)", &[&ids]).await?;
                    transaction.commit().await
                })
            })
            .await
    }

    /// Returns the runs that have pages to check, the oldest first.
    pub async fn open_runs(&self) -> Result<Vec<RunSummary>, PostgresError> {
        self.database
            .run(self.patience, &(), |client, ()| {
                Box::pin(async move {
                    let open = format!(
                        "SELECT {RUN} FROM run WHERE stopped_at IS NULL
                             AND (EXISTS (SELECT 1 FROM job WHERE run = id AND state = 0)
                                 OR EXISTS (SELECT 1 FROM job WHERE run = id AND state = 1))
                         ORDER BY id"
                    );
                    Ok(client.query(&open, &[]).await?.iter().map(run_of).collect())
                })
            })
            .await
    }

    /// Returns a run: the one with this number, or the newest.
    pub async fn find_run(&self, id: Option<i64>) -> Result<Option<RunSummary>, PostgresError> {
        self.database
            .run(self.patience, &id, |client, id| {
                Box::pin(async move {
                    let find = format!(
                        "SELECT {RUN} FROM run WHERE $1::bigint IS NULL OR id = $1
                         ORDER BY id DESC LIMIT 1"
                    );
                    Ok(client.query_opt(&find, &[id]).await?.as_ref().map(run_of))
                })
            })
            .await
    }

    /// Returns the state of a run.
    pub async fn state(&self, run: i64) -> Result<RunState, PostgresError> {
        self.database
            .run(self.patience, &run, |client, run| {
                Box::pin(async move {
                    let counts = "SELECT count(*) FILTER (WHERE state = 0),
                             count(*) FILTER (WHERE state = 1), count(*) FILTER (WHERE state = 2)
                         FROM job WHERE run = $1";
                    let row = client.query_one(counts, &[run]).await?;
                    let number = |at| row.get::<_, i64>(at) as u64;
                    let mut state = RunState {
                        waiting: number(0),
                        leased: number(1),
                        done: number(2),
                        ..RunState::default()
                    };
                    let verdicts = "SELECT verdict, count(*), count(*) FILTER (WHERE fails),
                             count(*) FILTER (WHERE delivered_at > now() - $2 * interval '1 second')
                         FROM result WHERE run = $1 GROUP BY verdict ORDER BY verdict";
                    let window = RATE_WINDOW.as_secs_f64();
                    for row in client.query(verdicts, &[run, &window]).await? {
                        state.verdicts.push((row.get(0), row.get::<_, i64>(1) as u64));
                        state.failing += row.get::<_, i64>(2) as u64;
                        state.rate += row.get::<_, i64>(3) as f64 / window;
                    }
                    let workers = "SELECT coalesce(worker, ''), count(*),
                             max(lease_until) < clock_timestamp()
                         FROM job WHERE run = $1 AND state = 1 GROUP BY worker ORDER BY worker";
                    for row in client.query(workers, &[run]).await? {
                        state.workers.push(WorkerState {
                            name: row.get(0),
                            pages: row.get::<_, i64>(1) as u64,
                            expired: row.get(2),
                        });
                    }
                    Ok(state)
                })
            })
            .await
    }

    /// Stops a run: no more of its pages are leased. Returns whether it was running.
    pub async fn stop(&self, run: i64) -> Result<bool, PostgresError> {
        self.database
            .run(self.patience, &run, |client, run| {
                Box::pin(async move {
                    let stop =
                        "UPDATE run SET stopped_at = now() WHERE id = $1 AND stopped_at IS NULL
                         AND EXISTS (SELECT 1 FROM job WHERE run = $1 AND state < 2)";
                    Ok(client.execute(stop, &[run]).await? > 0)
                })
            })
            .await
    }

    /// Returns up to `most` results of a run whose numbers are above `after`, in their order.
    pub async fn results(
        &self,
        run: i64,
        after: i64,
        most: i64,
    ) -> Result<Vec<PageResult>, PostgresError> {
        self.database
            .run(self.patience, &(run, after, most), |client, (run, after, most)| {
                Box::pin(async move {
                    let read = "SELECT number, page, result, before, after
                         FROM result JOIN job USING (run, number)
                         WHERE run = $1 AND number > $2 ORDER BY number LIMIT $3";
                    let rows = client.query(read, &[run, after, most]).await?;
                    let result = |row: &Row| PageResult {
                        number: row.get(0),
                        page: row.get(1),
                        result: row.get(2),
                        before: row.get(3),
                        after: row.get(4),
                    };
                    Ok(rows.iter().map(result).collect())
                })
            })
            .await
    }
}

/// Inserts the row of a run; none if an earlier try did.
async fn insert_run(
    transaction: &Transaction<'_>,
    token: &str,
    run: &NewRun,
) -> Result<Option<i64>, Error> {
    let insert = "INSERT INTO run (token, subject, plan, branch, base_branch, pages, created_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (token) DO NOTHING RETURNING id";
    let (subject, plan, by) = (clean(&run.subject), clean(&run.plan), clean(&run.created_by));
    let pages = run.pages.len() as i64;
    let row = transaction
        .query_opt(insert, &[&token, &subject, &plan, &run.branch, &run.base_branch, &pages, &by])
        .await?;
    Ok(row.map(|row| row.get(0)))
}

async fn insert_pages(
    transaction: &Transaction<'_>,
    id: i64,
    pages: &[String],
) -> Result<(), Error> {
    let insert = transaction
        .prepare(
            "INSERT INTO job (run, number, turn, page)
             SELECT $1, $2 + at, $2 + at, page
             FROM unnest($3::text[]) WITH ORDINALITY AS given (page, at)",
        )
        .await?;
    for (at, chunk) in pages.chunks(CHUNK).enumerate() {
        // Numbers begin with 0, ordinality with 1.
        let first = (at * CHUNK) as i64 - 1;
        let chunk: Vec<String> = chunk.iter().map(|page| clean(page)).collect();
        transaction.execute(&insert, &[&id, &first, &chunk]).await?;
    }
    Ok(())
}
