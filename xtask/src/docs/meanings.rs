//! Meanings of parameters that the list of tools leaves out or shortens: every agent reads that
//! list, and their names say enough to it. People read the pages.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Parameters that mean the same in every tool.
const COMMON: &[(&str, &str)] = &[
    ("tab", "the name or the id of a tab; default: the active one"),
    ("scope", "`full`, `viewport`, a reference, or a CSS selector"),
    ("path", "write the answer to this file below `--output-root`"),
    ("overwrite", "replace the file of `path` if it exists; default `false`"),
];

/// Parameters of one tool: the tool, the parameter, its meaning.
const OF_TOOLS: &[(&str, &str, &str)] = &[
    ("browser_evaluate", "element", "a reference; `expression` is then a function that gets it"),
    (
        "browser_evaluate",
        "max_tokens",
        "of the answer: default 1000, or 8000 with `--allow-evaluate`; the start of a longer one is given",
    ),
    ("browser_interact", "actions", "up to 100, run in order; [the forms](../answers.md) of each"),
    ("browser_interact", "actions[].type", "what to do"),
    ("browser_interact", "actions[].y", "with x"),
    ("browser_interact", "actions[].dy", "scroll: pixels down"),
    ("browser_interact", "actions[].from", "drag: a reference, or a point `{x, y}`"),
    ("browser_interact", "actions[].to", "drag: a reference, or a point `{x, y}`"),
    ("browser_interact", "actions[].values", "select: values or labels of options"),
    ("browser_interact", "actions[].paths", "upload: files below `--upload-root`"),
    ("browser_interact", "actions[].accept", "dialog: whether to accept it"),
    ("browser_interact", "actions[].ms", "wait: a time"),
    (
        "browser_interact",
        "actions[].timeout_ms",
        "the longest time of a wait, of a target or of if",
    ),
    ("browser_interact", "actions[].actions", "repeat: the actions of one round"),
    ("browser_interact", "actions[].max", "repeat: the most rounds"),
    ("browser_interact", "actions[].exists", "if: the target that has to be there"),
    ("browser_interact", "actions[].then", "if: the actions where it holds"),
    ("browser_interact", "actions[].else", "if: the actions where it does not hold"),
    ("browser_tabs", "action", "what to do with a tab, or `list` all"),
    ("browser_tabs", "url", "the address of a new tab"),
    ("browser_tabs", "name", "the name of a new tab, or the new name of a tab"),
    ("browser_tabs", "width", "the new width of the tab in CSS pixels"),
    ("browser_tabs", "height", "the new height"),
    ("dom_baselines", "action", "list all baselines, show one, or delete one with its history"),
    ("expand_dom_selector", "y", "with x: a point of the viewport"),
    ("experimental_features", "page_diffing", "whether actions answer with what they changed"),
    ("experimental_features", "smart_waiting", "whether calls wait until the page is ready"),
    (
        "get_dom_fingerprint",
        "depth",
        "`minimal` has landmarks and the state only; `detailed` has plain texts, too; default `standard`",
    ),
    ("inspect_tab", "filter", "all elements, or only those that can be used"),
    ("page_log", "kind", "messages of the console, requests, or both"),
    ("page_log", "level", "at least this level; a failed request is an error"),
    ("page_log", "match", "a text that entries contain, in upper or lower case"),
    (
        "page_log",
        "since",
        "entries since the last navigation, the last answer of this tool, or the start of the tab",
    ),
    ("page_log", "max_tokens", "default 1000"),
    (
        "read_rows",
        "scope",
        "what holds the rows; default: the largest table or list of the main content",
    ),
    ("read_rows", "columns", "the columns to print"),
    ("read_rows", "limit", "the most rows: default 20"),
    ("read_rows", "max_tokens", "default 1000"),
    ("read_rows", "pages", "read further rows by scrolling, or by opening the next page"),
    ("read_rows", "next", "the control that opens the next page, if it is not found"),
    ("read_rows", "max_pages", "the most pages that one call reads: default 10"),
    ("read_rows", "max_rows", "the most rows that one call reads: default 10000"),
    ("read_rows", "format", "default `text`, or what the ending of `path` says"),
    ("read_rows", "path", "write all rows that match to this file below `--output-root`"),
    ("take_screenshot", "full_page", "the whole page instead of the viewport"),
    ("take_screenshot", "format", "default `png`, or what the ending of `path` says"),
    ("take_screenshot", "max_width", "make the picture smaller, to this width in pixels"),
    ("take_snapshot", "format", "default `text`"),
    ("take_snapshot", "max_tokens", "default 8000"),
    ("take_snapshot", "metrics", "append how much the pipeline removed"),
];

static BY_TOOL: LazyLock<BTreeMap<(&str, &str), &str>> = LazyLock::new(|| {
    OF_TOOLS.iter().map(|(tool, path, meaning)| ((*tool, *path), *meaning)).collect()
});

/// Returns the meaning of a parameter: the one here, else the description of the tool.
pub(super) fn of<'d>(tool: &str, path: &str, described: &'d str) -> &'d str {
    let common = || {
        let found = COMMON.iter().find(|(name, _)| *name == path && described.is_empty());
        found.map(|(_, meaning)| *meaning)
    };
    BY_TOOL.get(&(tool, path)).copied().or_else(common).unwrap_or(described)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meaning_is_that_of_the_tool_or_the_common_one() {
        assert_eq!(of("take_snapshot", "max_tokens", ""), "default 8000");
        assert_eq!(of("page_log", "tab", ""), COMMON[0].1);
        assert_eq!(of("browser_tabs", "tab", "name or id"), "name or id");
        assert_eq!(of("inspect_tab", "nothing", ""), "");
    }

    #[test]
    fn no_meaning_is_given_twice() {
        assert_eq!(BY_TOOL.len(), OF_TOOLS.len());
    }
}
