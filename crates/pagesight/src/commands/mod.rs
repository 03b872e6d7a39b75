//! Dispatches each command of the command line to the file that implements it.

mod agent_options;
mod baselines;
pub(crate) mod check;
mod compare;
pub(crate) mod demo;
mod diff;
mod doctor;
mod finish;
pub(crate) mod init;
pub(crate) mod install;
mod login;
mod manual;
mod open_page;
mod page;
mod serve;
pub(crate) mod shell;
mod state;
mod watch;

use std::process::ExitCode;

use anyhow::bail;
use pagesight_session::{Session, Viewport};

use crate::cli::arguments::{Command, StateCommand};
use crate::cli::log;
use crate::mcp;
use crate::project::store::ProjectStore;
use crate::serve::client::Client;
use crate::serve::session_setup::SessionSetup;
use crate::serve::shared_workspace::SharedWorkspace;
use crate::serve::{names, options};
use crate::tools::evaluate_permission::EvaluatePermission;
use crate::tools::workspace::Workspace;
use agent_options::agent_options;
use pagesight_check::settings::current_folder;

/// Runs a command to its end, or until a signal. Closes the browser in every case.
pub(crate) async fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Mcp {
            browser,
            allow_evaluate,
            upload_root,
            output_root,
            secrets,
            store,
            shared: false,
            ..
        } => {
            let output_root = output_root.as_deref();
            let (options, output_root) =
                agent_options(&browser, &secrets, upload_root, output_root)?;
            let evaluate = EvaluatePermission::new(allow_evaluate, &options)?;
            let session = Session::new(options);
            log::hide(session.hidden_values());
            let store = ProjectStore::chosen(store.choice()?);
            let workspace = Workspace::new(session, evaluate);
            mcp::serve(Workspace { output_root, store, ..workspace }).await?;
        }
        Command::Mcp {
            browser,
            allow_evaluate,
            upload_root,
            output_root,
            secrets,
            store,
            workspace,
            ..
        } => {
            if store.store.is_some() {
                bail!("--shared: --store cannot be used together with it; leave one of them out");
            }
            let own = allow_evaluate.is_some() || !upload_root.is_empty() || output_root.is_some();
            if own || secrets.is_given() {
                bail!(
                    "--shared: --allow-evaluate, --upload-root, --output-root and --secret belong to the process; give them to pagesight serve"
                );
            }
            if let Some(name) = &workspace {
                names::check(name).map_err(|sentence| anyhow::anyhow!("-s: {sentence}"))?;
            }
            let evaluate = EvaluatePermission::new(None, &browser.options()?)?;
            let has_viewport = browser.viewport != Viewport::default();
            let setup = SessionSetup::of_browser(&browser, has_viewport);
            let options = options::chosen(&browser);
            let client = Client::new(options.clone(), options, setup)?;
            let workspace = SharedWorkspace::new(client, workspace, current_folder());
            mcp::serve_shared(workspace, evaluate).await?;
        }
        Command::Serve(arguments) => serve::run(arguments).await?,
        Command::Shell(command) => return shell::run(command).await,
        Command::Page(command) => return page::run(command).await,
        Command::Diff(arguments) => return diff::run(arguments).await,
        Command::Watch(arguments) => return watch::run(arguments).await,
        Command::Check(arguments) => return check::run(*arguments).await,
        Command::Init(arguments) => init::run(arguments).await?,
        Command::Baselines { command, store, output } => {
            baselines::run(command, &store, output.output).await?;
        }
        Command::Install(arguments) => install::run(arguments)?,
        Command::Demo { browser, serve, port, fault } => {
            demo::run(browser.options()?, serve.then_some(demo::ServeOptions { port, fault }))
                .await?;
        }
        Command::Login(arguments) => login::login(arguments).await?,
        Command::State { command: StateCommand::Save(arguments) } => state::save(arguments).await?,
        Command::Completions { shell } => manual::completions(shell)?,
        Command::Man => manual::man()?,
        Command::Doctor { output } => return doctor::run(output.output).await,
    }
    Ok(ExitCode::SUCCESS)
}
