//! Says that the tabs and references of earlier calls are gone.

use rmcp::model::{CallToolResult, ContentBlock};

/// The process ended since the last call.
pub(crate) const LOST: &str =
    "the pagesight process had ended; a new one was started, its tabs and references are new";
/// The workspace ended since the last call: nobody used it for a while, or somebody closed it.
pub(crate) const WORKSPACE_ENDED: &str =
    "this workspace had ended (unused for too long, or closed); its tabs and references are new";
/// The same in the words of shell commands.
pub(crate) const SESSION_ENDED: &str =
    "this session had ended (unused for too long, or closed); its tabs and numbers are new";

/// Puts a notice before the answer of a tool.
pub(crate) fn with_notice(mut result: CallToolResult, notice: &str) -> CallToolResult {
    result.content.insert(0, ContentBlock::text(notice));
    result
}
