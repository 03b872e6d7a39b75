//! `cargo lab miniwob`: solves tasks of MiniWoB++ with fixed programs that know only what the MCP
//! tools answer, or with `--shell` the commands of a session in the shell. The lab seeds and starts
//! each episode and reads its reward. A task counts as solved if the page says so for every seed.

mod agent;
mod choices;
mod clicks;
mod fields;
mod places;
mod shell;
mod widgets;

use std::time::Duration;

use anyhow::Context;
use clap::Args;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use crate::install::apps;
use crate::mcp::McpClient;
use crate::options::{DetailsArgs, OnlyArgs, ProgramArgs};
use crate::report::table;
use agent::{MiniwobAgent, MiniwobCost, MiniwobWay, SolveResult};
use shell::ShellSession;

/// How long one episode may take.
const EPISODE_LIMIT: Duration = Duration::from_secs(120);

/// Options of `cargo lab miniwob`.
#[derive(Args)]
pub struct MiniwobArgs {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    only: OnlyArgs,
    #[command(flatten)]
    details: DetailsArgs,
    /// How often each task is solved; the seeds of the episodes are 0, 1, 2, …
    #[arg(long, default_value_t = 10)]
    rounds: usize,
    /// Use the commands of a session in the shell instead of MCP
    #[arg(long)]
    shell: bool,
}

/// The program of one task.
type TaskSolver = fn(&mut MiniwobAgent) -> BoxFuture<'_, SolveResult>;

macro_rules! tasks {
    ($($name:literal => $solver:path),* $(,)?) => {
        /// The tasks, each with its program.
        const TASKS: &[(&str, TaskSolver)] = &[$(($name, |agent| Box::pin($solver(agent)))),*];
    };
}

tasks! {
    "click-test" => clicks::only_button,
    "click-test-2" => clicks::button_one,
    "click-button" => clicks::button,
    "unicode-test" => clicks::button,
    "click-button-sequence" => clicks::one_then_two,
    "click-link" => clicks::link,
    "click-dialog" => clicks::dialog,
    "click-dialog-2" => clicks::dialog,
    "click-widget" => clicks::widget,
    "click-color" => clicks::color,
    "ascending-numbers" => clicks::ascending,
    "odd-or-even" => clicks::odd_or_even,
    "click-checkboxes" => choices::boxes,
    "click-checkboxes-large" => choices::boxes,
    "click-checkboxes-transfer" => choices::boxes,
    "click-option" => choices::boxes,
    "click-tab" => choices::tab,
    "click-tab-2" => choices::behind_tabs,
    "click-tab-2-hard" => choices::behind_tabs,
    "click-collapsible" => choices::section,
    "click-collapsible-2" => choices::in_sections,
    "navigate-tree" => choices::tree,
    "click-menu" => choices::menu_path,
    "enter-text" => fields::text,
    "enter-text-2" => fields::cased_text,
    "enter-text-dynamic" => fields::text,
    "enter-password" => fields::password,
    "enter-date" => fields::date,
    "enter-time" => fields::time,
    "focus-text" => fields::focus,
    "focus-text-2" => fields::focus,
    "login-user" => fields::login,
    "login-user-popup" => fields::login,
    "text-transform" => fields::drawn_text,
    "copy-paste" => fields::copy,
    "copy-paste-2" => fields::copy,
    "find-word" => fields::word,
    "simple-arithmetic" => fields::arithmetic,
    "simple-algebra" => fields::algebra,
    "read-table" => fields::table,
    "read-table-2" => fields::labelled_table,
    "choose-list" => widgets::list,
    "click-scroll-list" => widgets::list,
    "form-sequence" => widgets::sliders,
    "form-sequence-2" => widgets::places,
    "form-sequence-3" => widgets::drawn_list,
    "use-slider-2" => widgets::sliders,
    "use-spinner" => widgets::spinner,
    "use-autocomplete" => widgets::suggestion,
    "choose-date" => widgets::calendar,
    "generate-number" => widgets::generated,
    "guess-number" => widgets::guessed,
    "sign-agreement" => widgets::agreement,
    "scroll-text" => widgets::last_word,
    "drag-box" => widgets::drag,
    "search-engine" => places::search,
    "social-media" => places::post,
    "social-media-some" => places::many_posts,
    "social-media-all" => places::many_posts,
    "email-inbox" => places::mail,
    "email-inbox-delete" => places::mail,
    "email-inbox-reply" => places::mail,
    "email-inbox-noscroll" => places::mail,
    "multi-layouts" => places::film,
    "multi-orderings" => places::film,
    "buy-ticket" => places::ticket,
}

