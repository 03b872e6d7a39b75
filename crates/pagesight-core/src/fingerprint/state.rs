//! Reads the state of a page: errors, loading indicators, empty states, open dialogs and messages.
//! Recognises them by role and state first and by common class names second. Words count only
//! inside a recognised element: a paragraph about errors is not an error.

use super::locations::{EntryKind, Origins};
use super::model::{Sign, State};
use super::regions::{PlacedNode, RegionMap};
use super::selector::{bounded, short};
use crate::page::role::Role;
use crate::page::{Flags, Node};
use crate::text::escape::stored;
use crate::text::lists;

/// The longest text of a sign.
const SIGN_LIMIT: usize = 160;
/// An element with more descendants than this is a part of the page, not a message.
const MOST_WITHIN: usize = 120;
/// The most nodes of an element that are read, so that nested messages are not read again and
/// again.
const MOST_READ: usize = 2_000;

const BAD: &str = "error|fail|could not|couldn't|couldn’t|cannot|can't|can’t|unable|invalid|denied|\
    wrong|not found|fehler|erreur|ошибка";
const GOOD: &str = "success|saved|created|updated|deleted|copied|welcome|done|added|sent|\
    gespeichert|erfolgreich|enregistré|guardado";

#[derive(Clone, Copy, PartialEq, Eq)]
enum SignKind {
    Error,
    Loading,
    Empty,
    Modal,
    Notification,
}

pub(super) fn read(ground: &RegionMap<'_>, origins: &mut Origins) -> State {
    let mut state = State::default();
    // A sign inside a sign of the same kind would be reported twice.
    let mut ends = [0usize; 5];
    for spot in &ground.spots {
        let node = spot.node;
        if node.is_text() || node.hidden().is_some() {
            continue;
        }
        let Some(kind) = sign_kind(node) else { continue };
        let end = &mut ends[kind as usize];
        if node.id().index() < *end {
            continue;
        }
        let Some(sign) = sign(spot, kind) else { continue };
        *end = node.end();
        let (list, sort) = match kind {
            SignKind::Error => (&mut state.error_elements, EntryKind::Error),
            SignKind::Loading => (&mut state.loading_indicators, EntryKind::Loading),
            SignKind::Empty => (&mut state.empty_states, EntryKind::Empty),
            SignKind::Modal => (&mut state.modals_open, EntryKind::Modal),
            SignKind::Notification => (&mut state.notifications, EntryKind::Notification),
        };
        list.push(sign);
        origins.note(sort, node.id());
    }
    state
}

fn sign(spot: &PlacedNode<'_>, kind: SignKind) -> Option<Sign> {
    let node = spot.node;
    let name = stored(node.name());
    let text = match kind {
        SignKind::Modal => match name {
            name if name.is_empty() => heading_in(node).unwrap_or_else(|| text_of(node)),
            name => name,
        },
        _ => match text_of(node) {
            text if text.is_empty() => name,
            text => text,
        },
    };
    if text.is_empty() && !matches!(kind, SignKind::Loading | SignKind::Modal) {
        return None;
    }
    Some(Sign {
        selector: short(node),
        text: bounded(&text, SIGN_LIMIT),
        place: spot.place,
        ignored: spot.ignored,
    })
}

fn sign_kind(node: Node<'_>) -> Option<SignKind> {
    if matches!(node.tag(), "html" | "body" | "main" | "head") || node.role() == Role::Main {
        return None;
    }
    let classes = ClassWords::of(node);
    match node.role() {
        Role::Dialog | Role::AlertDialog => return Some(SignKind::Modal),
        Role::Alert => return Some(spoken(node, &classes, SignKind::Error)),
        Role::Status => return Some(spoken(node, &classes, SignKind::Notification)),
        Role::ProgressBar if node.value().is_none_or(str::is_empty) => {
            return Some(SignKind::Loading);
        }
        _ if node.is(Flags::BUSY) => return Some(SignKind::Loading),
        _ => {}
    }
    if node.attribute("data-empty").is_some_and(|value| value != "false") {
        return Some(SignKind::Empty);
    }
    let control = node.is(Flags::USABLE)
        || matches!(
            node.tag(),
            "input" | "select" | "textarea" | "img" | "svg" | "label" | "a" | "button"
        );
    if classes.is_empty() || control || is_large(node) {
        return None;
    }
    if classes.is_modal() {
        Some(SignKind::Modal)
    } else if classes.is_loading() && is_drawn(node) && says_loading(node) {
        Some(SignKind::Loading)
    } else if classes.is_error() {
        Some(SignKind::Error)
    } else if classes.is_notification() {
        Some(spoken(node, &classes, SignKind::Notification))
    } else if classes.is_empty_state() {
        Some(SignKind::Empty)
    } else {
        None
    }
}

/// Decides whether a message is an error, by its classes and by its words.
fn spoken(node: Node<'_>, classes: &ClassWords, otherwise: SignKind) -> SignKind {
    if classes.is_error() {
        return SignKind::Error;
    }
    if classes.any("success info ok") {
        return SignKind::Notification;
    }
    let text = text_of(node).to_lowercase();
    let says = |words: &str| words.split('|').any(|word| text.contains(word));
    match otherwise {
        SignKind::Notification if says(BAD) && classes.is_notification() => SignKind::Error,
        SignKind::Error if says(GOOD) && !says(BAD) => SignKind::Notification,
        otherwise => otherwise,
    }
}

