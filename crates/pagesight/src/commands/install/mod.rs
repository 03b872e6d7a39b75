//! Adds pagesight to the configuration of an agent (`pagesight install claude`). It owns where each
//! agent keeps its MCP servers and in which form, and how to put an entry there without disturbing
//! anything else: the rest of the file is kept byte for byte. Asking for consent and printing are
//! the command line's.
//!
//! The formats were checked against the agents' documentation in November 2026.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

mod json;
#[cfg(test)]
mod tests;
mod toml;

use json::with_json_entry;
use toml::with_toml_entry;

/// The name of our entry in every configuration.
const NAME: &str = "pagesight";

/// Lines shown around a change.
const CONTEXT: usize = 2;

/// Characters shown of a line; a settings file may be one line of a hundred thousand.
const SHOWN: usize = 160;

/// The agents that pagesight knows how to add itself to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Agent {
    /// Claude Code
    Claude,
    /// Cursor
    Cursor,
    /// Visual Studio Code
    #[value(name = "vscode")]
    VsCode,
    /// Codex
    Codex,
    /// Gemini CLI
    Gemini,
}

impl Agent {
    /// The name its makers gave it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Agent::Claude => "Claude Code",
            Agent::Cursor => "Cursor",
            Agent::VsCode => "Visual Studio Code",
            Agent::Codex => "Codex",
            Agent::Gemini => "Gemini CLI",
        }
    }

    /// What the user must know or do before the entry works, in one sentence.
    pub(crate) fn next_step(self, scope: Scope) -> &'static str {
        match (self, scope) {
            (Agent::Claude, Scope::User) => "start Claude Code anew; /mcp lists it",
            (Agent::Claude, Scope::Project) => {
                "start Claude Code in this folder and approve the server when it asks"
            }
            (Agent::Cursor, _) => {
                "turn it on in Cursor's settings, under MCP, if it is not on already"
            }
            (Agent::VsCode, _) => "run \"MCP: List Servers\" in Visual Studio Code and start it",
            (Agent::Codex, Scope::User) => "start Codex anew; /mcp lists it",
            (Agent::Codex, Scope::Project) => {
                "start Codex in this folder; it reads the file only where the project is trusted"
            }
            (Agent::Gemini, _) => "start Gemini CLI anew; /mcp lists it",
        }
    }

    /// The key that holds the servers.
    fn key(self) -> &'static str {
        match self {
            Agent::Claude | Agent::Cursor | Agent::Gemini => "mcpServers",
            Agent::VsCode => "servers",
            Agent::Codex => "mcp_servers",
        }
    }

    /// Whether an entry names its transport. Gemini CLI and Codex tell it from `command`.
    fn wants_type(self) -> bool {
        matches!(self, Agent::Claude | Agent::Cursor | Agent::VsCode)
    }
}

/// Whom the entry is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// This user, in every project.
    User,
    /// Everyone who works in the current folder.
    Project,
}

/// The systems that differ in where settings are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Os {
    /// Linux and everything like it.
    Linux,
    /// macOS
    Mac,
    /// Windows
    Windows,
}

impl Os {
    fn here() -> Os {
        if cfg!(target_os = "macos") {
            Os::Mac
        } else if cfg!(windows) {
            Os::Windows
        } else {
            Os::Linux
        }
    }
}

/// What decides where an agent's configuration is.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    /// The user's home folder.
    pub(crate) home: PathBuf,
    /// The current folder: the project.
    pub(crate) cwd: PathBuf,
    /// The system.
    pub(crate) os: Os,
    /// Folders that the user moved by an environment variable.
    pub(crate) moved: Vec<(&'static str, PathBuf)>,
}

impl Machine {
    /// This machine, for this user, in this folder.
    pub(crate) fn here() -> Result<Machine, InstallError> {
        let home = std::env::home_dir()
            .filter(|home| !home.as_os_str().is_empty())
            .ok_or(InstallError::NoHome)?;
        let cwd = std::env::current_dir().map_err(|reason| InstallError::File {
            path: PathBuf::from("."),
            doing: "opened",
            reason,
        })?;
        let moved =
            ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_CONFIG_HOME", "APPDATA"]
                .into_iter()
                .filter_map(|name| Some((name, PathBuf::from(std::env::var_os(name)?))))
                .filter(|(_, folder)| folder.is_absolute())
                .collect();
        Ok(Machine { home, cwd, os: Os::here(), moved })
    }

    fn folder(&self, variable: &str, otherwise: PathBuf) -> PathBuf {
        let moved = self.moved.iter().find(|(name, _)| *name == variable);
        moved.map_or(otherwise, |(_, folder)| folder.clone())
    }

