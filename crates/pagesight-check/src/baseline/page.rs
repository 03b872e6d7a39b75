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
    /// The conditions that are emulated, in a few words; empty for none.
    pub emulation: String,
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
        let emulation = part('+', &self.emulation);
        let scope = part('-', &self.scope);
        format!("{safe}@{}-{}x{}{emulation}{scope}", self.browser, self.width, self.height)
    }
}

/// Returns a part of the name of a file; none if the text is empty.
fn part(mark: char, text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let readable = text.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-');
    let readable: String = readable.take(24).collect();
    // Two texts may have the same readable part.
    format!("{mark}{readable}-{:08x}", crc32fast::hash(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_condition_has_a_file_of_its_own() {
        let key = |emulation: &str, scope: &str| PageKey {
            name: "home".to_owned(),
            browser: "chromium".to_owned(),
            width: 412,
            height: 843,
            emulation: emulation.to_owned(),
            scope: scope.to_owned(),
        };
        let stem = |emulation: &str, scope: &str| key(emulation, scope).stem();
        assert_eq!(stem("", ""), "home@chromium-412x843");
        assert!(stem("", "#a").starts_with("home@chromium-412x843-a-"));
        assert!(stem("pixel-9, dark", "").starts_with("home@chromium-412x843+pixel-9dark-"));
        let all = [
            stem("", ""),
            stem("dark", ""),
            stem("da, rk", ""),
            stem("dark", "#a"),
            stem("", "dark"),
        ];
        let distinct: std::collections::HashSet<&String> = all.iter().collect();
        assert_eq!(distinct.len(), all.len(), "{all:?}");
    }
}
