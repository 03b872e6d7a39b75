//! Runs the built program and reads its tools and commands in the same way as its users do.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use serde_json::{Value, json};

/// A command of the program. Subcommands have names such as `baselines list`.
pub struct CommandHelp {
    pub name: String,
    pub help: String,
}

/// The path of the built program.
pub struct Program(PathBuf);

impl Program {
    /// Builds the program in the same way as the tests: with different arguments, cargo would
    /// select other features and compile most dependencies a second time.
    pub fn build(root: &Path) -> anyhow::Result<Program> {
        let built = crate::project::command("cargo")
            .args(["test", "--no-run", "--quiet", "--locked", "--workspace", "--test", "docs"])
            .args(["--message-format", "json-render-diagnostics"])
            .current_dir(root)
            .stderr(Stdio::inherit())
            .output()?;
        ensure!(built.status.success(), "the program was not built");
        String::from_utf8_lossy(&built.stdout)
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .filter(|message| message["profile"]["test"] == false)
            .find_map(|message| message["executable"].as_str().map(|path| Program(path.into())))
            .context("cargo did not name the program")
    }

    /// Returns the tools as an MCP client gets them.
    pub fn tools(&self) -> anyhow::Result<Vec<Value>> {
        let mut server = Command::new(&self.0)
            .args(["mcp", "--allow-evaluate"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut input = server.stdin.take().context("standard input is piped")?;
        let output = server.stdout.take().context("standard output is piped")?;
        for request in [
            json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": {"name": "xtask", "version": "0"},
            }}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}),
        ] {
            writeln!(input, "{request}")?;
        }
        let answer = BufReader::new(output)
            .lines()
            .map_while(Result::ok)
            .filter_map(|line| serde_json::from_str::<Value>(&line).ok())
            .find(|message| message["id"] == 2);
        drop(input);
        server.wait()?;
        let answer = answer.context("the program did not list its tools")?;
        Ok(answer["result"]["tools"].as_array().context("a list of tools")?.clone())
    }

    /// Returns every command with its help, in the order of the program's own help.
    pub fn commands(&self) -> anyhow::Result<Vec<CommandHelp>> {
        let mut found = Vec::new();
        self.commands_below("", &mut found)?;
        Ok(found)
    }

    fn commands_below(&self, above: &str, found: &mut Vec<CommandHelp>) -> anyhow::Result<()> {
        let help = self.help(above)?;
        let names = if above.is_empty() { in_groups(&help) } else { listed(&help) };
        for name in names {
            let name = format!("{above} {name}").trim().to_owned();
            found.push(CommandHelp { name: name.clone(), help: self.help(&name)? });
            self.commands_below(&name, found)?;
        }
        Ok(())
    }

    fn help(&self, command: &str) -> anyhow::Result<String> {
        let printed = Command::new(&self.0)
            .args(command.split_whitespace())
            .arg("--help")
            .env("COLUMNS", "100")
            .output()?;
        ensure!(printed.status.success(), "pagesight {command} --help failed");
        let lines = String::from_utf8(printed.stdout)?;
        // Pages of documentation have no trailing spaces.
        Ok(lines.lines().map(|line| format!("{}\n", line.trim_end())).collect())
    }
}

/// Returns the names of the commands that the help of the program lists in groups. Below each group
/// is an example, which begins with `$`.
fn in_groups(help: &str) -> Vec<&str> {
    names(help.lines().take_while(|line| *line != "Options:"))
}

/// Returns the names of the commands that the help of a command lists.
fn listed(help: &str) -> Vec<&str> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    names(lines.take_while(|line| !line.is_empty()))
}

fn names<'h>(lines: impl Iterator<Item = &'h str>) -> Vec<&'h str> {
    // Lines that are indented further continue a description.
    let entries = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    entries.filter(|name| !["", "$", "help"].contains(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_from_help() {
        let help = "About\n\nUsage: x\n\nCommands:\n  mcp    Serve the tools\n  watch  Stay on the \
                    page\n         until Ctrl-C\n  help   Print this\n\nOptions:\n  -h  Help\n";
        assert_eq!(listed(help), ["mcp", "watch"]);
        let help = "About\n\nUsage: x\n\nLook:\n  look  Print\n  $ x look\n\nAct:\n  act   Click\n\nOptions:\n  -h  Help\n";
        assert_eq!(in_groups(help), ["look", "act"]);
    }
}
