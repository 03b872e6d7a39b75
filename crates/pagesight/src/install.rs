//! Adds pagesight to the configuration of an agent (`pagesight install claude`). It owns where each agent keeps its MCP
//! servers and in which form, and how to put an entry there without disturbing anything else: the rest of the file is
//! kept byte for byte. Asking for consent and printing are the command line's.
//!
//! The formats were checked against the agents' documentation in November 2026.

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use toml_edit::{DocumentMut, InlineTable, Item, Table, TableLike};

#[cfg(test)]
mod tests;

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
            (Agent::Cursor, _) => "turn it on in Cursor's settings, under MCP, if it is not on already",
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
        let home =
            std::env::home_dir().filter(|home| !home.as_os_str().is_empty()).ok_or(InstallError::NoHome)?;
        let cwd = std::env::current_dir().map_err(|reason| InstallError::File {
            path: PathBuf::from("."),
            doing: "opened",
            reason,
        })?;
        let moved = ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_CONFIG_HOME", "APPDATA"]
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
            (Agent::Codex, Scope::User) => self.folder("CODEX_HOME", home.join(".codex")).join("config.toml"),
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
                write!(out, "{key} is not a table of names and values in it; repair that and try again")
            }
            InstallError::In { path, reason } => write!(out, "{} was left alone: {reason}", path.display()),
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
                write!(out, "{} was changed by another program meanwhile; try again", path.display())
            }
            InstallError::NoHome => write!(out, "your home folder is not known; set HOME and try again"),
        }
    }
}

impl std::error::Error for InstallError {}

/// The configuration with our entry in it: added, or brought up to date. What the user added to the entry stays, and so
/// does every byte outside of it. Applied twice it changes nothing more.
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

/// Writes the plan: whole or not at all, through a symlink to what it points to, with the file's mode and owner kept.
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
    let written =
        write_new(&temporary, &plan.after, old.as_ref()).and_then(|()| fs::rename(&temporary, &target));
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
        // The file may hold secrets and may be readable by its owner alone: never wider than that in between.
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

/// Only root may give a file away, and only root would otherwise take one over: where this fails it was not needed.
#[cfg(unix)]
fn keep_owner(path: &Path, old: &fs::Metadata) {
    use std::os::unix::fs::MetadataExt;
    let _ = std::os::unix::fs::chown(path, Some(old.uid()), Some(old.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_: &Path, _: &fs::Metadata) {}

/// The entry, on top of what the user may have added to an older one.
fn entry(
    agent: Agent,
    old: Option<Map<String, Value>>,
    command: &str,
    args: &[String],
) -> Map<String, Value> {
    let mut entry = old.unwrap_or_default();
    // An entry has one transport; these belong to the others.
    for other in ["url", "httpUrl", "serverUrl", "headers"] {
        entry.shift_remove(other);
    }
    if agent.wants_type() {
        entry.insert("type".to_owned(), json!("stdio"));
    } else {
        entry.shift_remove("type");
    }
    entry.insert("command".to_owned(), json!(command));
    entry.insert("args".to_owned(), json!(args));
    entry
}

/// The members of a JSON object as they stand in the text.
type Members<'a> = HashMap<String, &'a RawValue>;

/// Only the entry's own text is made anew: through a parser and back, the rest would be re-indented and its numbers
/// rounded.
fn with_json_entry(agent: Agent, text: &str, command: &str, args: &[String]) -> Result<String, InstallError> {
    let key = agent.key();
    let style = Style::of(text);
    let fresh = || Value::Object(entry(agent, None, command, args));
    if text.trim().is_empty() {
        return Ok(style.pretty(&json!({ key: { NAME: fresh() } }), 0) + style.newline);
    }
    if let Err(error) = serde_json::from_str::<&RawValue>(text) {
        return Err(if serde_json::from_str::<Value>(&without_comments(text)).is_ok() {
            InstallError::Comments { key, entry: fresh().to_string() }
        } else {
            InstallError::Syntax { format: "JSON", reason: error.to_string() }
        });
    }
    let root = members(text, "the whole")?;
    let Some(servers_text) = root.get(key).map(|raw| raw.get()) else {
        return Ok(style.insert(text, text, &root, key, &json!({ NAME: fresh() }), 1));
    };
    let servers = members(servers_text, key)?;
    let Some(old_text) = servers.get(NAME).map(|raw| raw.get()) else {
        return Ok(style.insert(text, servers_text, &servers, NAME, &fresh(), 2));
    };
    let shape = || InstallError::Shape { key: format!("{key}.{NAME}") };
    let old: Map<String, Value> = serde_json::from_str(old_text).map_err(|_| shape())?;
    let new = entry(agent, Some(old.clone()), command, args);
    if new == old {
        return Ok(text.to_owned());
    }
    let start = offset(text, old_text);
    let new = style.pretty(&Value::Object(new), 2);
    Ok([&text[..start], &new, &text[start + old_text.len()..]].concat())
}

fn members<'a>(text: &'a str, key: &str) -> Result<Members<'a>, InstallError> {
    serde_json::from_str(text).map_err(|_| InstallError::Shape { key: key.to_owned() })
}

/// Where a part begins in the text it was borrowed from.
fn offset(whole: &str, part: &str) -> usize {
    part.as_ptr() as usize - whole.as_ptr() as usize
}

/// How a JSON file is written, so that what is added looks like the rest.
struct Style {
    indent: String,
    newline: &'static str,
}

