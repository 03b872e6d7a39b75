//! `cargo lab tasks`: solves tasks with fixed programs that know only what the tools answer, in two
//! ways: from the diff that each action returns, and, with the diff turned off, by looking at the
//! page again after every action. Compares the tokens of both, first look included.

mod agent;
mod forms;
mod lists;
mod panels;
mod site;

use agent::{Feedback, TaskAgent, TaskCost};
use clap::Args;
use futures_util::future::BoxFuture;
use serde_json::json;

use crate::mcp::McpClient;
use crate::options::{BrowserArgs, OnlyArgs, ProgramArgs, SeedArgs};
use crate::report::table;

/// How many times fewer tokens the diff must need, over all tasks.
const FEWER: f64 = 3.0;

/// Options of `cargo lab tasks`.
#[derive(Args)]
pub struct TasksArgs {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    browser: BrowserArgs,
    #[command(flatten)]
    only: OnlyArgs,
    #[command(flatten)]
    seed: SeedArgs,
    /// How often each task is solved, each time with other names, numbers and places
    #[arg(long, default_value_t = 3)]
    rounds: u64,
}

/// A task: its page, which sets `window.solved` when it is solved, and its program.
pub struct Task {
    pub name: &'static str,
    pub page: &'static str,
    pub solve: for<'h> fn(&'h mut TaskAgent<'_>) -> BoxFuture<'h, anyhow::Result<()>>,
}

/// All tasks.
pub static TASKS: std::sync::LazyLock<Vec<&'static Task>> = std::sync::LazyLock::new(|| {
    [forms::TASKS, lists::TASKS, panels::TASKS].into_iter().flatten().collect()
});

/// Solves, prints the table, and fails if a task was not solved or too little was saved.
pub async fn run(args: TasksArgs) -> anyhow::Result<()> {
    let program = args.program.path()?;
    let site = site::serve().await?;
    let client =
        McpClient::start(&program, &["--allow-evaluate", "--browser", args.browser.name()]).await?;
    table(
        "task | solved | first look, tokens | calls, by the diff | tokens | extra looks | calls, looking again | tokens | times fewer",
    );
    anyhow::ensure!(
        TASKS.iter().any(|task| args.only.includes(task.name)),
        "no task has such a name"
    );
    let (mut sums, mut failures) = ([0, 0], Vec::new());
    for (at, task) in TASKS.iter().enumerate() {
        if !args.only.includes(task.name) {
            continue;
        }
        let mut costs = [TaskCost::default(); 2];
        let mut solved = 0;
        for round in 0..args.rounds {
            let url = format!("{site}/task/{at}?seed={}", args.seed.seed * 1_000 + round);
            for (cost, feedback) in costs.iter_mut().zip([Feedback::Diff, Feedback::Look]) {
                match solve(&client, task, feedback, &url).await {
                    Ok(spent) => {
                        solved += 1;
                        cost.add(spent);
                    }
                    Err(error) => {
                        failures.push(format!("{}, {feedback:?}, {url}: {error:#}", task.name))
                    }
                }
            }
        }
        let each = |sum: usize| sum as f64 / args.rounds as f64;
        let [diff, look] = costs;
        println!(
            "| {} | {solved} / {} | {:.0} | {:.1} | {:.0} | {:.1} | {:.1} | {:.0} | {:.1} |",
            task.name,
            args.rounds * 2,
            each(diff.first_look),
            each(diff.calls),
            each(diff.tokens),
            each(diff.extra_looks),
            each(look.calls),
            each(look.tokens),
            look.tokens as f64 / diff.tokens.max(1) as f64
        );
        sums = [sums[0] + diff.tokens, sums[1] + look.tokens];
    }
    client.close().await?;
    let fewer = sums[1] as f64 / sums[0].max(1) as f64;
    println!(
        "\nAll tasks: {} tokens with the diff, {} looking again: {fewer:.2} times fewer.",
        sums[0], sums[1]
    );
    anyhow::ensure!(failures.is_empty(), "not solved:\n{}", failures.join("\n"));
    anyhow::ensure!(fewer >= FEWER, "{fewer:.2} times fewer is not {FEWER} times fewer");
    Ok(())
}

async fn solve(
    client: &McpClient,
    task: &Task,
    feedback: Feedback,
    url: &str,
) -> anyhow::Result<TaskCost> {
    let mut agent = TaskAgent::begin(client, feedback, url).await?;
    let done = (task.solve)(&mut agent).await;
    let (solved, _) =
        client.call("browser_evaluate", json!({ "expression": "window.solved === true" })).await?;
    done?;
    anyhow::ensure!(solved.trim() == "true", "the page does not say that it is solved");
    Ok(agent.cost)
}
