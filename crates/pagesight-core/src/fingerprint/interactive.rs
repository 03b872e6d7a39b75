//! Reads interactive elements: type, name, target, states and visibility. Includes hidden elements,
//! because a hidden button is not a missing button.

use std::collections::HashMap;

use super::locations::{EntryKind, Origins};
use super::model::{InteractiveElement, LiveText, Sight, Structure, TEXT_LIMIT};
use super::regions::{PlacedNode, RegionMap, is_form, is_list, sight};
use super::selector::{bounded, key, target};
use crate::nameless::{GuessSource, guessed_name};
use crate::page::role::Role;
use crate::page::{Flags, Node, NodeId};
use crate::text::escape::stored;

const STATES: [(Flags, &str); 9] = [
    (Flags::CHECKED, "checked"),
    (Flags::MIXED, "mixed"),
    (Flags::EXPANDED, "expanded"),
    (Flags::COLLAPSED, "collapsed"),
    (Flags::SELECTED, "selected"),
    (Flags::PRESSED, "pressed"),
    (Flags::REQUIRED, "required"),
    (Flags::READONLY, "readonly"),
    (Flags::INVALID, "invalid"),
];

/// The attributes that limit what a field takes.
pub(crate) const LIMITS: [&str; 4] = ["min", "max", "pattern", "maxlength"];

/// Reads the interactive elements.
pub(super) fn read(ground: &RegionMap<'_>, structure: &mut Structure, origins: &mut Origins) {
    let index = |wanted: fn(Node<'_>) -> bool| -> HashMap<NodeId, u32> {
        let found = ground.spots.iter().filter(|spot| wanted(spot.node));
        found.enumerate().map(|(at, spot)| (spot.node.id(), at as u32)).collect()
    };
    structure.has_limits = true;
    let lists = index(is_list);
    let forms = index(|node| is_form(node) && node.hidden().is_none());
    for spot in
        ground.spots.iter().filter(|spot| !spot.node.is_text() && spot.node.is(Flags::USABLE))
    {
        let list = spot.list.and_then(|list| lists.get(&list)).copied();
        let form = spot.form.and_then(|form| forms.get(&form)).copied();
        origins.note(EntryKind::Element, spot.node.id());
        structure.interactive.push(InteractiveElement { list, form, ..element(spot) });
    }
}

fn element(spot: &PlacedNode<'_>) -> InteractiveElement {
    let node = spot.node;
    let (kind, heard) = kind(node);
    let sight = sight(node);
    let address = node.document().url.as_str();
    let linked =
        if node.role() == Role::Link || node.tag() == "a" { node.attribute("href") } else { None };
    let field = node.role().is_field() || node.tag() == "input" && node.value().is_some();
    let states =
        STATES.iter().filter(|(flag, _)| node.is(*flag)).map(|(_, word)| (*word).to_owned());
    let limits = LIMITS.iter().filter_map(|name| {
        let value = node.attribute(name).filter(|_| field)?;
        Some(format!("{name}={}", bounded(&stored(value), TEXT_LIMIT)))
    });
    InteractiveElement {
        kind: kind.to_owned(),
        text: bounded(&stored(node.name()), TEXT_LIMIT),
        href: linked.map(|href| bounded(&target(href, address), 200)),
        filled: field.then(|| node.value().is_some_and(|value| !value.is_empty())),
        // In older baselines, inert elements are disabled. The page script reports an element that
        // lets clicks through as one of both; here that is its visibility and not its state.
        disabled: node.flags().intersects(Flags::DISABLED | Flags::INERT)
            && sight != Sight::Unclickable,
        states: states.collect(),
        limits: limits.collect(),
        key: key(node),
        in_view: node.is(Flags::IN_VIEWPORT),
        heard,
        place: spot.place,
        ignored: spot.ignored,
        sight,
        guess: live_guess(node),
        ..InteractiveElement::default()
    }
}

/// Returns the guessed name of an element, unless its key or its target says the same.
fn live_guess(node: Node<'_>) -> LiveText {
    let repeats = [GuessSource::TestId, GuessSource::Name, GuessSource::Id, GuessSource::Address];
    let guess = guessed_name(node).filter(|guess| !repeats.contains(&guess.source));
    LiveText(guess.map(|guess| guess.printed()).unwrap_or_default())
}

/// Returns the type of an element.
pub(super) fn kind_of<'p>(node: Node<'p>) -> &'p str {
    kind(node).0
}

/// Returns the type, and whether only a listener, a handler or the cursor makes the element usable.
fn kind<'p>(node: Node<'p>) -> (&'p str, bool) {
    let role = node.role();
    match role {
        Role::TextBox if node.tag() == "textarea" => ("textarea", false),
        Role::TextBox | Role::SearchBox | Role::SpinButton => ("input", false),
        Role::Combobox | Role::ListBox if node.tag() == "select" => ("select", false),
        Role::Button
        | Role::Link
        | Role::Combobox
        | Role::ListBox
        | Role::Checkbox
        | Role::Radio
        | Role::Switch
        | Role::Slider
        | Role::Tab
        | Role::MenuItem
        | Role::MenuItemCheckbox
        | Role::MenuItemRadio
        | Role::Option
        | Role::TreeItem => (role.as_str(), false),
        Role::None => (node.tag(), !matches!(node.tag(), "video" | "audio")),
        _ => (role.as_str(), true),
    }
}
