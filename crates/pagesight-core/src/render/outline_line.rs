//! The lines of an outline as data, for programs that read answers.

use serde::{Deserialize, Serialize};

use crate::hint::{Hint, Wording};
use crate::page::role::Role;
use crate::page::{Flags, Node, Page};
use crate::render::items::{How, Item, ItemKind, More, parents};
use crate::render::nested::stands_for;
use crate::render::numbers::Numbers;
use crate::text::escape::{NAME_LIMIT, bounded, clean, printable};

/// The longest value of a line.
const VALUE_LIMIT: usize = 200;

/// One line of an outline.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutlineLine {
    /// The number of the element, if the line shows one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// How many lines are around it.
    pub depth: usize,
    /// The role; none for plain text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The level of a heading or of an item of a tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// The name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The guessed name of an element without a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The text that distinguishes it from controls of the same name, in the answer to a query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The value of a field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The address that a link leads to, if links are shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The states, as they are printed.
    pub states: Vec<String>,
    /// Plain text, or a note about lines that are not shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl OutlineLine {
    /// Makes a line of text only.
    pub(super) fn of_text(text: &str) -> OutlineLine {
        OutlineLine { text: some(text.to_owned()), ..OutlineLine::default() }
    }
}

/// Returns one line per item.
pub(super) fn outline_lines(
    page: &Page,
    items: &[Item],
    wording: Wording,
    numbers: &mut dyn Numbers,
) -> Vec<OutlineLine> {
    let mut lines: Vec<OutlineLine> = Vec::with_capacity(items.len());
    for (item, parent) in items.iter().zip(parents(items)) {
        let depth = parent.map_or(0, |at: usize| lines[at].depth + 1);
        lines.push(OutlineLine { depth, ..line_of(page, item, wording, numbers) });
    }
    lines
}

fn line_of(page: &Page, item: &Item, wording: Wording, numbers: &mut dyn Numbers) -> OutlineLine {
    let mut line = OutlineLine {
        number: item.numbered.then(|| numbers.number(item.node)),
        states: states(item, numbers),
        target: some(item.target.clone()),
        text: item.more.as_ref().map(|more| note(more, wording, numbers)),
        ..OutlineLine::default()
    };
    if item.kind == ItemKind::Note {
        return line;
    }
    let node = page.node(item.node);
    let Some(role) = role_word(item, node) else {
        line.text = some(item.body.clone());
        return line;
    };
    line.role = Some(role.to_owned());
    line.level = Some(node.level()).filter(|level| *level > 0 && has_level(item.role));
    line.name = some(bounded(&clean(&item.name), NAME_LIMIT));
    line.hint = some(item.guess.clone());
    line.owner = some(item.owner.clone());
    if !item.value.is_empty() {
        let value = stands_for(page, item).find_map(Node::value);
        line.value = value.map(|value| bounded(&printable(value), VALUE_LIMIT));
    }
    line
}

/// Returns the role as it is printed; none for plain text, and for a list of options.
pub(crate) fn role_word<'p>(item: &Item, node: Node<'p>) -> Option<&'p str> {
    match item.role {
        // A list item that is only text, or the options of a select.
        Role::Option | Role::ListItem | Role::Term | Role::Definition
            if item.kind == ItemKind::Text =>
        {
            None
        }
        Role::None if node.is_text() => None,
        Role::None if node.is(Flags::USABLE) => Some(Role::Clickable.as_str()),
        Role::None => match node.tag() {
            "iframe" | "frame" | "object" | "embed" => Some("iframe"),
            tag @ ("canvas" | "video" | "audio") => Some(tag),
            _ if item.kind == ItemKind::Text => None,
            _ => Some("scrollable"),
        },
        role => Some(role.as_str()),
    }
}

fn has_level(role: Role) -> bool {
    matches!(role, Role::Heading | Role::TreeItem)
}

