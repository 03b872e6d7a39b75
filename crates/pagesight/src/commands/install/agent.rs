//! The agents that pagesight can be installed into, and what differs between their configurations.
//! The formats were checked against the agents' documentation in November 2026.

/// The name of the entry in every configuration.
pub(super) const ENTRY_NAME: &str = "pagesight";

/// An agent whose MCP configuration pagesight can edit.
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
    /// Returns the product name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Agent::Claude => "Claude Code",
            Agent::Cursor => "Cursor",
            Agent::VsCode => "Visual Studio Code",
            Agent::Codex => "Codex",
            Agent::Gemini => "Gemini CLI",
        }
    }

    /// Returns what the user must do before the entry works, in one sentence.
    pub(crate) fn next_step(self, scope: InstallScope) -> &'static str {
        match (self, scope) {
            (Agent::Claude, InstallScope::User) => "restart Claude Code; /mcp lists it",
            (Agent::Claude, InstallScope::Project) => {
                "start Claude Code in this folder and approve the server when it asks"
            }
            (Agent::Cursor, _) => {
                "turn it on in Cursor's settings, under MCP, if it is not on already"
            }
            (Agent::VsCode, _) => "run \"MCP: List Servers\" in Visual Studio Code and start it",
            (Agent::Codex, InstallScope::User) => "restart Codex; /mcp lists it",
            (Agent::Codex, InstallScope::Project) => {
                "start Codex in this folder; it reads the file only where the project is trusted"
            }
            (Agent::Gemini, _) => "restart Gemini CLI; /mcp lists it",
        }
    }

    /// Returns the key of the object that holds the servers.
    pub(super) fn key(self) -> &'static str {
        match self {
            Agent::Claude | Agent::Cursor | Agent::Gemini => "mcpServers",
            Agent::VsCode => "servers",
            Agent::Codex => "mcp_servers",
        }
    }

    /// Reports whether an entry names its transport. Gemini CLI and Codex derive it from
    /// `command`.
    pub(super) fn wants_type(self) -> bool {
        matches!(self, Agent::Claude | Agent::Cursor | Agent::VsCode)
    }
}

/// Who an entry applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InstallScope {
    /// This user, in every project.
    User,
    /// Everyone who works in the current folder.
    Project,
}
