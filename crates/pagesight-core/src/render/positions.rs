//! Numbers elements without a name that have the same guessed name, so that a reader
//! can distinguish them: `(star icon, 2 of 5)`. A name or a text between them distinguishes them as
//! well, so only runs without one are numbered. The position is not part of the guess.

use std::collections::HashMap;

use crate::render::items::{Item, ItemKind, Items, line_parents};

/// Adds positions to guessed names that repeat.
pub(super) fn number(items: &mut Items) {
    let above = line_parents(items);
    let mut run: Vec<usize> = Vec::new();
    for at in 0..items.len() {
        if items[at].kind == ItemKind::Soft {
            continue;
        }
        let guessed = is_guessed(&items[at]);
        if !guessed || run.last().is_some_and(|last| above[*last] != above[at]) {
            close(items, &mut run);
        }
        if guessed {
            run.push(at);
        }
    }
    close(items, &mut run);
}

/// Whether an item is known only by its guessed name.
fn is_guessed(item: &Item) -> bool {
    item.kind == ItemKind::Usable
        && !item.guess.is_empty()
        && !item.name.chars().any(char::is_alphanumeric)
}

/// Ends a run: numbers the items in it that have the same line.
fn close(items: &mut Items, run: &mut Vec<usize>) {
    let mut alike: HashMap<(&str, &str), Vec<usize>> = HashMap::new();
    for at in run.iter().copied() {
        alike.entry((&items[at].body, &items[at].value)).or_default().push(at);
    }
    let alike: Vec<Vec<usize>> = alike.into_values().filter(|same| same.len() > 1).collect();
    for same in alike {
        for (place, at) in same.iter().enumerate() {
            let item = &mut items[*at];
            let guessed = format!("({})", item.guess);
            let numbered = format!("({}, {} of {})", item.guess, place + 1, same.len());
            item.body = item.body.replacen(&guessed, &numbered, 1);
        }
    }
    run.clear();
}

#[cfg(test)]
mod tests {
    use crate::render::tests::check;

    #[test]
    fn equal_hints_in_a_row_are_numbered() {
        let star = "  button button usable clue:icon=star\n";
        check(
            &format!("div toolbar block\n{}  button button usable clue:icon=bin\n", star.repeat(2)),
            "toolbar\n  [1] button (star icon, 1 of 2)\n  [2] button (star icon, 2 of 2)\n  [3] button (bin icon)",
        );
    }

    #[test]
    fn elements_that_a_reader_can_distinguish_are_not_numbered() {
        let row = "  li listitem block\n    'x'\n    a link \"A\" usable\n    button button usable clue:icon=star\n";
        let named = "  button button \"Go\" usable\n  button button usable clue:icon=star\n";
        check(
            &format!("ul list block\n{row}{row}div toolbar block\n{named}{named}"),
            "list (2)\n  listitem: x\n    [1] link: A\n    [2] button (star icon)\n  listitem: x\n    [3] link: A\n    [4] button (star icon)\ntoolbar\n  [5] button: Go\n  [6] button (star icon)\n  [7] button: Go\n  [8] button (star icon)",
        );
    }
}
