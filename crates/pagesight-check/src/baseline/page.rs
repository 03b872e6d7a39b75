//! The baseline of a page of a check: what identifies it, and what is stored of it.

/// The identity of the baseline of a page of a check.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PageKey {
    /// The name of the page.
    pub name: String,
    /// The browser.
    pub browser: String,
    /// The width of the viewport.
    pub width: u32,
    /// The height of the viewport.
    pub height: u32,
    /// The scope; empty for the whole page.
    pub scope: String,
}

/// A baseline of a page of a check.
#[derive(Clone, Debug, Default)]
pub struct StoredPage {
    /// The text of the baseline, in the form of its file.
    pub text: String,
    /// The route of its fingerprint, for listings.
    pub route: String,
    /// The hash of its fingerprint.
    pub hash: String,
    /// The depth of its fingerprint.
    pub depth: String,
    /// The picture as a PNG file.
    pub picture: Option<Vec<u8>>,
}

/// The text of a baseline that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageText {
    /// The text, in the form of its file.
    pub text: String,
    /// Where it is, for messages.
    pub place: String,
    /// The remedy if it is damaged; follows the sentence.
    pub repair: &'static str,
}

impl PageKey {
    /// Returns the name of its file, without extension.
    pub(super) fn stem(&self) -> String {
        let safe = self.name.replace('/', "%2F");
        let safe = safe.strip_prefix('.').map(|rest| format!("%2E{rest}")).unwrap_or(safe);
        let scope = match self.scope.as_str() {
            "" => String::new(),
            scope => {
                let readable = scope.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-');
                let readable: String = readable.take(24).collect();
                // Two selectors may have the same readable part.
                format!("-{readable}-{:08x}", crc32fast::hash(scope.as_bytes()))
            }
        };
        format!("{safe}@{}-{}x{}{scope}", self.browser, self.width, self.height)
    }
}
