//! `pagesight install`: adds pagesight to the MCP configuration of an agent. Shows the change, asks
//! and writes it; the rest of the file is kept byte for byte.

pub(crate) mod agent;
mod edit;
mod error;
mod json;
mod machine;
#[cfg(test)]
mod tests;
mod toml;

use std::io::IsTerminal;

use anyhow::{Context, bail};

use crate::cli::print;
use agent::{Agent, InstallScope};
use machine::Machine;

/// Shows the change of the agent's configuration, asks for consent, and writes it.
pub(crate) fn run(
    agent: Agent,
    scope: InstallScope,
    yes: bool,
    arguments: Vec<String>,
) -> anyhow::Result<()> {
    let program =
        std::env::current_exe().context("cannot find the path of the pagesight program")?;
    let mut all = vec!["mcp".to_owned()];
    all.extend(arguments);
    let edit = edit::prepare(agent, scope, &Machine::here()?, &program.to_string_lossy(), &all)?;
    if !edit.changes() {
        print::result(&format!("{} already has this entry: {}", agent.name(), edit.path.display()));
        return Ok(());
    }
    print::result(&format!("{}\n{}", edit.path.display(), edit::preview(&edit)));
    if !yes {
        if !std::io::stdin().is_terminal() {
            bail!("nothing was written; run it in a terminal, or give --yes");
        }
        if !print::ask("Write this change?")? {
            bail!("nothing was written");
        }
    }
    edit::apply(&edit)?;
    print::result(&format!("added; {}", agent.next_step(scope)));
    Ok(())
}
