//! Owners of equal controls: `button: Show more information (HeatPump)`. An answer to a query shows
//! controls without most of what is around them, so one that is not the only one of its name is
//! printed with the nearest heading, label or row that distinguishes it from the others.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use crate::nameless::GuessedName;
use crate::page::Page;
use crate::page::role::Role;
use crate::render::items::{Item, ItemKind, Items, parents};
use crate::render::owner_texts::texts_around;
use crate::text::escape::clean;

/// Of how many equal controls owners are looked for.
const MOST_EQUAL: usize = 1_000;

/// The role, the name and the guessed name of a control.
type Key = (Role, String, String);

/// The controls of a page that have equals.
pub(super) struct Owners {
    parents: Vec<Option<usize>>,
    /// The controls with the same key, in page order; only those with equals.
    equals: HashMap<Key, Vec<usize>>,
    /// The owners that were looked for, by control.
    found: RefCell<HashMap<Key, HashMap<usize, String>>>,
}

impl Owners {
    pub(super) fn of(items: &[Item]) -> Owners {
        let mut equals: HashMap<Key, Vec<usize>> = HashMap::new();
        for (at, item) in items.iter().enumerate() {
            if let Some(key) = key(item) {
                equals.entry(key).or_default().push(at);
            }
        }
        equals.retain(|_, same| same.len() > 1);
        Owners { parents: parents(items), equals, found: RefCell::default() }
    }

    /// Adds owners to the controls among the lines of an answer.
    pub(super) fn add(&self, page: &Page, items: &[Item], answer: &mut Items) {
        let above = parents(answer);
        for at in 0..answer.len() {
            let Some(key) = key(&answer[at]) else { continue };
            let Some(same) = self.equals.get(&key) else { continue };
            let place = same.iter().copied().find(|same| items[*same].node == answer[at].node);
            let Some(place) = place else { continue };
            // A container in the answer may say it already.
            let around = std::iter::successors(above[at], |around| above[*around]);
            let said = around.map(|around| &answer[around]).any(|around| {
                let node = page.node(around.node);
                let holds = |other: &usize| *other != place && node.contains(items[*other].node);
                !clean(&around.name).is_empty() && !same.iter().any(holds)
            });
            if said {
                continue;
            }
            let mut found = self.found.borrow_mut();
            let owners = found.entry(key).or_insert_with(|| self.owners(page, items, same));
            if let Some(owner) = owners.get(&place) {
                answer[at].owner = GuessedName::label(owner).printed();
            }
        }
    }

    /// Returns the owners of equal controls: of each the nearest text that no other one has.
    fn owners(&self, page: &Page, items: &[Item], same: &[usize]) -> HashMap<usize, String> {
        let texts = |at: &usize| (*at, texts_around(page, items, &self.parents, same, *at));
        let around: Vec<(usize, Vec<String>)> = same.iter().take(MOST_EQUAL).map(texts).collect();
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for (_, texts) in &around {
            let once: BTreeSet<&str> = texts.iter().map(String::as_str).collect();
            once.into_iter().for_each(|text| *counts.entry(text).or_default() += 1);
        }
        let mut owners = HashMap::new();
        for (at, texts) in &around {
            let named = clean(&items[*at].name);
            let differs = |text: &&String| counts[text.as_str()] < around.len() && **text != named;
            let only = texts.iter().find(|text| counts[text.as_str()] == 1 && differs(text));
            if let Some(owner) = only.or_else(|| texts.iter().find(differs)) {
                owners.insert(*at, owner.clone());
            }
        }
        owners
    }
}

fn key(item: &Item) -> Option<Key> {
    let control = item.kind == ItemKind::Usable && item.role != Role::Option;
    control.then(|| (item.role, clean(&item.name), item.guess.clone()))
}
