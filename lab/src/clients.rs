//! `cargo lab clients`: the official Python and TypeScript MCP clients drive the server, as users'
//! agents do.

use clap::Args;

use crate::install::mcp_clients;
use crate::options::{ProgramArgs, repository};
use crate::pages;

/// Options of `cargo lab clients`.
#[derive(Args)]
pub struct ClientsArgs {
    #[command(flatten)]
    program: ProgramArgs,
}

/// Installs both clients and runs them; fails if one does.
pub async fn run(args: ClientsArgs) -> anyhow::Result<()> {
    let program = args.program.path()?;
    let site = pages::serve(repository().join("tests/fixtures")).await?;
    for client in mcp_clients::install().await? {
        let ended = tokio::process::Command::new(&client.interpreter)
            .arg(&client.script)
            .arg(&program)
            .arg(format!("{site}/dashboard.html"))
            .status()
            .await?;
        anyhow::ensure!(ended.success(), "{} failed", client.script.display());
    }
    Ok(())
}
