//! The page script's wire format: [`decode`] reads a capture, [`patch`] applies what changed to the
//! last page, [`frames`] merges the documents of frames, and [`page_file`] stores a page.

pub mod decode;
pub mod frames;
pub mod page_file;
pub mod patch;
