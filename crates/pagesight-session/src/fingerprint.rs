//! Taking the fingerprint of a live tab: waits until it is at rest, looks, and reads it. A page that did not change since the last one is not read again, and
//! requests that wait for the same turn share one capture.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use pagesight_browser::Viewport;
use pagesight_core::fingerprint::{Depth, Fingerprint, Part, Size, Wish, take};
use pagesight_core::page::{NodeId, Page};

use crate::error::{Result, SessionError};
use crate::eyes::Eyes;
use crate::look::Look;
use crate::scope::ScopeChoice;
use crate::settle::{Mark, Stopped, calm};
use crate::tabs::TabRecord;

/// How long a page may take to follow another viewport.
const RESIZE_LIMIT: Duration = Duration::from_secs(3);

/// How a fingerprint is to be taken.
#[derive(Clone, Debug, Default)]
pub struct Taking {
    /// The scope as it was written; empty: all of it.
    pub scope: String,
    /// How much.
    pub depth: Depth,
    /// In this viewport; the tab gets its own back afterwards.
    pub viewport: Option<Size>,
    /// Selectors of what is left out of comparisons.
    pub ignore: Vec<String>,
    /// The time, as it is to be written down.
    pub captured_at: String,
}

/// The last fingerprint of each tab, with the page that it was read from.
pub(crate) type Prints = HashMap<u32, Print>;

/// One of them.
pub(crate) struct Print {
    page: Arc<Page>,
    scope: String,
    depth: Depth,
    begun: Instant,
    fingerprint: Arc<Fingerprint>,
}

impl Eyes {
    /// Takes the fingerprint of a tab.
    pub async fn fingerprint(&self, tab: &Arc<TabRecord>, taking: &Taking) -> Result<Arc<Fingerprint>> {
        let arrived = Instant::now();
        let _turn = tab.turn().await?;
        self.check_tab(tab)?;
        if taking.ignore.is_empty()
            && taking.viewport.is_none()
            && let Some(shared) = self.known(tab, taking, |print| print.begun >= arrived)
        {
            return Ok(shared);
        }
        let before = match taking.viewport {
            Some(size) => self.fit(tab, size).await?,
            None => None,
        };
        let taken = self.take(tab, taking).await;
        if let Some(before) = before {
            tab.tab.resize(before).await?;
        }
        taken
    }

    /// Gives a tab another viewport; answers with the one it had, if that was another.
    async fn fit(&self, tab: &Arc<TabRecord>, size: Size) -> Result<Option<Viewport>> {
        let look = self.look_in_turn(tab, None, false).await?;
        let (width, height) = look.page.viewport;
        if (width, height) == (size.width, size.height) {
            return Ok(None);
        }
        let wanted = Viewport { width: size.width, height: size.height };
        if !wanted.is_sensible() {
            let text = format!(
                "the baseline was taken in a viewport of {width}x{height}, which cannot be set; save it again"
            );
            return Err(SessionError::Input(text));
        }
        tab.tab.resize(wanted).await?;
        // The page hears of it with the next frame; the answer to this comes behind it.
        let _ = tab.script("quiet", "[100, 1000]", RESIZE_LIMIT).await;
        Ok(Some(Viewport { width, height }))
    }

    async fn take(&self, tab: &Arc<TabRecord>, taking: &Taking) -> Result<Arc<Fingerprint>> {
        let begun = Instant::now();
        let stopped = calm(tab, &Mark::now(tab, &self.shared)).await?;
        self.check_tab(tab)?;
        let loading = !matches!(stopped, Stopped::Loaded) && !stopped.is_ready();
        let scope = ScopeChoice::parse(Some(&taking.scope))?;
        let full = !taking.ignore.is_empty();
        let look = self.look_in_turn(tab, scope.selector(), full).await?;
        let same =
            |print: &Print| Arc::ptr_eq(&print.page, &look.page) && print.fingerprint.loading == loading;
        if let Some(known) = self.known(tab, taking, same) {
            let again = Fingerprint { captured_at: taking.captured_at.clone(), ..(*known).clone() };
            return Ok(self.keep(tab, taking, begun, &look, again));
        }
        let part = match &scope {
            ScopeChoice::Full => Part::Full,
            ScopeChoice::Viewport => Part::Viewport,
            ScopeChoice::Reference(given) => Part::Node(self.find(&look, given)?),
            ScopeChoice::Selector(_) => look.page.scope.map_or(Part::Full, Part::Node),
        };
        let ignored = ignored(&look.page, &taking.ignore)?;
        let wish = Wish {
            part,
            scope: &taking.scope,
            depth: taking.depth,
            ignored: &ignored,
            captured_at: &taking.captured_at,
            loading,
        };
        let made = take(&look.page, &wish);
        Ok(self.keep(tab, taking, begun, &look, made))
    }

    /// The last fingerprint of a tab, if it is of the same sort and is good for this.
    fn known(
        &self,
        tab: &TabRecord,
        taking: &Taking,
        good: impl Fn(&Print) -> bool,
    ) -> Option<Arc<Fingerprint>> {
        let prints = self.shared.prints.lock().unwrap_or_else(PoisonError::into_inner);
        let print = prints.get(&tab.key)?;
        let alike = print.scope == taking.scope && print.depth == taking.depth && good(print);
        alike.then(|| print.fingerprint.clone())
    }

    fn keep(
        &self,
        tab: &TabRecord,
        taking: &Taking,
        begun: Instant,
        look: &Look,
        made: Fingerprint,
    ) -> Arc<Fingerprint> {
        let fingerprint = Arc::new(made);
        if taking.ignore.is_empty() {
            let (scope, depth, page) = (taking.scope.clone(), taking.depth, look.page.clone());
            let print = Print { page, scope, depth, begun, fingerprint: fingerprint.clone() };
            self.shared.prints.lock().unwrap_or_else(PoisonError::into_inner).insert(tab.key, print);
        }
        fingerprint
    }
}

/// What the rules of the project leave out, in document order.
pub(crate) fn ignored(page: &Page, selectors: &[String]) -> Result<Vec<NodeId>> {
    let mut found = Vec::new();
    for selector in selectors {
        let matched = pagesight_core::query::all(page, selector);
        found.extend(
            matched
                .map_err(|error| SessionError::Input(format!("an ignore rule cannot be used: {error}")))?,
        );
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Takes the fingerprint of a captured page, for page files.
pub fn of_page(page: &Page, part: Part, taking: &Taking) -> Result<Fingerprint> {
    let ignored = ignored(page, &taking.ignore)?;
    let wish = Wish {
        part,
        scope: &taking.scope,
        depth: taking.depth,
        ignored: &ignored,
        captured_at: &taking.captured_at,
        loading: false,
    };
    Ok(take(page, &wish))
}
