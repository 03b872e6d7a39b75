//! One element as one line: `role level (guess): name = "value" — state, state`. Used by all views,
//! reports and diffs.

use crate::nameless::guessed_name;
use crate::page::role::Role;
use crate::page::{Flags, Node};
use crate::text::escape::{NAME_LIMIT, safe, value};

/// The longest value that is printed.
const VALUE_LIMIT: usize = 200;

/// The state of what takes no input.
pub(crate) const INERT: &str = "inert";

/// The printed states, in order.
const STATES: [(Flags, &str); 15] = [
    (Flags::CHECKED, "checked"),
    (Flags::MIXED, "mixed"),
    (Flags::DISABLED, "disabled"),
    (Flags::INERT.union(Flags::BLOCKED), INERT),
    (Flags::EXPANDED, "expanded"),
    (Flags::COLLAPSED, "collapsed"),
    (Flags::SELECTED, "selected"),
    (Flags::PRESSED, "pressed"),
    (Flags::REQUIRED, "required"),
    (Flags::INVALID, "invalid"),
    (Flags::READONLY, "readonly"),
    (Flags::FOCUSED, "focused"),
    (Flags::BUSY, "busy"),
    (Flags::INVISIBLE, "invisible"),
    (Flags::UNREACHABLE, "unreachable"),
];

/// Returns the words for the states of an element, in order.
pub fn state_words(flags: Flags) -> impl Iterator<Item = &'static str> {
    STATES.iter().filter(move |(flag, _)| flags.intersects(*flag)).map(|(_, word)| *word)
}

/// Returns the line of an element, without its number.
pub fn line(node: Node<'_>) -> String {
    headline(node) + &value_part(node) + &listed_states(&states(node))
}

/// Returns `role level (guess): name`, without missing parts. An element without a role is
/// `clickable` if it is usable, `scrollable` if it scrolls, and otherwise its tag.
pub fn headline(node: Node<'_>) -> String {
    headline_with(node, &printed_guess(node))
}

/// Returns the guessed name of an element as it is printed; empty if there is none.
pub(crate) fn printed_guess(node: Node<'_>) -> String {
    guessed_name(node).map(|guess| guess.printed()).unwrap_or_default()
}

/// Returns the headline with a guessed name that is known.
pub(crate) fn headline_with(node: Node<'_>, guess: &str) -> String {
    match (node.role(), node.is(Flags::USABLE)) {
        (Role::None, false) => {
            let scrolls = node.is(Flags::SCROLLS) && !matches!(node.tag(), "html" | "body");
            let mut out = if scrolls { "scrollable".to_owned() } else { safe(node.tag(), 40) };
            push_name(&mut out, node.name());
            out
        }
        (role, _) => head_with_guess(role, node.level(), guess, node.name()),
    }
}

/// Returns the headline from its parts, without a guessed name.
pub(crate) fn head(role: Role, level: u8, name: &str) -> String {
    head_with_guess(role, level, "", name)
}

/// Returns the headline from its parts. `guess`: as it is printed, empty if there is none.
pub(crate) fn head_with_guess(role: Role, level: u8, guess: &str, name: &str) -> String {
    let mut out =
        String::from(if role == Role::None { Role::Clickable.as_str() } else { role.as_str() });
    if level > 0 && matches!(role, Role::Heading | Role::TreeItem) {
        out.push(' ');
        out.push_str(&level.to_string());
    }
    if !guess.is_empty() {
        out.push_str(&format!(" ({guess})"));
    }
    push_name(&mut out, name);
    out
}

/// Appends `: name`, if there is a name.
pub(crate) fn push_name(out: &mut String, name: &str) {
    let name = safe(name, NAME_LIMIT);
    if !name.is_empty() {
        out.push_str(": ");
        out.push_str(&name);
    }
}

/// Returns ` = "value"`, if the element has a value.
pub(crate) fn value_part(node: Node<'_>) -> String {
    node.value().map_or(String::new(), |text| format!(" = {}", value(text, VALUE_LIMIT)))
}

/// Returns the states of elements that have one line, in words.
pub(crate) fn merged_states<'p>(nodes: impl Iterator<Item = Node<'p>>) -> Vec<String> {
    let flags = nodes.map(printed_flags).fold(Flags::empty(), |all, flags| all | flags);
    state_words(flags).map(str::to_owned).collect()
}

/// Returns the states and the scroll room, in words.
pub(crate) fn states(node: Node<'_>) -> Vec<String> {
    let mut states: Vec<String> = state_words(printed_flags(node)).map(str::to_owned).collect();
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

/// Returns ` — state, state`, if there are any.
pub(crate) fn listed_states(states: &[String]) -> String {
    if states.is_empty() { String::new() } else { format!(" — {}", states.join(", ")) }
}

/// Returns the states that are printed: read-only only for fields, inert only for usable elements,
/// and never the focus of the page itself.
pub(crate) fn printed_flags(node: Node<'_>) -> Flags {
    let mut flags = node.flags();
    if matches!(node.tag(), "body" | "html") {
        flags.remove(Flags::FOCUSED);
    }
    if !node.role().is_field() {
        flags.remove(Flags::READONLY);
    }
    // Everything in an inert part is inert; the elements that cannot be used for that say so.
    if !node.is(Flags::USABLE) {
        flags.remove(Flags::INERT | Flags::BLOCKED);
    }
    flags
}
