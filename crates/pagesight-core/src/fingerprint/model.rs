//! The data of a fingerprint, as it is stored and compared.

use serde::{Deserialize, Serialize};

use super::audit_form::{Audit, AuditOptions};
use super::layout_form::{Layout, LayoutMeasures};
use crate::page::{NodeId, Scope};

/// The version of the stored form that this build writes and reads.
pub const FINGERPRINT_VERSION: u32 = 1;
/// The longest text that is stored of an element.
pub(super) const TEXT_LIMIT: usize = 160;

/// How much of the page a fingerprint covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Depth {
    /// Landmarks and state only.
    Minimal,
    /// Also headings, lists, forms, tables, images and interactive elements.
    #[default]
    Standard,
    /// Also plain texts.
    Detailed,
}

impl Depth {
    /// Returns the word that callers use.
    pub fn as_str(self) -> &'static str {
        match self {
            Depth::Minimal => "minimal",
            Depth::Standard => "standard",
            Depth::Detailed => "detailed",
        }
    }
}

/// The part of the page to extract, and facts that the page does not have.
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
    /// Whether prices and other numbers with a unit are read.
    pub numbers: bool,
    /// The elements whose text must stay equal.
    pub exact: &'a [ExactTarget],
    /// The measures of the page script, if the layout is read.
    pub layout: Option<&'a LayoutMeasures>,
    /// The findings of the audit, if the page was audited.
    pub audit: Option<AuditOptions<'a>>,
    /// Elements whose pictures are not compared.
    pub masked: &'a [NodeId],
}

/// The elements whose text must stay equal, and how the caller named them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExactTarget {
    /// The target as the caller wrote it.
    pub target: String,
    /// The elements, in document order.
    pub nodes: Vec<NodeId>,
}

/// Width and height in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Size {
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
}

/// The structure of a page at one point in time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// The version of this form.
    pub version: u32,
    /// The URL.
    pub url: String,
    /// The URL without host and query.
    pub route: String,
    /// The title.
    pub title: String,
    /// The viewport.
    pub viewport: Size,
    /// When it was taken.
    pub captured_at: String,
    /// The covered part of the page, as the caller wrote it.
    pub scope: String,
    /// How much it covers.
    pub depth: Depth,
    /// The page was not ready, or shows a loading state.
    #[serde(default, skip_serializing_if = "is_false")]
    pub loading: bool,
    /// The page was too large to be captured completely.
    #[serde(default, skip_serializing_if = "is_false")]
    pub truncated: bool,
    /// The engine could not read listeners added by script.
    #[serde(default, skip_serializing_if = "is_false")]
    pub deaf: bool,
    /// The structure.
    pub structure: Structure,
    /// The hash of the canonical form: eight hexadecimal digits.
    pub hash: String,
}

/// The structure of a page, complete.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Structure {
    /// The regions around entries; the first is the page itself.
    pub places: Vec<Region>,
    /// Landmarks, in document order.
    pub landmarks: Vec<Landmark>,
    /// The page has no landmarks; `blocks` lists its main blocks instead.
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
    /// Images.
    pub images: Vec<Image>,
    /// Interactive elements, including hidden ones.
    pub interactive: Vec<InteractiveElement>,
    /// Plain texts; only in a detailed fingerprint.
    pub texts: Vec<PlainText>,
    /// Errors, loading indicators, empty states, dialogs and messages.
    pub state: State,
    /// Frames that were not entered.
    pub frames: u32,
    /// Prices and other numbers with a unit; none if they were not read. Not in the hash.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numbers: Option<Vec<UnitNumber>>,
    /// Texts that must stay equal, for each target at least one entry. Not in the hash.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exact: Vec<ExactText>,
    /// Whether the limits of fields were read; older versions did not read them.
    #[serde(skip_serializing_if = "is_false")]
    pub has_limits: bool,
    /// Violations of accessibility rules; none if they were not looked for. Not in the hash.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audit: Option<Audit>,
    /// How the page is drawn; none if it was not read. Not in the hash.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layout: Option<Layout>,
}

/// A region of the page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Region {
    /// Its label: `main`, `section:Projects`; empty for the page itself.
    pub label: String,
    /// The region around it.
    pub within: u32,
    /// The nearest landmark, or itself; 0 if there is none.
    pub landmark: u32,
}

/// A landmark.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Landmark {
    /// `header`, `main`, `nav:Breadcrumb`, …
    pub key: String,
    /// Its kind: `nav`.
    pub kind: String,
    /// Its accessible name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The index of its region.
    pub place: u32,
    /// Its visibility.
    #[serde(default, skip_serializing_if = "Sight::is_shown")]
    pub sight: Sight,
    /// Comparisons ignore it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ignored: bool,
    /// The beginning of what it says. Never stored.
    #[serde(skip)]
    pub words: LiveText,
}

/// Hosts of shadow roots with the same tag.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Host {
    /// Their tag.
    pub tag: String,
    /// How many there are.
    pub count: u32,
}

/// Whether an element is visible and reachable.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sight {
    /// It is visible.
    #[default]
    Shown,
    /// Hidden by style: `display`, `visibility`, …
    Hidden(String),
    /// Something covers it.
    Covered(String),
    /// A container clips it; the keyboard can still reach it.
    CutOff,
    /// It is transparent, but takes clicks.
    Transparent,
    /// It lets clicks through.
    Unclickable,
    /// It has no size yet, because an image is still loading. It counts as present, and changes of
    /// it are reported for information only.
    Waiting,
}

impl Sight {
    /// Whether it is visible and reachable.
    pub fn is_shown(&self) -> bool {
        *self == Sight::Shown
    }

    /// Whether it is hidden by style.
    pub fn is_hidden(&self) -> bool {
        matches!(self, Sight::Hidden(_))
    }
}

