//! How an agent starts the program. A program in the cache of a package runner disappears when the
//! cache is cleaned, so the entry names the runner or a copy instead.

use std::path::{Path, PathBuf};

use anyhow::bail;
use pagesight_session::private_files;

use super::agent::ENTRY_NAME;
use super::error::failed;
use super::machine::Machine;

/// Where a program is, as far as it decides how to start it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProgramHome {
    /// A place where it stays.
    Installed,
    /// The cache of `npx`.
    Npx,
    /// The cache of `uvx`.
    Uvx,
    /// The cache of a runner that is not named in configurations: its command.
    Temporary(&'static str),
}

impl ProgramHome {
    /// Returns the home of a program by its path.
    pub(super) fn of(program: &Path) -> ProgramHome {
        let names: Vec<&str> =
            program.iter().map(|name| name.to_str().unwrap_or_default()).collect();
        let has = |wanted: &str| names.contains(&wanted);
        if has("_npx") {
            return ProgramHome::Npx;
        }
        if program.ancestors().any(is_in_uv_cache) {
            return ProgramHome::Uvx;
        }
        // The folder of an environment of `pipx run` is named by a hash; those of `pipx install`
        // are named by the package.
        let environment = names.len().checked_sub(3).map_or("", |at| names[at]);
        let is_hash =
            environment.len() >= 12 && environment.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_hash && has("pipx") {
            return ProgramHome::Temporary("pipx run");
        }
        let is_dlx = |name: &&str| *name == "dlx" || name.starts_with("dlx-");
        if has("pnpm") && names.iter().any(is_dlx) {
            return ProgramHome::Temporary("pnpm dlx");
        }
        if names.iter().any(|name| name.starts_with("bunx-")) {
            return ProgramHome::Temporary("bunx");
        }
        ProgramHome::Installed
    }
}

/// Reports whether a folder is one that uv keeps environments in. It marks its cache with a file;
/// without the mark, the folder may be the user's.
fn is_in_uv_cache(folder: &Path) -> bool {
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let versions = ["archive-v", "builds-v", "environments-v"];
    let version = versions.iter().find_map(|kind| name.strip_prefix(kind)).unwrap_or_default();
    let is_bucket = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit());
    is_bucket && folder.parent().is_some_and(|cache| cache.join("CACHEDIR.TAG").is_file())
}

/// The package in this version. A runner would otherwise start whatever is the newest one at each
/// start, which nobody has looked at.
const PACKAGE: &str = concat!("pagesight@", env!("CARGO_PKG_VERSION"));

/// How an agent starts the program.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ProgramStart {
    pub(super) command: String,
    /// The arguments before those of pagesight.
    pub(super) args: Vec<String>,
    /// The copy that has to be made before.
    pub(super) copy: Option<ProgramCopy>,
}

/// A copy of a program that its runner will remove.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ProgramCopy {
    from: PathBuf,
    to: PathBuf,
}

impl ProgramCopy {
    /// Makes the copy, in folders that only the user can open. One of the same version is replaced.
    pub(super) fn make(&self) -> anyhow::Result<()> {
        let written = |reason| failed(&self.to, "written", reason);
        let program = std::fs::read(&self.from).map_err(|why| failed(&self.from, "read", why))?;
        if let Some(folder) = self.to.parent() {
            private_files::create_folders(folder).map_err(written)?;
        }
        private_files::replace_private(&self.to, &program).map_err(written)?;
        #[cfg(unix)]
        {
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o700);
            std::fs::set_permissions(&self.to, mode).map_err(written)?;
        }
        Ok(())
    }
}

/// Returns how an agent starts the program.
pub(super) fn start(program: &Path, machine: &Machine) -> anyhow::Result<ProgramStart> {
    let named = |path: &Path, copy| match path.to_str() {
        Some(path) => Ok(ProgramStart { command: path.to_owned(), args: Vec::new(), copy }),
        None => bail!(
            "the path of the program is not UTF-8, so it cannot be written: {}; move it and try again",
            path.display()
        ),
    };
    match ProgramHome::of(program) {
        // npx obeys `.npmrc` and `node_modules` of the folder that the agent works in, and puts the
        // programs in there first on PATH. So whoever wrote that folder would choose what runs.
        ProgramHome::Npx => {
            let to = machine.programs().join(env!("CARGO_PKG_VERSION")).join(ENTRY_NAME);
            named(&to, Some(ProgramCopy { from: program.to_owned(), to: to.clone() }))
        }
        ProgramHome::Uvx => Ok(ProgramStart {
            command: "uvx".to_owned(),
            args: vec![PACKAGE.to_owned()],
            copy: None,
        }),
        ProgramHome::Temporary(runner) => bail!(
            "`{runner}` keeps pagesight only for a while, so an agent could not start it later; install it with `{}` and try again",
            installing(runner)
        ),
        ProgramHome::Installed => named(program, None),
    }
}

fn installing(runner: &str) -> &'static str {
    match runner {
        "pnpm dlx" => "pnpm add -g pagesight",
        "bunx" => "bun add -g pagesight",
        _ => "pipx install pagesight",
    }
}

/// Returns what to do so that a shell finds the program by its name, or nothing if it does.
pub(super) fn missing_on_path(machine: &Machine, program: &Path) -> Option<String> {
    let found = machine.path.iter().map(|folder| folder.join(ENTRY_NAME)).any(|file| {
        // Runners add their own folders, which the agent's shell does not have.
        let is_own = file.parent().is_some_and(|folder| folder.ends_with("node_modules/.bin"));
        !is_own && ProgramHome::of(&file) == ProgramHome::Installed && is_program(&file)
    });
    if found {
        return None;
    }
    let how = match ProgramHome::of(program) {
        ProgramHome::Installed => {
            let folder = program.parent().unwrap_or(program).display();
            format!("add {folder} to PATH where Claude Code is started")
        }
        ProgramHome::Npx => "run `npm install -g pagesight`".to_owned(),
        ProgramHome::Uvx => "run `uv tool install pagesight`".to_owned(),
        ProgramHome::Temporary(runner) => format!("run `{}`", installing(runner)),
    };
    Some(format!("the skill calls `{ENTRY_NAME}`, which is not on PATH; {how}"))
}

fn is_program(file: &Path) -> bool {
    let Ok(file) = file.metadata() else { return false };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.is_file() && file.permissions().mode() & 0o111 != 0
    }
    #[cfg(not(unix))]
    file.is_file()
}
