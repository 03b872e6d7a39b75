//! The words for elements in sentences for people.

use crate::page::role::Role;

/// Returns the word for a type of element, and its plural.
pub(crate) fn noun(kind: &str) -> (&str, &str) {
    match kind {
        // Landmarks.
        "header" => ("banner", "banners"),
        "main" => ("main area", "main areas"),
        "nav" => ("navigation", "navigations"),
        "footer" => ("footer", "footers"),
        "aside" => ("sidebar", "sidebars"),
        "search" => ("search area", "search areas"),
        "section" => ("section", "sections"),
        // Fields and controls.
        "input" | "textarea" => ("field", "fields"),
        "select" => ("select", "selects"),
        "listbox" => ("list box", "list boxes"),
        "listitem" => ("item", "items"),
        "menuitem" | "menuitemcheckbox" | "menuitemradio" => ("menu item", "menu items"),
        "treeitem" => ("tree item", "tree items"),
        "gridcell" => ("cell", "cells"),
        "fieldset" => ("group", "groups"),
        "text" => ("text", "texts"),
        "video" => ("video", "videos"),
        "audio" => ("audio player", "audio players"),
        kind => match Role::parse(kind) {
            // Only a listener makes such an element usable; its tag says nothing to a reader.
            Role::None => ("clickable element", "clickable elements"),
            role => (role.as_str(), role.plural()),
        },
    }
}

/// Returns a text with a capital at its beginning.
pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Returns `1 row`, `6 rows`.
pub(crate) fn counted(number: usize, (one, many): (&str, &str)) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Returns the first names, and the number of the others.
pub(super) fn named<'n>(names: impl ExactSizeIterator<Item = &'n str>, most: usize) -> String {
    let more = names.len().saturating_sub(most);
    let shown: Vec<&str> = names.take(most).collect();
    match more {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
