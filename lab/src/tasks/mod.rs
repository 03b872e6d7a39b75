//! `cargo lab tasks`: solves tasks with fixed programs that know only what the tools answer, in two
//! ways: from the diff that each action returns, and, with the diff turned off, by looking at the
//! page again after every action. Compares the tokens of both, first look included. With
//! `--targets`, acts on elements by their names instead, and judges which element was reached.

mod agent;
mod forms;
mod lists;
mod panels;
mod site;
mod target_cases;
mod target_parts;
mod targets;

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
    /// Act on elements by their names instead, this many times, and judge which was reached
    #[arg(long, value_name = "N", conflicts_with = "rounds")]
    targets: Option<usize>,
}

/// The program of one task.
type TaskSolver = for<'h> fn(&'h mut TaskAgent<'_>) -> BoxFuture<'h, anyhow::Result<()>>;

macro_rules! tasks {
    ($($name:literal => $solver:path),* $(,)?) => {
        /// The tasks, each with its program; `tasks.html` has their pages in the same order.
        const TASKS: &[(&str, TaskSolver)] = &[$(($name, |agent| Box::pin($solver(agent)))),*];
    };
}

tasks! {
    "register, with validation" => forms::register,
    "log in, second factor" => forms::log_in,
    "wizard of four steps" => forms::wizard,
    "settings that open further ones" => forms::settings,
    "selects that depend on each other" => forms::selects,
    "quiz of five sums" => forms::quiz,
    "chat for a code" => forms::chat,
    "paging through a table" => lists::paging,
    "editing two rows in a modal" => lists::editing,
    "filter, sort and buy the cheapest" => lists::cheapest,
    "to-do list" => lists::to_do,
    "a path in a tree" => lists::tree,
    "more and more of a feed" => lists::feed,
    "deleting with a question each time" => lists::deleting,
    "a card through the columns of a board" => lists::board,
    "three things into the cart, and pay" => panels::cart,
    "a code behind one of five tabs" => panels::tabs,
    "the right answer in an accordion" => panels::accordion,
    "auto-complete twice, then a flight" => panels::flights,
    "a day in a calendar" => panels::calendar,
    "stepper until the sum is right" => panels::stepper,
    "a mail answered and archived" => panels::mail,
    "two free seats" => panels::seats,
}

/// Solves, prints the table, and fails if a task was not solved or too little was saved.
pub async fn run(args: TasksArgs) -> anyhow::Result<()> {
    let program = args.program.path()?;
    if let Some(count) = args.targets {
        return targets::run(&program, args.browser.name(), &args.only, count, args.seed.seed)
            .await;
    }
    let site = site::serve().await?;
    let client =
        McpClient::start(&program, &["--allow-evaluate", "--browser", args.browser.name()]).await?;
    table(
        "task | solved | first look, tokens | calls, by the diff | tokens | extra looks | calls, looking again | tokens | times fewer",
    );
    anyhow::ensure!(
        TASKS.iter().any(|(name, _)| args.only.includes(name)),
        "no task has such a name"
    );
    let (mut sums, mut failures) = ([0, 0], Vec::new());
    for (at, (name, solver)) in TASKS.iter().enumerate() {
        if !args.only.includes(name) {
            continue;
        }
        let mut costs = [TaskCost::default(); 2];
        let mut solved = 0;
        for round in 0..args.rounds {
            let url = format!("{site}/task/{at}?seed={}", args.seed.seed * 1_000 + round);
            for (cost, feedback) in costs.iter_mut().zip([Feedback::Diff, Feedback::Look]) {
                match solve(&client, *solver, feedback, &url).await {
                    Ok(spent) => {
                        solved += 1;
                        cost.add(spent);
                    }
                    Err(error) => {
                        failures.push(format!("{}, {feedback:?}, {url}: {error:#}", name))
                    }
                }
            }
        }
        let each = |sum: usize| sum as f64 / args.rounds as f64;
        let [diff, look] = costs;
        println!(
            "| {} | {solved} / {} | {:.0} | {:.1} | {:.0} | {:.1} | {:.1} | {:.0} | {:.1} |",
            name,
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
    solver: TaskSolver,
    feedback: Feedback,
    url: &str,
) -> anyhow::Result<TaskCost> {
    let mut agent = TaskAgent::begin(client, feedback, url).await?;
    let done = solver(&mut agent).await;
    let (solved, _) =
        client.call("browser_evaluate", json!({ "expression": "window.solved === true" })).await?;
    done?;
    anyhow::ensure!(solved.trim() == "true", "the page does not say that it is solved");
    Ok(agent.cost)
}

#[cfg(test)]
mod tests {
    #[test]
    fn pages_are_in_the_order_of_the_tasks() {
        let pages = crate::page_files::pages(super::site::PAGES).map(|(name, _)| name);
        assert!(pages.eq(super::TASKS.iter().map(|(name, _)| *name)));
    }
}
