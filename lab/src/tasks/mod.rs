//! `cargo xtask tasks`: tasks solved by fixed programs that know only what the tools answer, twice:
//! by what each action says it changed, and, with the diff turned off, by looking at the page again
//! after every action. What both cost, first look included.

mod agent;
mod forms;
mod lists;
mod panels;
mod site;

use std::path::PathBuf;

use agent::{Feedback, TaskAgent, TaskCost};
use clap::Args;
use futures_util::future::BoxFuture;
use serde_json::json;

use crate::mcp::McpClient;

/// How many times fewer tokens must be needed, over all tasks.
const FEWER: f64 = 3.0;

/// What to solve.
#[derive(Args)]
pub struct TasksArgs {
    /// How many seeds each task is solved with
    #[arg(long, default_value_t = 3)]
    rounds: u64,
    /// Where names, numbers and places come from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only tasks whose name holds this
    #[arg(long)]
    only: Option<String>,
    /// The browser
    #[arg(long, default_value = "chromium")]
    browser: String,
    /// The program to drive; without it the release program is built
    #[arg(long)]
    program: Option<PathBuf>,
}

/// A task: its page, which says in `window.solved` whether it was solved, and its program.
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
    let program = args.program.clone().map_or_else(crate::release_program, Ok)?;
    let port = site::serve().await?;
    let client =
        McpClient::start(&program, &["--allow-evaluate", "--browser", &args.browser]).await?;
    println!(
        "| task | solved | first look, tokens | calls, by the diff | tokens | looks beside | calls, looking again | tokens | times fewer |\n|---|---|---|---|---|---|---|---|---|"
    );
    let (mut sums, mut failures) = ([0, 0], Vec::new());
    for (at, task) in TASKS.iter().enumerate() {
        if args.only.as_ref().is_some_and(|only| !task.name.contains(only.as_str())) {
            continue;
        }
        let mut costs = [TaskCost::default(); 2];
        let mut solved = 0;
        for round in 0..args.rounds {
            let url =
                format!("http://127.0.0.1:{port}/task/{at}?seed={}", args.seed * 1_000 + round);
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
        "\nAll tasks: {} tokens by the diff, {} looking again: {fewer:.2} times fewer.",
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
