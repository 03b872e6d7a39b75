//! Fingerprint × fingerprint → what changed, how bad it is, and where, each as one sentence. Pure:
//! both sides were taken before. Things are matched by what they are and by what is around them,
//! with multiplicity and never by position; nothing here is quadratic in the size of a page.

mod content;
mod ignore_rules;
mod interactive;
mod landmarks;
mod lists;
mod matching;
mod page_state;
mod summary;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::fingerprint::{At, Boxes, Depth, Fingerprint, Sort, Structure};
use crate::page::Rect;
pub use ignore_rules::{Rule, RuleError, Rules, WrittenRule};
pub use summary::answer;

/// How bad a change is.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Good to know.
    #[default]
    Info,
    /// Worth a look.
    Warning,
    /// Something that worked does not.
    Error,
}

impl Severity {
    /// The word that callers use.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

macro_rules! change_types {
    ($($variant:ident $text:literal),* $(,)?) => {
        /// What sort of change it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum ChangeType {
            $(#[doc = concat!("`", $text, "`")] #[serde(rename = $text)] $variant,)*
        }

        impl ChangeType {
            /// All of them.
            pub const ALL: &'static [ChangeType] = &[$(ChangeType::$variant),*];

            /// The word that callers use.
            pub fn as_str(self) -> &'static str {
                match self { $(ChangeType::$variant => $text,)* }
            }
        }
    };
}

change_types! {
    LandmarkMissing "landmark_missing", LandmarkAdded "landmark_added", ElementMissing "element_missing", ElementAdded "element_added",
    ElementRenamed "element_renamed", ElementDisabled "element_disabled", ElementEnabled "element_enabled", ElementHidden "element_hidden",
    ElementCovered "element_covered", ElementMoved "element_moved", LinkChanged "link_changed", FieldMissing "field_missing",
    FieldAdded "field_added", HeadingMissing "heading_missing", HeadingChanged "heading_changed", ListEmpty "list_empty",
    ListChanged "list_changed", TableEmpty "table_empty", TableChanged "table_changed", ImageBroken "image_broken",
    ErrorAppeared "error_appeared", ErrorResolved "error_resolved", LoadingStuck "loading_stuck", ModalOpened "modal_opened",
    ModalClosed "modal_closed", NotificationAppeared "notification_appeared", EmptyStateAppeared "empty_state_appeared",
    RouteChanged "route_changed", TitleChanged "title_changed",
}

impl ChangeType {
    /// Whether it says that something is no longer there.
    fn takes_away(self) -> bool {
        use ChangeType::*;
        matches!(
            self,
            LandmarkMissing
                | ElementMissing
                | FieldMissing
                | HeadingMissing
                | ListEmpty
                | ListChanged
                | TableEmpty
                | TableChanged
        )
    }
}

/// What a change is about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Subject {
    /// `button`, `heading`, `list`, …
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Its name or text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// How to find it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// What sort of change.
    #[serde(rename = "type")]
    pub kind: ChangeType,
    /// How bad it is.
    pub severity: Severity,
    /// What it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<Subject>,
    /// Where that stands: `main > section:Projects`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub location: String,
    /// As it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<Value>,
    /// As it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<Value>,
    /// The same as a sentence.
    pub description: String,
    /// Which entry of the fingerprint before it is about, if there is one.
    #[serde(skip)]
    pub was_at: Option<At>,
    /// Which entry of the fingerprint of now it is about, if there is one.
    #[serde(skip)]
    pub now_at: Option<At>,
}

/// What a comparison came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Nothing changed.
    #[default]
    Unchanged,
    /// Something did.
    Changed,
    /// The page is still loading; what is missing may come.
    Loading,
    /// It is another page.
    RouteChanged,
}

/// All that changed, of any severity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// What it came to.
    pub status: Status,
    /// The worst first.
    pub changes: Vec<Change>,
    /// Parts of the page in which nothing changed.
    pub unchanged: Vec<String>,
    /// How many changes were ignored by rule.
    pub ignored: usize,
}

impl Comparison {
    /// The worst of all changes.
    pub fn severity(&self) -> Option<Severity> {
        self.changes.iter().map(|change| change.severity).max()
    }

    /// Where the changes are on a picture of the page before: the place of each in `changes`, and
    /// its box.
    pub fn marks_before(&self, boxes: &Boxes) -> Vec<(usize, Rect)> {
        self.marks(boxes, |change| change.was_at)
    }

    /// Where the changes are on a picture of the page as it is now.
    pub fn marks_after(&self, boxes: &Boxes) -> Vec<(usize, Rect)> {
        self.marks(boxes, |change| change.now_at)
    }

    fn marks(&self, boxes: &Boxes, at: impl Fn(&Change) -> Option<At>) -> Vec<(usize, Rect)> {
        let changes = self.changes.iter().enumerate();
        changes.filter_map(|(index, change)| Some((index, boxes.of(at(change)?)?))).collect()
    }

    /// How many changes are at least so bad.
    pub fn at_least(&self, severity: Severity) -> usize {
        self.changes.iter().filter(|change| change.severity >= severity).count()
    }
}

/// Compares what a page was with what it is.
pub fn compare(was: &Fingerprint, now: &Fingerprint, rules: &Rules) -> Comparison {
    let mut found = Found {
        was,
        now,
        rules,
        changes: Vec::new(),
        touched: HashSet::new(),
        ignored: 0,
        gone_from: HashMap::new(),
    };
    if was.route != now.route {
        found.page(
            ChangeType::RouteChanged,
            Severity::Error,
            (&was.route, &now.route),
            format!("The page is another one: {} (was {})", now.route, was.route),
        );
    }
    if crate::fingerprint::normalize(&was.title) != crate::fingerprint::normalize(&now.title) {
        let text = format!("The title is now '{}' (was '{}')", now.title, was.title);
        found.page(ChangeType::TitleChanged, Severity::Info, (&was.title, &now.title), text);
    }
    page_state::compare(&mut found);
    let known = landmarks::compare(&mut found);
    if was.depth != Depth::Minimal && now.depth != Depth::Minimal {
        interactive::compare(&mut found, &known);
        content::compare(&mut found, &known);
    }
    found.end()
}

