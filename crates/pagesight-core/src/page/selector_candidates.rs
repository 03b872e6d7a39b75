//! Makes selectors for one element: CSS selectors, ranked by how long they are likely to stay
//! valid, and a Playwright locator. These are candidates; the live page checks whether one matches
//! exactly this element.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::text::address;

/// The most candidates that are tried.
const MOST: usize = 14;
/// Attributes for tests, the best first.
const TEST_IDS: [&str; 6] =
    ["data-testid", "data-test-id", "data-test", "data-cy", "data-qa", "data-e2e"];

/// One step of the path from the root of its tree down to an element.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct PathStep {
    /// Lower-case tag.
    pub tag: String,
    /// `id` attribute.
    pub id: Option<String>,
    /// Classes.
    pub classes: Vec<String>,
    /// `name` attribute.
    pub name: Option<String>,
    /// Test ids, by attribute.
    pub testids: BTreeMap<String, String>,
    /// A few more attributes that tend to be stable.
    pub attrs: BTreeMap<String, String>,
    /// Its position among its siblings, from 1.
    pub index: u32,
}

/// Returns CSS selectors for the last element of the path, the most stable first. The last selector
/// always matches.
pub fn candidates(path: &[PathStep]) -> Vec<String> {
    let Some((element, above)) = path.split_last() else { return Vec::new() };
    let mut own = Ranked::default();
    own.add_step(element);
    let mut out: Vec<String> = Vec::new();
    out.extend(own.stable.iter().cloned());
    // An ancestor that is likely unique, then the element's own selectors below it.
    for anchor in above.iter().rev().filter_map(anchor).take(2) {
        out.extend(
            own.stable
                .iter()
                .chain(&own.weak)
                .take(2)
                .map(|selector| format!("{anchor} {selector}")),
        );
        out.push(format!("{anchor} {}", element.tag));
    }
    out.extend(own.weak);
    out.extend(own.generated);
    out.truncate(MOST - 1);
    out.push(structure(path));
    let mut seen = std::collections::HashSet::new();
    out.retain(|selector| seen.insert(selector.clone()));
    out
}

/// The selectors of one element, by how long they are likely to stay valid.
#[derive(Default)]
struct Ranked {
    stable: Vec<String>,
    weak: Vec<String>,
    generated: Vec<String>,
}

impl Ranked {
    fn add_step(&mut self, step: &PathStep) {
        for name in TEST_IDS {
            if let Some(value) = step.testids.get(name) {
                self.stable.push(attribute("", name, value));
            }
        }
        if let Some(id) = step.id.as_deref().filter(|id| !id.is_empty()) {
            let selector = format!("#{}", escape(id));
            if looks_generated(id) {
                self.generated.push(selector)
            } else {
                self.stable.push(selector)
            }
        }
        if let Some(name) = step.name.as_deref().filter(|name| !name.is_empty()) {
            self.stable.push(attribute(&step.tag, "name", name));
        }
        for name in ["aria-label", "href", "placeholder", "alt", "title", "for"] {
            // A selector must not contain a secret of an address, and without it matches nothing.
            let shown =
                |value: &&String| !value.is_empty() && address::attribute(name, value).is_none();
            if let Some(value) = step.attrs.get(name).filter(shown) {
                let selector = attribute(&step.tag, name, value);
                if looks_generated(value) && name != "aria-label" {
                    self.weak.push(selector)
                } else {
                    self.stable.push(selector)
                }
            }
        }
        let (semantic, generated): (Vec<&String>, Vec<&String>) =
            step.classes.iter().partition(|class| !looks_generated(class));
        let joined = |classes: &[&String]| {
            classes.iter().take(3).map(|class| format!(".{}", escape(class))).collect::<String>()
        };
        if !semantic.is_empty() {
            self.weak.push(format!("{}{}", step.tag, joined(&semantic)));
        }
        if let (Some(value), true) = (step.attrs.get("type"), step.tag != "a") {
            self.weak.push(attribute(&step.tag, "type", value));
        }
        if let Some(role) = step.attrs.get("role") {
            self.weak.push(attribute(&step.tag, "role", role));
        }
        if !generated.is_empty() {
            self.generated.push(format!("{}{}", step.tag, joined(&generated)));
        }
    }
}

/// Returns a selector for an ancestor that can anchor other selectors.
fn anchor(step: &PathStep) -> Option<String> {
    let test_id = TEST_IDS
        .iter()
        .find_map(|name| step.testids.get(*name).map(|value| attribute("", name, value)));
    let id = step
        .id
        .as_deref()
        .filter(|id| !id.is_empty() && !looks_generated(id))
        .map(|id| format!("#{}", escape(id)));
    let landmark = matches!(
        step.tag.as_str(),
        "main" | "nav" | "header" | "footer" | "aside" | "dialog" | "form"
    );
    test_id.or(id).or_else(|| landmark.then(|| step.tag.clone()))
}

/// Returns the path by position, from the root of its tree. It matches exactly one element as long
/// as nothing around it moves.
fn structure(path: &[PathStep]) -> String {
    let steps = path.iter().map(|step| match step.tag.as_str() {
        "html" | "body" => step.tag.clone(),
        tag => format!("{}:nth-child({})", escape(tag), step.index),
    });
    steps.collect::<Vec<_>>().join(" > ")
}

fn attribute(tag: &str, name: &str, value: &str) -> String {
    let quoted: String = value
        .chars()
        .flat_map(|c| match c {
            '"' | '\\' => vec!['\\', c],
            '\n' => "\\a ".chars().collect(),
            c => vec![c],
        })
        .collect();
    format!("{tag}[{name}=\"{quoted}\"]")
}

