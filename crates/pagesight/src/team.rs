//! The parts that need PostgreSQL or a Selenium Grid. A program that was built without the feature
//! `team` answers with one sentence instead.

use pagesight_check::plan::Plan;
use pagesight_check::visit::{CheckBrowsers, OwnBrowsers};
use pagesight_session::LaunchOptions;

#[cfg(feature = "team")]
pub(crate) use pagesight_team::store::StoreChoice;

/// A store that was chosen. Without the feature there is none.
#[cfg(not(feature = "team"))]
#[derive(Clone, Debug)]
pub(crate) enum NoStore {}
#[cfg(not(feature = "team"))]
pub(crate) use NoStore as StoreChoice;

#[cfg(not(feature = "team"))]
impl NoStore {
    pub(crate) fn open(
        &self,
    ) -> pagesight_check::baseline::Result<pagesight_check::baseline::FileBaselines> {
        match *self {}
    }

    pub(crate) fn shown(&self) -> String {
        match *self {}
    }
}

/// Returns that this program has no databases and no Grid.
#[cfg(not(feature = "team"))]
pub(crate) fn missing(what: &str) -> anyhow::Error {
    anyhow::anyhow!(
        "{what} is not part of this build; install pagesight, or build it with --features team"
    )
}

/// Returns the browsers for the pages of a plan: those of a Grid at these addresses, or of this
/// machine, started as `launch` says, if there are none. A Grid has at most `most` sessions of each
/// engine.
pub(crate) fn browsers(
    plan: &Plan,
    launch: &LaunchOptions,
    grid: &[String],
    most: usize,
) -> anyhow::Result<Box<dyn CheckBrowsers>> {
    if grid.is_empty() {
        return Ok(Box::new(OwnBrowsers::new(plan, launch)));
    }
    #[cfg(feature = "team")]
    return Ok(Box::new(pagesight_team::grid::GridBrowsers::new(plan, launch.headed, grid, most)));
    #[cfg(not(feature = "team"))]
    {
        let _ = most;
        Err(missing("a Grid (--connect)"))
    }
}