/// What was found so far.
struct Found<'f> {
    was: &'f Fingerprint,
    now: &'f Fingerprint,
    rules: &'f Rules,
    changes: Vec<Change>,
    /// What each change touched: a part of the page by its name.
    touched: HashSet<String>,
    ignored: usize,
    /// How many things that could be used went from each list of the old page; they are told
    /// already.
    gone_from: HashMap<u32, u32>,
}

/// A change that is being told.
struct Told<'a> {
    kind: ChangeType,
    severity: Severity,
    element: Subject,
    /// The part that it belongs to: `headings`, `lists`, …
    part: &'static str,
    /// Where it is, of the new page or else of the old one.
    place: (&'a Structure, u32),
    was: Option<Value>,
    now: Option<Value>,
    description: String,
    /// A side of it is left out by selector.
    ignored: bool,
    /// Which entry it is, of the old page and of the new one.
    at: Sides,
}

/// An entry of the fingerprint before, and one of the fingerprint of now.
type Sides = (Option<At>, Option<At>);

/// The entries of one list, by their places in it.
fn entries(sort: Sort, was: Option<usize>, now: Option<usize>) -> Sides {
    (was.map(|at| At::new(sort, at)), now.map(|at| At::new(sort, at)))
}

impl<'f> Found<'f> {
    fn tell(&mut self, told: Told<'_>) {
        let (structure, place) = told.place;
        // Of a page that could not be looked at as a whole nobody knows what is missing.
        let unsure = self.now.truncated && told.kind.takes_away();
        let change = Change {
            kind: told.kind,
            severity: if unsure { Severity::Info } else { told.severity },
            element: Some(told.element),
            location: location(structure, place),
            was: told.was,
            now: told.now,
            description: told.description,
            was_at: told.at.0,
            now_at: told.at.1,
        };
        if told.ignored || self.rules.ignore(&change) {
            self.ignored += 1;
            return;
        }
        self.touched.insert(told.part.to_owned());
        self.touched.extend(landmark_of(structure, place));
        self.changes.push(change);
    }

    /// A change of the page as a whole.
    fn page(
        &mut self,
        kind: ChangeType,
        severity: Severity,
        (was, now): (&str, &str),
        description: String,
    ) {
        let change = Change {
            kind,
            severity,
            element: None,
            location: String::new(),
            was: Some(was.into()),
            now: Some(now.into()),
            description,
            was_at: None,
            now_at: None,
        };
        if self.rules.ignore(&change) {
            self.ignored += 1;
        } else {
            self.changes.push(change);
        }
    }

    fn end(mut self) -> Comparison {
        self.changes.sort_by_key(|change| std::cmp::Reverse(change.severity));
        let status = match () {
            () if self.was.route != self.now.route => Status::RouteChanged,
            () if self.now.loading && !self.was.loading => Status::Loading,
            () if self.changes.is_empty() => Status::Unchanged,
            () => Status::Changed,
        };
        let mut unchanged: Vec<String> = Vec::new();
        for landmark in &self.now.structure.landmarks {
            let key = &landmark.key;
            if !landmark.sight.is_hidden()
                && !self.touched.contains(key.as_str())
                && unchanged.len() < 12
            {
                unchanged.push(key.clone());
            }
        }
        let structure = &self.was.structure;
        for (part, there) in [
            ("headings", !structure.headings.is_empty()),
            ("lists", !structure.lists.is_empty()),
            ("forms", !structure.forms.is_empty()),
            ("tables", !structure.tables.is_empty()),
            ("images", !structure.images.is_empty()),
            ("interactive", !structure.interactive.is_empty()),
            ("state", true),
        ] {
            if there && !self.touched.contains(part) {
                unchanged.push(part.to_owned());
            }
        }
        Comparison { status, changes: self.changes, unchanged, ignored: self.ignored }
    }
}

/// The regions around a place, the outermost first.
fn location(structure: &Structure, place: u32) -> String {
    let mut labels: Vec<&str> = Vec::new();
    let mut at = place;
    while let Some(here) = structure.places.get(at as usize).filter(|_| at != 0) {
        labels.push(&here.label);
        // A place comes behind what is around it; anything else is a damaged file.
        if here.within >= at {
            break;
        }
        at = here.within;
    }
    // Of a place that is nested without end the ends are enough.
    if labels.len() > 5 {
        labels.drain(2..labels.len() - 2);
    }
    labels.reverse();
    labels.join(" > ")
}

/// The keys of the landmarks around a place.
fn landmark_of(structure: &Structure, place: u32) -> Vec<String> {
    let mut keys = Vec::new();
    let mut at = structure.places.get(place as usize).map_or(0, |place| place.landmark);
    while at != 0 && keys.len() < 20 {
        keys.extend(landmark_at(structure, at).map(|at| structure.landmarks[at].key.clone()));
        let within = structure.places.get(at as usize).map_or(0, |place| place.within);
        let next = structure.places.get(within as usize).map_or(0, |place| place.landmark);
        if next >= at {
            break;
        }
        at = next;
    }
    keys
}

/// The landmark that makes this place. They stand in document order, as places do.
fn landmark_at(structure: &Structure, place: u32) -> Option<usize> {
    structure.landmarks.binary_search_by_key(&place, |landmark| landmark.place).ok()
}
