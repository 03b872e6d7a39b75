//! Turns the result of a check into its outputs: text, JSON, HTML, JUnit XML, GitHub annotations
//! and a comment in Markdown. Nothing here opens a page or decides what is checked.

pub(crate) mod comment;
pub(crate) mod comparison;
pub(crate) mod github;
pub(crate) mod html;
pub(crate) mod json;
pub(crate) mod junit;
pub(crate) mod result;
pub(crate) mod text;
pub(crate) mod words;
