//! Turns the result of a check into its outputs: text, JSON, HTML, JUnit XML, GitHub annotations
//! and a comment in Markdown. Nothing here opens a page or decides what is checked.

pub mod comment;
pub mod comparison;
pub mod github;
pub mod html;
mod inert;
pub mod json;
pub mod junit;
pub mod text;
pub mod words;
