//! A folder in which the blocks of one page run: empty, with the program on the path. It belongs to
//! a machine with a home of its own and the demo app at http://localhost:3000. Blocks may start
//! servers at the ports 4000 and 4001. The real ports are free ones; they are replaced in commands
//! and in what is printed.

use std::process::Child;
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::blocks::{Mark, MarkedBlock};
use super::expected::agree;
use super::machine::{Machine, Printed, end_group};
use super::server::McpServer;

/// How long one command may take.
pub const LIMIT: Duration = Duration::from_secs(90);
/// How often a command that runs is asked whether it has ended.
const STEP: Duration = Duration::from_millis(5);

/// Runs the blocks of a page.
pub struct PageShell {
    machine: Rc<Machine>,
    folder: tempfile::TempDir,
    /// Commands that go on while others run.
    background: Vec<Child>,
    /// The server of the calls of this page, with its session.
    server: Option<McpServer>,
}

impl PageShell {
    /// Creates the folder.
    pub fn new(machine: Rc<Machine>) -> PageShell {
        let folder = machine.new_folder();
        PageShell { machine, folder, background: Vec::new(), server: None }
    }

    /// Runs a block; returns a sentence about what went wrong.
    pub fn run(&mut self, block: &MarkedBlock) -> Result<(), String> {
        if let Mark::Run { append_to: Some(file) } = &block.mark {
            let path = self.folder.path().join(file);
            let before = std::fs::read_to_string(&path).unwrap_or_default();
            return std::fs::write(path, before + &self.machine.with_real_ports(&block.text))
                .map_err(|error| format!("{file}: {error}"));
        }
        match block.language.as_str() {
            "sh" => self.finish(&format!("set -e\n{}", block.text)).map(|_| ()),
            "mcp" => self.run_calls(&block.text),
            _ => self.run_console(&block.text),
        }
    }

    /// Runs lines that begin with `> `, a tool and its parameters, and compares each answer with
    /// the lines after it.
    fn run_calls(&mut self, text: &str) -> Result<(), String> {
        for (call, shown) in steps("> ", text)? {
            let server = match &mut self.server {
                Some(server) => server,
                none => none.insert(McpServer::start(&self.machine, self.folder.path())?),
            };
            let answer = server.call(&self.machine.with_real_ports(call))?;
            let answer = self.machine.with_shown_ports(answer);
            if !agree(&shown, &answer) {
                return Err(format!("> {call}\nmust answer\n{shown}\nand answered\n{answer}"));
            }
        }
        Ok(())
    }

    /// Runs lines that begin with `$ `, and compares what each prints with the lines after it.
    fn run_console(&mut self, text: &str) -> Result<(), String> {
        for (command, shown) in steps("$ ", text)? {
            if let Some(command) = command.strip_suffix(" &") {
                self.start(command, &shown)?;
                continue;
            }
            let printed = self.finish(command)?;
            if !agree(&shown, &printed) {
                return Err(format!("$ {command}\nmust print\n{shown}\nand printed\n{printed}"));
            }
        }
        Ok(())
    }

    /// Runs a script to its end and returns what it printed, in the order it was printed.
    fn finish(&self, script: &str) -> Result<String, String> {
        let (mut child, printed) = self.spawn(script);
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if begun.elapsed() > LIMIT {
                end_group(&mut child);
                let printed = self.machine.printed(&printed);
                return Err(format!("{script}\ndid not end; it printed\n{printed}"));
            }
            std::thread::sleep(STEP);
        };
        let printed = self.machine.printed(&printed);
        match status.success() {
            true => Ok(printed),
            false => Err(format!("{script}\nended with {status}; it printed\n{printed}")),
        }
    }

    /// Starts a command that goes on, and waits until it has printed what is shown.
    fn start(&mut self, command: &str, shown: &str) -> Result<(), String> {
        let (child, printed) = self.spawn(&format!("exec {command}"));
        self.background.push(child);
        self.machine.wait_for(command, shown, &printed)
    }

    fn spawn(&self, script: &str) -> (Child, Printed) {
        self.machine.spawn(self.folder.path(), script)
    }
}

impl Drop for PageShell {
    fn drop(&mut self) {
        self.server = None;
        // Ends the browser of a session that a block opened.
        let _ = self.finish("pagesight close");
        for child in &mut self.background {
            end_group(child);
        }
    }
}

/// Splits a block into the lines that begin with a mark, without it, and the lines after each.
fn steps<'t>(mark: &str, text: &'t str) -> Result<Vec<(&'t str, String)>, String> {
    let mut steps: Vec<(&str, String)> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix(mark), steps.last_mut()) {
            (Some(step), _) => steps.push((step, String::new())),
            (None, Some((_, shown))) => {
                shown.push_str(line);
                shown.push('\n');
            }
            (None, None) => return Err(format!("{line:?} comes before a line with {mark:?}")),
        }
    }
    Ok(steps)
}
