//! The workspace that a request over HTTP concerns, and the calls in it.

use async_trait::async_trait;
use http::HeaderMap;
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, Extensions};
use tokio_util::sync::CancellationToken;

use super::host::{FoundWorkspace, TooManyWorkspaces, WorkspaceHost};
use super::lost::{WORKSPACE_ENDED, with_notice};
use super::names::{self, NameError};
use crate::mcp::host::{ToolCall, ToolHost};
use crate::mcp::result::call;

/// The workspace of clients of the stateless protocol that name none.
const DEFAULT_WORKSPACE: &str = "default";
const MCP_SESSION_HEADER: &str = "mcp-session-id";

/// Why a request has no workspace.
#[derive(Debug, thiserror::Error)]
enum RequestError {
    #[error("the request has no path")]
    NoPath,
    #[error(transparent)]
    Name(#[from] NameError),
    #[error(transparent)]
    TooMany(#[from] TooManyWorkspaces),
}

impl From<RequestError> for ErrorData {
    fn from(error: RequestError) -> ErrorData {
        ErrorData::invalid_request(error.to_string(), None)
    }
}

/// Returns the MCP session of a request.
pub(super) fn mcp_session_of(headers: &HeaderMap) -> Option<String> {
    headers.get(MCP_SESSION_HEADER)?.to_str().ok().map(str::to_owned)
}

/// Returns the name of the workspace of an MCP session. No caller can give this name.
pub(super) fn private_name(mcp_session: &str) -> String {
    format!("/session/{mcp_session}")
}

/// Returns the name of the workspace that a request concerns: the one in its path; else the private
/// one of its MCP session; else the default one.
fn workspace_of(extensions: &Extensions) -> Result<String, RequestError> {
    let parts = extensions.get::<http::request::Parts>();
    let parts = parts.ok_or(RequestError::NoPath)?;
    if let Some(name) = parts.uri.path().strip_prefix("/mcp/") {
        names::check(name)?;
        return Ok(name.to_owned());
    }
    let mcp_session = mcp_session_of(&parts.headers);
    Ok(mcp_session.map_or_else(|| DEFAULT_WORKSPACE.to_owned(), |id| private_name(&id)))
}

#[async_trait]
impl ToolHost for WorkspaceHost {
    async fn call(
        &self,
        ToolCall { tool, arguments, extensions }: ToolCall<'_>,
        stop: &CancellationToken,
    ) -> Result<CallToolResult, ErrorData> {
        let name = workspace_of(extensions)?;
        let lease = self.lease(&name, None).map_err(RequestError::from)?;
        let result = call(lease.workspace(), tool, arguments, stop).await.result;
        Ok(match lease.found {
            FoundWorkspace::Ended => with_notice(result, WORKSPACE_ENDED),
            FoundWorkspace::Open | FoundWorkspace::New => result,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_names_its_workspace() {
        let name = |path: &str, mcp_session: Option<&str>| {
            let mut request = http::Request::get(format!("http://localhost{path}"));
            if let Some(id) = mcp_session {
                request = request.header(MCP_SESSION_HEADER, id);
            }
            let mut extensions = Extensions::new();
            extensions.insert(request.body(()).unwrap().into_parts().0);
            workspace_of(&extensions).unwrap_or_else(|error| error.to_string())
        };
        assert_eq!(name("/mcp", None), "default");
        assert_eq!(name("/mcp", Some("7")), "/session/7");
        assert_eq!(name("/mcp/main", Some("7")), "main");
        assert!(name("/mcp/-a", None).starts_with("\"-a\" is not a valid name of a workspace"));
        let error = workspace_of(&Extensions::new()).unwrap_err();
        assert_eq!(ErrorData::from(error).message, "the request has no path");
    }
}
