//! The structure of a page as one value that can be stored and compared: landmarks, headings,
//! lists, forms, tables, images, interactive elements, and the state of the page (errors, loading,
//! open dialogs). A fingerprint is taken from a [`Page`](crate::page::Page), never from a filtered
//! view, and is never cut. Hidden elements are part of it, because a hidden element is not a
//! missing one.
//!
//! The steps: `regions` goes through the page once and finds the region, list and form around each
//! node. `landmarks`, `content`, `interactive` and `state` each read their part; `amounts` reads
//! prices and other numbers with a unit, `exact` texts that must stay equal, and `titles` finds
//! what these belong to; `layout` reads how all of it is drawn and `overlaps` what lies over what;
//! `audit` reads violations of accessibility rules. `locations` notes the node of each entry, so
//! that a change can be drawn on a picture. `canonical` writes the form that is hashed, and
//! [`answer`] makes the short form that is printed. Texts are compared after `normalize` has
//! replaced their volatile parts.

mod amounts;
mod audit;
mod audit_form;
mod canonical;
mod content;
mod exact;
mod extract;
mod interactive;
mod landmarks;
mod layout;
mod layout_form;
mod locations;
mod model;
mod normalize;
mod overlaps;
mod regions;
mod selector;
mod state;
mod summary;
#[cfg(test)]
mod tests;
mod titles;

pub use audit::is_own_rule;
pub use audit_form::{
    AUDIT_VERSION, Audit, AuditFinding, AuditFindings, AuditLevel, AuditOptions, Violation,
};
pub use extract::{extract, extract_with_boxes};
pub(crate) use interactive::LIMITS;
pub use layout::layout_nodes;
pub use layout_form::{
    LAYOUT_VERSION, Layout, LayoutBox, LayoutMeasures, Measure, Overlap, STYLE_PROPERTIES, Style,
};
pub use locations::{Boxes, EntryId, EntryKind};
pub use model::{
    Depth, ExactTarget, ExactText, FINGERPRINT_VERSION, Fingerprint, FingerprintOptions, Form,
    Heading, Host, Image, InteractiveElement, Landmark, List, LiveText, PlainText, Region, Sight,
    Sign, Size, State, Structure, Table, UnitNumber,
};
pub use normalize::{means_an_error, normalize};
pub use regions::FAULT;
pub(crate) use regions::MODAL;
pub use selector::route;
pub use summary::{ANSWER_CAP, answer};