    /// The file that holds the agent's servers.
    fn file(&self, agent: Agent, scope: Scope) -> PathBuf {
        let (home, cwd) = (&self.home, &self.cwd);
        match (agent, scope) {
            (Agent::Claude, Scope::User) => {
                self.folder("CLAUDE_CONFIG_DIR", home.clone()).join(".claude.json")
            }
            (Agent::Claude, Scope::Project) => cwd.join(".mcp.json"),
            (Agent::Cursor, Scope::User) => home.join(".cursor").join("mcp.json"),
            (Agent::Cursor, Scope::Project) => cwd.join(".cursor").join("mcp.json"),
            (Agent::VsCode, Scope::User) => {
                let settings = match self.os {
                    Os::Linux => self.folder("XDG_CONFIG_HOME", home.join(".config")),
                    Os::Mac => home.join("Library").join("Application Support"),
                    Os::Windows => self.folder("APPDATA", home.join("AppData").join("Roaming")),
                };
                settings.join("Code").join("User").join("mcp.json")
            }
            (Agent::VsCode, Scope::Project) => cwd.join(".vscode").join("mcp.json"),
            (Agent::Codex, Scope::User) => {
                self.folder("CODEX_HOME", home.join(".codex")).join("config.toml")
            }
            (Agent::Codex, Scope::Project) => cwd.join(".codex").join("config.toml"),
            (Agent::Gemini, Scope::User) => {
                self.folder("GEMINI_CLI_HOME", home.clone()).join(".gemini").join("settings.json")
            }
            (Agent::Gemini, Scope::Project) => cwd.join(".gemini").join("settings.json"),
        }
    }
}

/// What is going to be written, before it is.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The configuration file.
    pub(crate) path: PathBuf,
    /// Its text now; `None` if there is no such file.
    pub(crate) before: Option<String>,
    /// Its text afterwards.
    pub(crate) after: String,
}

impl Plan {
    /// Whether anything is left to do.
    pub(crate) fn changes(&self) -> bool {
        self.before.as_ref() != Some(&self.after)
    }
}

/// Why the entry was not added. Nothing was written.
#[derive(Debug)]
pub(crate) enum InstallError {
    /// The file is JSON with comments or trailing commas.
    Comments {
        /// Under which key the entry belongs.
        key: &'static str,
        /// The entry to add by hand.
        entry: String,
    },
    /// The file is broken.
    Syntax {
        /// What it should be.
        format: &'static str,
        /// What the parser said.
        reason: String,
    },
    /// Something else is where the entry belongs.
    Shape {
        /// Where.
        key: String,
    },
    /// One of the above, with the file it is about.
    In {
        /// The file.
        path: PathBuf,
        /// What is the matter with it.
        reason: Box<InstallError>,
    },
    /// The file could not be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// What was tried: `read`, `written`.
        doing: &'static str,
        /// What the system said.
        reason: io::Error,
    },
    /// The file is protected.
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// Somebody else wrote the file since the plan was made.
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// The user's home folder is not known.
    NoHome,
}

impl fmt::Display for InstallError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InstallError::Comments { key, entry } => write!(
                out,
                "it is JSON with comments or trailing commas, which would be lost; add this under \"{key}\" by hand: \
                 \"{NAME}\": {entry}"
            ),
            InstallError::Syntax { format, reason } => {
                write!(out, "it is not valid {format} ({reason}); repair it and try again")
            }
            InstallError::Shape { key } => {
                write!(
                    out,
                    "{key} is not a table of names and values in it; repair that and try again"
                )
            }
            InstallError::In { path, reason } => {
                write!(out, "{} was left alone: {reason}", path.display())
            }
            InstallError::File { path, doing, reason } => {
                write!(
                    out,
                    "{} could not be {doing} ({reason}); check that it is yours and try again",
                    path.display()
                )
            }
            InstallError::ReadOnly { path } => {
                write!(out, "{} is read-only; make it writable and try again", path.display())
            }
            InstallError::Changed { path } => {
                write!(
                    out,
                    "{} was changed by another program meanwhile; try again",
                    path.display()
                )
            }
            InstallError::NoHome => {
                write!(out, "your home folder is not known; set HOME and try again")
            }
        }
    }
}

impl std::error::Error for InstallError {}

