//! `cargo lab queue`: a million jobs in the queue of a check, many connections, and workers that
//! give up. Fails unless each job has exactly one accepted result.

#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../../crates/pagesight-session/src/postgres/test_server.rs"]
pub mod server;

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Args;

use crate::options::SeedArgs;
use crate::product::{Delivered, Delivery, LeasedPage, NewRun, Queue, StoreAddress};
use crate::random::Random;
use server::{PASSWORD, TestServer};

/// How long a database that does not answer is accepted.
const PATIENCE: Duration = Duration::from_secs(60);
/// Settings of the server, besides the defaults of PostgreSQL: commits are durable.
const SETTINGS: &str =
    "fsync=on -c synchronous_commit=on -c shared_buffers=512MB -c max_wal_size=4GB";

/// Options of `cargo lab queue`.
#[derive(Args)]
pub struct QueueArgs {
    #[command(flatten)]
    seed: SeedArgs,
    /// How many jobs the queue gets
    #[arg(long, default_value_t = 1_000_000)]
    pages: usize,
    /// How many connections lease and deliver
    #[arg(long, default_value_t = 50)]
    connections: u64,
    /// How many of 100 leases are abandoned; half of them deliver too late
    #[arg(long, default_value_t = 10)]
    abandoned: usize,
    /// How long a lease lasts, in seconds
    #[arg(long, default_value_t = 2.0)]
    lease: f64,
    /// How many jobs are leased at a time, as a worker with so many tabs does
    #[arg(long, default_value_t = 1)]
    batch: i64,
}

impl QueueArgs {
    /// Returns the seed.
    pub fn seed(&self) -> u64 {
        self.seed.seed
    }
}

/// What one connection counted.
#[derive(Default)]
struct Counts {
    leases: u64,
    accepted: u64,
    superseded: u64,
    abandoned: u64,
    expired: u64,
}

