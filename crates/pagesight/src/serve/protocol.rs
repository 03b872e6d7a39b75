//! The messages of shell commands and `mcp --shared` to the process: one line of JSON per
//! connection, answered by one line. A closed connection cancels the call.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rmcp::model::CallToolResult;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::host::{FoundWorkspace, ListedWorkspace};
use super::session_setup::SessionSetup;
use crate::page_call::{CallFailure, PageCall, ShellAnswer};

/// The version of this protocol.
pub(crate) const PROTOCOL: u32 = 4;

/// The longest request in bytes.
pub(crate) const LONGEST_REQUEST: usize = 16 * 1024 * 1024;

/// The versions of a request. They are read first, because the rest of a different version may have
/// a different shape.
#[derive(Debug, Deserialize)]
pub(crate) struct RequestVersion {
    pub(crate) protocol: u32,
    pub(crate) version: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Request {
    /// The version of the protocol.
    pub(crate) protocol: u32,
    /// The version of pagesight.
    pub(crate) version: String,
    /// The browser options that the user gave, by flag.
    #[serde(default)]
    pub(crate) options: BTreeMap<String, String>,
    /// The options of the session, if the request opens it.
    #[serde(default)]
    pub(crate) setup: SessionSetup,
    pub(crate) ask: Ask,
}

/// The request itself.
#[derive(Debug, Serialize, Deserialize)]
#[expect(clippy::large_enum_variant, reason = "one is read for each connection")]
#[serde(rename_all = "snake_case")]
pub(crate) enum Ask {
    /// Call a tool in a workspace.
    Call {
        workspace: String,
        folder: PathBuf,
        tool: String,
        arguments: Map<String, Value>,
    },
    /// Run a command on the page of a workspace. Its answer names commands, not tools.
    Run {
        workspace: String,
        folder: PathBuf,
        call: PageCall,
    },
    /// Keep a workspace as long as this connection is open, and end it then.
    Hold {
        workspace: String,
        folder: PathBuf,
    },
    List,
    End {
        workspace: String,
    },
    /// End the process if nobody uses it.
    Stop,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Reply {
    /// The result of a tool. `impossible`: nothing could be done, because there is no browser.
    Result {
        result: CallToolResult,
        found: FoundWorkspace,
        impossible: bool,
    },
    /// The answer of a command on a page.
    Ran {
        answer: Result<ShellAnswer, CallFailure>,
        found: FoundWorkspace,
    },
    /// The workspace is held.
    Held,
    Workspaces(Vec<ListedWorkspace>),
    /// Whether there was such a workspace, or whether the process ends.
    Done(bool),
    /// The process is of a different version.
    Version {
        version: String,
        /// Whether nobody uses it, so that it can be replaced.
        idle: bool,
    },
    /// Why the request was refused, in one sentence.
    Refused(String),
}