/// The results of one task.
struct MiniwobRow {
    task: &'static str,
    solved: usize,
    cost: MiniwobCost,
    failures: Vec<String>,
}

/// Solves all tasks; fails if one is not solved with every seed.
pub async fn run(args: MiniwobArgs) -> anyhow::Result<()> {
    let running = apps::find("MiniWoB")?.start().await?;
    let site = running.address.clone();
    let program = args.program.path()?;
    let way = match args.shell {
        true => MiniwobWay::Shell(Box::new(ShellSession::start(&program).await?)),
        false => MiniwobWay::Mcp(McpClient::start(&program, &["--allow-evaluate"]).await?),
    };
    let mut agent = MiniwobAgent::new(way);
    let mut rows = Vec::new();
    for (task, solver) in TASKS.iter().filter(|(task, _)| args.only.includes(task)) {
        let mut row =
            MiniwobRow { task, solved: 0, cost: MiniwobCost::default(), failures: Vec::new() };
        for seed in 0..args.rounds {
            let episode = tokio::time::timeout(
                EPISODE_LIMIT,
                episode(&mut agent, &site, task, *solver, seed),
            )
            .await;
            match episode.context("it took too long").and_then(|solved| solved) {
                Ok(()) => row.solved += 1,
                Err(error) => row.failures.push(format!("{task}, seed {seed}: {error:#}")),
            }
            let cost = agent.spent();
            row.cost.calls += cost.calls;
            row.cost.tokens += cost.tokens;
            row.cost.time += cost.time;
        }
        eprintln!("{task}: {} of {}", row.solved, args.rounds);
        row.failures.iter().for_each(|failure| eprintln!("  {failure}"));
        rows.push(row);
    }
    agent.close().await?;
    print(&rows, args.rounds);
    let all: Vec<Value> = rows.iter().map(|row| figures(row, args.rounds)).collect();
    args.details.write(&serde_json::to_string_pretty(&all)?)?;
    anyhow::ensure!(!rows.is_empty(), "no task has such a name");
    let unsolved: Vec<&str> =
        rows.iter().filter(|row| row.solved < args.rounds).map(|row| row.task).collect();
    anyhow::ensure!(unsolved.is_empty(), "not solved with every seed: {}", unsolved.join(", "));
    Ok(())
}

/// Solves one task with one seed, from opening the page to its reward.
async fn episode(
    agent: &mut MiniwobAgent,
    site: &str,
    task: &str,
    solver: TaskSolver,
    seed: usize,
) -> SolveResult {
    agent.go(&format!("{site}/miniwob/{task}.html")).await?;
    // The page has a limit of some seconds, which is not part of the task.
    let start = format!(
        "Math.seedrandom('pagesight {seed}'); core.EPISODE_MAX_TIME = 600000; core.startEpisodeReal(); 1"
    );
    agent.evaluate(&start).await?;
    let said = agent.evaluate("core.getUtterance()").await?;
    solver(agent).await.with_context(|| said.to_string())?;
    let reward = agent.evaluate("[WOB_DONE_GLOBAL, WOB_RAW_REWARD_GLOBAL]").await?;
    anyhow::ensure!(reward == json!([true, 1]), "{said}: the page says [done, reward] = {reward}");
    Ok(())
}

fn figures(row: &MiniwobRow, seeds: usize) -> Value {
    json!({ "task": row.task, "solved": row.solved, "seeds": seeds, "calls": row.cost.calls, "tokens": row.cost.tokens,
            "ms": row.cost.time.as_millis() as u64, "failures": row.failures })
}

/// Prints the table; calls, tokens and time are per episode.
fn print(rows: &[MiniwobRow], seeds: usize) {
    table("task | seeds solved | calls | tokens | ms");
    let each = |sum: f64| sum / seeds.max(1) as f64;
    for row in rows {
        println!(
            "| {} | {} / {seeds} | {:.1} | {:.0} | {:.0} |",
            row.task,
            row.solved,
            each(row.cost.calls as f64),
            each(row.cost.tokens as f64),
            each(row.cost.time.as_secs_f64() * 1000.0)
        );
    }
    let (solved, all) = (rows.iter().map(|row| row.solved).sum::<usize>(), rows.len() * seeds);
    println!("| **{} tasks** | {solved} / {all} | | | |", rows.len());
}
