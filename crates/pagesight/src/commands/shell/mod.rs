//! The shell commands that use a workspace of a process which stays between them. Users call the
//! workspace a session.

mod action_error;
pub(crate) mod action_forms;
mod action_words;
mod actions;

use std::collections::BTreeMap;
use std::io::{IsTerminal, Read};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use pagesight_session::{Emulation, Secrets, Step, Viewport};
use serde_json::{Value, json};

use super::finish::finish;
use crate::cli::absolute_path::absolute;
use crate::cli::arguments::{ShellArguments, ShellCommand};
use crate::cli::output::Output;
use crate::cli::page_address::completed;
use crate::cli::secrets::{SecretArguments, add_secrets};
use crate::cli::shell_arguments::TabSize;
use crate::cli::{print, state_file};
use crate::page_call::{CallFailure, PageCall, ShellAnswer};
use crate::serve::client::{Client, IfNotRunning};
use crate::serve::host::{FoundWorkspace, ListedWorkspace};
use crate::serve::lost::{LOST, SESSION_ENDED};
use crate::serve::names;
use crate::serve::options::SharedBrowserArguments;
use crate::serve::protocol::{Ask, Reply};
use crate::serve::session_setup::SessionSetup;
use crate::tools::evaluate::EvaluateParameters;
use crate::tools::interact::InteractParameters;
use crate::tools::registry;
use crate::tools::tabs::TabsParameters;
use pagesight_check::report::words::count;
use pagesight_check::settings::current_folder;
use pagesight_check::toml_errors::with_nearest;

/// The environment variable with the name of the workspace.
const WORKSPACE_VARIABLE: &str = "PAGESIGHT_SESSION";
/// The most that is read from standard input.
const LONGEST_INPUT: u64 = 4 * 1024 * 1024;

/// Runs a command of a workspace.
pub(crate) async fn run(command: ShellCommand) -> anyhow::Result<ExitCode> {
    let (shared, call) = match command {
        ShellCommand::Sessions { output } => {
            return list_workspaces(&plain_client()?, output.output).await;
        }
        ShellCommand::Close { all, session } => {
            let workspace = workspace(session.workspace.as_ref())?;
            return close(&plain_client()?, &workspace, all, session.output.output).await;
        }
        ShellCommand::Open { url, upload_root, secrets, shared } => {
            return open(&url, &upload_root, &secrets, &shared).await;
        }
        ShellCommand::Back { shared } => (shared, PageCall::Step(Step::Back)),
        ShellCommand::Forward { shared } => (shared, PageCall::Step(Step::Forward)),
        ShellCommand::Reload { shared } => (shared, PageCall::Step(Step::Reload)),
        ShellCommand::Act { actions, shared } => {
            (shared, PageCall::Act(written_actions(&actions)?))
        }
        ShellCommand::Resize { size, shared } => {
            let parameters = match size {
                TabSize::Viewport(viewport) => TabsParameters::resize(viewport),
                TabSize::Device(device) => TabsParameters::stand_in_for(device),
            };
            (shared, PageCall::Tabs(parameters))
        }
        ShellCommand::Emulate { shared } => return emulate(&shared).await,
        ShellCommand::Eval { expression, element, max_tokens, shared } => {
            let parameters = EvaluateParameters::of(expression, element, max_tokens);
            (shared, PageCall::Evaluate(parameters))
        }
        ShellCommand::Tabs { action, tab, shared } => {
            (shared, PageCall::Tabs(tabs(action.as_deref(), tab.as_ref())?))
        }
    };
    Ok(finish(ask(&shared, call).await?, shared.session.output.output))
}

/// Opens a URL. The session gets its options if it is new.
async fn open(
    url: &str,
    upload_roots: &[PathBuf],
    secrets: &SecretArguments,
    shared: &ShellArguments,
) -> anyhow::Result<ExitCode> {
    let viewport = shared.browser.has_viewport.then_some(shared.browser.arguments.viewport);
    let emulation = shared.browser.arguments.emulation.emulation();
    let call = PageCall::Open { url: completed(url)?, viewport, emulation };
    if let Some(missing) = upload_roots.iter().find(|folder| !folder.is_dir()) {
        bail!("--upload-root: {} is not a directory", missing.display());
    }
    let secrets = secrets.given(&|name| std::env::var(name).ok())?;
    add_secrets(&mut Secrets::default(), &secrets)?;
    let upload_roots = upload_roots.iter().map(absolute).collect();
    let setup = SessionSetup { upload_roots, secrets, ..setup(shared)? };
    Ok(finish(ask_with(shared, setup, call).await?, shared.session.output.output))
}

/// Emulates conditions in the session's tab.
async fn emulate(shared: &ShellArguments) -> anyhow::Result<ExitCode> {
    let emulation = shared.browser.arguments.emulation.emulation();
    if emulation.device.is_some() {
        bail!(
            "--device: resize lets the session's tab stand in for a device; run pagesight resize DEVICE"
        );
    }
    let call = PageCall::Tabs(TabsParameters::emulate(emulation));
    // A session that this opens is as any other: what is emulated is of its tab.
    let setup = SessionSetup { emulation: Emulation::default(), ..setup(shared)? };
    refuse_viewport(shared)?;
    Ok(finish(ask_with(shared, setup, call).await?, shared.session.output.output))
}

