//! The task and the result of a visit.

use std::sync::Arc;

use pagesight_core::compare::Comparison;
use pagesight_core::fingerprint::{Boxes, Fingerprint, Size};

use crate::plan::Job;

/// The task of a visit.
#[derive(Clone, Copy, Debug)]
pub struct VisitRequest<'a> {
    /// The page.
    pub job: &'a Job,
    /// The baseline to compare with, if there is one.
    pub base: Option<&'a Fingerprint>,
    /// The result becomes the baseline.
    pub keeps: bool,
    /// Take a picture if something changed or there is no baseline.
    pub picture: bool,
    /// The picture of the baseline, if pictures are compared.
    pub before: Option<&'a [u8]>,
    /// Pictures are compared.
    pub pixels: bool,
    /// The page will not be visited again.
    pub last: bool,
}

/// The result of a visit.
#[derive(Debug, Default)]
pub struct Visit {
    /// The page as it is now.
    pub fingerprint: Arc<Fingerprint>,
    /// The changes since the baseline, if there is one.
    pub comparison: Option<Comparison>,
    /// A picture of the page, if one was taken.
    pub picture: Option<TakenPicture>,
    /// Further sentences to print.
    pub notes: Vec<String>,
}

/// A picture of a page.
#[derive(Debug)]
pub struct TakenPicture {
    /// The picture as a PNG file.
    pub png: Vec<u8>,
    /// Its size in CSS pixels.
    pub size: Size,
    /// The boxes of the elements on it.
    pub boxes: Boxes,
}
