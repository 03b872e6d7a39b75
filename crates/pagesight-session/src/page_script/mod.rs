//! The functions of the page script, typed: one Rust function per function of its API that the
//! session calls. No other file calls one by its name. A test compares the list in `call` with the
//! API.

mod act;
mod call;
mod fields;
mod look;
#[cfg(test)]
mod tests;
mod wait;

pub(crate) use act::{
    BoxState, Choice, Expected, FileField, Handling, HeldValue, InputResult, PointUnit, Prepared,
    Scroller,
};
pub(crate) use call::{PageScript, read};
pub(crate) use fields::{Entered, FieldKind, FieldValue};
pub(crate) use look::{Described, Extent, Matched, Point, WalkOptions};
pub(crate) use wait::{Awaited, News, NewsCall, PageChange, PageSchedule, next_change};
