//! The queue of a check alone, without pages: many connections lease jobs and deliver results, some
//! give up, and some of those deliver too late. Fails unless every job has exactly one result.

/// The server that the session crate's tests start.
#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../../../crates/pagesight-team/src/postgres/test_server.rs"]
pub mod server;

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

use crate::product::{Delivered, Delivery, LeasedPage, NewRun, Queue, StoreAddress};
use crate::random::Random;
use crate::report::table;
use server::{PASSWORD, TestServer};

/// How long a connection waits for the database.
const PATIENCE: Duration = Duration::from_secs(60);
const CONNECTIONS: u64 = 50;
/// How long a lease lasts.
const LEASE: Duration = Duration::from_secs(2);
/// Of how many leases in a hundred the page is abandoned.
const ABANDONED: usize = 10;
/// Commits are durable, as in a database that people use.
const SETTINGS: &str =
    "fsync=on -c synchronous_commit=on -c shared_buffers=512MB -c max_wal_size=4GB";

#[derive(Default)]
struct Counts {
    leases: u64,
    accepted: u64,
    superseded: u64,
    abandoned: u64,
    expired: u64,
}

/// Puts the jobs through the queue and prints the table.
pub async fn run(count: usize, seed: u64) -> anyhow::Result<()> {
    let bin = server::find().context("PostgreSQL is not installed; apt-get install postgresql")?;
    let server = TestServer::start(&bin, SETTINGS);
    let password = |name: &str| (name == "PGPASSWORD").then(|| PASSWORD.to_owned());
    let address = StoreAddress::parse(&server.address("lab"), &password)?;
    let page = |at| {
        format!(
            r#"{{"name":"catalogue/product-{at}","browser":"chromium","width":1280,"height":720,"job":{at}}}"#
        )
    };
    let new = NewRun {
        subject: "lab".to_owned(),
        branch: "main".to_owned(),
        pages: (0..count).map(page).collect(),
        ..NewRun::default()
    };
    let begun = Instant::now();
    let run = Queue::open(&address, "first", LEASE, PATIENCE).await?.enqueue(&new).await?;
    let enqueued = begun.elapsed();
    drop(new);
    let size = |server: &TestServer| {
        let sizes = "SELECT concat_ws(' + ', pg_table_size('lab.job') >> 20, pg_indexes_size('lab.job') >> 20, pg_total_relation_size('lab.result') >> 20)";
        server.psql(sizes)
    };
    let before = size(&server);
    let begun = Instant::now();
    let mut workers = tokio::task::JoinSet::new();
    for number in 0..CONNECTIONS {
        let name = format!("worker {number}");
        let queue = Arc::new(Queue::open(&address, &name, LEASE, PATIENCE).await?);
        workers.spawn(work(queue, run, Random::new(seed ^ (number << 32))));
    }
    let mut total = Counts::default();
    while let Some(counts) = workers.join_next().await {
        let counts = counts??;
        total.leases += counts.leases;
        total.accepted += counts.accepted;
        total.superseded += counts.superseded;
        total.abandoned += counts.abandoned;
        total.expired += counts.expired;
    }
    let took = begun.elapsed();
    let after = size(&server);
    let rows = server.psql(
        "SELECT concat_ws(' ', count(*), count(DISTINCT number), count(*) FILTER (WHERE fails)) FROM lab.result",
    );
    let left = server.psql("SELECT count(*) FROM lab.job WHERE state <> 2");
    let updates = server.psql("SELECT n_tup_upd || ' updates, ' || n_dead_tup || ' dead, ' || autovacuum_count || ' autovacuums' FROM pg_stat_user_tables WHERE schemaname = 'lab' AND relname = 'job'");
    let begun = Instant::now();
    server.psql("VACUUM lab.job, lab.result");
    let (vacuum, vacuumed) = (begun.elapsed().as_secs_f64(), size(&server));
    let Counts { leases, accepted, superseded, abandoned, expired } = total;
    let (seconds, speed) = (took.as_secs_f64(), count as f64 / took.as_secs_f64());
    table(" | ");
    println!("| jobs | {count} |");
    println!("| connections | {CONNECTIONS}, leases of {LEASE:?} |");
    println!("| enqueued in | {:.1} s |", enqueued.as_secs_f64());
    println!("| leases | {leases}, of which {abandoned} abandoned |");
    println!("| results | {accepted} accepted, {superseded} refused as superseded |");
    println!("| rows of results, different jobs, given up | {rows} |");
    println!("| jobs without a result | {left} |");
    println!("| expired leases ended | {expired} |");
    println!("| time | {seconds:.1} s, {speed:.0} jobs per second |");
    println!("| MiB of jobs + their indexes + results: enqueued | {before} |");
    println!("| … at the end | {after} |");
    println!("| … after VACUUM ({vacuum:.1} s) | {vacuumed} |");
    println!("| … row versions removed while it ran | {updates} |");
    let parts: Vec<u64> = rows.split(' ').filter_map(|part| part.parse().ok()).collect();
    let [results, different, given_up] = parts[..] else { anyhow::bail!("{rows}") };
    let count = count as u64;
    ensure!(results == count && different == count, "{results} results of {different} jobs");
    ensure!(accepted + given_up == count, "{accepted} deliveries were accepted");
    ensure!(left == "0", "{left} jobs are left");
    Ok(())
}

fn done(verdict: &str) -> Delivery {
    let result = r#"{"job":1,"name":"catalogue/product","url":"http://127.0.0.1/","browser":"chromium","viewport":{"width":1280,"height":720},"line":3,"result":"compared","status":"unchanged","tries":1,"took_ms":240}"#;
    Delivery { verdict: verdict.to_owned(), result: result.to_owned(), ..Delivery::default() }
}

/// Leases and delivers until the run is done. Half of the abandoned pages come back too late.
async fn work(queue: Arc<Queue>, run: i64, mut random: Random) -> anyhow::Result<Counts> {
    let failed = Delivery { fails: true, ..done("failed") };
    let mut counts = Counts::default();
    let mut swept = Instant::now();
    let mut late: Vec<(Instant, LeasedPage)> = Vec::new();
    loop {
        if swept.elapsed() > LEASE / 2 {
            swept = Instant::now();
            counts.expired += queue.end_expired(run, &failed).await?;
        }
        while let Some(at) = late.iter().position(|(at, _)| at.elapsed() > LEASE * 2) {
            let (_, page) = late.swap_remove(at);
            deliver(&queue, &page, &mut counts).await?;
        }
        let leased = queue.lease_pages(run, 1).await?;
        if leased.is_empty() {
            if queue.open_runs().await?.is_empty() {
                for (_, page) in late {
                    deliver(&queue, &page, &mut counts).await?;
                }
                return Ok(counts);
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        for page in leased {
            counts.leases += 1;
            if !random.percent(ABANDONED) {
                deliver(&queue, &page, &mut counts).await?;
                continue;
            }
            counts.abandoned += 1;
            if random.percent(50) {
                late.push((Instant::now(), page));
            }
        }
    }
}

async fn deliver(queue: &Queue, page: &LeasedPage, counts: &mut Counts) -> anyhow::Result<()> {
    match queue.deliver(page, done("unchanged"), "lab").await? {
        Delivered::Accepted => counts.accepted += 1,
        Delivered::Superseded => counts.superseded += 1,
    }
    Ok(())
}
