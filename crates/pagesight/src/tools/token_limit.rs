//! The token limits that callers give for answers.

use super::error::ArgumentError;

/// The default limit of most answers.
pub(crate) const DEFAULT_TOKENS: usize = 8_000;
/// The lowest limit that callers can set.
pub(crate) const FEWEST_TOKENS: usize = 200;
/// The default limit of an answer that is written to a file.
const FILE_TOKENS: usize = 10_000_000;

/// Returns the token limit of an `answer`, which an error names. The default is higher for one that
/// is written to the file at `path`.
pub(crate) fn token_limit(
    given: Option<usize>,
    default: usize,
    path: &Option<String>,
    answer: &'static str,
) -> Result<usize, ArgumentError> {
    let default = if path.is_some() { FILE_TOKENS } else { default };
    match given.unwrap_or(default) {
        given @ 0..FEWEST_TOKENS => {
            Err(ArgumentError::FewTokens { given, answer, least: FEWEST_TOKENS })
        }
        enough => Ok(enough),
    }
}
