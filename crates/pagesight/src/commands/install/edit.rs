//! Prepares, shows and writes the change of an agent's configuration. The rest of the file is kept
//! byte for byte.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::bail;
use pagesight_core::text::address::without_values_in;

use super::agent::{Agent, ENTRY_NAME, InstallScope, ServerEntry};
use super::error::{failed, in_file};
use super::json::{with_json_entry, without_json_entry};
use super::machine::Machine;
use super::receipts::InstallReceipts;
use super::toml::{with_toml_entry, without_toml_entry};

/// Lines shown around a change.
const CONTEXT: usize = 2;

/// Characters shown of a line, because a settings file may be a single very long line.
pub(super) const SHOWN: usize = 160;

/// A prepared change of a configuration file.
#[derive(Debug)]
pub(crate) struct ConfigEdit {
    pub(crate) path: PathBuf,
    /// Its text now; `None` if there is no such file.
    pub(crate) before: Option<String>,
    /// Its text afterwards; `None` if the file is removed.
    pub(crate) after: Option<String>,
    /// The folder that no link may lead out of, if it is a file of a project.
    pub(crate) project: Option<PathBuf>,
}

impl ConfigEdit {
    /// Reports whether there is anything to write.
    pub(crate) fn changes(&self) -> bool {
        self.before != self.after
    }
}

/// Returns the configuration with the entry added or updated. The user's additions to the entry
/// stay, and so does every byte outside of it. A second call changes nothing.
pub(crate) fn with_entry(
    agent: Agent,
    existing: Option<&str>,
    entry: &ServerEntry,
) -> anyhow::Result<String> {
    let existing = existing.unwrap_or_default();
    match agent {
        Agent::Codex => with_toml_entry(agent, existing, entry),
        _ => with_json_entry(agent, existing, entry),
    }
}

/// Returns the configuration without the entry, or nothing if it has none. Every byte outside of
/// the entry stays, except the comma before it.
pub(crate) fn without_entry(agent: Agent, existing: &str) -> anyhow::Result<Option<String>> {
    match agent {
        Agent::Codex => without_toml_entry(agent, existing),
        _ if existing.trim().is_empty() => Ok(None),
        _ => without_json_entry(agent, existing),
    }
}

/// Reads the agent's configuration and prepares the change. Writes nothing.
pub(crate) fn prepare(
    agent: Agent,
    scope: InstallScope,
    machine: &Machine,
    entry: &ServerEntry,
) -> anyhow::Result<ConfigEdit> {
    let path = machine.file(agent, scope);
    let project = machine.project(scope);
    let before = read_to_edit(&path, project.as_deref())?;
    let after =
        with_entry(agent, before.as_deref(), entry).map_err(|reason| in_file(&path, reason))?;
    Ok(ConfigEdit { path, before, after: Some(after), project })
}

/// Reads the agent's configuration and prepares the removal of the entry. A file that is still as
/// `install` wrote it becomes what it was before.
pub(crate) fn prepare_removal(
    agent: Agent,
    scope: InstallScope,
    machine: &Machine,
    receipts: &InstallReceipts,
) -> anyhow::Result<ConfigEdit> {
    let path = machine.file(agent, scope);
    let project = machine.project(scope);
    let before = read_to_edit(&path, project.as_deref())?;
    let Some(text) = before.as_deref() else {
        return Ok(ConfigEdit { path, before: None, after: None, project });
    };
    let original = receipts.original(&path, text).unwrap_or_else(|| Some(text.to_owned()));
    // The entry may be older than the first receipt.
    let after = match original {
        None => None,
        Some(original) => {
            let removed =
                without_entry(agent, &original).map_err(|reason| in_file(&path, reason))?;
            Some(removed.unwrap_or(original))
        }
    };
    Ok(ConfigEdit { path, before, after, project })
}

/// Reports whether the agent's configuration has the entry.
pub(crate) fn has_entry(
    agent: Agent,
    scope: InstallScope,
    machine: &Machine,
) -> anyhow::Result<bool> {
    let path = machine.file(agent, scope);
    let Some(text) = read(&path)? else { return Ok(false) };
    let removed = without_entry(agent, &text).map_err(|reason| in_file(&path, reason))?;
    Ok(removed.is_some())
}

