//! What is wrong, loading, empty or open. Recognised by role and state first, by the usual class
//! names second, and by words only inside what was recognised so: a paragraph about errors is no
//! error.

use super::locations::{EntryKind, Origins};
use super::model::{Sign, State};
use super::regions::{PlacedNode, RegionMap};
use super::selector::{bounded, short};
use crate::page::role::Role;
use crate::page::{Flags, Node};
use crate::text::escape::clean;

/// The longest text of a sign.
const SIGN_LIMIT: usize = 160;
/// What holds more elements than this is a part of the page, not a message.
const MOST_WITHIN: usize = 120;
/// So many nodes of an element are read at most: messages within messages must not be read again
/// and again.
const MOST_READ: usize = 2_000;

const BAD: [&str; 16] = [
    "error",
    "fail",
    "could not",
    "couldn't",
    "couldn’t",
    "cannot",
    "can't",
    "can’t",
    "unable",
    "invalid",
    "denied",
    "wrong",
    "not found",
    "fehler",
    "erreur",
    "ошибка",
];
const GOOD: [&str; 14] = [
    "success",
    "saved",
    "created",
    "updated",
    "deleted",
    "copied",
    "welcome",
    "done",
    "added",
    "sent",
    "gespeichert",
    "erfolgreich",
    "enregistré",
    "guardado",
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tells {
    Error,
    Loading,
    Empty,
    Modal,
    Notification,
}

/// Reads the state.
pub(super) fn read(ground: &RegionMap<'_>, origins: &mut Origins) -> State {
    let mut state = State::default();
    // A sign within a sign of the same sort says it twice.
    let mut ends = [0usize; 5];
    for spot in &ground.spots {
        let node = spot.node;
        if node.is_text() || node.hidden().is_some() {
            continue;
        }
        let Some(tells) = tells(node) else { continue };
        let end = &mut ends[tells as usize];
        if node.id().index() < *end {
            continue;
        }
        let Some(sign) = sign(spot, tells) else { continue };
        *end = node.end();
        let (list, sort) = match tells {
            Tells::Error => (&mut state.error_elements, EntryKind::Error),
            Tells::Loading => (&mut state.loading_indicators, EntryKind::Loading),
            Tells::Empty => (&mut state.empty_states, EntryKind::Empty),
            Tells::Modal => (&mut state.modals_open, EntryKind::Modal),
            Tells::Notification => (&mut state.notifications, EntryKind::Notification),
        };
        list.push(sign);
        origins.note(sort, node.id());
    }
    state
}

fn sign(spot: &PlacedNode<'_>, tells: Tells) -> Option<Sign> {
    let node = spot.node;
    let name = clean(node.name());
    let text = match tells {
        Tells::Modal => match name {
            name if name.is_empty() => heading_in(node).unwrap_or_else(|| text_of(node)),
            name => name,
        },
        _ => match text_of(node) {
            text if text.is_empty() => name,
            text => text,
        },
    };
    if text.is_empty() && !matches!(tells, Tells::Loading | Tells::Modal) {
        return None;
    }
    Some(Sign {
        selector: short(node),
        text: bounded(&text, SIGN_LIMIT),
        place: spot.place,
        ignored: spot.ignored,
    })
}

fn tells(node: Node<'_>) -> Option<Tells> {
    if matches!(node.tag(), "html" | "body" | "main" | "head") || node.role() == Role::Main {
        return None;
    }
    let classes = ClassWords::of(node);
    match node.role() {
        Role::Dialog | Role::AlertDialog => return Some(Tells::Modal),
        Role::Alert => return Some(spoken(node, &classes, Tells::Error)),
        Role::Status => return Some(spoken(node, &classes, Tells::Notification)),
        Role::ProgressBar if node.value().is_none_or(str::is_empty) => return Some(Tells::Loading),
        _ if node.is(Flags::BUSY) => return Some(Tells::Loading),
        _ => {}
    }
    if node.attribute("data-empty").is_some_and(|value| value != "false") {
        return Some(Tells::Empty);
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
        Some(Tells::Modal)
    } else if classes.is_loading() && is_drawn(node) && says_loading(node) {
        Some(Tells::Loading)
    } else if classes.is_error() {
        Some(Tells::Error)
    } else if classes.is_notification() {
        Some(spoken(node, &classes, Tells::Notification))
    } else if classes.is_empty_state() {
        Some(Tells::Empty)
    } else {
        None
    }
}

/// Whether a message is an error or not, by what it is called and by what it says.
fn spoken(node: Node<'_>, classes: &ClassWords, otherwise: Tells) -> Tells {
    if classes.is_error() {
        return Tells::Error;
    }
    if classes.any(&["success", "info", "ok"]) {
        return Tells::Notification;
    }
    let text = text_of(node).to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    match otherwise {
        Tells::Notification if says(&BAD) && classes.is_notification() => Tells::Error,
        Tells::Error if says(&GOOD) && !says(&BAD) => Tells::Notification,
        otherwise => otherwise,
    }
}

fn is_drawn(node: Node<'_>) -> bool {
    let rect = node.rect();
    rect.width >= 2 && rect.height >= 2 && node.is(Flags::IN_VIEWPORT)
}

/// A spinner says nothing, or that it is loading, and holds nothing to use: a number field with its
/// buttons is called one too.
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
    Some(clean(heading.name())).filter(|text| !text.is_empty())
}