/// A heading.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Heading {
    /// 1 to 6, or more.
    pub level: u8,
    /// Its text.
    pub text: String,
    /// The index of the region around it.
    pub place: u32,
    /// Its visibility.
    #[serde(default, skip_serializing_if = "Sight::is_shown")]
    pub sight: Sight,
    /// Comparisons ignore it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ignored: bool,
}

/// A list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct List {
    /// A selector: `#id`, `.class`, or its tag.
    pub selector: String,
    /// `ul`, `ol`, `dl`, or the tag of the element with the role.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its accessible name, or the heading before it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// How many items it shows.
    pub items: u32,
    /// A hash of its items in order.
    pub order: u32,
    /// A hash of its items in any order.
    pub set: u32,
    /// The beginnings of its first items, for sentences; not in the hash.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<String>,
    /// An image in it is still loading; an item may have no size yet.
    #[serde(default, skip_serializing_if = "is_false")]
    pub pending: bool,
    /// The index of the region around it.
    pub place: u32,
    /// Its visibility.
    #[serde(default, skip_serializing_if = "Sight::is_shown")]
    pub sight: Sight,
    /// Comparisons ignore it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ignored: bool,
}

/// A table or a grid.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// A selector.
    pub selector: String,
    /// Its caption or accessible name, or the heading before it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The number of rows, without header rows.
    pub rows: u32,
    /// The number of columns of its widest row.
    pub columns: u32,
    /// Its column headers.
    pub headers: Vec<String>,
    /// A hash of its rows in any order.
    pub set: u32,
    /// The beginnings of its first rows, for sentences; not in the hash.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<String>,
    /// The index of the region around it.
    pub place: u32,
    /// Its visibility.
    #[serde(default, skip_serializing_if = "Sight::is_shown")]
    pub sight: Sight,
    /// Comparisons ignore it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ignored: bool,
}

/// A form.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Form {
    /// A selector.
    pub selector: String,
    /// Its accessible name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The index of the region around it.
    pub place: u32,
}

/// An image.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Image {
    /// Its text alternative.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub alt: String,
    /// The last part of its URL.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// It failed to load.
    #[serde(default, skip_serializing_if = "is_false")]
    pub broken: bool,
    /// It is still loading.
    #[serde(default, skip_serializing_if = "is_false")]
    pub pending: bool,
    /// The index of the region around it.
    pub place: u32,
    /// Its visibility.
    #[serde(default, skip_serializing_if = "Sight::is_shown")]
    pub sight: Sight,
    /// Comparisons ignore it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ignored: bool,
}

/// An interactive element.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct InteractiveElement {
    /// `button`, `link`, `input`, `select`, …
    #[serde(rename = "type")]
    pub kind: String,
    /// Its accessible name.
    pub text: String,
    /// The target of a link, without host and query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
    /// Whether a field has a value; none for other elements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filled: Option<bool>,
    /// It is disabled.
    #[serde(skip_serializing_if = "is_false")]
    pub disabled: bool,
    /// Its visibility.
    #[serde(skip_serializing_if = "Sight::is_shown")]
    pub sight: Sight,
    /// Further states, in a fixed order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<String>,
    /// The limits of a field: `maxlength=20`. Not in the hash.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<String>,
    /// An id, a name or a test id that a person wrote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The form that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<u32>,
    /// The list around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<u32>,
    /// At least a part of it is in the viewport.
    #[serde(skip_serializing_if = "is_false")]
    pub in_view: bool,
    /// Only a listener, a handler or the cursor shows that it is interactive.
    #[serde(skip_serializing_if = "is_false")]
    pub heard: bool,
    /// The index of the region around it.
    pub place: u32,
    /// Comparisons ignore it.
    #[serde(skip_serializing_if = "is_false")]
    pub ignored: bool,
    /// The guessed name of an element without a usable name. Never stored.
    #[serde(skip)]
    pub guess: LiveText,
}

/// A text of the live page, for sentences. It is not part of a fingerprint: it is neither stored
/// nor hashed, and fingerprints that differ only in such texts are equal.
#[derive(Clone, Debug, Default)]
pub struct LiveText(pub(crate) String);

impl PartialEq for LiveText {
    fn eq(&self, _: &LiveText) -> bool {
        true
    }
}

/// A line of plain text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlainText {
    /// The text.
    pub text: String,
    /// The index of the region around it.
    pub place: u32,
    /// Comparisons ignore it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ignored: bool,
}

/// A number with a currency, a percentage or a unit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UnitNumber {
    /// Its owner: the title of a card, a row and a column, or the line without its
    /// numbers. Empty if nothing says it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// The number as it is written: `199.00 EUR`.
    pub text: String,
    /// The index of the region around it.
    pub place: u32,
    /// Comparisons ignore it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ignored: bool,
}

/// A text that must stay equal.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ExactText {
    /// The target that names it, as the caller wrote it.
    pub target: String,
    /// The title of its card, or its row; empty if nothing says it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// The text; none if the target matched nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The index of the region around it.
    pub place: u32,
    /// Comparisons ignore it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ignored: bool,
}

/// The state of a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// Visible errors.
    pub error_elements: Vec<Sign>,
    /// Loading indicators.
    pub loading_indicators: Vec<Sign>,
    /// Messages that say that there is nothing to show.
    pub empty_states: Vec<Sign>,
    /// Open dialogs.
    pub modals_open: Vec<Sign>,
    /// Messages.
    pub notifications: Vec<Sign>,
}

/// One element that shows a state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sign {
    /// A selector.
    pub selector: String,
    /// Its text.
    pub text: String,
    /// The index of the region around it.
    pub place: u32,
    /// Comparisons ignore it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ignored: bool,
}

fn is_false(value: &bool) -> bool {
    !*value
}
