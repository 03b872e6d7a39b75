//! A workspace in the process that other clients use, too, for `mcp --shared`.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, JsonObject};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use super::client::{Client, ClientError, IfNotRunning, START_STEP, exchange};
use super::host::FoundWorkspace;
use super::local_socket::LocalStream;
use super::lost::{LOST, WORKSPACE_ENDED, with_notice};
use super::protocol::{Ask, Reply};
use crate::mcp::host::{ToolCall, ToolHost};
use crate::mcp::result::failure;

/// How often a process that is just ending is asked again.
const MOST_TRIES: u32 = 20;

/// A workspace in the process, for `mcp --shared`.
pub(crate) struct SharedWorkspace {
    client: Client,
    name: String,
    folder: PathBuf,
    /// Whether the workspace ends with this client.
    private: bool,
    /// The connection that keeps it.
    held: Mutex<Option<LocalStream>>,
    /// Whether a call was made before that the process took.
    used: AtomicBool,
}

impl SharedWorkspace {
    pub(crate) fn new(client: Client, name: Option<String>, folder: PathBuf) -> SharedWorkspace {
        let private = name.is_none();
        let own = || format!("/client/{}-{:x}", std::process::id(), seed());
        let name = name.unwrap_or_else(own);
        SharedWorkspace {
            client,
            name,
            folder,
            private,
            held: Mutex::default(),
            used: AtomicBool::new(false),
        }
    }

    /// Asks the process to call a tool. A connection that is dropped cancels the call.
    async fn ask(
        &self,
        tool: &str,
        arguments: JsonObject,
        stop: &CancellationToken,
    ) -> Result<CallToolResult, ClientError> {
        let held_now = self.private && self.hold().await?;
        let ask = Ask::Call {
            workspace: self.name.clone(),
            folder: self.folder.clone(),
            tool: tool.to_owned(),
            arguments,
        };
        let answer = tokio::select! {
            answer = self.client.ask(ask, IfNotRunning::Start) => Some(answer?),
            () = stop.cancelled() => None,
        };
        let used = self.used.swap(true, Ordering::SeqCst);
        match answer {
            Some(Some(Reply::Result { result, found, .. })) => Ok(match found {
                // A private workspace is made by holding it.
                FoundWorkspace::Open if held_now && used => with_notice(result, LOST),
                FoundWorkspace::New if used => with_notice(result, LOST),
                FoundWorkspace::Ended if used => with_notice(result, WORKSPACE_ENDED),
                _ => result,
            }),
            Some(_) => Err(ClientError::Odd),
            None => Err(ClientError::Cancelled),
        }
    }

    /// Keeps the workspace as long as this client lives. Returns whether it was not kept before.
    async fn hold(&self) -> Result<bool, ClientError> {
        let mut held = self.held.lock().await;
        if let Some(stream) = &*held {
            // Nothing is ever sent on it, so it can be read only if it ended.
            let mut ignored = [0; 1];
            match stream.try_read(&mut ignored) {
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => return Ok(false),
                _ => *held = None,
            }
        }
        let ask = Ask::Hold { workspace: self.name.clone(), folder: self.folder.clone() };
        let request = self.client.request(ask);
        // Also replaces an idle process of a different version. A process that was killed may still
        // take a connection before it is gone.
        for tries in 0.. {
            match self.client.ask(Ask::List, IfNotRunning::Start).await {
                Err(ClientError::Ended) if tries < MOST_TRIES => {
                    tokio::time::sleep(START_STEP * 5).await;
                }
                Err(error) => return Err(error),
                Ok(_) => break,
            }
        }
        let stream = self.client.connect_or_start().await?;
        match exchange(stream, &request).await? {
            (Reply::Held, stream) => {
                *held = Some(stream);
                Ok(true)
            }
            (Reply::Refused(sentence), _) => Err(ClientError::Refused(sentence)),
            _ => Err(ClientError::Odd),
        }
    }
}

#[async_trait]
impl ToolHost for SharedWorkspace {
    async fn call(
        &self,
        ToolCall { tool, arguments, .. }: ToolCall<'_>,
        stop: &CancellationToken,
    ) -> Result<CallToolResult, ErrorData> {
        let answer = self.ask(tool.name, arguments, stop).await;
        Ok(answer.unwrap_or_else(|error| failure(&error.to_string())))
    }
}

/// Returns a number that differs between two clients with the same process id.
fn seed() -> u64 {
    let mut bytes = [0; 8];
    // Without random numbers the process id has to do.
    let _ = getrandom::fill(&mut bytes);
    u64::from_le_bytes(bytes)
}
