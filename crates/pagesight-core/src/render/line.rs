//! One element in one line: `role level: name = "value" — state, state`. Used by every view,
//! verdict and diff.

use crate::page::role::Role;
use crate::page::{Flags, Node};
use crate::text::escape::{NAME_LIMIT, safe, value};

/// The longest value that is printed.
const VALUE_LIMIT: usize = 200;

/// The states that are told, in the order they are told.
const STATES: [(Flags, &str); 13] = [
    (Flags::CHECKED, "checked"),
    (Flags::MIXED, "mixed"),
    (Flags::DISABLED, "disabled"),
    (Flags::EXPANDED, "expanded"),
    (Flags::COLLAPSED, "collapsed"),
    (Flags::SELECTED, "selected"),
    (Flags::PRESSED, "pressed"),
    (Flags::REQUIRED, "required"),
    (Flags::INVALID, "invalid"),
    (Flags::READONLY, "readonly"),
    (Flags::FOCUSED, "focused"),
    (Flags::BUSY, "busy"),
    (Flags::UNREACHABLE, "unreachable"),
];

/// The words for what is true of an element, in the order they are told.
pub fn state_words(flags: Flags) -> impl Iterator<Item = &'static str> {
    STATES.iter().filter(move |(flag, _)| flags.contains(*flag)).map(|(_, word)| *word)
}

/// The line of an element, without its number.
pub fn line(node: Node<'_>) -> String {
    headline(node) + &value_part(node) + &listed_states(&states(node))
}

/// `role level: name`, each part only where there is one. What has no role is `clickable` if it can
/// be used, `scrollable` if it can be scrolled, as the outline has it, else its tag.
pub fn headline(node: Node<'_>) -> String {
    match (node.role(), node.is(Flags::USABLE)) {
        (Role::None, false) => {
            let scrolls = node.is(Flags::SCROLLS) && !matches!(node.tag(), "html" | "body");
            let mut out = if scrolls { "scrollable".to_owned() } else { safe(node.tag(), 40) };
            push_name(&mut out, node.name());
            out
        }
        (role, _) => head(role, node.level(), node.name()),
    }
}

/// The same from its parts.
pub(crate) fn head(role: Role, level: u8, name: &str) -> String {
    let mut out =
        String::from(if role == Role::None { Role::Clickable.as_str() } else { role.as_str() });
    if level > 0 && matches!(role, Role::Heading | Role::TreeItem) {
        out.push(' ');
        out.push_str(&level.to_string());
    }
    push_name(&mut out, name);
    out
}

/// `: name`, if there is one.
pub(crate) fn push_name(out: &mut String, name: &str) {
    let name = safe(name, NAME_LIMIT);
    if !name.is_empty() {
        out.push_str(": ");
        out.push_str(&name);
    }
}

/// ` = "value"`, if it has one.
pub(crate) fn value_part(node: Node<'_>) -> String {
    node.value().map_or(String::new(), |text| format!(" = {}", value(text, VALUE_LIMIT)))
}

/// What is true of it and how much more it holds, in words.
pub(crate) fn states(node: Node<'_>) -> Vec<String> {
    let mut states: Vec<String> = state_words(told(node)).map(str::to_owned).collect();
    if let Some(room) = node.scroll_room().filter(|_| node.is(Flags::SCROLLS)) {
        for (pixels, side) in [
            (room.up, "above"),
            (room.down, "below"),
            (room.left, "to the left"),
            (room.right, "to the right"),
        ] {
            if pixels > 0 {
                states.push(format!("{pixels} px more {side}"));
            }
        }
    }
    states
}

/// ` — state, state`, if there are any.
pub(crate) fn listed_states(states: &[String]) -> String {
    if states.is_empty() { String::new() } else { format!(" — {}", states.join(", ")) }
}

/// The states worth telling: read-only says something of fields only, and the page itself always
/// has the focus if nothing else.
pub(crate) fn told(node: Node<'_>) -> Flags {
    let mut flags = node.flags();
    if matches!(node.tag(), "body" | "html") {
        flags.remove(Flags::FOCUSED);
    }
    if !node.role().is_field() {
        flags.remove(Flags::READONLY);
    }
    flags
}
