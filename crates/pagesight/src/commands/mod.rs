//! What each command does: opens a page or reads a page file, runs an operation on it, prints the
//! answer.

mod baselines;
pub(crate) mod check;
pub(crate) mod demo;
mod diff;
mod doctor;
mod init;
pub(crate) mod install;
mod watch;

use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use pagesight_core::page::Page;
use pagesight_core::render::Measured;
use pagesight_core::wire::page_file;
use pagesight_session::{LookOptions, Options, Session};
use serde_json::{Value, json};

use crate::cli::arguments::{Command, Output, PageArguments};
use crate::cli::{print, signals};
use crate::mcp;
use crate::tools::{self, Answer, Content, Workspace, expand, info, inspect, screenshot, snapshot};

/// Runs a command to its end, or until a signal; the browser ends in every case.
pub(crate) async fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Mcp { browser, allow_evaluate, upload_root } => {
            if let Some(missing) = upload_root.iter().find(|folder| !folder.is_dir()) {
                bail!("--upload-root {} is no folder; give one that exists", missing.display());
            }
            let options = Options { upload_roots: upload_root, ..browser.options() };
            mcp::serve(Workspace::new(Session::new(options), allow_evaluate)).await?;
        }
        Command::Inspect { page, parameters } => {
            if let Some(captured) = page_from_file(&page)? {
                let text = inspect::inspect_file(&captured, &parameters)?;
                print_outline(text, captured.url(), &captured.title, page.output.output);
            } else {
                let output = page.output.output;
                on_live_page(page, async |workspace: &Workspace| {
                    let answer =
                        tools::run::<inspect::Inspect>(workspace, parameters.clone()).await?;
                    let facts = tools::run::<info::Info>(workspace, Default::default()).await?;
                    let (url, title) = url_and_title(&facts);
                    print_outline(text_of(answer), &url, &title, output);
                    Ok(())
                })
                .await?;
            }
        }
        Command::Snapshot { page, json, mut parameters } => {
            if json {
                parameters.format = Some(snapshot::FormatChoice::Json);
            }
            let output = page.output.output;
            if let Some(captured) = page_from_file(&page)? {
                let taken = snapshot::take_file(&captured, &parameters)?;
                print_snapshot(&taken, captured.url(), &captured.title, output);
            } else {
                on_live_page(page, async |workspace: &Workspace| {
                    let taken = snapshot::take(workspace, &parameters).await?;
                    let facts = tools::run::<info::Info>(workspace, Default::default()).await?;
                    let (url, title) = url_and_title(&facts);
                    print_snapshot(&taken, &url, &title, output);
                    Ok(())
                })
                .await?;
            }
        }
        Command::Expand { page, element } => {
            let output = page.output.output;
            if let Some(captured) = page_from_file(&page)? {
                print::json(&expand::expand_file(&captured, &element)?, output);
            } else {
                on_live_page(page, async |workspace: &Workspace| {
                    print::json(
                        &serde_json::to_value(expand::expand_live(workspace, &element).await?)?,
                        output,
                    );
                    Ok(())
                })
                .await?;
            }
        }
        Command::Info { page } => {
            let output = page.output.output;
            if page_from_file(&page)?.is_some() {
                bail!(
                    "info needs a live page; inspect a page file with: pagesight inspect {}",
                    page.page
                );
            }
            on_live_page(page, async |workspace: &Workspace| {
                print_answer(
                    tools::run::<info::Info>(workspace, Default::default()).await?,
                    output,
                );
                Ok(())
            })
            .await?;
        }
        Command::Screenshot { page, file, parameters } => {
            if page_from_file(&page)?.is_some() {
                bail!(
                    "a picture needs a live page; inspect a page file with: pagesight inspect {}",
                    page.page
                );
            }
            on_live_page(page, async |workspace: &Workspace| {
                let answer =
                    tools::run::<screenshot::TakeScreenshot>(workspace, parameters.clone()).await?;
                if let Content::Image { bytes, .. } = answer.content {
                    write(&file, &bytes)?;
                    print::note(&format!("wrote {} ({} bytes)", file.display(), bytes.len()));
                }
                Ok(())
            })
            .await?;
        }
        Command::Diff(arguments) => return diff::run(arguments).await,
        Command::Fingerprint(arguments) => return baselines::fingerprint(arguments).await,
        Command::Compare(arguments) => return baselines::compare(arguments).await,
        Command::Watch(arguments) => return watch::run(arguments).await,
        Command::Check(arguments) => return check::run(arguments).await,
        Command::Init(arguments) => init::run(arguments).await?,
        Command::Baselines { command, output } => baselines::manage(command, output.output).await?,
        Command::Install { agent, project, yes, arguments } => {
            add_to_agent(agent, project, yes, arguments)?
        }
        Command::Demo { browser, serve, port, fault } => {
            demo::run(browser.options(), serve.then_some(demo::Serving { port, fault })).await?;
        }
        Command::Doctor { output } => return doctor::run(output.output).await,
    }
    Ok(ExitCode::SUCCESS)
}

/// The page of a page file; none if the argument is an address.
pub(crate) fn page_from_file(arguments: &PageArguments) -> anyhow::Result<Option<Page>> {
    let Some((page, text)) = read_page_file(&arguments.page)? else { return Ok(None) };
    if let Some(to) = &arguments.save_page {
        write(to, text.as_bytes())?;
    }
    Ok(Some(page))
}

