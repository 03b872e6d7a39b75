//! Ignore rules: changes that a project excludes, by text or by type. Rules by selector are applied
//! when the fingerprint is taken, because a fingerprint has no page to match them against; entries
//! that match are marked there.

use serde::Deserialize;

use super::change::{Change, ChangeType};

/// A rule as it is written in a configuration.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenRule {
    /// Excludes the elements that match, with their descendants.
    pub selector: Option<String>,
    /// Excludes changes with a matching text. `*` stands for any characters; a pattern without `*`
    /// may match any part.
    pub text: Option<String>,
    /// Excludes changes of this type.
    #[serde(rename = "type")]
    pub kind: Option<String>,
}

/// An invalid rule.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
pub enum RuleError {
    /// It is empty.
    #[error("an ignore rule is empty; give it a selector, a text or a type")]
    Empty,
    /// It combines a selector with something else.
    #[error("an ignore rule has a selector and something else; write them as two rules")]
    Mixed,
    /// The type does not exist.
    #[error("an ignore rule names the unknown type {0:?}; the types are {all}", all = all_types())]
    Type(String),
}

fn all_types() -> String {
    ChangeType::ALL.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(", ")
}

/// A checked rule.
#[derive(Clone, Debug, PartialEq)]
pub enum IgnoreRule {
    /// Elements that match this selector.
    Selector(String),
    /// Changes by text, by type, or by both.
    Change {
        /// The pattern.
        text: Option<String>,
        /// The type.
        kind: Option<ChangeType>,
    },
}

impl WrittenRule {
    /// Checks the rule.
    pub fn read(&self) -> Result<IgnoreRule, RuleError> {
        match (&self.selector, &self.text, &self.kind) {
            (None, None, None) => Err(RuleError::Empty),
            (Some(selector), None, None) => Ok(IgnoreRule::Selector(selector.clone())),
            (Some(_), ..) => Err(RuleError::Mixed),
            (None, text, kind) => {
                let known = |word: &String| {
                    let found = ChangeType::ALL.iter().find(|kind| kind.as_str() == word);
                    found.copied().ok_or_else(|| RuleError::Type(word.clone()))
                };
                Ok(IgnoreRule::Change {
                    text: text.clone(),
                    kind: kind.as_ref().map(known).transpose()?,
                })
            }
        }
    }
}

/// The rules of a project.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IgnoreRules(pub Vec<IgnoreRule>);

impl IgnoreRules {
    /// Returns the selectors.
    pub fn selectors(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|rule| match rule {
            IgnoreRule::Selector(selector) => Some(selector.as_str()),
            IgnoreRule::Change { .. } => None,
        })
    }

    pub(super) fn ignore(&self, change: &Change) -> bool {
        self.0.iter().any(|rule| match rule {
            IgnoreRule::Selector(_) => false,
            IgnoreRule::Change { text, kind } => {
                kind.is_none_or(|kind| kind == change.kind)
                    && text.as_ref().is_none_or(|pattern| says(change, pattern))
            }
        })
    }
}

/// Whether one of the texts of a change matches.
fn says(change: &Change, pattern: &str) -> bool {
    let own = change.element.as_ref().and_then(|element| element.text.as_deref());
    let text = |value: &Option<serde_json::Value>| {
        let value = value.as_ref()?;
        value.as_str().or_else(|| value.get("text")?.as_str()).map(str::to_owned)
    };
    let sides = [own.map(str::to_owned), text(&change.was), text(&change.now)];
    sides.iter().flatten().any(|text| fits(pattern, text))
}

/// Whether a text matches a pattern. `*` stands for any characters; without `*` the pattern may
/// match any part.
fn fits(pattern: &str, text: &str) -> bool {
    if !pattern.contains('*') {
        return text.contains(pattern);
    }
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let pieces: Vec<&str> = pieces.collect();
    let (last, middle) =
        pieces.split_last().map_or(("", &[][..]), |(last, middle)| (*last, middle));
    for piece in middle {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, text) in [
            ("Cart", "My Cart (3)"),
            ("Cart*", "Cart (3)"),
            ("*ago", "3 days ago"),
            ("a*c*e", "abcde"),
            ("*", ""),
        ] {
            assert!(fits(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [("Cart*", "My Cart"), ("*ago", "ago, then"), ("a*c*e", "abde")] {
            assert!(!fits(pattern, text), "{pattern} {text}");
        }
    }

    #[test]
    fn rules_are_checked() {
        let rule = |selector: Option<&str>, text: Option<&str>, kind: Option<&str>| {
            WrittenRule {
                selector: selector.map(Into::into),
                text: text.map(Into::into),
                kind: kind.map(Into::into),
            }
            .read()
        };
        assert_eq!(rule(None, None, None), Err(RuleError::Empty));
        assert_eq!(rule(Some(".x"), Some("y"), None), Err(RuleError::Mixed));
        assert!(matches!(rule(None, None, Some("no_such")), Err(RuleError::Type(_))));
        assert!(rule(None, Some("x"), Some("title_changed")).is_ok());
    }
}
