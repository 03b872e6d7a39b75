//! Reads the hostile pages: what each one does, and what has to hold. Most are a script in a page
//! with the button "Plain target"; some are answers of the server.

use std::sync::LazyLock;

/// The expectation of the calls on a page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// A look lists the button.
    Seen,
    /// Every call answers in time; what it says is not judged.
    Answered,
    /// The main thread never answers again: the first calls say so, and later ones do so at once.
    Hung,
}

pub struct HostileCase {
    /// Its name in the table, and in its address.
    pub name: &'static str,
    /// The condition that has to hold.
    pub expected: Expected,
    /// A script for the page, or HTML if it begins with `<`. Empty: the server answers in its own
    /// way.
    pub content: &'static str,
}

/// All pages but those with clobbered names, which are made from the source of the page script.
pub static CASES: LazyLock<Vec<HostileCase>> = LazyLock::new(|| {
    let lines = include_str!("cases.txt").lines();
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(read).collect()
});

fn read(line: &'static str) -> HostileCase {
    let mut parts = line.splitn(3, ' ');
    let mut next = || parts.next().unwrap_or_default();
    let name = next();
    let expected = match next() {
        "Seen" => Expected::Seen,
        "Hung" => Expected::Hung,
        _ => Expected::Answered,
    };
    HostileCase { name, expected, content: next() }
}
