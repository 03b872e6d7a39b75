//! The workspace that a request over HTTP concerns.

use http::HeaderMap;
use rmcp::model::Extensions;

use super::names;

/// The workspace of clients of the stateless protocol that name none.
const DEFAULT_WORKSPACE: &str = "default";
const MCP_SESSION_HEADER: &str = "mcp-session-id";

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
pub(crate) fn workspace_of(extensions: &Extensions) -> Result<String, String> {
    let parts = extensions.get::<http::request::Parts>();
    let parts = parts.ok_or("the request has no path")?;
    if let Some(name) = parts.uri.path().strip_prefix("/mcp/") {
        names::check(name)?;
        return Ok(name.to_owned());
    }
    let mcp_session = mcp_session_of(&parts.headers);
    Ok(mcp_session.map_or_else(|| DEFAULT_WORKSPACE.to_owned(), |id| private_name(&id)))
}