/// Enqueues, works, checks and prints the table.
pub async fn run(args: QueueArgs) -> anyhow::Result<()> {
    let bin = server::find().context("PostgreSQL is not installed; apt-get install postgresql")?;
    let server = TestServer::start(&bin, SETTINGS);
    let password = |name: &str| (name == "PGPASSWORD").then(|| PASSWORD.to_owned());
    let address = StoreAddress::parse(&server.address("lab"), &password)?;
    let lease = Duration::from_secs_f64(args.lease);
    let open = |name: String| {
        let address = address.clone();
        async move { Queue::open(&address, &name, lease, PATIENCE).await }
    };
    let first = open("first".to_owned()).await?;
    let page = |at| {
        format!(
            r#"{{"name":"catalogue/product-{at}","browser":"chromium","width":1280,"height":720,"job":{at}}}"#
        )
    };
    let pages: Vec<String> = (0..args.pages).map(page).collect();
    let begun = Instant::now();
    let new =
        NewRun { subject: "lab".to_owned(), branch: "main".to_owned(), pages, ..NewRun::default() };
    let run = first.enqueue(&new).await?;
    let enqueued = begun.elapsed();
    drop(new);
    let sizes = |server: &TestServer| -> Vec<f64> {
        let text = server.psql(
            "SELECT concat_ws(' ', pg_table_size('lab.job'), pg_indexes_size('lab.job'), pg_total_relation_size('lab.result'))",
        );
        text.split(' ').map(|bytes| bytes.parse().unwrap_or(0.0) / 1_048_576.0).collect()
    };
    let before = sizes(&server);

    let begun = Instant::now();
    let mut workers = tokio::task::JoinSet::new();
    for number in 0..args.connections {
        let queue = Arc::new(open(format!("worker {number}")).await?);
        let random = Random::new(args.seed() ^ (number << 32));
        workers.spawn(work(queue, run, random, args.abandoned, args.batch));
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
    let after = sizes(&server);
    let rows = server.psql(
        "SELECT concat_ws(' ', count(*), count(DISTINCT number), count(*) FILTER (WHERE fails)) FROM lab.result",
    );
    let left = server.psql("SELECT count(*) FROM lab.job WHERE state <> 2");
    let begun = Instant::now();
    server.psql("VACUUM lab.job, lab.result");
    let (vacuum, vacuumed) = (begun.elapsed(), sizes(&server));

    let per_second = args.pages as f64 / took.as_secs_f64();
    println!("| | |\n|---|---|");
    println!("| jobs | {} |", args.pages);
    println!(
        "| connections | {}, leases of {} s, {} at a time |",
        args.connections, args.lease, args.batch
    );
    println!("| enqueued in | {:.1} s |", enqueued.as_secs_f64());
    println!("| leases | {}, of which {} abandoned |", total.leases, total.abandoned);
    println!(
        "| results | {} accepted, {} refused as superseded |",
        total.accepted, total.superseded
    );
    println!("| rows of results, different jobs, given up | {rows} |");
    println!("| jobs without a result | {left} |");
    println!("| expired leases ended | {} |", total.expired);
    println!("| time | {:.1} s, {per_second:.0} jobs per second |", took.as_secs_f64());
    let size = |sizes: &[f64]| format!("{:.0} + {:.0} + {:.0}", sizes[0], sizes[1], sizes[2]);
    println!("| MiB of jobs + their indexes + results: enqueued | {} |", size(&before));
    println!("| … at the end | {} |", size(&after));
    println!("| … after VACUUM ({:.1} s) | {} |", vacuum.as_secs_f64(), size(&vacuumed));
    println!("| … row versions removed while it ran | {} |", server.psql("SELECT n_tup_upd || ' updates, ' || n_dead_tup || ' dead, ' || autovacuum_count || ' autovacuums' FROM pg_stat_user_tables WHERE schemaname = 'lab' AND relname = 'job'"));
    let parts: Vec<u64> = rows.split(' ').filter_map(|part| part.parse().ok()).collect();
    let [results, different, given_up] = parts[..] else { anyhow::bail!("{rows}") };
    let pages = args.pages as u64;
    ensure!(results == pages && different == pages, "{results} results of {different} jobs");
    ensure!(total.accepted + given_up == pages, "{} deliveries were accepted", total.accepted);
    ensure!(left == "0", "{left} jobs are left");
    Ok(())
}

fn done(verdict: &str) -> Delivery {
    let result = r#"{"job":1,"name":"catalogue/product","url":"http://127.0.0.1/","browser":"chromium","viewport":{"width":1280,"height":720},"line":3,"result":"compared","status":"unchanged","tries":1,"took_ms":240}"#;
    Delivery { verdict: verdict.to_owned(), result: result.to_owned(), ..Delivery::default() }
}

async fn work(
    queue: Arc<Queue>,
    run: i64,
    mut random: Random,
    abandoned: usize,
    batch: i64,
) -> anyhow::Result<Counts> {
    let failed = Delivery { fails: true, ..done("failed") };
    let mut counts = Counts::default();
    let mut swept = Instant::now();
    // Abandoned jobs whose worker comes back when it is too late.
    let mut late: Vec<(Instant, LeasedPage)> = Vec::new();
    loop {
        if swept.elapsed() > queue.lease() / 2 {
            swept = Instant::now();
            counts.expired += queue.end_expired(run, &failed).await?;
        }
        while let Some(at) = late.iter().position(|(at, _)| at.elapsed() > queue.lease() * 2) {
            let (_, page) = late.swap_remove(at);
            deliver(&queue, &page, &mut counts).await?;
        }
        let leased = queue.lease_pages(run, batch).await?;
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
            if random.percent(abandoned) {
                counts.abandoned += 1;
                if random.percent(50) {
                    late.push((Instant::now(), page));
                }
            } else {
                deliver(&queue, &page, &mut counts).await?;
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