/// Returns a client that starts nothing, so that it needs no options.
fn plain_client() -> anyhow::Result<Client> {
    Client::new(BTreeMap::new(), BTreeMap::new(), SessionSetup::default())
        .map_err(anyhow::Error::msg)
}

/// Returns the options that a command gives to a session that it opens. Reads the file of
/// `--state`, so that its faults are found here.
fn setup(arguments: &ShellArguments) -> anyhow::Result<SessionSetup> {
    let SharedBrowserArguments { arguments: browser, has_viewport, .. } = &arguments.browser;
    if browser.state.is_some() && browser.connect.is_some() {
        bail!("--state: the browser at --connect has its own cookies; leave one of them out");
    }
    if let Some(file) = &browser.state {
        state_file::read(file, "--state")?;
    }
    // A size of the project is one of the session.
    let has_viewport = *has_viewport || browser.viewport != Viewport::default();
    Ok(SessionSetup::of_browser(browser, has_viewport))
}

/// Runs a call on the page of a workspace, in the process that has it.
pub(crate) async fn ask(
    arguments: &ShellArguments,
    call: PageCall,
) -> anyhow::Result<Result<ShellAnswer, CallFailure>> {
    refuse_viewport(arguments)?;
    if let Some(flag) = arguments.browser.arguments.emulation.first_flag() {
        bail!(
            "{flag}: only open changes what the session's tab emulates; run pagesight emulate, or pagesight resize for a device"
        );
    }
    ask_with(arguments, setup(arguments)?, call).await
}

/// Refuses a size, which has commands of its own.
fn refuse_viewport(arguments: &ShellArguments) -> anyhow::Result<()> {
    if arguments.browser.has_viewport {
        let Viewport { width, height } = arguments.browser.arguments.viewport;
        bail!(
            "--viewport: only open changes the size of the session's tab; run pagesight resize {width}x{height}"
        );
    }
    Ok(())
}

async fn ask_with(
    arguments: &ShellArguments,
    setup: SessionSetup,
    call: PageCall,
) -> anyhow::Result<Result<ShellAnswer, CallFailure>> {
    let browser = &arguments.browser;
    let client = Client::new(browser.given.clone(), browser.to_start(), setup);
    let client = client.map_err(anyhow::Error::msg)?;
    let workspace = workspace(arguments.session.workspace.as_ref())?;
    run_call(&client, workspace, call).await
}

/// Runs a call in a workspace, and notes what happened to the workspace.
async fn run_call(
    client: &Client,
    workspace: String,
    call: PageCall,
) -> anyhow::Result<Result<ShellAnswer, CallFailure>> {
    let opens = matches!(call, PageCall::Open { .. } | PageCall::Tabs(_));
    let ask = Ask::Run { workspace, folder: current_folder(), call };
    let was_killed = client.was_killed().await;
    let reply = client.ask(ask, IfNotRunning::Start).await.map_err(anyhow::Error::msg)?;
    let Some(Reply::Ran { answer, found }) = reply else {
        bail!("the pagesight process answered oddly");
    };
    match found {
        _ if was_killed => print::note(LOST),
        _ if opens => {}
        FoundWorkspace::Open => {}
        FoundWorkspace::Ended => print::note(SESSION_ENDED),
        FoundWorkspace::New => {
            print::note(
                "no page is open in this session, and numbers from before are gone; open one: pagesight open URL",
            );
        }
    }
    Ok(answer)
}

/// Returns the workspace that a command uses: the given one, else that of the repository or folder.
fn workspace(given: Option<&String>) -> anyhow::Result<String> {
    let variable = std::env::var(WORKSPACE_VARIABLE).ok().filter(|name| !name.is_empty());
    let given = match (given, variable) {
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
    actions.map_err(|error| anyhow!("act: {}", with_nearest(&registry::described(&error))))
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

/// Saves the state of an open session. Returns the text of the file, and sentences on what is
/// missing.
pub(crate) async fn save_state(
    name: &str,
    origins: Vec<String>,
) -> anyhow::Result<Result<ShellAnswer, CallFailure>> {
    let (client, workspace) = (plain_client()?, workspace(Some(&name.to_owned()))?);
    let open = open_workspaces(&client).await?;
    if !open.iter().any(|open| open.name == workspace) {
        bail!("-s: there is no session {name}; pagesight sessions lists the open ones");
    }
    run_call(&client, workspace, PageCall::SaveState { origins }).await
}

async fn open_workspaces(client: &Client) -> anyhow::Result<Vec<ListedWorkspace>> {
    match client.ask(Ask::List, IfNotRunning::Report).await.map_err(anyhow::Error::msg)? {
        Some(Reply::Workspaces(listed)) => Ok(listed),
        None => Ok(Vec::new()),
        Some(_) => bail!("the pagesight process answered oddly"),
    }
}

async fn list_workspaces(client: &Client, output: Output) -> anyhow::Result<ExitCode> {
    let listed = open_workspaces(client).await?;
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
    // The name of a folder begins with a character that no given name begins with.
    let is_named = !workspace.starts_with('/');
    let sentence = match (all, closed) {
        (true, true) => "closed all sessions".to_owned(),
        (false, true) => "closed the session".to_owned(),
        (true, false) => "no session was open".to_owned(),
        (false, false) if is_named => {
            format!("no session {workspace} was open; pagesight sessions lists the open ones")
        }
        (false, false) => "no session of this folder was open".to_owned(),
    };
    print::either(output, &sentence, &json!({ "closed": closed }));
    Ok(ExitCode::SUCCESS)
}
