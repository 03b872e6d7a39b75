//! The path of frames to a document: its frame, and the frame elements around it. Everything that
//! is done to an element is done in its own document. Points are converted from frame to frame,
//! outwards, as shares of the frame's width and height, so that no document needs to know how a
//! different one is scaled. Each document checks that the frame is hit there.

use pagesight_core::page::{Document, Page};

/// The frames that lead to a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FramePath {
    /// The engine's id of its frame; none for the top document.
    pub(crate) frame: Option<String>,
    /// The frame elements around it, innermost first.
    pub(crate) around: Vec<Around>,
}

/// A frame element, and the document that holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Around {
    pub(crate) token: String,
    pub(crate) frame: Option<String>,
    pub(crate) local: u32,
    /// A selector for readers: `iframe#pay`.
    pub(crate) words: String,
}

impl FramePath {
    /// Returns the path to the document with this token.
    pub(crate) fn of(page: &Page, token: &str) -> Option<FramePath> {
        let find = |token: &str| page.documents.iter().find(|document| document.token == token);
        let mut document: &Document = find(token)?;
        let mut path = FramePath { frame: document.frame.clone(), around: Vec::new() };
        while let Some(owner) = document.owner.map(|owner| page.node(owner)) {
            document = owner.document();
            let attribute = |name: &str| owner.attribute(name).filter(|value| !value.is_empty());
            let tag = owner.tag();
            let words =
                match (attribute("id"), attribute("name"), attribute("title"), attribute("src")) {
                    (Some(id), ..) => format!("{tag}#{id}"),
                    (_, Some(name), ..) => format!("{tag}[name={name:?}]"),
                    (_, _, Some(title), _) => format!("{tag}[title={title:?}]"),
                    (_, _, _, Some(src)) => format!("{tag}[src={src:?}]"),
                    _ => tag.to_owned(),
                };
            let (token, frame, local) =
                (document.token.clone(), document.frame.clone(), owner.local());
            path.around.push(Around { token, frame, local, words });
        }
        Some(path)
    }

    /// Returns the path of frames for readers, outermost first; none for the top document.
    pub(crate) fn words(&self) -> Option<String> {
        let words: Vec<&str> =
            self.around.iter().rev().map(|around| around.words.as_str()).collect();
        (!words.is_empty()).then(|| words.join(" >> "))
    }
}
