//! The data of a fingerprint, as it is stored and compared.

use serde::{Deserialize, Serialize};

use crate::page::{NodeId, Scope};

/// The version of the stored form that this build writes and reads.
pub const FINGERPRINT_VERSION: u32 = 1;
/// The longest text that is kept of an element.
pub(super) const TEXT_LIMIT: usize = 160;

/// How much of the page is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Depth {
    /// Landmarks and state only.
    Minimal,
    /// Also headings, lists, forms, tables, pictures and what can be used.
    #[default]
    Standard,
    /// Also plain texts.
    Detailed,
}

impl Depth {
    /// The word that callers use.
    pub fn as_str(self) -> &'static str {
        match self {
            Depth::Minimal => "minimal",
            Depth::Standard => "standard",
            Depth::Detailed => "detailed",
        }
    }
}

/// What to extract.
#[derive(Clone, Debug, Default)]
pub struct FingerprintOptions<'a> {
    /// Which part of the page.
    pub scope: Scope,
    /// The same as the caller wrote it; stored with the fingerprint.
    pub scope_text: &'a str,
    /// How much of it.
    pub depth: Depth,
    /// Nodes that comparisons ignore, with their descendants; in document order.
    pub ignored: &'a [NodeId],
    /// The time by the caller's clock.
    pub captured_at: &'a str,
    /// The page was not ready.
    pub loading: bool,
}

/// Width and height in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Size {
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
}

/// What a page was made of at some time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// The version of this form.
    pub version: u32,
    /// The address.
    pub url: String,
    /// The address without host and query.
    pub route: String,
    /// The title.
    pub title: String,
    /// The viewport it was taken in.
    pub viewport: Size,
    /// When it was taken.
    pub captured_at: String,
    /// Which part was taken, as the caller wrote it.
    pub scope: String,
    /// How much was taken.
    pub depth: Depth,
    /// The page was not ready, or says that it is loading.
    #[serde(default, skip_serializing_if = "is_false")]
    pub loading: bool,
    /// The page is larger than what could be looked at.
    #[serde(default, skip_serializing_if = "is_false")]
    pub truncated: bool,
    /// Nobody could tell which listeners scripts have added.
    #[serde(default, skip_serializing_if = "is_false")]
    pub deaf: bool,
    /// What it is made of.
    pub structure: Structure,
    /// Eight hexadecimal digits over the canonical form.
    pub hash: String,
}

/// All of it, uncapped.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Structure {
    /// The regions that things stand in; the first is the page itself.
    pub places: Vec<Region>,
    /// Landmarks, in document order.
    pub landmarks: Vec<Landmark>,
    /// There is none; `blocks` says what the page is divided into instead.
    pub no_landmarks: bool,
    /// The largest blocks of a page without landmarks; not compared.
    pub blocks: Vec<String>,
    /// Hosts of shadow roots by tag; not in the hash, because not every engine shows all of them.
    pub hosts: Vec<Host>,
    /// Headings.
    pub headings: Vec<Heading>,
    /// Lists.
    pub lists: Vec<List>,
    /// Tables and grids.
    pub tables: Vec<Table>,
    /// Forms; their fields and buttons are among `interactive`.
    pub forms: Vec<Form>,
    /// Pictures.
    pub images: Vec<Image>,
    /// What can be used, hidden things included.
    pub interactive: Vec<InteractiveElement>,
    /// Plain texts; only in a detailed one.
    pub texts: Vec<PlainText>,
    /// What is wrong, loading, empty or open.
    pub state: State,
    /// Frames that were not entered.
    pub frames: u32,
}

/// A region that things stand in.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Region {
    /// What it is called: `main`, `section:Projects`; empty for the page itself.
    pub label: String,
    /// The region around it.
    pub within: u32,
    /// The nearest landmark, itself included; 0 if there is none.
    pub landmark: u32,
}

/// A landmark.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Landmark {
    /// `header`, `main`, `nav:Breadcrumb`, …
    pub key: String,
    /// What sort it is: `nav`.
    pub kind: String,
    /// Its accessible name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The place that it makes.
    pub place: u32,
    /// Whether it can be seen.
    #[serde(default, skip_serializing_if = "Sight::is_shown")]
    pub sight: Sight,
    /// Left out of comparisons.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ignored: bool,
}

/// Hosts of shadow roots with the same tag.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Host {
    /// Their tag.
    pub tag: String,
    /// How many there are.
    pub count: u32,
}

/// Whether something can be seen and reached.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sight {
    /// Yes.
    #[default]
    Shown,
    /// Hidden by style: `display`, `visibility`, …
    Hidden(String),
    /// Something lies over it.
    Covered(String),
    /// Cut off by what is around it; the keyboard still gets there.
    CutOff,
    /// Nobody sees it, though it takes clicks.
    Transparent,
    /// It lets clicks through.
    Unclickable,
    /// It has no size yet, because a picture is still to come.
    Waiting,
}

