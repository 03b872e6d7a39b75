//! The agents that pagesight can be installed into, and what differs between their configurations.
//! The formats were checked against the agents' documentation in November 2026.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// The name of the entry in every configuration.
pub(super) const ENTRY_NAME: &str = "pagesight";

/// The environment variable that agents read the token of `pagesight serve` from.
pub(super) const TOKEN_VARIABLE: &str = "PAGESIGHT_TOKEN";

/// The input that Visual Studio Code asks the token with.
pub(super) const TOKEN_INPUT: &str = "pagesight-token";

/// A target of `install`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InstallTarget {
    Agent(Agent),
    /// A skill that teaches the shell commands.
    Skill,
}

/// Parses a target of `install`.
pub(crate) fn target() -> impl TypedValueParser<Value = InstallTarget> {
    let agents = Agent::ALL.map(|agent| PossibleValue::new(agent.id()).help(agent.name()));
    let skill = PossibleValue::new("skill")
        .help("A skill for Claude Code that teaches the shell commands, instead of an MCP server");
    PossibleValuesParser::new(agents.into_iter().chain([skill])).map(|word| {
        let agent = Agent::ALL.into_iter().find(|agent| agent.id() == word);
        agent.map_or(InstallTarget::Skill, InstallTarget::Agent)
    })
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

/// The server that an entry starts or connects to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ServerEntry {
    /// A process of its own, over standard input and output.
    Stdio { command: String, args: Vec<String> },
    /// `pagesight serve`, over HTTP. The agent supplies the token.
    Http { url: String },
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

    /// Returns the name on the command line, the product name, the program that starts the agent if
    /// it has one, and the key of the object that holds the servers.
    fn facts(self) -> (&'static str, &'static str, Option<&'static str>, &'static str) {
        match self {
            Agent::Claude => ("claude", "Claude Code", Some("claude"), "mcpServers"),
            // Its program has no fixed name, and none on macOS.
            Agent::ClaudeDesktop => ("claude-desktop", "Claude Desktop", None, "mcpServers"),
            Agent::Cursor => ("cursor", "Cursor", Some("cursor"), "mcpServers"),
            Agent::VsCode => ("vscode", "Visual Studio Code", Some("code"), "servers"),
            Agent::Codex => ("codex", "Codex", Some("codex"), "mcp_servers"),
            Agent::Gemini => ("gemini", "Gemini CLI", Some("gemini"), "mcpServers"),
        }
    }

    /// Returns the name on the command line.
    pub(crate) fn id(self) -> &'static str {
        self.facts().0
    }

    /// Returns the product name.
    pub(crate) fn name(self) -> &'static str {
        self.facts().1
    }

    /// Returns the program that starts the agent, if it has one.
    pub(super) fn program(self) -> Option<&'static str> {
        self.facts().2
    }

    /// Returns the key of the object that holds the servers.
    pub(super) fn key(self) -> &'static str {
        self.facts().3
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

    /// Reports whether an entry names its transport. The others derive it from `command` or the
    /// address.
    pub(super) fn wants_type(self) -> bool {
        matches!(self, Agent::Claude | Agent::Cursor | Agent::VsCode)
    }
}

/// The users that an entry applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InstallScope {
    /// This user, in every project.
    User,
    /// Everyone who works in the current folder.
    Project,
}
