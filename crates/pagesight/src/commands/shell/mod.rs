//! The shell commands that use a workspace of a process which stays between them. Users call the
//! workspace a session.

mod action_error;
pub(crate) mod action_forms;
mod action_words;
mod actions;

use std::io::{IsTerminal, Read};
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use serde_json::{Value, json};

use super::finish::finish;
use crate::cli::arguments::{ShellArguments, ShellCommand};
use crate::cli::output::Output;
use crate::cli::print;
use crate::page_call::{CallFailure, PageCall, ShellAnswer};
use crate::serve::client::{Client, IfNotRunning};
use crate::serve::host::FoundWorkspace;
use crate::serve::lost::{LOST, WORKSPACE_ENDED};
use crate::serve::names;
use crate::serve::protocol::{Ask, Reply};
use crate::tools::interact::InteractParameters;
use crate::tools::registry;
use crate::tools::tabs::TabsParameters;
use pagesight_check::report::words::count;
use pagesight_check::settings::current_folder;

/// The environment variable with the name of the workspace.
const WORKSPACE_VARIABLE: &str = "PAGESIGHT_SESSION";
/// The most that is read from standard input.
const LONGEST_INPUT: u64 = 4 * 1024 * 1024;

/// Runs a command of a workspace.
pub(crate) async fn run(command: ShellCommand) -> anyhow::Result<ExitCode> {
    let shared = command.shared();
    let output = shared.output.output;
    let call = match &command {
        ShellCommand::Sessions { .. } => return list_workspaces(&client(shared)?, output).await,
        ShellCommand::Close { all, .. } => {
            return close(&client(shared)?, &workspace(shared)?, *all, output).await;
        }
        ShellCommand::Open { url, .. } => PageCall::Open { url: url.clone() },
        ShellCommand::Back { .. } => PageCall::Back,
        ShellCommand::Act { actions, .. } => PageCall::Act(written_actions(actions)?),
        ShellCommand::Tabs { action, tab, .. } => {
            PageCall::Tabs(tabs(action.as_deref(), tab.as_ref())?)
        }
    };
    Ok(finish(ask(shared, call).await?, output))
}

fn client(arguments: &ShellArguments) -> anyhow::Result<Client> {
    Client::new(arguments.browser.given.clone()).map_err(anyhow::Error::msg)
}

/// Runs a call on the page of a workspace, in the process that has it.
pub(crate) async fn ask(
    arguments: &ShellArguments,
    call: PageCall,
) -> anyhow::Result<Result<ShellAnswer, CallFailure>> {
    let client = client(arguments)?;
    let opens = matches!(call, PageCall::Open { .. } | PageCall::Tabs(_));
    let ask = Ask::Run { workspace: workspace(arguments)?, folder: current_folder(), call };
    let was_killed = client.was_killed().await;
    let reply = client.ask(ask, IfNotRunning::Start).await.map_err(anyhow::Error::msg)?;
    let Some(Reply::Ran { answer, found }) = reply else {
        bail!("the pagesight process answered oddly");
    };
    match found {
        _ if was_killed => print::note(LOST),
        _ if opens => {}
        FoundWorkspace::Open => {}
        FoundWorkspace::Ended => print::note(WORKSPACE_ENDED),
        FoundWorkspace::New => {
            print::note("nothing was open in this session; references from before are gone");
        }
    }
    Ok(answer)
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

/// Returns what a command does with the tabs.
fn tabs(action: Option<&str>, tab: Option<&String>) -> anyhow::Result<TabsParameters> {
    Ok(match (action, tab.cloned()) {
        (None | Some("list"), None) => TabsParameters::list(),
        (Some("new"), url) => TabsParameters::open(url),
        (Some("select"), Some(tab)) => TabsParameters::select(tab),
        (Some("close"), Some(tab)) => TabsParameters::close(tab),
        _ => bail!("tabs: give nothing, new [URL], select TAB or close TAB"),
    })
}

/// Reads the actions of the command line, or of standard input if there are none.
fn written_actions(given: &[String]) -> anyhow::Result<InteractParameters> {
    let actions = InteractParameters::of(read_actions(given)?);
    actions.map_err(|error| anyhow!("act: {}", registry::described(&error)))
}

fn read_actions(given: &[String]) -> anyhow::Result<Vec<Value>> {
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
