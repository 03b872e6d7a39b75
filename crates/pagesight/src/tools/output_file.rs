//! Writes the answer of a tool to a file, for tools with `path` and `overwrite`. The file has what
//! the answer would have had; the answer then says where it is, how large it is and what is in it.

use std::path::{Path, PathBuf};

use pagesight_core::text::{escape, json};
use pagesight_session::{Existing, OutputError, OutputFile};

use super::answer::{Answer, Content};
use super::error::{ArgumentError, ToolError};
use super::workspace::Workspace;

/// The file that an answer is written to.
#[derive(Clone, Debug)]
pub(crate) struct OutputTarget {
    file: OutputFile,
    existing: Existing,
}

impl OutputTarget {
    /// Reads the parameters of a tool; `None` if the caller gave no path. Fails before anything is
    /// done if the file could not be written.
    pub(crate) fn of(
        workspace: &Workspace,
        path: Option<&str>,
        overwrite: bool,
    ) -> Result<Option<OutputTarget>, ToolError> {
        let Some(path) = path else {
            return match overwrite {
                true => Err(ArgumentError::OverwriteWithoutPath.into()),
                false => Ok(None),
            };
        };
        let Some(root) = &workspace.output_root else {
            return Err(OutputError::NotAllowed.into());
        };
        let existing = if overwrite { Existing::Replace } else { Existing::Keep };
        let file = root.file(path)?;
        file.check(existing)?;
        Ok(Some(OutputTarget { file, existing }))
    }

    /// Returns its path.
    pub(super) fn path(&self) -> PathBuf {
        self.file.path()
    }

    /// Writes an answer to the file and returns the answer that says so.
    pub(crate) async fn write(
        self,
        workspace: &Workspace,
        answer: Answer,
        summary: &str,
    ) -> Result<Answer, ToolError> {
        // The same filters as for an answer that is sent.
        let answer = answer.without(&workspace.session.hidden_values());
        let bytes = match answer.content {
            Content::Text(text) => text_bytes(&text, &self.path()),
            Content::JsonText(text) => json::escaped(&text).into_owned().into_bytes(),
            Content::Json(value) => json::to_text(&value).into_bytes(),
            Content::Image { bytes, .. } => bytes,
        };
        let line =
            format!("wrote {} ({} bytes): {summary}", self.file.path().display(), bytes.len());
        // A slow disk must not stop other calls.
        let written = tokio::task::spawn_blocking(move || self.file.write(&bytes, self.existing));
        written.await??;
        Ok(Answer { failed: answer.failed, beside: answer.beside, ..Answer::text(line) })
    }
}

/// Returns the bytes of a text file. The lines of CSV end as RFC 4180 says.
pub(crate) fn text_bytes(text: &str, file: &Path) -> Vec<u8> {
    let text = format!("{}\n", escape::lines(text).trim_end());
    let is_csv = file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
    if is_csv { text.replace('\n', "\r\n").into_bytes() } else { text.into_bytes() }
}

/// Returns how many lines and tokens a text has, for the summary of a file.
pub(crate) fn count(text: &str) -> String {
    let tokens = pagesight_core::text::tokens::count(text);
    format!("{} lines, {tokens} tokens", text.lines().count())
}
