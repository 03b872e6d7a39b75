//! The structure of a page as one value that can be stored and compared: landmarks, headings,
//! lists, forms, tables, images, interactive elements, and the state of the page (errors, loading,
//! open dialogs). A fingerprint is taken from a [`Page`](crate::page::Page), never from a filtered
//! view, and is never cut. [`answer`] makes the short form that is printed.

mod canonical;
mod content;
mod extract;
mod interactive;
mod landmarks;
mod locations;
mod model;
mod normalize;
mod regions;
mod selector;
mod state;
mod summary;
#[cfg(test)]
mod tests;

pub use extract::{take, take_with_boxes};
pub use locations::{Boxes, EntryId, EntryKind};
pub use model::{
    Depth, FINGERPRINT_VERSION, Fingerprint, FingerprintOptions, Form, Heading, Host, Image,
    InteractiveElement, Landmark, List, PlainText, Region, Sight, Sign, Size, State, Structure,
    Table,
};
pub use normalize::{means_an_error, normalize, volatile};
pub use regions::FAULT;
pub use selector::route;
pub use summary::{ANSWER_CAP, answer};
