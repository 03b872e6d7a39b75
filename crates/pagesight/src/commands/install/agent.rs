//! The agents that pagesight can be installed into, and what differs between their configurations.
//! The formats were checked against the agents' documentation in November 2026.

/// The name of the entry in every configuration.
pub(super) const ENTRY_NAME: &str = "pagesight";

/// The environment variable that agents read the token of `pagesight serve` from.
pub(super) const TOKEN_VARIABLE: &str = "PAGESIGHT_TOKEN";

/// The input that Visual Studio Code asks the token with.
pub(super) const TOKEN_INPUT: &str = "pagesight-token";

/// What `install` can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum InstallTarget {
    /// Claude Code
    Claude,
    /// Claude Desktop
    ClaudeDesktop,
    /// Cursor
    Cursor,
    /// Visual Studio Code
    #[value(name = "vscode")]
    VsCode,
    /// Codex
    Codex,
    /// Gemini CLI
    Gemini,
    /// A skill for Claude Code that teaches the shell commands, instead of an MCP server
    Skill,
}

impl InstallTarget {
    /// Returns the agent, unless the target is the skill.
    pub(super) fn agent(self) -> Option<Agent> {
        match self {
            InstallTarget::Claude => Some(Agent::Claude),
            InstallTarget::ClaudeDesktop => Some(Agent::ClaudeDesktop),
            InstallTarget::Cursor => Some(Agent::Cursor),
            InstallTarget::VsCode => Some(Agent::VsCode),
            InstallTarget::Codex => Some(Agent::Codex),
            InstallTarget::Gemini => Some(Agent::Gemini),
            InstallTarget::Skill => None,
        }
    }
}

/// An agent whose MCP configuration pagesight can edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Agent {
    Claude,
    ClaudeDesktop,
    Cursor,
    VsCode,
    Codex,
    Gemini,
}

/// What the entry starts or connects to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ServerEntry {
    /// A process of its own, over standard input and output.
    Stdio {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
    },
    /// `pagesight serve`, over HTTP. The agent supplies the token.
    Http {
        /// The address.
        url: String,
    },
}

impl Agent {
    /// All agents, in the order in which they are offered.
    pub(crate) const ALL: [Agent; 6] = [
        Agent::Claude,
        Agent::ClaudeDesktop,
        Agent::Cursor,
        Agent::VsCode,
        Agent::Codex,
        Agent::Gemini,
    ];

    /// Returns the name on the command line.
    pub(crate) fn id(self) -> &'static str {
        match self {
            Agent::Claude => "claude",
            Agent::ClaudeDesktop => "claude-desktop",
            Agent::Cursor => "cursor",
            Agent::VsCode => "vscode",
            Agent::Codex => "codex",
            Agent::Gemini => "gemini",
        }
    }

    /// Returns the program that starts the agent, if it has one.
    pub(super) fn program(self) -> Option<&'static str> {
        match self {
            Agent::Claude => Some("claude"),
            // Its program has no fixed name, and none on macOS.
            Agent::ClaudeDesktop => None,
            Agent::Cursor => Some("cursor"),
            Agent::VsCode => Some("code"),
            Agent::Codex => Some("codex"),
            Agent::Gemini => Some("gemini"),
        }
    }

    /// Reports whether the agent's configuration can hold an HTTP server with a header.
    pub(super) fn has_http(self) -> bool {
        self != Agent::ClaudeDesktop
    }

    /// Returns the value of the `Authorization` header. It names where the agent reads the token
    /// from, so that the token is not written.
    pub(super) fn authorization(self) -> String {
        match self {
            Agent::Cursor => format!("Bearer ${{env:{TOKEN_VARIABLE}}}"),
            Agent::VsCode => format!("Bearer ${{input:{TOKEN_INPUT}}}"),
            Agent::Gemini => format!("Bearer ${TOKEN_VARIABLE}"),
            _ => format!("Bearer ${{{TOKEN_VARIABLE}}}"),
        }
    }

    /// Returns the product name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Agent::Claude => "Claude Code",
            Agent::ClaudeDesktop => "Claude Desktop",
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
            (Agent::ClaudeDesktop, _) => "quit Claude Desktop and start it again",
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
            Agent::Claude | Agent::ClaudeDesktop | Agent::Cursor | Agent::Gemini => "mcpServers",
            Agent::VsCode => "servers",
            Agent::Codex => "mcp_servers",
        }
    }

    /// Reports whether an entry names its transport. The others derive it from `command` or the
    /// address.
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