fn is_drawn(node: Node<'_>) -> bool {
    let rect = node.rect();
    rect.width >= 2 && rect.height >= 2 && node.is(Flags::IN_VIEWPORT)
}

/// Whether an element with the name of a spinner is a loading indicator: it has no text or says
/// that it is loading, and contains nothing usable. A number field with its buttons is called a
/// spinner too.
fn says_loading(node: Node<'_>) -> bool {
    if node.descendants().any(|inner| inner.is(Flags::USABLE)) {
        return false;
    }
    let text = text_of(node).to_lowercase();
    text.is_empty()
        || text.starts_with("load")
        || text.starts_with("please wait")
        || text.ends_with('…')
        || text.ends_with("...")
}

fn heading_in(node: Node<'_>) -> Option<String> {
    let mut inner = node.descendants().take(80);
    let heading = inner.find(|inner| inner.role() == Role::Heading && inner.hidden().is_none())?;
    Some(stored(heading.name())).filter(|text| !text.is_empty())
}

/// Returns the words in an element, up to a limit.
fn text_of(node: Node<'_>) -> String {
    let mut text = String::new();
    for inner in node.descendants().take(MOST_READ) {
        if text.len() > SIGN_LIMIT * 4 {
            break;
        }
        if inner.is_text() {
            // A full capture also has the texts of hidden elements.
            if is_seen(inner) {
                text.push_str(inner.name());
            }
        } else if inner.is(Flags::BLOCK) && inner.hidden().is_none() {
            text.push(' ');
        }
    }
    stored(&text)
}

/// Whether a person can see a text or an element.
fn is_seen(node: Node<'_>) -> bool {
    match node.is_text() {
        true => {
            !node.is(Flags::WITHHELD)
                && node.parent().is_none_or(|parent| parent.hidden().is_none())
        }
        false => node.hidden().is_none(),
    }
}

/// Whether an element contains too much to be a message; invisible text does not count.
fn is_large(node: Node<'_>) -> bool {
    node.descendants().len() > MOST_WITHIN
        && node
            .descendants()
            .take(MOST_READ)
            .filter(|inner| is_seen(*inner))
            .take(MOST_WITHIN + 1)
            .count()
            > MOST_WITHIN
}

/// The class names of an element, each as its parts: `alert-danger` is `alert`, `danger`.
struct ClassWords(Vec<Vec<String>>);

impl ClassWords {
    fn of(node: Node<'_>) -> ClassWords {
        let classes = node.attribute("class").unwrap_or_default();
        ClassWords(classes.split_whitespace().take(20).map(parts).collect())
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a class has one of these parts.
    fn any(&self, wanted: &str) -> bool {
        self.0.iter().any(|class| has(class, wanted))
    }

    fn is_error(&self) -> bool {
        let not = "boundary no free icon page log logs codes handler color text report reporting";
        let named = |class: &Vec<String>| {
            has(class, "error errors errorlist errornote err") && !has(class, not)
        };
        let danger =
            self.any("danger") && self.any("alert message notification toast callout banner");
        let invalid =
            |class: &Vec<String>| has(class, "invalid") && has(class, "feedback message tooltip");
        self.0.iter().any(|class| named(class) || invalid(class)) || danger
    }

    fn is_loading(&self) -> bool {
        let not = "lazy lazyload lazyloaded loaded unloaded preload autoload download upload more";
        let loading = "loading loader preloader spinner spin skeleton shimmer";
        self.0.iter().any(|class| has(class, loading) && !has(class, not))
            && !self.any("lazyload lazyloaded lazy")
    }

    fn is_modal(&self) -> bool {
        let modal = self.0.iter().any(|class| class.len() == 1 && class[0] == "modal");
        modal
            && self
                .0
                .iter()
                .any(|class| class.len() <= 2 && has(class, "show open in active visible"))
    }

    fn is_notification(&self) -> bool {
        let not = "badge count counter icon bell menu button btn list center dot container \
            settings wrapper area region";
        self.0.iter().any(|class| has(class, "toast notification snackbar") && !has(class, not))
    }

    fn is_empty_state(&self) -> bool {
        self.0.iter().any(|class| {
            match class.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
                ["empty"]
                | ["no", "results" | "result" | "data" | "items"]
                | ["noresults" | "emptystate"] => true,
                ["ng" | "is" | "not" | "non", "empty"] => false,
                [
                    "empty",
                    "state" | "list" | "message" | "view" | "results" | "placeholder",
                    ..,
                ] => true,
                [.., "empty"] | [.., "empty", "state"] | [.., "no", "results"] => true,
                _ => false,
            }
        })
    }
}

fn has(class: &[String], wanted: &str) -> bool {
    class.iter().any(|part| lists(wanted, part))
}

/// Returns the parts of a class name, which hyphens, underscores and capitals separate.
fn parts(class: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut before = ' ';
    for c in class.chars().take(80) {
        let new = matches!(c, '-' | '_' | ':') || c.is_uppercase() && before.is_lowercase();
        if new && parts.last().is_some_and(|part| !part.is_empty()) {
            parts.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(part) = parts.last_mut()
        {
            part.extend(c.to_lowercase());
        }
        before = c;
    }
    parts.retain(|part| !part.is_empty());
    parts
}
