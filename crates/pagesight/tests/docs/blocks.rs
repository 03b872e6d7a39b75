//! Finds the code blocks of a Markdown page and reads their marks.

/// Whether a block is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// In every run of the tests. `append_to` names the file that the block is added to.
    Run { append_to: Option<String> },
    /// Only where there is a browser.
    RunWithBrowser,
    /// Not run, for a reason that the page gives.
    NotRun,
}

#[derive(Debug)]
pub struct MarkedBlock {
    pub language: String,
    pub mark: Mark,
    /// The line of the page that it begins on, counted from 1.
    pub line: usize,
    pub text: String,
}

/// Returns the blocks of a page, or a sentence about the first that has no mark.
pub fn read(path: &str, page: &str) -> Result<Vec<MarkedBlock>, String> {
    let mut blocks = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        let Some(info) = fence(line) else { continue };
        let indent = line.len() - line.trim_start().len();
        let at = at + 1;
        let (language, mark) = info.split_once(' ').unwrap_or((info, ""));
        let mark = read_mark(language, mark.trim()).map_err(|problem| {
            format!("{path}:{at}: {problem}; docs/README.md has the marks of code blocks")
        })?;
        let mut text = String::new();
        loop {
            let (_, line) = lines.next().ok_or(format!("{path}:{at}: the block has no end"))?;
            if fence(line).is_some() {
                break;
            }
            text.push_str(line.get(indent..).unwrap_or_default());
            text.push('\n');
        }
        blocks.push(MarkedBlock { language: language.to_owned(), mark, line: at, text });
    }
    Ok(blocks)
}

/// Returns what follows the three backticks of a line that begins or ends a block.
fn fence(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("```").map(str::trim)
}

fn read_mark(language: &str, mark: &str) -> Result<Mark, String> {
    let is_shell = ["sh", "console", "mcp", "rust"].contains(&language);
    match (mark, mark.split_once(": ")) {
        ("run", _) if is_shell => Ok(Mark::Run { append_to: None }),
        ("run-with-browser", _) if is_shell => Ok(Mark::RunWithBrowser),
        (_, Some(("run", what))) if !is_shell => match what.strip_prefix("append to ") {
            Some(file) => Ok(Mark::Run { append_to: Some(file.to_owned()) }),
            None => Err(format!("{what:?} is not `append to FILE`")),
        },
        (_, Some(("not-run", reason))) if !reason.trim().is_empty() => Ok(Mark::NotRun),
        _ => Err(format!("{mark:?} does not say whether a block in {language:?} is run")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_a_language_and_a_mark() {
        let page = "A\n\n```sh run\na\n\nb\n```\n  ```toml run: append to x.toml\n  c = 1\n  ```\n\
                    ```text not-run: output\n```\n";
        let blocks = read("a.md", page).unwrap();
        let found: Vec<_> =
            blocks.iter().map(|b| (b.language.as_str(), b.line, b.text.as_str())).collect();
        assert_eq!(found, [("sh", 3, "a\n\nb\n"), ("toml", 8, "c = 1\n"), ("text", 11, "")]);
        assert_eq!(blocks[1].mark, Mark::Run { append_to: Some("x.toml".to_owned()) });
        assert_eq!(blocks[2].mark, Mark::NotRun);
    }

    #[test]
    fn a_block_without_a_mark_is_refused() {
        let marks = ["", "sh", "sh ran", "sh not-run", "sh not-run: ", "text run", "toml run: x"];
        for mark in marks {
            let refused = read("a.md", &format!("\n```{mark}\nx\n```\n")).unwrap_err();
            assert!(refused.starts_with("a.md:2: "), "{refused}");
        }
        assert!(read("a.md", "```sh run\n").unwrap_err().contains("has no end"));
    }
}