/// Returns the changed lines with a few lines around them, for the user to confirm.
pub(crate) fn preview(edit: &ConfigEdit) -> String {
    let path = edit.path.display();
    if !edit.changes() {
        return format!("{path} already has this entry\n");
    }
    let before: Vec<&str> = edit.before.as_deref().unwrap_or_default().lines().collect();
    let after: Vec<&str> = edit.after.as_deref().unwrap_or_default().lines().collect();
    let same = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let head = before.iter().zip(&after).take_while(same).count();
    let rest = before.len().min(after.len()) - head;
    let tail = before.iter().rev().zip(after.iter().rev()).take(rest).take_while(same).count();

    let first = head.saturating_sub(CONTEXT);
    let mut out = match (&edit.before, &edit.after) {
        (None, _) => format!("{path} (new file)\n"),
        (_, None) => format!("{path} (is removed)\n"),
        _ => format!("{path}, line {}\n", first + 1),
    };
    let mut show = |mark: char, lines: &[&str]| {
        for line in lines {
            // The address of a browser may have a token.
            let line = if line.contains("://") { &without_values_in(line) } else { *line };
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

/// Writes the prepared change atomically. Follows symlinks, in a project only inside of it, and
/// keeps the file's mode and owner. Returns the folders that were created, the innermost first.
pub(crate) fn apply(edit: &ConfigEdit) -> anyhow::Result<Vec<PathBuf>> {
    if !edit.changes() {
        return Ok(Vec::new());
    }
    // Claude Code keeps its state in the same file and writes to it often.
    if read_to_edit(&edit.path, edit.project.as_deref())? != edit.before {
        bail!("{} was changed by another program in the meantime; try again", edit.path.display());
    }
    let target = follow(&edit.path);
    let old = fs::metadata(&target).ok();
    if old.as_ref().is_some_and(|old| old.permissions().readonly()) {
        bail!("{} is read-only; make it writable and try again", target.display());
    }
    let Some(after) = &edit.after else {
        fs::remove_file(&target).map_err(|reason| failed(&target, "removed", reason))?;
        return Ok(Vec::new());
    };
    let folder = target.parent().unwrap_or(Path::new("."));
    let missing = folder.ancestors().take_while(|folder| !folder.exists());
    let created = missing.map(Path::to_owned).collect();
    fs::create_dir_all(folder).map_err(|reason| failed(&target, "written", reason))?;
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let temporary = folder.join(format!(".{name}.{ENTRY_NAME}-{}", std::process::id()));
    let written =
        write_new(&temporary, after, old.as_ref()).and_then(|()| fs::rename(&temporary, &target));
    if written.is_err() {
        // There may be no file to remove; the first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    written.map_err(|reason| failed(&target, "written", reason))?;
    Ok(created)
}

/// Reads a file that will be written, and refuses one of a project to which a link leads out of the
/// project: whoever made the link would choose the file that is changed.
pub(crate) fn read_to_edit(path: &Path, project: Option<&Path>) -> anyhow::Result<Option<String>> {
    let Some(project) = project else { return read(path) };
    let is_link = |part: &&Path| part.symlink_metadata().is_ok_and(|found| found.is_symlink());
    let stays = |link: &Path| {
        let (target, inside) = (fs::canonicalize(link), fs::canonicalize(project));
        target.is_ok_and(|target| inside.is_ok_and(|inside| target.starts_with(inside)))
    };
    let parts = path.ancestors().take_while(|part| *part != project);
    if let Some(link) = parts.filter(is_link).find(|link| !stays(link)) {
        bail!(
            "{} is a link that leads out of {}; replace it by what it leads to and try again",
            link.display(),
            project.display()
        );
    }
    read(path)
}

fn read(path: &Path) -> anyhow::Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(reason) => Err(failed(path, "read", reason)),
    }
}

/// Resolves symlinks, also where the target does not exist yet.
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
        // The file may hold secrets: until it has its old mode, only its owner may read it.
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

/// Keeps the owner of a file that root edits. For other users this fails, and is not needed.
#[cfg(unix)]
fn keep_owner(path: &Path, old: &fs::Metadata) {
    use std::os::unix::fs::MetadataExt;
    let _ = std::os::unix::fs::chown(path, Some(old.uid()), Some(old.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_: &Path, _: &fs::Metadata) {}