/// Reads the page file that an argument names, with its text; none if it is an address.
pub(crate) fn read_page_file(given: &str) -> anyhow::Result<Option<(Page, String)>> {
    if !given.ends_with(".page.json") || given.contains("://") {
        return Ok(None);
    }
    let text = std::fs::read_to_string(given)
        .with_context(|| format!("cannot read the page file {given}"))?;
    let page = page_file::read(&text).with_context(|| format!("cannot use {given}"))?;
    Ok(Some((page, text)))
}

/// Opens the page, saves it if asked, runs the work on it, and ends the browser whatever happens.
pub(crate) async fn on_live_page(
    arguments: PageArguments,
    work: impl AsyncFnOnce(&Workspace) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let workspace = Workspace::new(Session::new(arguments.browser.options()), false);
    let result = tokio::select! {
        result = async {
            open(&workspace, &arguments).await?;
            work(&workspace).await
        } => result,
        () = signals::ended_by_signal() => Err(anyhow::anyhow!("ended by a signal")),
    };
    workspace.session.close().await;
    result
}

async fn open(workspace: &Workspace, arguments: &PageArguments) -> anyhow::Result<()> {
    let session = &workspace.session;
    let address = session.address(&arguments.page)?;
    // In a browser of the user's the page gets a tab of its own, so that no tab of theirs is taken.
    let tab = session.open_tab(None).await?;
    let navigated = session.navigate(&tab, &address, None).await?;
    if !navigated.stopped.is_ready() || navigated.trouble.is_some() {
        print::note(&tools::navigate::lines(&navigated));
    }
    if let Some(file) = &arguments.save_page {
        let look = session.look(&tab, LookOptions { full: true, ..LookOptions::default() }).await?;
        write(file, look.page_file()?.as_bytes())?;
    }
    Ok(())
}

pub(crate) fn write(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    std::fs::write(file, bytes).with_context(|| format!("cannot write {}", file.display()))
}

fn text_of(answer: Answer) -> String {
    match answer.content {
        Content::Text(text) | Content::JsonText(text) => text,
        Content::Json(value) => value.to_string(),
        Content::Image { .. } => String::new(),
    }
}

fn url_and_title(facts: &Answer) -> (String, String) {
    let Content::Json(value) = &facts.content else { return Default::default() };
    let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    (text("url"), text("title"))
}

fn print_outline(text: String, url: &str, title: &str, output: Output) {
    match output {
        Output::Text => print::result(&text),
        Output::Json => {
            let tokens = pagesight_core::text::tokens::count(&text);
            print::json(
                &json!({ "url": url, "title": title, "tokens": tokens, "outline": text }),
                output,
            );
        }
    }
}

/// On a terminal the figures are a table; elsewhere they are what a tool's answer has.
fn print_snapshot(taken: &Measured, url: &str, title: &str, output: Output) {
    match (output, &taken.metrics) {
        (Output::Json, metrics) => {
            let text = &taken.snapshot.text;
            // A snapshot that is JSON is part of it, not a string in it.
            let snapshot: Value =
                serde_json::from_str(text).unwrap_or_else(|_| text.clone().into());
            let tokens = pagesight_core::text::tokens::count(text);
            let mut value =
                json!({ "url": url, "title": title, "tokens": tokens, "snapshot": snapshot });
            if let Some(metrics) = metrics {
                value["metrics"] = json!(metrics);
            }
            print::json(&value, output);
        }
        (Output::Text, Some(metrics)) if std::io::stdout().is_terminal() => {
            print::result(&taken.snapshot.text);
            print::result(&print::compaction(metrics));
        }
        (Output::Text, _) => print::result(&taken.text()),
    }
}

fn print_answer(answer: Answer, output: Output) {
    match answer.content {
        Content::Json(value) => print::json(&value, output),
        Content::Text(text) | Content::JsonText(text) => print::result(&text),
        Content::Image { .. } => {}
    }
}

/// Shows what would change in the agent's configuration, asks, and writes it.
fn add_to_agent(
    agent: install::Agent,
    project: bool,
    yes: bool,
    arguments: Vec<String>,
) -> anyhow::Result<()> {
    let scope = if project { install::Scope::Project } else { install::Scope::User };
    let program = std::env::current_exe().context("cannot tell where pagesight itself is")?;
    let mut all = vec!["mcp".to_owned()];
    all.extend(arguments);
    let plan =
        install::plan(agent, scope, &install::Machine::here()?, &program.to_string_lossy(), &all)?;
    if !plan.changes() {
        print::result(&format!("{} has it already: {}", agent.name(), plan.path.display()));
        return Ok(());
    }
    print::result(&format!("{}\n{}", plan.path.display(), install::preview(&plan)));
    if !yes {
        if !std::io::stdin().is_terminal() {
            bail!("nothing was written; run it in a terminal, or give --yes");
        }
        if !print::ask("Write this?")? {
            bail!("nothing was written");
        }
    }
    install::apply(&plan)?;
    print::result(&format!("added; {}", agent.next_step(scope)));
    Ok(())
}
