//! Parses a scope: `full`, `viewport` (or `above_fold`), a reference, or a CSS selector.

use pagesight_core::page::{NodeId, Scope};
use pagesight_core::refs::{self, RefError};

/// The part of a page that a caller chose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ScopeChoice {
    /// The whole page.
    #[default]
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
    pub fn parse(given: Option<&str>) -> Result<ScopeChoice, RefError> {
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

    /// Returns the part of a page that it selects. The functions find the element of a reference
    /// and the first match of a selector.
    pub fn resolve<E>(
        &self,
        by_reference: impl FnOnce(&str) -> Result<NodeId, E>,
        by_selector: impl FnOnce(&str) -> Result<NodeId, E>,
    ) -> Result<Scope, E> {
        Ok(match self {
            ScopeChoice::Full => Scope::Full,
            ScopeChoice::Viewport => Scope::Viewport,
            ScopeChoice::Reference(given) => Scope::Node(by_reference(given)?),
            ScopeChoice::Selector(given) => Scope::Node(by_selector(given)?),
        })
    }

    /// Returns the scope as callers write it.
    pub fn as_str(&self) -> &str {
        match self {
            ScopeChoice::Full => "full",
            ScopeChoice::Viewport => "viewport",
            ScopeChoice::Reference(given) | ScopeChoice::Selector(given) => given,
        }
    }

    /// Whether it is one element.
    pub(crate) fn is_element(&self) -> bool {
        matches!(self, ScopeChoice::Reference(_) | ScopeChoice::Selector(_))
    }

    /// Returns the reference, if it is one.
    pub(crate) fn reference(&self) -> Option<&str> {
        match self {
            ScopeChoice::Reference(given) => Some(given),
            _ => None,
        }
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

    #[test]
    fn elements_are_found_and_the_rest_needs_no_page() {
        let resolved = |given: &str| {
            let scope = ScopeChoice::parse(Some(given)).unwrap();
            assert_eq!(scope.as_str(), if given == "above_fold" { "viewport" } else { given });
            let found = |is_there: bool| is_there.then_some(NodeId::ROOT);
            scope.resolve(
                |given| found(given == "[7]").ok_or("stale"),
                |given| found(given == "main").ok_or("none"),
            )
        };
        assert_eq!(resolved("full"), Ok(Scope::Full));
        assert_eq!(resolved("above_fold"), Ok(Scope::Viewport));
        assert_eq!(resolved("[7]"), Ok(Scope::Node(NodeId::ROOT)));
        assert_eq!(resolved("8"), Err("stale"));
        assert_eq!(resolved("main"), Ok(Scope::Node(NodeId::ROOT)));
        assert_eq!(resolved("nav"), Err("none"));
    }
}
