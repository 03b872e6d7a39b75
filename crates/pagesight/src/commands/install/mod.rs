//! `pagesight install`: adds pagesight to the MCP configuration of agents, and removes it. Shows
//! the change, asks and writes it; the rest of the file is kept byte for byte.

pub(crate) mod agent;
mod consent;
pub(crate) mod edit;
mod error;
mod json;
mod machine;
mod program;
mod receipts;
mod skill;
#[cfg(test)]
mod tests;
mod toml;

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Parser;

use crate::cli::arguments::{Cli, InstallArguments};
use crate::cli::print;
use crate::serve::settings::{ServeSettings, settings_path};
use agent::{Agent, InstallScope, InstallTarget, ServerEntry, TOKEN_VARIABLE};
use consent::{InstallOutcome, Installer};
use machine::Machine;
use program::{ProgramCopy, ProgramStart};

/// Installs into the agent that was named, or offers each agent on this machine.
pub(crate) fn run(arguments: InstallArguments) -> anyhow::Result<()> {
    let scope = if arguments.project { InstallScope::Project } else { InstallScope::User };
    let machine = Machine::here()?;
    match arguments.target {
        Some(InstallTarget::Agent(agent)) => {
            check(agent, &arguments)?;
            let (entry, copy) = entry(&arguments, &machine)?;
            let mut installer = Installer::new(&arguments, &machine, copy);
            let outcome = one(&mut installer, agent, scope, &machine, entry.as_ref())?;
            if outcome == InstallOutcome::Declined {
                bail!("nothing was written");
            }
            Ok(())
        }
        Some(InstallTarget::Skill) => {
            for (given, flag) in [
                (arguments.http, "--http"),
                (arguments.shared, "--shared"),
                (!arguments.arguments.is_empty(), "--"),
            ] {
                if given {
                    bail!("{flag} is for agents; the skill uses the shell commands");
                }
            }
            skill::run(&mut Installer::new(&arguments, &machine, None), scope, &machine)?;
            let missing = program::missing_on_path(&machine, &this_program()?);
            if let Some(missing) = missing.filter(|_| !arguments.remove) {
                print::note(&missing);
            }
            Ok(())
        }
        None => all(&arguments, scope, &machine),
    }
}

/// Refuses what an agent cannot do.
fn check(agent: Agent, arguments: &InstallArguments) -> anyhow::Result<()> {
    if arguments.project && agent == Agent::ClaudeDesktop {
        bail!("Claude Desktop has no configuration for a project; leave out --project");
    }
    if arguments.http && !agent.has_http() {
        bail!(
            "{} cannot send a token over HTTP; give --shared instead, which uses the same process",
            agent.name()
        );
    }
    Ok(())
}

/// Returns the entry that the flags ask for, or nothing if it is to be removed, and the copy of the
/// program that it starts.
fn entry(
    arguments: &InstallArguments,
    machine: &Machine,
) -> anyhow::Result<(Option<ServerEntry>, Option<ProgramCopy>)> {
    if arguments.remove {
        return Ok((None, None));
    }
    if arguments.http {
        let settings = ServeSettings::read(&serve_file()?)?;
        if settings.port == 0 {
            bail!("the address of pagesight serve is not known yet; start it once and try again");
        }
        let url = format!("http://127.0.0.1:{}/mcp", settings.port);
        return Ok((Some(ServerEntry::Http { url }), None));
    }
    let mut args = vec!["mcp".to_owned()];
    args.extend(arguments.shared.then(|| "--shared".to_owned()));
    args.extend(arguments.arguments.iter().cloned());
    // An agent would show this mistake as a server that does not start.
    if let Err(error) =
        Cli::try_parse_from(["pagesight"].into_iter().chain(args.iter().map(String::as_str)))
    {
        let text = error.to_string();
        let line = text.lines().next().unwrap_or_default();
        bail!(
            "pagesight mcp does not take these arguments: {}",
            line.trim_start_matches("error: ")
        );
    }
    let ProgramStart { command, args: mut before, copy } =
        program::start(&this_program()?, machine)?;
    before.extend(args);
    Ok((Some(ServerEntry::Stdio { command, args: before }), copy))
}

fn this_program() -> anyhow::Result<PathBuf> {
    std::env::current_exe().context("cannot find the path of the pagesight program")
}

fn serve_file() -> anyhow::Result<PathBuf> {
    Ok(settings_path(|name| std::env::var_os(name))?)
}

