//! Where the tools of an MCP server run: in this process, in one of its workspaces, or in a process
//! that other clients use, too.

use async_trait::async_trait;
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, Extensions, JsonObject, RequestMetaObject};
use tokio_util::sync::CancellationToken;

use super::result::call;
use crate::tools::registry::Tool;
use crate::tools::workspace::Workspace;

/// A call of a tool.
pub(crate) struct ToolCall<'a> {
    pub(crate) tool: &'a Tool,
    pub(crate) arguments: JsonObject,
    /// The request as the transport knows it.
    pub(crate) extensions: &'a Extensions,
    pub(crate) meta: &'a RequestMetaObject,
}

/// Runs tools for an MCP server.
#[async_trait]
pub(crate) trait ToolHost: Send + Sync {
    /// Runs a tool, and ends early if `stop` is given. An error is the request's, not the tool's.
    async fn call(
        &self,
        call: ToolCall<'_>,
        stop: &CancellationToken,
    ) -> Result<CallToolResult, ErrorData>;
}

/// The only workspace of a process.
#[async_trait]
impl ToolHost for Workspace {
    async fn call(
        &self,
        ToolCall { tool, arguments, .. }: ToolCall<'_>,
        stop: &CancellationToken,
    ) -> Result<CallToolResult, ErrorData> {
        Ok(call(self, tool, arguments, stop).await.result)
    }
}
