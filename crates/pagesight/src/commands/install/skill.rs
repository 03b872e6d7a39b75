//! `pagesight install skill`: teaches Claude Code the shell commands, for agents that work without
//! MCP.

use anyhow::bail;

use super::agent::InstallScope;
use super::consent::{InstallOutcome, Installer};
use super::edit::{self, ConfigEdit};
use super::machine::Machine;
use super::receipts::InstallReceipts;
use crate::cli::print;

/// The text of the skill.
pub(super) const SKILL: &str = include_str!("skill.md");

/// Writes the skill, or removes it.
pub(super) fn run(
    installer: &mut Installer,
    scope: InstallScope,
    machine: &Machine,
) -> anyhow::Result<()> {
    let edit = if installer.remove {
        prepare_removal(scope, machine, &installer.receipts)?
    } else {
        prepare(scope, machine)?
    };
    if !edit.changes() {
        let state = if installer.remove { "there is no skill" } else { "the skill is there" };
        print::result(&format!("{state}: {}", edit.path.display()));
        return Ok(());
    }
    let question = if installer.remove { "Remove the skill?" } else { "Write the skill?" };
    match installer.carry_out(&edit, question)? {
        InstallOutcome::Declined => bail!("nothing was written"),
        InstallOutcome::Written if installer.remove => print::result("removed"),
        InstallOutcome::Written => {
            print::result("written; Claude Code reads it when it starts, and /pagesight names it");
        }
        InstallOutcome::Shown | InstallOutcome::Nothing => {}
    }
    Ok(())
}

pub(super) fn prepare(scope: InstallScope, machine: &Machine) -> anyhow::Result<ConfigEdit> {
    let path = machine.skill(scope);
    let project = machine.project(scope);
    let before = edit::read_to_edit(&path, project.as_deref())?;
    Ok(ConfigEdit { path, before, after: Some(SKILL.to_owned()), project })
}

/// Prepares the removal. A file that the user changed is refused, because the changes are work.
pub(super) fn prepare_removal(
    scope: InstallScope,
    machine: &Machine,
    receipts: &InstallReceipts,
) -> anyhow::Result<ConfigEdit> {
    let path = machine.skill(scope);
    let project = machine.project(scope);
    let before = edit::read_to_edit(&path, project.as_deref())?;
    let after = match before.as_deref() {
        None => None,
        Some(text) => match receipts.original(&path, text) {
            Some(original) => original,
            None if text == SKILL => None,
            None => bail!("{} was changed since; remove it by hand", path.display()),
        },
    };
    Ok(ConfigEdit { path, before, after, project })
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use pagesight_core::text::tokens;

    use super::*;
    use crate::cli::arguments::Cli;

    #[test]
    fn the_skill_is_short() {
        let tokens = tokens::count(SKILL);
        assert!((300..=600).contains(&tokens), "{tokens} tokens");
    }

    #[test]
    fn the_commands_of_the_skill_exist() {
        let lines = SKILL.lines().filter(|line| line.starts_with("pagesight "));
        let commands: Vec<&str> =
            lines.map(|line| line.split("  #").next().unwrap_or_default().trim()).collect();
        for command in &commands {
            // Single quotes keep an action together, as in a shell.
            let mut words = Vec::new();
            for (number, part) in command.split('\'').enumerate() {
                match number % 2 {
                    0 => words.extend(part.split_whitespace().map(str::to_owned)),
                    _ => words.push(part.to_owned()),
                }
            }
            if let Err(error) = Cli::try_parse_from(&words) {
                panic!("{command}: {error}");
            }
        }
        for name in ["open", "look", "act", "element", "shot", "tabs", "back", "close", "sessions"]
        {
            let is_there = commands.iter().any(|line| line.split(' ').nth(1) == Some(name));
            assert!(is_there, "{name}");
        }
    }
}
