//! Reads landmarks, hosts of shadow roots and, for a page without landmarks, its main blocks.

use std::collections::HashMap;

use super::locations::{EntryKind, Origins};
use super::model::{Host, Landmark, LiveText, Structure};
use super::regions::{RegionMap, sight};
use super::selector::{bounded, kind_of_landmark, short};
use crate::page::role::Role;
use crate::page::{Flags, Node};
use crate::text::escape::stored;

/// How many blocks of a page without landmarks are named.
const MOST_BLOCKS: usize = 8;
/// How far wrappers are followed to find blocks.
const DEEPEST_WRAPPER: usize = 50;
/// How many tags of hosts are kept.
const MOST_HOSTS: usize = 100;
const NAME_LIMIT: usize = 80;
/// How much of what a landmark says is kept, and how many nodes are searched for it.
const WORDS_LIMIT: usize = 60;
const WORDS_WITHIN: usize = 200;

/// Reads landmarks, hosts and blocks.
pub(super) fn read(ground: &RegionMap<'_>, structure: &mut Structure, origins: &mut Origins) {
    let mut keys: HashMap<String, u32> = HashMap::new();
    let mut hosts: Vec<Host> = Vec::new();
    for spot in &ground.spots {
        let node = spot.node;
        if node.is(Flags::HOST) && node.hidden().is_none() {
            let known = hosts.iter().position(|host| host.tag == node.tag());
            match known {
                Some(at) => hosts[at].count += 1,
                None if hosts.len() < MOST_HOSTS => {
                    hosts.push(Host { tag: node.tag().to_owned(), count: 1 });
                }
                None => {}
            }
        }
        let Some(kind) = kind_of_landmark(node) else { continue };
        let name = bounded(&stored(node.name()), NAME_LIMIT);
        let sight = sight(node);
        let key = key(&mut keys, kind, &name, sight.is_hidden());
        let place = ground.place_made_by(node.id()).unwrap_or(spot.place);
        origins.note(EntryKind::Landmark, node.id());
        structure.landmarks.push(Landmark {
            key,
            kind: kind.to_owned(),
            name,
            place,
            sight,
            ignored: spot.ignored,
            words: LiveText(words(node)),
        });
    }
    structure.no_landmarks = structure.landmarks.iter().all(|landmark| landmark.sight.is_hidden());
    if structure.no_landmarks
        && let Some(root) = ground.spots.first()
    {
        structure.blocks = blocks(root.node);
    }
    structure.hosts = hosts;
}

/// Returns the beginning of what a landmark says.
fn words(node: Node<'_>) -> String {
    let mut words = String::new();
    let unseen = |text: Node<'_>| {
        text.is(Flags::WITHHELD) || text.parent().is_some_and(|parent| parent.hidden().is_some())
    };
    let texts = node.descendants().take(WORDS_WITHIN).filter(|inner| inner.is_text());
    for text in texts.filter(|text| !unseen(*text)) {
        words.push_str(text.name());
        words.push(' ');
        if words.len() > NAME_LIMIT {
            break;
        }
    }
    bounded(&stored(&words), WORDS_LIMIT)
}

/// Returns the key of a landmark. For the first of a kind it is the kind; further ones also have
/// their name, or a number.
fn key(keys: &mut HashMap<String, u32>, kind: &str, name: &str, hidden: bool) -> String {
    let bare = !hidden && !matches!(kind, "section" | "form");
    let wanted = match (bare && !keys.contains_key(kind), name) {
        (true, _) => kind.to_owned(),
        (false, "") => kind.to_owned(),
        (false, name) => format!("{kind}:{name}"),
    };
    let wanted = if hidden { format!("{wanted} (hidden)") } else { wanted };
    let count = keys.entry(wanted.clone()).and_modify(|count| *count += 1).or_insert(1);
    if *count == 1 { wanted } else { format!("{wanted}:{count}") }
}

/// Returns the blocks that lie side by side where the page first branches.
fn blocks(root: Node<'_>) -> Vec<String> {
    let mut at = root;
    for _ in 0..DEEPEST_WRAPPER {
        let mut children =
            at.children().filter(|child| !child.is_text() && child.hidden().is_none());
        match (children.next(), children.next()) {
            (Some(only), None) => at = only,
            _ => break,
        }
    }
    let shown = at.children().filter(|child| !child.is_text() && child.hidden().is_none());
    shown.take(MOST_BLOCKS).map(block).collect()
}

fn block(node: Node<'_>) -> String {
    let mut label = match short(node) {
        found if found == node.tag() => found,
        found => format!("{}{found}", node.tag()),
    };
    let mut inner = std::iter::once(node).chain(node.descendants().take(40));
    if let Some(heading) =
        inner.find(|inner| inner.role() == Role::Heading && inner.hidden().is_none())
    {
        label.push(':');
        label.push_str(&bounded(&stored(heading.name()), 40));
    }
    label
}