impl Sight {
    /// Whether nothing is wrong with it.
    pub fn is_shown(&self) -> bool {
        *self == Sight::Shown
    }

    /// Whether it is not there for a person at all.
    pub fn is_hidden(&self) -> bool {
        matches!(self, Sight::Hidden(_))
    }
}

/// A heading.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Heading {
    /// 1 to 6, or more.
    pub level: u8,
    /// Its text, as it is.
    pub text: String,
    /// Where it stands.
    pub place: u32,
    /// Whether it can be seen.
    #[serde(default, skip_serializing_if = "Sight::is_shown")]
    pub sight: Sight,
    /// Left out of comparisons.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ignored: bool,
}

/// A list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct List {
    /// How to find it: `#id`, `.class`, or its tag.
    pub selector: String,
    /// `ul`, `ol`, `dl`, or the tag of what has the role.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its accessible name, or the heading in front of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// How many items it shows.
    pub items: u32,
    /// A sum over its items in their order.
    pub order: u32,
    /// A sum over its items in any order.
    pub set: u32,
    /// A picture in it is still to come; an item may have no size before.
    #[serde(default, skip_serializing_if = "is_false")]
    pub pending: bool,
    /// Where it stands.
    pub place: u32,
    /// Whether it can be seen.
    #[serde(default, skip_serializing_if = "Sight::is_shown")]
    pub sight: Sight,
    /// Left out of comparisons.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ignored: bool,
}

/// A table or a grid.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// How to find it.
    pub selector: String,
    /// Its caption or accessible name, or the heading in front of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Rows without those of headers.
    pub rows: u32,
    /// Columns of its widest row.
    pub columns: u32,
    /// Its column headers.
    pub headers: Vec<String>,
    /// A sum over its rows in any order.
    pub set: u32,
    /// Where it stands.
    pub place: u32,
    /// Whether it can be seen.
    #[serde(default, skip_serializing_if = "Sight::is_shown")]
    pub sight: Sight,
    /// Left out of comparisons.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ignored: bool,
}

/// A form.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Form {
    /// How to find it.
    pub selector: String,
    /// Its accessible name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Where it stands.
    pub place: u32,
}

/// A picture.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Image {
    /// Its text alternative.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub alt: String,
    /// The last part of its address.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// It was asked for and did not come.
    #[serde(default, skip_serializing_if = "is_false")]
    pub broken: bool,
    /// It was asked for and did not come yet.
    #[serde(default, skip_serializing_if = "is_false")]
    pub pending: bool,
    /// Where it stands.
    pub place: u32,
    /// Whether it can be seen.
    #[serde(default, skip_serializing_if = "Sight::is_shown")]
    pub sight: Sight,
    /// Left out of comparisons.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ignored: bool,
}

/// Something that can be used.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct InteractiveElement {
    /// `button`, `link`, `input`, `select`, …
    #[serde(rename = "type")]
    pub kind: String,
    /// Its accessible name, as it is.
    pub text: String,
    /// Where a link goes, without host and query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
    /// Whether a field has a value; none for what is no field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filled: Option<bool>,
    /// It cannot be used now.
    #[serde(skip_serializing_if = "is_false")]
    pub disabled: bool,
    /// Whether it can be seen.
    #[serde(skip_serializing_if = "Sight::is_shown")]
    pub sight: Sight,
    /// Further states, in a fixed order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<String>,
    /// An id, a name or a test id that a person wrote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The form that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<u32>,
    /// The list that it stands in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<u32>,
    /// At least a part of it is in the viewport.
    #[serde(skip_serializing_if = "is_false")]
    pub in_view: bool,
    /// Usable by listener, handler or cursor only.
    #[serde(skip_serializing_if = "is_false")]
    pub heard: bool,
    /// Where it stands.
    pub place: u32,
    /// Left out of comparisons.
    #[serde(skip_serializing_if = "is_false")]
    pub ignored: bool,
}

/// A line of plain text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlainText {
    /// The text.
    pub text: String,
    /// Where it stands.
    pub place: u32,
    /// Left out of comparisons.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ignored: bool,
}

/// What is wrong, loading, empty or open.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// Errors that are shown.
    pub error_elements: Vec<Sign>,
    /// What says that something is loading.
    pub loading_indicators: Vec<Sign>,
    /// What says that there is nothing.
    pub empty_states: Vec<Sign>,
    /// Dialogs and the like that are open.
    pub modals_open: Vec<Sign>,
    /// Messages.
    pub notifications: Vec<Sign>,
}

/// One element that tells of a state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sign {
    /// How to find it.
    pub selector: String,
    /// What it says.
    pub text: String,
    /// Where it stands.
    pub place: u32,
    /// Left out of comparisons.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ignored: bool,
}

fn is_false(value: &bool) -> bool {
    !*value
}