/// Returns the states of an item, with what covers it.
pub(super) fn states(item: &Item, numbers: &mut dyn Numbers) -> Vec<String> {
    let mut states = item.states.clone();
    states.extend(item.cover.map(|cover| format!("covered by [{}]", numbers.number(cover))));
    states
}

/// Returns a note about items that are not shown, with how to see them.
pub(super) fn note(more: &More, wording: Wording, numbers: &mut dyn Numbers) -> String {
    let mut note = more.what.clone();
    if let Some((node, line)) = &more.inside {
        note.push_str(&format!(" in [{}] {line}", numbers.number(*node)));
    }
    let hint = match more.how {
        How::Scope(node) => Some(Hint::Unfold { scope: numbers.number(node) }),
        How::After(node, scope) => {
            let scope = scope.map(|scope| numbers.number(scope));
            Some(Hint::Continue { after: numbers.number(node), scope })
        }
        How::SameQueryAfter(node) => Some(Hint::ContinueQuery { after: numbers.number(node) }),
        How::Nothing => None,
    };
    wording.line(note, hint.as_ref())
}

fn some(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{Filter, OutlineOptions, SequentialNumbers, outline};
    use crate::text::json;
    use crate::wire::page_file;

    const CAPTURES: [&str; 3] = [
        include_str!("../../../../tests/captures/dashboard.page.json"),
        include_str!("../../../../tests/captures/forms.page.json"),
        include_str!("../../../../tests/captures/shop.page.json"),
    ];

    /// Checks that a line says as data what is printed.
    fn check(printed: &str, line: &OutlineLine) {
        let rest = printed.strip_prefix(&"  ".repeat(line.depth)).expect("the indentation");
        assert!(!rest.starts_with(' '), "{printed}: {line:?}");
        let number = line.number.map(|number| format!("[{number}] ")).unwrap_or_default();
        let rest = rest.strip_prefix(&number).expect("the number");
        if let Some(role) = &line.role {
            let word = if role == "columnheader" { "columns" } else { role };
            assert!(rest.starts_with(word), "{printed}: {line:?}");
        }
        if let Some(level) = line.level {
            assert!(rest.contains(&format!(" {level}")), "{printed}: {line:?}");
        }
        for part in [&line.hint, &line.owner, &line.text, &line.target] {
            assert!(rest.contains(part.as_deref().unwrap_or_default()), "{printed}: {line:?}");
        }
        if let Some(value) = &line.value {
            assert!(rest.contains(&format!(" = {}", json::string(value))), "{printed}: {line:?}");
        }
        assert!(rest.ends_with(&line.states.join(", ")), "{printed}: {line:?}");
    }

    #[test]
    fn data_says_what_is_printed() {
        let plain = OutlineOptions { wording: Wording::PLAIN, ..OutlineOptions::default() };
        let mut roles = 0;
        for capture in CAPTURES {
            let page = page_file::read(capture).expect("a capture can be read");
            for options in [
                plain.clone(),
                OutlineOptions { fold: false, links: true, ..plain.clone() },
                OutlineOptions { filter: Filter::Interactive, max_tokens: 300, ..plain.clone() },
                OutlineOptions { query: Some("save search".to_owned()), ..plain.clone() },
            ] {
                let outline = outline(&page, &options, &mut SequentialNumbers::default());
                let printed: Vec<&str> = outline.text.lines().skip(1).collect();
                assert_eq!(printed.len(), outline.lines.len(), "{}", outline.text);
                for (printed, line) in printed.iter().zip(&outline.lines) {
                    check(printed, line);
                    roles += usize::from(line.role.is_some());
                }
                assert_eq!((&*outline.url, &outline.title), (page.url(), &page.title));
            }
        }
        assert!(roles > 100, "{roles} lines have a role");
    }

    #[test]
    fn a_line_of_data_leaves_out_what_it_has_not() {
        let text = OutlineLine::of_text("Some text");
        let written = serde_json::to_string(&text).expect("it can be written");
        assert_eq!(written, r#"{"depth":0,"states":[],"text":"Some text"}"#);
    }
}
