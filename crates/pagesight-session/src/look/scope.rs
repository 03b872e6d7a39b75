//! Parses a scope: `full`, `viewport` (or `above_fold`), a reference, or a CSS selector.

use crate::error::SessionError;
use pagesight_core::refs;

/// The part of a page that a caller chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScopeChoice {
    /// The whole page.
    Full,
    /// The elements in the viewport.
    Viewport,
    /// One element, by reference.
    Reference(String),
    /// The first match of a CSS selector.
    Selector(String),
}

impl ScopeChoice {
    /// Parses a scope; without a text it is the whole page.
    pub fn parse(given: Option<&str>) -> Result<ScopeChoice, SessionError> {
        let text = given.unwrap_or("full").trim();
        match text {
            "" | "full" => return Ok(ScopeChoice::Full),
            "viewport" | "above_fold" => return Ok(ScopeChoice::Viewport),
            _ => {}
        }
        let digits = text.trim_start_matches('[').trim_end_matches(']');
        let looks_like_reference =
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
        if looks_like_reference {
            refs::parse(text)?;
            return Ok(ScopeChoice::Reference(text.to_owned()));
        }
        Ok(ScopeChoice::Selector(text.to_owned()))
    }

    /// Returns the selector, if it is one.
    pub fn selector(&self) -> Option<&str> {
        match self {
            ScopeChoice::Selector(selector) => Some(selector),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_grammar() {
        let read = |text| ScopeChoice::parse(Some(text)).unwrap();
        assert_eq!(ScopeChoice::parse(None).unwrap(), ScopeChoice::Full);
        assert_eq!(read("above_fold"), ScopeChoice::Viewport);
        for reference in ["12", "[12]", "1_12"] {
            assert_eq!(read(reference), ScopeChoice::Reference(reference.into()));
        }
        for selector in ["main", "#a .b", "[data-x]", "[12px]", "h1"] {
            assert_eq!(read(selector), ScopeChoice::Selector(selector.into()));
        }
        assert!(ScopeChoice::parse(Some("[0]")).is_err());
    }
}
