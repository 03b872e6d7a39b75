//! The workspace that a request over HTTP concerns, and the calls in it.

use async_trait::async_trait;
use http::HeaderMap;
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, Extensions, ProtocolVersion, RequestMetaObject};
use tokio_util::sync::CancellationToken;

use super::host::{FoundWorkspace, LeaseError, WorkspaceHost};
use super::lost::{WORKSPACE_ENDED, with_notice};
use super::names::{self, NameError};
use super::session_setup::SessionSetup;
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
    Workspace(#[from] LeaseError),
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

/// Whether a request belongs to no MCP session, as the library decides it. Its session header says
/// nothing then: the library did not look at it.
fn is_stateless(meta: &RequestMetaObject) -> bool {
    meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty()
        || meta.protocol_version().is_some_and(|version| !version.has_initialize())
}

/// Returns the name of the workspace that a request concerns: the one in its path; else the private
/// one of its MCP session; else the default one.
fn workspace_of(extensions: &Extensions, meta: &RequestMetaObject) -> Result<String, RequestError> {
    let parts = extensions.get::<http::request::Parts>();
    let parts = parts.ok_or(RequestError::NoPath)?;
    if let Some(name) = parts.uri.path().strip_prefix("/mcp/") {
        names::check(name)?;
        return Ok(name.to_owned());
    }
    let mcp_session = mcp_session_of(&parts.headers).filter(|_| !is_stateless(meta));
    Ok(mcp_session.map_or_else(|| DEFAULT_WORKSPACE.to_owned(), |id| private_name(&id)))
}

/// Returns what a client calls itself.
fn client_of(extensions: &Extensions) -> String {
    let parts = extensions.get::<http::request::Parts>();
    let agent = parts.and_then(|parts| parts.headers.get(http::header::USER_AGENT));
    agent.and_then(|agent| agent.to_str().ok()).unwrap_or("http").to_owned()
}

#[async_trait]
impl ToolHost for WorkspaceHost {
    async fn call(
        &self,
        ToolCall { tool, arguments, extensions, meta }: ToolCall<'_>,
        stop: &CancellationToken,
    ) -> Result<CallToolResult, ErrorData> {
        let name = workspace_of(extensions, meta)?;
        let lease =
            self.lease(&name, None, &SessionSetup::default()).map_err(RequestError::from)?;
        let client = client_of(extensions);
        let called = Box::pin(call(lease.workspace(), tool, arguments, stop));
        let result = self.log.call(&name, &client, tool.name, called).await.result;
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
        let named = |path: &str, mcp_session: Option<&str>, meta: &RequestMetaObject| {
            let mut request = http::Request::get(format!("http://localhost{path}"));
            if let Some(id) = mcp_session {
                request = request.header(MCP_SESSION_HEADER, id);
            }
            let mut extensions = Extensions::new();
            extensions.insert(request.body(()).unwrap().into_parts().0);
            workspace_of(&extensions, meta).unwrap_or_else(|error| error.to_string())
        };
        let mut meta = RequestMetaObject::default();
        let name = |path: &str, mcp_session: Option<&str>| named(path, mcp_session, &meta);
        assert_eq!(name("/mcp", None), "default");
        assert_eq!(name("/mcp", Some("7")), "/session/7");
        assert_eq!(name("/mcp/main", Some("7")), "main");
        assert!(name("/mcp/-a", None).starts_with("\"-a\" is not a valid name; use 1 to 60"));
        let error = workspace_of(&Extensions::new(), &meta).unwrap_err();
        assert_eq!(ErrorData::from(error).message, "the request has no path");
        // Without sessions, a client must not reach the session of a different one.
        meta.set_protocol_version(ProtocolVersion::V_2025_11_25);
        assert_eq!(named("/mcp", Some("7"), &meta), "/session/7");
        meta.set_protocol_version(ProtocolVersion::V_2026_07_28);
        assert_eq!(named("/mcp", Some("7"), &meta), "default");
        assert_eq!(named("/mcp/main", Some("7"), &meta), "main");
    }
}
