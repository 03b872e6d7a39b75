//! Lists the stories of a Storybook, by its `index.json`.

use serde_json::Value;

use super::error::SourceError;
use super::listed::{ListedPage, Listing};

/// The most bytes of an index.
pub(super) const MOST_BYTES: usize = 50 << 20;
/// The versions of the index that are known.
const VERSIONS: [u64; 2] = [4, 5];

/// Returns the address of the index.
pub(super) fn index_url(storybook: &str) -> String {
    format!("{}/index.json", root(storybook))
}

/// Lists the stories of an index; documentation and stories with one of the tags are left out.
pub(super) fn list(
    index: &[u8],
    storybook: &str,
    skip_tags: &[String],
    wanted: impl Fn(&str) -> bool,
) -> Result<Listing, SourceError> {
    let index: Value = serde_json::from_slice(index)
        .map_err(|error| format!("it is not the index of a Storybook: {error}"))?;
    let version = index["v"].as_u64().ok_or("it is not the index of a Storybook: it has no v")?;
    if !VERSIONS.contains(&version) {
        let reason = format!("its index has version {version}; the versions 4 and 5 are known");
        return Err(reason.into());
    }
    let entries = index["entries"].as_object().ok_or("it has no entries")?;
    let mut listing = Listing::default();
    for (id, entry) in entries {
        let tags = entry["tags"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let skipped = tags.into_iter().any(|tag| skip_tags.iter().any(|skip| skip == tag));
        if entry["type"] != "story" || skipped || !wanted(id) {
            continue;
        }
        let url = format!("{}/iframe.html?id={}&viewMode=story", root(storybook), encoded(id));
        listing.pages.push(ListedPage { url, name: Some(named(id)) });
    }
    Ok(listing)
}

/// Returns the address of a Storybook without `index.html` and the slash at its end.
fn root(storybook: &str) -> &str {
    let url = storybook.split(['?', '#']).next().unwrap_or_default();
    url.trim_end_matches("index.html").trim_end_matches('/')
}

/// Returns the name of a story: its id, in which only letters, digits, `-`, `_` and `.` stay.
fn named(id: &str) -> String {
    let fine = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    id.chars().map(|c| if fine(c) { c } else { '-' }).take(128).collect()
}

/// Encodes an id for a query.
fn encoded(id: &str) -> String {
    let mut out = String::new();
    for byte in id.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                out.push(char::from(byte));
            }
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stories_are_listed_without_docs_and_skipped_tags() {
        let index = br#"{"v":5,"entries":{
            "button--docs":{"type":"docs","id":"button--docs","tags":["autodocs"]},
            "button--primary":{"type":"story","id":"button--primary","tags":["dev","test"]},
            "button--old":{"type":"story","id":"button--old","tags":["no-check"]},
            "b&c--d/e":{"type":"story","id":"x"}}}"#;
        let skip = ["no-check".to_owned()];
        let listing = list(index, "http://a/book/index.html?x", &skip, |_| true).unwrap();
        let names: Vec<_> =
            listing.pages.iter().map(|page| page.name.as_deref().unwrap()).collect();
        assert_eq!(names, ["button--primary", "b-c--d-e"]);
        assert_eq!(
            listing.pages[1].url,
            "http://a/book/iframe.html?id=b%26c--d%2Fe&viewMode=story"
        );
        assert_eq!(index_url("http://a/book/"), "http://a/book/index.json");
        let one = list(index, "http://a", &[], |id| id.ends_with("--old")).unwrap();
        assert_eq!(one.pages.len(), 1);
    }

    #[test]
    fn other_files_are_refused() {
        for (bad, says) in [
            ("<html>", "not the index of a Storybook"),
            ("{}", "has no v"),
            ("{\"v\":6,\"entries\":{}}", "version 6"),
            ("{\"v\":4}", "no entries"),
        ] {
            let error = list(bad.as_bytes(), "http://a", &[], |_| true).unwrap_err().to_string();
            assert!(error.contains(says), "{bad}: {error}");
        }
    }
}