/// The words in an element, as far as they are kept.
fn text_of(node: Node<'_>) -> String {
    let mut text = String::new();
    for inner in node.descendants().take(MOST_READ) {
        if text.len() > SIGN_LIMIT * 4 {
            break;
        }
        if inner.is_text() {
            // A full capture also has the texts of what is hidden.
            if is_seen(inner) {
                text.push_str(inner.name());
            }
        } else if inner.is(Flags::BLOCK) && inner.hidden().is_none() {
            text.push(' ');
        }
    }
    clean(&text)
}

/// Whether a person sees it, of a text or an element.
fn is_seen(node: Node<'_>) -> bool {
    match node.is_text() {
        true => {
            !node.is(Flags::WITHHELD)
                && node.parent().is_none_or(|parent| parent.hidden().is_none())
        }
        false => node.hidden().is_none(),
    }
}

/// Whether it holds too much to be a message; what nobody sees does not count.
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
    fn any(&self, wanted: &[&str]) -> bool {
        self.0.iter().any(|class| has(class, wanted))
    }

    fn is_error(&self) -> bool {
        let not = [
            "boundary",
            "no",
            "free",
            "icon",
            "page",
            "log",
            "logs",
            "codes",
            "handler",
            "color",
            "text",
            "report",
            "reporting",
        ];
        let named = |class: &Vec<String>| {
            has(class, &["error", "errors", "errorlist", "errornote", "err"]) && !has(class, &not)
        };
        let danger = self.any(&["danger"])
            && self.any(&["alert", "message", "notification", "toast", "callout", "banner"]);
        let invalid = |class: &Vec<String>| {
            has(class, &["invalid"]) && has(class, &["feedback", "message", "tooltip"])
        };
        self.0.iter().any(|class| named(class) || invalid(class)) || danger
    }

    fn is_loading(&self) -> bool {
        let not = [
            "lazy",
            "lazyload",
            "lazyloaded",
            "loaded",
            "unloaded",
            "preload",
            "autoload",
            "download",
            "upload",
            "more",
        ];
        let loading = ["loading", "loader", "preloader", "spinner", "spin", "skeleton", "shimmer"];
        self.0.iter().any(|class| has(class, &loading) && !has(class, &not))
            && !self.any(&["lazyload", "lazyloaded", "lazy"])
    }

    fn is_modal(&self) -> bool {
        let modal = self.0.iter().any(|class| class.len() == 1 && class[0] == "modal");
        modal
            && self.0.iter().any(|class| {
                class.len() <= 2 && has(class, &["show", "open", "in", "active", "visible"])
            })
    }

    fn is_notification(&self) -> bool {
        let not = [
            "badge",
            "count",
            "counter",
            "icon",
            "bell",
            "menu",
            "button",
            "btn",
            "list",
            "center",
            "dot",
            "container",
            "settings",
            "wrapper",
            "area",
            "region",
        ];
        self.0
            .iter()
            .any(|class| has(class, &["toast", "notification", "snackbar"]) && !has(class, &not))
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

fn has(class: &[String], wanted: &[&str]) -> bool {
    class.iter().any(|part| wanted.contains(&part.as_str()))
}

/// The parts of a class name, told apart by hyphens, underscores and capitals.
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
