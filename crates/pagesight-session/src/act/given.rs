//! The element of an action as the caller gives it: a reference, or a target that is looked up when
//! the action's turn comes.

use std::time::Duration;

use pagesight_core::targets::{TargetQuery, TargetQueryError};

/// How long a target is looked for unless the caller says otherwise.
const DEFAULT_LIMIT: Duration = Duration::from_millis(2_000);

/// An element, as the caller of an action gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GivenElement {
    /// By its reference.
    Reference(String),
    /// By what it is called.
    Named(Box<NamedTarget>),
}

/// An element that is looked up when the action's turn comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedTarget {
    pub(crate) query: TargetQuery,
    /// As it was written.
    pub(crate) given: String,
    /// The element that it must be inside of.
    pub(crate) within: Option<Container>,
    /// How long it may take to appear.
    pub(crate) limit: Duration,
}

/// An element that limits a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Container {
    pub(crate) query: TargetQuery,
    pub(crate) given: String,
}

impl GivenElement {
    /// Reads a target: a printed line, a name, or `css=SELECTOR`. `within` is a reference or a
    /// target. A printed line with its number is that reference. `limit` is how long the target may
    /// take to appear, 2 s if it is not given.
    pub fn named(
        target: &str,
        within: Option<&str>,
        limit: Option<Duration>,
    ) -> Result<GivenElement, TargetQueryError> {
        let container = |given: &str| -> Result<Container, TargetQueryError> {
            let query = TargetQuery::parse_container(given)?;
            Ok(Container { query, given: given.to_owned() })
        };
        let within = within.map(container).transpose()?;
        Ok(match TargetQuery::parse(target)? {
            TargetQuery::Reference(number) => GivenElement::Reference(number),
            query => {
                let (given, limit) = (target.to_owned(), limit.unwrap_or(DEFAULT_LIMIT));
                GivenElement::Named(Box::new(NamedTarget { query, given, within, limit }))
            }
        })
    }

    /// Returns the reference; of a target that was not looked up, the text that was given.
    pub(crate) fn reference(&self) -> &str {
        match self {
            GivenElement::Reference(reference) => reference,
            GivenElement::Named(target) => &target.given,
        }
    }

    /// Returns the target, if it still has to be looked up.
    pub(crate) fn target(&self) -> Option<&NamedTarget> {
        match self {
            GivenElement::Reference(_) => None,
            GivenElement::Named(target) => Some(target),
        }
    }

    /// Returns the reference that the caller gave: the element's, or that of its container.
    pub(crate) fn given_reference(&self) -> Option<&str> {
        match self {
            GivenElement::Reference(reference) => Some(reference),
            GivenElement::Named(target) => match &target.within.as_ref()?.query {
                TargetQuery::Reference(reference) => Some(reference),
                _ => None,
            },
        }
    }
}

impl From<String> for GivenElement {
    fn from(reference: String) -> GivenElement {
        GivenElement::Reference(reference)
    }
}

impl From<&str> for GivenElement {
    fn from(reference: &str) -> GivenElement {
        GivenElement::Reference(reference.to_owned())
    }
}
