//! `cargo lab diffbench`: pages that change in known ways and record each change in a list.
//! Compares the diff that an action returns with that list: precision of the lines, recall of the
//! changes, tokens and time, one row for each kind of change.

mod apps;
mod claims;
mod judge;
mod kinds;
mod live;
mod play;
mod site;

use clap::Args;

use crate::mcp::McpClient;
use crate::options::{BrowserArgs, OnlyArgs, ProgramArgs, SeedArgs};
use crate::report::{median, table};
use kinds::kinds;
use play::{DiffRun, play};

/// The targets: precision and recall over all lines, the median of a diff's tokens, and the most
/// tokens on the table of 300 rows.
const SHARE: f64 = 0.98;
const MEDIAN_TOKENS: usize = 120;
const TABLE_TOKENS: usize = 150;
const TABLE: &str = "300 rows";
/// How many faults of one run are printed.
const FAULTS_PRINTED: usize = 8;

/// Options of `cargo lab diffbench`.
#[derive(Args)]
pub struct DiffbenchArgs {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    browser: BrowserArgs,
    #[command(flatten)]
    only: OnlyArgs,
    #[command(flatten)]
    seed: SeedArgs,
    /// How often each kind of change is made, each time with other names, numbers and places
    #[arg(long, default_value_t = 3)]
    rounds: u64,
    /// Also use TodoMVC in several frameworks, installed into target/lab-apps
    #[arg(long)]
    frameworks: bool,
    /// Also do random actions in web apps of other projects, installed into target/lab-apps
    #[arg(long)]
    apps: bool,
    /// How many actions in each app
    #[arg(long, default_value_t = 12)]
    actions: usize,
    /// Print every reply
    #[arg(long)]
    replies: bool,
}

/// One row of the table.
struct DiffRow {
    name: String,
    runs: Vec<DiffRun>,
}

impl DiffRow {
    fn sum(&self, of: fn(&DiffRun) -> f64) -> f64 {
        self.runs.iter().map(of).sum()
    }

    /// The share of lines that are true; 1 if there are none.
    fn precision(&self) -> f64 {
        share(self.sum(|run| run.verdict.right as f64), self.sum(|run| run.verdict.lines as f64))
    }

    fn recall(&self) -> f64 {
        share(self.sum(|run| run.verdict.found), self.sum(|run| run.verdict.weight))
    }

    fn print(&self) {
        let tokens = self.runs.iter().map(|run| run.tokens);
        println!(
            "| {} | {} | {:.2} | {:.2} | {} | {} | {} | {} |",
            self.name,
            self.runs.len(),
            self.precision(),
            self.recall(),
            median(&tokens.clone().collect::<Vec<_>>()),
            tokens.max().unwrap_or_default(),
            median(&self.runs.iter().map(|run| run.reply_tokens).collect::<Vec<_>>()),
            median(&self.runs.iter().map(|run| run.took.as_millis()).collect::<Vec<_>>()),
        );
    }
}

fn share(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 1.0 } else { part / whole }
}

/// Measures, prints the table, and fails if a target is missed.
pub async fn run(args: DiffbenchArgs) -> anyhow::Result<()> {
    anyhow::ensure!(
        args.frameworks || args.apps || kinds().any(|(kind, _)| args.only.includes(kind)),
        "no kind of change has such a name"
    );
    let program = args.program.path()?;
    let port = site::serve().await?;
    let client =
        McpClient::start(&program, &["--allow-evaluate", "--browser", args.browser.name()]).await?;
    table("change | runs | precision | recall | diff, tokens | most | reply, tokens | ms");
    let mut rows = Vec::new();
    for (at, (kind, _)) in kinds().enumerate() {
        if !args.only.includes(kind) {
            continue;
        }
        let mut runs = Vec::new();
        for round in 0..args.rounds {
            let seed = args.seed.seed * 1_000 + round;
            let url = format!("http://127.0.0.1:{port}/page/{at}?seed={seed}");
            let run = play(&client, &url).await.unwrap_or_else(DiffRun::failed);
            if !run.verdict.faults.is_empty() || args.replies {
                let faults = run
                    .verdict
                    .faults
                    .iter()
                    .take(FAULTS_PRINTED)
                    .cloned()
                    .collect::<Vec<_>>()
                    .join("\n  ");
                eprintln!("{}, seed {seed}:\n  {faults}\n{}\n", kind, run.reply.trim_end());
            }
            runs.push(run);
        }
        let row = DiffRow { name: kind.to_owned(), runs };
        row.print();
        rows.push(row);
    }
    let mut foreign = Vec::new();
    if args.frameworks {
        foreign.extend(apps::todo(&client, args.seed.seed).await?);
    }
    if args.apps {
        foreign.extend(apps::live(&client, args.seed.seed, args.actions, &args.only).await?);
    }
    client.close().await?;
    if !foreign.is_empty() {
        let runs = foreign.into_iter().flat_map(|row| row.runs).collect();
        let all = DiffRow { name: "**all apps**".to_owned(), runs };
        all.print();
        println!("\nApps: precision {:.4}, recall {:.4}.", all.precision(), all.recall());
        rows.push(all);
    }
    sum(rows)
}

/// Prints the last row; fails if a target is missed.
fn sum(rows: Vec<DiffRow>) -> anyhow::Result<()> {
    let kinds = rows.len();
    let table = rows.iter().filter(|row| row.name.starts_with(TABLE)).flat_map(|row| &row.runs);
    let table = table.map(|run| run.tokens).max().unwrap_or_default();
    let runs: Vec<DiffRun> = rows.into_iter().flat_map(|row| row.runs).collect();
    let changing: Vec<usize> =
        runs.iter().filter(|run| run.verdict.weight > 0.0).map(|run| run.tokens).collect();
    let all = DiffRow { name: format!("**all {kinds} kinds**"), runs };
    all.print();
    let (precision, recall, tokens) = (all.precision(), all.recall(), median(&changing));
    println!(
        "\nPrecision {precision:.4}, recall {recall:.4}, median {tokens} tokens where something changed, at most {table} on the table of 300 rows."
    );
    let mut missed = Vec::new();
    for (what, value) in [("precision", precision), ("recall", recall)] {
        if value < SHARE {
            missed.push(format!("{what} {value:.4} is under {SHARE}"));
        }
    }
    if tokens >= MEDIAN_TOKENS {
        missed.push(format!("the median of {tokens} tokens is not under {MEDIAN_TOKENS}"));
    }
    if table > TABLE_TOKENS {
        missed.push(format!("{table} tokens on the table of 300 rows are over {TABLE_TOKENS}"));
    }
    anyhow::ensure!(missed.is_empty(), "missed: {}", missed.join("; "));
    Ok(())
}