impl Style {
    fn of(text: &str) -> Style {
        let indent = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(|line| &line[..line.len() - line.trim_start().len()])
            .find(|indent| !indent.is_empty())
            .unwrap_or("  ");
        Style { indent: indent.to_owned(), newline: if text.contains("\r\n") { "\r\n" } else { "\n" } }
    }

    /// A value on lines of its own, as it looks `depth` levels deep.
    fn pretty(&self, value: &Value, depth: usize) -> String {
        let inner = self.indent.repeat(depth + 1);
        let outer = self.indent.repeat(depth);
        let newline = self.newline;
        match value {
            Value::Object(object) if !object.is_empty() => {
                let lines: Vec<String> = object
                    .iter()
                    .map(|(key, value)| format!("{inner}{}: {}", json!(key), self.pretty(value, depth + 1)))
                    .collect();
                format!("{{{newline}{}{newline}{outer}}}", lines.join(&format!(",{newline}")))
            }
            // Arguments read best on one line.
            Value::Array(items) => {
                let items: Vec<String> = items.iter().map(|item| self.pretty(item, depth + 1)).collect();
                format!("[{}]", items.join(", "))
            }
            _ => value.to_string(),
        }
    }

    /// The text with one more member at the end of the object that `object` is a part of it.
    fn insert(
        &self,
        text: &str,
        object: &str,
        members: &Members<'_>,
        key: &str,
        value: &Value,
        depth: usize,
    ) -> String {
        let newline = self.newline;
        let member =
            format!("{newline}{}{}: {}", self.indent.repeat(depth), json!(key), self.pretty(value, depth));
        let last = members.values().map(|raw| offset(text, raw.get()) + raw.get().len()).max();
        match last {
            Some(end) => [&text[..end], ",", &member, &text[end..]].concat(),
            None => {
                let open = offset(text, object) + object.find('{').unwrap_or(0) + 1;
                let close = offset(text, object) + object.rfind('}').unwrap_or(0);
                let outer = self.indent.repeat(depth - 1);
                [&text[..open], &member, newline, &outer, &text[close..]].concat()
            }
        }
    }
}

/// JSON with comments and trailing commas made plain, to tell it from JSON that is broken.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let taken = if next == '"' {
            let taken = string_length(rest);
            out.push_str(&rest[..taken]);
            taken
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            if matches!(next, '}' | ']') {
                let kept = out.trim_end().trim_end_matches(',').len();
                out.truncate(kept);
            }
            out.push(next);
            next.len_utf8()
        };
        rest = &rest[taken..];
    }
    out
}

/// The length of the JSON string that a text begins with.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn with_toml_entry(agent: Agent, text: &str, command: &str, args: &[String]) -> Result<String, InstallError> {
    let syntax = |reason: toml_edit::TomlError| InstallError::Syntax {
        format: "TOML",
        reason: reason.to_string().lines().next().unwrap_or_default().to_owned(),
    };
    let key = agent.key();
    let document: DocumentMut = text.parse().map_err(syntax)?;
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let servers = document.get(key);
    let is_new = servers.and_then(|servers| servers.get(NAME)).is_none();
    if is_new && servers.is_none_or(Item::is_table) {
        let entry = edit_toml(agent, DocumentMut::new(), command, args)?.to_string().replace('\n', newline);
        let gap = match text.trim_end() {
            "" => return Ok(entry),
            _ if text.ends_with('\n') => newline.to_owned(),
            _ => newline.repeat(2),
        };
        return Ok([text, &gap, &entry].concat());
    }
    let before = document.to_string();
    let after = edit_toml(agent, document, command, args)?.to_string();
    if after == before {
        return Ok(text.to_owned());
    }
    // The parser makes one kind of line end of both.
    Ok(after.replace("\r\n", "\n").replace('\n', newline))
}

fn edit_toml(
    agent: Agent,
    mut document: DocumentMut,
    command: &str,
    args: &[String],
) -> Result<DocumentMut, InstallError> {
    let key = agent.key();
    let servers = document.entry(key).or_insert_with(|| {
        let mut table = Table::new();
        // No header of its own: [mcp_servers.pagesight] says it all.
        table.set_implicit(true);
        Item::Table(table)
    });
    let inline = servers.is_inline_table();
    let servers = servers.as_table_like_mut().ok_or_else(|| InstallError::Shape { key: key.to_owned() })?;
    let ours = servers.entry(NAME).or_insert_with(|| {
        if inline { Item::Value(InlineTable::new().into()) } else { Item::Table(Table::new()) }
    });
    let shape = || InstallError::Shape { key: format!("{key}.{NAME}") };
    let ours = ours.as_table_like_mut().ok_or_else(shape)?;
    // An entry has one transport; these belong to the other.
    for other in ["url", "bearer_token_env_var", "http_headers", "env_http_headers"] {
        ours.remove(other);
    }
    let args: toml_edit::Array = args.iter().collect();
    set(ours, "command", command.into());
    set(ours, "args", args.into());
    Ok(document)
}

/// Sets a value unless it is there already, and keeps the comment behind it.
fn set(table: &mut dyn TableLike, key: &str, mut value: toml_edit::Value) {
    if let Some(old) = table.get(key).and_then(Item::as_value) {
        if plain(old) == plain(&value) {
            return;
        }
        *value.decor_mut() = old.decor().clone();
    }
    table.insert(key, Item::Value(value));
}

/// A value without the white space and comments in and around it, for comparing.
fn plain(value: &toml_edit::Value) -> Option<Vec<&str>> {
    match value {
        toml_edit::Value::Array(items) => items.iter().map(toml_edit::Value::as_str).collect(),
        _ => value.as_str().map(|text| vec![text]),
    }
}
