//! The token limits that callers give for answers.

use pagesight_session::SessionError;

/// The default limit of most answers.
pub(crate) const DEFAULT_TOKENS: usize = 8_000;
/// The lowest limit that callers can set.
pub(crate) const FEWEST_TOKENS: usize = 200;
/// The default limit of an answer that is written to a file.
const FILE_TOKENS: usize = 10_000_000;

/// Returns the token limit of an answer; `what` is the answer. The default is higher for an answer
/// that is written to the file at `path`.
pub(crate) fn token_limit(
    given: Option<usize>,
    default: usize,
    path: &Option<String>,
    what: &str,
) -> Result<usize, SessionError> {
    let default = if path.is_some() { FILE_TOKENS } else { default };
    match given.unwrap_or(default) {
        few @ 0..FEWEST_TOKENS => Err(SessionError::Input(format!(
            "max_tokens {few} is too small for {what}; give {FEWEST_TOKENS} or more"
        ))),
        enough => Ok(enough),
    }
}
