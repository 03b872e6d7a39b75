//! The shell commands that use a workspace of a process which stays between them. Users call the
//! workspace a session.

mod actions;

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use base64::Engine;
use pagesight_session::private_files;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value, json};

use super::look;
use crate::cli::arguments::{ShellArguments, ShellCommand};
use crate::cli::output::Output;
use crate::cli::{exit, print};
use crate::serve::client::{Client, IfNotRunning};
use crate::serve::host::FoundWorkspace;
use crate::serve::lost::{LOST, WORKSPACE_ENDED};
use crate::serve::names;
use crate::serve::protocol::{Ask, Reply};
use pagesight_check::report::words::count;
use pagesight_check::settings::current_folder;

/// The environment variable with the name of the workspace.
const WORKSPACE_VARIABLE: &str = "PAGESIGHT_SESSION";
/// The file of `pagesight shot` if none is given.
const SHOT: &str = "pagesight.png";
/// The most that is read from standard input.
const LONGEST_INPUT: u64 = 4 * 1024 * 1024;

/// Runs a command of a workspace.
pub(crate) async fn run(command: ShellCommand) -> anyhow::Result<ExitCode> {
    if let ShellCommand::Log { page: Some(page), parameters, shared } = command {
        if shared.workspace.is_some() {
            bail!("-s: a URL is opened in a browser of its own; leave one of them out");
        }
        look::log(shared.of_page(page), parameters).await?;
        return Ok(ExitCode::SUCCESS);
    }
    let arguments = command.shared();
    let client = Client::new(arguments.browser.given.clone()).map_err(anyhow::Error::msg)?;
    let workspace = workspace(arguments)?;
    let output = arguments.output.output;
    match &command {
        ShellCommand::Sessions { .. } => return list_workspaces(&client, output).await,
        ShellCommand::Close { all, .. } => return close(&client, &workspace, *all, output).await,
        _ => {}
    }
    let Some((tool, parameters)) = call_of(&command)? else { return Ok(ExitCode::SUCCESS) };
    let ask = Ask::Call {
        workspace,
        folder: current_folder(),
        tool: tool.to_owned(),
        arguments: parameters,
    };
    let was_killed = client.was_killed().await;
    let reply = client.ask(ask, IfNotRunning::Start).await.map_err(anyhow::Error::msg)?;
    let Some(Reply::Result { result, found, impossible }) = reply else {
        bail!("the pagesight process answered oddly");
    };
    let opens = matches!(command, ShellCommand::Open { .. } | ShellCommand::Tabs { .. });
    match found {
        _ if was_killed => print::note(LOST),
        _ if opens => {}
        FoundWorkspace::Open => {}
        FoundWorkspace::Ended => print::note(WORKSPACE_ENDED),
        FoundWorkspace::New => {
            print::note("nothing was open in this session; references from before are gone");
        }
    }
    let failed = result.is_error == Some(true);
    match &command {
        ShellCommand::Shot { file, .. } if !failed => save(&result, file.as_deref(), output)?,
        _ => show(&result, output),
    }
    Ok(match failed {
        true if impossible => ExitCode::from(exit::FAILED),
        true => ExitCode::from(exit::CHANGED),
        false => ExitCode::SUCCESS,
    })
}

/// Returns the workspace that a command uses: the given one, else that of the repository or folder.
fn workspace(arguments: &ShellArguments) -> anyhow::Result<String> {
    let variable = std::env::var(WORKSPACE_VARIABLE).ok().filter(|name| !name.is_empty());
    let given = match (&arguments.workspace, variable) {
        (Some(name), _) => Some((name.clone(), "-s")),
        (None, Some(name)) => Some((name, WORKSPACE_VARIABLE)),
        (None, None) => None,
    };
    let Some((name, by)) = given else { return Ok(names::of_folder(&current_folder())) };
    names::check(&name).map_err(|sentence| anyhow::anyhow!("{by}: {sentence}"))?;
    Ok(name)
}

