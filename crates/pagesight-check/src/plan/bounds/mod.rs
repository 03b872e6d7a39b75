//! The bounds of a plan that others wrote: a worker of a queue has one from the database. Anyone
//! who may write there must not read the environment and the files of the worker. What a page asks
//! for is compared here, without a browser; where it ends up is compared by the visit.

use std::path::PathBuf;

use pagesight_session::{Address, WebOrigin};

use super::steps::PageStep;

/// The longest scheme that is printed.
const SCHEME: usize = 20;

/// The limits of what the pages of a plan may use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlanBounds {
    /// The origins that are visited.
    pub origins: Vec<WebOrigin>,
    /// The names of the variables whose values are filled in.
    pub variables: Vec<String>,
    /// The folder whose files are uploaded; none are without it.
    pub upload_root: Option<PathBuf>,
}

/// The reason why a page is beyond the bounds of its plan.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum OutOfBounds {
    #[error(
        "it is on {found}, and this worker visits only {allowed}; give --origin {found} to check work if it may"
    )]
    Origin { found: String, allowed: String },
    #[error(
        "it has a {scheme}: address, and this worker visits only {allowed}; give it an address there"
    )]
    Scheme { scheme: String, allowed: String },
    #[error(
        "it uses ${{{name}}}, which this worker does not fill in; give --env {name} to check work if it may"
    )]
    Variable { name: String },
    #[error(
        "it uploads files, and this worker has none to upload; give --upload-root to check work if it may"
    )]
    Upload,
    #[error(
        "its file names a state, and this worker loads only its own; give --state to check work, or remove the key"
    )]
    State,
    #[error("[setup]: {0}")]
    Setup(Box<OutOfBounds>),
}

impl PlanBounds {
    /// Compares an address and actions with the bounds. `beyond` was found when they were read.
    pub(super) fn refuses(
        &self,
        beyond: Option<&OutOfBounds>,
        url: &Address,
        steps: &[PageStep],
    ) -> Option<OutOfBounds> {
        let uploads = || {
            let has_upload = steps.iter().any(|step| step.action.word() == "upload");
            (has_upload && self.upload_root.is_none()).then_some(OutOfBounds::Upload)
        };
        beyond.cloned().or_else(|| self.foreign(url.as_str())).or_else(uploads)
    }

    /// Returns why an address is not visited.
    fn foreign(&self, url: &str) -> Option<OutOfBounds> {
        let origin = WebOrigin::of_address(url);
        if origin.as_ref().is_some_and(|origin| self.origins.contains(origin)) {
            return None;
        }
        let allowed: Vec<&str> = self.origins.iter().map(WebOrigin::as_str).collect();
        let allowed = allowed.join(" and ");
        Some(match origin {
            Some(origin) => OutOfBounds::Origin { found: origin.to_string(), allowed },
            None => {
                let scheme = url.split(':').next().unwrap_or_default();
                OutOfBounds::Scheme { scheme: scheme.chars().take(SCHEME).collect(), allowed }
            }
        })
    }
}

#[cfg(test)]
mod tests;