/// The configuration with our entry in it: added, or brought up to date. What the user added to the
/// entry stays, and so does every byte outside of it. Applied twice it changes nothing more.
pub(crate) fn with_entry(
    agent: Agent,
    existing: Option<&str>,
    command: &str,
    args: &[String],
) -> Result<String, InstallError> {
    let existing = existing.unwrap_or_default();
    match agent {
        Agent::Codex => with_toml_entry(agent, existing, command, args),
        _ => with_json_entry(agent, existing, command, args),
    }
}

/// Works out what to write where. Reads the file, writes nothing.
pub(crate) fn plan(
    agent: Agent,
    scope: Scope,
    machine: &Machine,
    command: &str,
    args: &[String],
) -> Result<Plan, InstallError> {
    let path = machine.file(agent, scope);
    let before = read(&path)?;
    let after = with_entry(agent, before.as_deref(), command, args)
        .map_err(|reason| InstallError::In { path: path.clone(), reason: Box::new(reason) })?;
    Ok(Plan { path, before, after })
}

/// The plan as a person wants to see it: the changed lines, with a few around them.
pub(crate) fn preview(plan: &Plan) -> String {
    let path = plan.path.display();
    if !plan.changes() {
        return format!("{path} already has this entry\n");
    }
    let before: Vec<&str> = plan.before.as_deref().unwrap_or_default().lines().collect();
    let after: Vec<&str> = plan.after.lines().collect();
    let same = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let head = before.iter().zip(&after).take_while(same).count();
    let rest = before.len().min(after.len()) - head;
    let tail = before.iter().rev().zip(after.iter().rev()).take(rest).take_while(same).count();

    let first = head.saturating_sub(CONTEXT);
    let mut out = match plan.before {
        Some(_) => format!("{path}, line {}\n", first + 1),
        None => format!("{path} (new file)\n"),
    };
    let mut show = |mark: char, lines: &[&str]| {
        for line in lines {
            let cut: String = line.chars().take(SHOWN).collect();
            let more = if cut.len() < line.len() { "…" } else { "" };
            out.push_str(format!("{mark} {cut}{more}").trim_end());
            out.push('\n');
        }
    };
    show(' ', &before[first..head]);
    show('-', &before[head..before.len() - tail]);
    show('+', &after[head..after.len() - tail]);
    let end = after.len() - tail;
    show(' ', &after[end..(end + CONTEXT).min(after.len())]);
    out
}

/// Writes the plan: whole or not at all, through a symlink to what it points to, with the file's
/// mode and owner kept.
pub(crate) fn apply(plan: &Plan) -> Result<(), InstallError> {
    if !plan.changes() {
        return Ok(());
    }
    // Claude Code keeps its state in the same file and writes it often.
    if read(&plan.path)? != plan.before {
        return Err(InstallError::Changed { path: plan.path.clone() });
    }
    let target = follow(&plan.path);
    let failed = |reason| InstallError::File { path: target.clone(), doing: "written", reason };
    let old = fs::metadata(&target).ok();
    if old.as_ref().is_some_and(|old| old.permissions().readonly()) {
        return Err(InstallError::ReadOnly { path: target });
    }
    let folder = target.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(failed)?;
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let temporary = folder.join(format!(".{name}.{NAME}-{}", std::process::id()));
    let written = write_new(&temporary, &plan.after, old.as_ref())
        .and_then(|()| fs::rename(&temporary, &target));
    if written.is_err() {
        // The error that is told is the one that counts; there may be no file to remove.
        let _ = fs::remove_file(&temporary);
    }
    written.map_err(failed)
}

fn read(path: &Path) -> Result<Option<String>, InstallError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(reason) => Err(InstallError::File { path: path.to_owned(), doing: "read", reason }),
    }
}

/// Where a path ends up, also where the last step does not exist yet.
fn follow(path: &Path) -> PathBuf {
    if let Ok(target) = fs::canonicalize(path) {
        return target;
    }
    match (fs::read_link(path), path.parent()) {
        (Ok(link), Some(folder)) => folder.join(link),
        _ => path.to_owned(),
    }
}

fn write_new(path: &Path, text: &str, old: Option<&fs::Metadata>) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if old.is_some() {
        // The file may hold secrets and may be readable by its owner alone: never wider than that
        // in between.
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    if let Some(old) = old {
        keep_owner(path, old);
        file.set_permissions(old.permissions())?;
    }
    file.sync_all()
}

/// Only root may give a file away, and only root would otherwise take one over: where this fails it
/// was not needed.
#[cfg(unix)]
fn keep_owner(path: &Path, old: &fs::Metadata) {
    use std::os::unix::fs::MetadataExt;
    let _ = std::os::unix::fs::chown(path, Some(old.uid()), Some(old.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_: &Path, _: &fs::Metadata) {}