/// Returns the tool that a command calls, and its arguments.
fn call_of(command: &ShellCommand) -> anyhow::Result<Option<(&'static str, Map<String, Value>)>> {
    let (tool, arguments) = match command {
        ShellCommand::Open { url, .. } => ("browser_navigate", json!({ "url": url })),
        ShellCommand::Back { .. } => ("browser_navigate", json!({ "action": "back" })),
        ShellCommand::Look { words, scope, max_tokens, after, fold, .. } => (
            "inspect_tab",
            json!({
                "query": (!words.is_empty()).then(|| words.join(" ")),
                "scope": scope, "max_tokens": max_tokens, "after": after, "fold": fold,
            }),
        ),
        ShellCommand::Act { actions, .. } => {
            let actions = written_actions(actions)?;
            ("browser_interact", json!({ "actions": actions }))
        }
        ShellCommand::Element { reference, .. } => {
            ("expand_dom_selector", json!({ "elementId": reference }))
        }
        ShellCommand::Shot { parameters, .. } => (
            "take_screenshot",
            json!({ "scope": parameters.scope, "full_page": parameters.full_page, "annotate": parameters.annotate }),
        ),
        ShellCommand::Tabs { action, tab, .. } => match (action.as_deref(), tab) {
            (None | Some("list"), None) => ("browser_tabs", json!({ "action": "list" })),
            (Some("new"), url) => ("browser_tabs", json!({ "action": "new", "url": url })),
            (Some(action @ ("select" | "close")), Some(tab)) => {
                ("browser_tabs", json!({ "action": action, "tab": tab }))
            }
            _ => bail!("tabs: give nothing, new [URL], select TAB or close TAB"),
        },
        ShellCommand::Log { parameters, .. } => ("page_log", json!(parameters)),
        ShellCommand::Close { .. } | ShellCommand::Sessions { .. } => return Ok(None),
    };
    let Value::Object(arguments) = arguments else { return Ok(None) };
    let given = arguments.into_iter().filter(|(_, value)| !value.is_null()).collect();
    Ok(Some((tool, given)))
}

/// Reads the actions of the command line, or of standard input if there are none.
fn written_actions(given: &[String]) -> anyhow::Result<Vec<Value>> {
    if given.is_empty() || given == ["-"] {
        if std::io::stdin().is_terminal() {
            bail!("act: give actions, such as 'click 12', or write them to standard input");
        }
        let mut text = String::new();
        let mut input = std::io::stdin().lock().take(LONGEST_INPUT);
        input.read_to_string(&mut text).context("act: cannot read standard input")?;
        let actions = actions::read_lines(&text).map_err(anyhow::Error::msg)?;
        if actions.is_empty() {
            bail!("act: standard input has no action");
        }
        return Ok(actions);
    }
    let mut all = Vec::new();
    for argument in given {
        all.extend(actions::read(argument).map_err(anyhow::Error::msg)?);
    }
    Ok(all)
}

/// Prints the answer of a tool, as MCP clients get it.
fn show(result: &CallToolResult, output: Output) {
    match output {
        Output::Json => print::json(&json!(result), output),
        Output::Text => {
            for block in &result.content {
                if let ContentBlock::Text(text) = block {
                    print::result(&text.text);
                }
            }
        }
    }
}

/// Saves the picture of an answer, and prints where.
fn save(result: &CallToolResult, file: Option<&Path>, output: Output) -> anyhow::Result<()> {
    let images = result.content.iter().filter_map(|block| match block {
        ContentBlock::Image(image) => Some(image),
        _ => None,
    });
    let Some(image) = images.into_iter().next() else { bail!("shot: the answer has no picture") };
    let bytes = base64::engine::general_purpose::STANDARD
        .decode(&image.data)
        .context("shot: the picture cannot be read")?;
    let file = file.map_or_else(|| PathBuf::from(SHOT), Path::to_owned);
    private_files::write(&file, &bytes)
        .with_context(|| format!("shot: cannot write {}", file.display()))?;
    let text = format!("{}: {} bytes", file.display(), bytes.len());
    print::either(output, &text, &json!({ "file": file, "bytes": bytes.len() }));
    for block in &result.content {
        if let (ContentBlock::Text(text), Output::Text) = (block, output) {
            print::result(&text.text);
        }
    }
    Ok(())
}

async fn list_workspaces(client: &Client, output: Output) -> anyhow::Result<ExitCode> {
    let reply = client.ask(Ask::List, IfNotRunning::Report).await.map_err(anyhow::Error::msg)?;
    let listed = match reply {
        Some(Reply::Workspaces(listed)) => listed,
        None => Vec::new(),
        Some(_) => bail!("the pagesight process answered oddly"),
    };
    match output {
        Output::Json => print::json(&json!({ "sessions": listed }), output),
        Output::Text if listed.is_empty() => print::result("no sessions"),
        Output::Text => {
            for workspace in listed {
                let name = workspace.name.strip_prefix('/').unwrap_or(&workspace.name);
                let (tabs, idle) = (count(workspace.tabs, "tab"), workspace.idle_seconds);
                print::result(&format!("{name}  {tabs}, idle {idle} s"));
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Ends a workspace, or the process with all of them.
async fn close(
    client: &Client,
    workspace: &str,
    all: bool,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let closed = match all {
        true => client.stop().await.map_err(anyhow::Error::msg)?,
        false => {
            let ask = Ask::End { workspace: workspace.to_owned() };
            let reply = client.ask(ask, IfNotRunning::Report).await.map_err(anyhow::Error::msg)?;
            matches!(reply, Some(Reply::Done(true)))
        }
    };
    let sentence = match (all, closed) {
        (true, true) => "closed all sessions",
        (false, true) => "closed the session",
        (_, false) => "no session was open",
    };
    print::either(output, sentence, &json!({ "closed": closed }));
    Ok(ExitCode::SUCCESS)
}
