//! Finds the agents on this machine, and their configuration files.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::agent::{Agent, ENTRY_NAME, InstallScope};
use super::error::failed;

/// An operating system, as far as it decides where settings are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Os {
    /// Linux and other Unix systems.
    Linux,
    Mac,
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

/// Everything that decides where an agent's configuration is.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    /// The user's home folder.
    pub(crate) home: PathBuf,
    /// The current folder: the project.
    pub(crate) cwd: PathBuf,
    pub(crate) os: Os,
    /// Folders that environment variables set, by the name of the variable.
    pub(crate) moved: Vec<(&'static str, PathBuf)>,
    /// The folders of programs.
    pub(crate) path: Vec<PathBuf>,
}

impl Machine {
    /// Describes this machine, this user and the current folder.
    pub(crate) fn here() -> anyhow::Result<Machine> {
        let home = std::env::home_dir()
            .filter(|home| !home.as_os_str().is_empty())
            .context("your home folder is not known; set HOME and try again")?;
        let cwd =
            std::env::current_dir().map_err(|reason| failed(Path::new("."), "opened", reason))?;
        let moved = [
            "CLAUDE_CONFIG_DIR",
            "CODEX_HOME",
            "GEMINI_CLI_HOME",
            "XDG_CONFIG_HOME",
            "XDG_DATA_HOME",
            "APPDATA",
        ]
        .into_iter()
        .filter_map(|name| Some((name, PathBuf::from(std::env::var_os(name)?))))
        .filter(|(_, folder)| folder.is_absolute())
        .collect();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::split_paths(&path).filter(|folder| folder.is_absolute()).collect();
        Ok(Machine { home, cwd, os: Os::here(), moved, path })
    }

    /// Returns the file, folder or program that shows that the agent is on this machine.
    pub(crate) fn evidence(&self, agent: Agent) -> Option<PathBuf> {
        let file = self.file(agent, InstallScope::User);
        if file.is_file() {
            return Some(file);
        }
        // The folder of Claude Code's file is the home folder, which every machine has.
        let folder = match agent {
            Agent::Claude => Some(self.claude_folder()),
            _ => file.parent().map(PathBuf::from),
        };
        let program = agent.program().map(|name| match self.os {
            Os::Windows => format!("{name}.exe"),
            _ => name.to_owned(),
        });
        let program = program.and_then(|name| {
            self.path.iter().map(|folder| folder.join(&name)).find(|file| file.is_file())
        });
        folder.filter(|folder| folder.is_dir()).or(program)
    }

    /// Returns the folder of Claude Code's settings and skills.
    fn claude_folder(&self) -> PathBuf {
        self.folder("CLAUDE_CONFIG_DIR", self.home.join(".claude"))
    }

    /// Returns the file of the skill.
    pub(super) fn skill(&self, scope: InstallScope) -> PathBuf {
        let folder = match scope {
            InstallScope::User => self.claude_folder(),
            InstallScope::Project => self.cwd.join(".claude"),
        };
        folder.join("skills").join(ENTRY_NAME).join("SKILL.md")
    }

    /// Returns the folder of desktop applications' settings.
    fn settings(&self) -> PathBuf {
        let home = &self.home;
        match self.os {
            Os::Linux => self.folder("XDG_CONFIG_HOME", home.join(".config")),
            Os::Mac => home.join("Library").join("Application Support"),
            Os::Windows => self.folder("APPDATA", home.join("AppData").join("Roaming")),
        }
    }

    /// Returns the folder of the copies of programs that entries start.
    pub(super) fn programs(&self) -> PathBuf {
        let data = match self.os {
            Os::Linux => self.folder("XDG_DATA_HOME", self.home.join(".local").join("share")),
            Os::Mac | Os::Windows => self.settings(),
        };
        data.join(ENTRY_NAME).join("programs")
    }

    fn folder(&self, variable: &str, otherwise: PathBuf) -> PathBuf {
        let moved = self.moved.iter().find(|(name, _)| *name == variable);
        moved.map_or(otherwise, |(_, folder)| folder.clone())
    }

    /// Returns the folder of the project, if its files are meant.
    pub(super) fn project(&self, scope: InstallScope) -> Option<PathBuf> {
        (scope == InstallScope::Project).then(|| self.cwd.clone())
    }

    /// Returns the file that holds the agent's servers.
    pub(super) fn file(&self, agent: Agent, scope: InstallScope) -> PathBuf {
        let (home, cwd) = (&self.home, &self.cwd);
        match (agent, scope) {
            (Agent::Claude, InstallScope::User) => {
                self.folder("CLAUDE_CONFIG_DIR", home.clone()).join(".claude.json")
            }
            (Agent::Claude, InstallScope::Project) => cwd.join(".mcp.json"),
            // It has no configuration for a project; `install` refuses that before.
            (Agent::ClaudeDesktop, _) => {
                self.settings().join("Claude").join("claude_desktop_config.json")
            }
            (Agent::Cursor, InstallScope::User) => home.join(".cursor").join("mcp.json"),
            (Agent::Cursor, InstallScope::Project) => cwd.join(".cursor").join("mcp.json"),
            (Agent::VsCode, InstallScope::User) => {
                self.settings().join("Code").join("User").join("mcp.json")
            }
            (Agent::VsCode, InstallScope::Project) => cwd.join(".vscode").join("mcp.json"),
            (Agent::Codex, InstallScope::User) => {
                self.folder("CODEX_HOME", home.join(".codex")).join("config.toml")
            }
            (Agent::Codex, InstallScope::Project) => cwd.join(".codex").join("config.toml"),
            (Agent::Gemini, InstallScope::User) => {
                self.folder("GEMINI_CLI_HOME", home.clone()).join(".gemini").join("settings.json")
            }
            (Agent::Gemini, InstallScope::Project) => cwd.join(".gemini").join("settings.json"),
        }
    }
}