/// Escapes an identifier as `CSS.escape` does.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.chars().enumerate() {
        match c {
            '\0' => out.push('\u{fffd}'),
            '0'..='9' if at == 0 || (at == 1 && text.starts_with('-')) => {
                out.push_str(&format!("\\{:x} ", c as u32))
            }
            '-' if text.len() == 1 => out.push_str("\\-"),
            c if c.is_ascii_alphanumeric() || c == '-' || c == '_' || !c.is_ascii() => out.push(c),
            c if c.is_control() => out.push_str(&format!("\\{:x} ", c as u32)),
            c => {
                out.push('\\');
                out.push(c);
            }
        }
    }
    out
}

/// Whether an id or a class looks generated by a build or a framework, and so is likely to change.
pub fn looks_generated(text: &str) -> bool {
    let known_prefix = [
        "css-",
        "sc-",
        "jsx-",
        "svelte-",
        "ember",
        "radix-",
        "react-select-",
        "headlessui-",
        "mui-",
        ":r",
        "__BVID",
        "ext-gen",
        "yui_",
        "mat-input-",
        "cdk-",
        "ng-tns",
    ];
    if known_prefix.iter().any(|prefix| text.starts_with(prefix)) || text.starts_with(':') {
        return true;
    }
    // Between separators, hashes have digits among letters, or capitals among small letters.
    text.split(['-', '_', ':', '.']).any(|piece| {
        let digits = piece.chars().filter(char::is_ascii_digit).count();
        let letters = piece.chars().filter(|c| c.is_ascii_alphabetic()).count();
        let changes = piece
            .as_bytes()
            .windows(2)
            .filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit())
            .count();
        let hash = piece.len() >= 6 && digits >= 2 && letters >= 1 && changes >= 2;
        let humps = piece
            .as_bytes()
            .windows(2)
            .filter(|pair| pair[0].is_ascii_uppercase() != pair[1].is_ascii_uppercase())
            .count();
        let noise = (5..=12).contains(&piece.len()) && letters == piece.len() && humps >= 4;
        let long_number = digits >= 5;
        hash || noise || long_number
    })
}

/// Returns a Playwright locator by role and name, or by something else that identifies the element.
pub fn playwright(role: &str, name: &str, path: &[PathStep]) -> String {
    let quote = |text: &str| {
        format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n"))
    };
    if let Some(value) = path.last().and_then(|step| step.testids.get("data-testid")) {
        return format!("getByTestId({})", quote(value));
    }
    match (role, name) {
        ("" | "clickable", "") => {
            let css = path.last().map(|step| step.tag.clone()).unwrap_or_default();
            format!("locator({})", quote(&css))
        }
        ("" | "clickable", name) => format!("getByText({}, {{ exact: true }})", quote(name)),
        (role, "") => format!("getByRole({})", quote(role)),
        (role, name) => {
            format!("getByRole({}, {{ name: {}, exact: true }})", quote(role), quote(name))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(tag: &str) -> PathStep {
        PathStep { tag: tag.into(), index: 1, ..PathStep::default() }
    }

    #[test]
    fn test_ids_come_first_and_generated_ones_last() {
        let button = PathStep {
            id: Some("radix-:r1:".into()),
            classes: vec!["css-1x2y3z".into(), "save-button".into()],
            testids: BTreeMap::from([("data-testid".into(), "save".into())]),
            index: 2,
            ..step("button")
        };
        let found = candidates(&[step("html"), step("body"), button]);
        assert_eq!(found[0], "[data-testid=\"save\"]");
        assert!(found.contains(&"button.save-button".to_owned()), "{found:?}");
        let generated = found.iter().position(|selector| selector.starts_with("#radix")).unwrap();
        assert!(
            generated > found.iter().position(|selector| selector == "button.save-button").unwrap()
        );
        assert_eq!(found.last().unwrap(), "html > body > button:nth-child(2)");
    }

    #[test]
    fn what_is_generated_looks_it() {
        for text in [
            "css-1a2b3c",
            "sc-bdVaJa",
            "a1b2c3d4",
            "ember123",
            ":r5:",
            "jss12345",
            "MuiButton-a8f2k1",
        ] {
            assert!(looks_generated(text), "{text}");
        }
        for text in [
            "save",
            "nav-main",
            "col-md-6",
            "submitButton",
            "h2",
            "step1",
            "btn-primary",
            "user_name",
            "form-2024",
        ] {
            assert!(!looks_generated(text), "{text}");
        }
    }

    #[test]
    fn identifiers_are_escaped() {
        assert_eq!(escape("1a:b"), "\\31 a\\:b");
        assert_eq!(attribute("a", "href", "x\"y"), "a[href=\"x\\\"y\"]");
    }

    #[test]
    fn no_selector_contains_a_secret() {
        let mut link = step("a");
        link.attrs.insert("href".into(), "/x?token=abc".into());
        link.attrs.insert("title".into(), "Open".into());
        let all = candidates(&[link]);
        assert!(all.iter().all(|selector| !selector.contains("token")), "{all:?}");
        assert!(all.contains(&"a[title=\"Open\"]".to_owned()), "{all:?}");
    }

    #[test]
    fn playwright_locators() {
        assert_eq!(
            playwright("button", "Don't", &[step("button")]),
            "getByRole('button', { name: 'Don\\'t', exact: true })"
        );
        assert_eq!(
            playwright("clickable", "Open", &[step("div")]),
            "getByText('Open', { exact: true })"
        );
    }
}