/// Adds the entry to one agent, or removes it if none is given.
fn one(
    installer: &mut Installer,
    agent: Agent,
    scope: InstallScope,
    machine: &Machine,
    entry: Option<&ServerEntry>,
) -> anyhow::Result<InstallOutcome> {
    let name = agent.name();
    let Some(entry) = entry else {
        let edit = edit::prepare_removal(agent, scope, machine, &installer.receipts)?;
        if !edit.changes() {
            print::result(&format!("{name} has no entry of pagesight: {}", edit.path.display()));
            return Ok(InstallOutcome::Nothing);
        }
        let outcome = installer.carry_out(&edit, &format!("Remove pagesight from {name}?"))?;
        if outcome == InstallOutcome::Written {
            print::result(&format!("removed from {name}; restart it"));
        }
        return Ok(outcome);
    };
    let edit = edit::prepare(agent, scope, machine, entry)?;
    let outcome = if edit.changes() {
        installer.carry_out(&edit, &format!("Add pagesight to {name}?"))?
    } else {
        installer.copy_program()?;
        print::result(&format!("{name} already has this entry: {}", edit.path.display()));
        InstallOutcome::Nothing
    };
    if outcome == InstallOutcome::Written {
        print::result(&format!("added; {}", agent.next_step(scope)));
    }
    if matches!(entry, ServerEntry::Http { .. }) && outcome != InstallOutcome::Declined {
        print::result(&token_step(agent, &serve_file()?.display().to_string()));
    }
    Ok(outcome)
}

/// Returns how the agent gets the token, which is not written to its configuration.
fn token_step(agent: Agent, file: &str) -> String {
    if agent == Agent::VsCode {
        return format!("Visual Studio Code asks for the token once; it is in {file}");
    }
    format!(
        "set {TOKEN_VARIABLE} where {} is started: export {TOKEN_VARIABLE}=\"$(sed -n 's/.*\"token\": *\"\\([^\"]*\\)\".*/\\1/p' '{file}')\"",
        agent.name()
    )
}

/// Offers each agent that is found.
fn all(arguments: &InstallArguments, scope: InstallScope, machine: &Machine) -> anyhow::Result<()> {
    let (entry, copy) = entry(arguments, machine)?;
    let mut installer = Installer::new(arguments, machine, copy);
    let found: Vec<(Agent, PathBuf)> = Agent::ALL
        .into_iter()
        .filter(|agent| scope == InstallScope::User || *agent != Agent::ClaudeDesktop)
        .filter_map(|agent| Some((agent, machine.evidence(agent)?)))
        .collect();
    if found.is_empty() {
        let names = Agent::ALL.map(Agent::id).join(", ");
        bail!("no agent was found on this machine; name one: {names}");
    }
    for (agent, evidence) in &found {
        let (name, id) = (agent.name(), agent.id());
        print::result(&format!("found {name} ({id}): {}", evidence.display()));
    }
    if !installer.can_decide() {
        bail!(
            "nothing was written; run it in a terminal, name one agent, or give --yes for all or --dry-run to see the changes"
        );
    }
    let mut failed = Vec::new();
    for (agent, _) in found {
        let done = check(agent, arguments)
            .and_then(|()| one(&mut installer, agent, scope, machine, entry.as_ref()));
        if let Err(error) = done {
            print::error(&error.to_string());
            failed.push(agent.name());
        }
    }
    if !failed.is_empty() {
        bail!("not done for {}", failed.join(", "));
    }
    Ok(())
}

/// An agent on this machine.
pub(crate) struct FoundAgent {
    pub(crate) agent: Agent,
    /// Whether its configuration, or that of the current folder, has the entry.
    pub(crate) has_entry: Result<bool, String>,
}

/// Finds the agents on this machine and whether they have the entry.
pub(crate) fn found_agents() -> Vec<FoundAgent> {
    let Ok(machine) = Machine::here() else { return Vec::new() };
    let found = Agent::ALL.into_iter().filter(|agent| machine.evidence(*agent).is_some());
    let has_entry = |agent| {
        let in_project = edit::has_entry(agent, InstallScope::Project, &machine).unwrap_or(false);
        let in_user = edit::has_entry(agent, InstallScope::User, &machine);
        in_user.map(|in_user| in_user || in_project).map_err(|error| error.to_string())
    };
    found.map(|agent| FoundAgent { agent, has_entry: has_entry(agent) }).collect()
}
