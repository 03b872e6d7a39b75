//! Looks at a page: captures it, decodes it, and records its elements in the references.

mod again;
pub(crate) mod capture;
pub(crate) mod element;
pub(crate) mod error;
mod evaluate;
pub(crate) mod fingerprint;
pub(crate) mod frame_path;
pub(crate) mod late_changes;
pub(crate) mod page_info;
mod rows;
pub(crate) mod scope;
pub(crate) mod screenshot;
pub(crate) mod snapshot;
mod spread_values;

use std::sync::Arc;

use pagesight_core::page::{NodeId, Page, Scope};
use pagesight_core::render::{
    KnownRegions, Numbers, Outline, OutlineOptions, check_continues, outline,
};
use pagesight_core::web_origin::WebOrigin;
use pagesight_core::wire::page_file;

use crate::error::{Result, SessionError};
use crate::look::capture::{CaptureOptions, Texts, capture};
use crate::look::error::LookError;
use crate::look::scope::ScopeChoice;
use crate::session::Session;
use crate::tab::capture_cache::CaptureExtent;
use crate::tab::record::TabRecord;

/// A captured page of a tab.
pub struct Look {
    /// The tab that was looked at.
    pub tab: Arc<TabRecord>,
    /// The page as it was then.
    pub page: Arc<Page>,
    texts: Texts,
}

impl Look {
    /// Returns the look as a page file; only possible for a full look.
    pub fn page_file(&self) -> Result<String> {
        Ok(page_file::write(&self.texts, &self.tab.hidden)?)
    }
}

/// How a tab is looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LookOptions {
    /// A CSS selector; its first match is the scope of the page.
    pub selector: Option<String>,
    /// Capture all attributes. Only a full look can be written to a page file.
    pub full: bool,
}

/// Whether two pages have the same scheme, host and port. Two ports of a host may be two versions
/// of an app.
fn is_same_site(one: &str, other: &str) -> bool {
    let one = WebOrigin::of_address(one);
    one.is_some() && one == WebOrigin::of_address(other)
}

fn no_match(selector: &str) -> SessionError {
    LookError::NoMatch { selector: selector.chars().take(100).collect() }.into()
}

impl Session {
    /// Looks at a tab.
    pub async fn look(&self, tab: &Arc<TabRecord>, options: LookOptions) -> Result<Look> {
        let _turn = tab.turn().await?;
        let LookOptions { selector, full } = options;
        let extent = if full { CaptureExtent::Full } else { CaptureExtent::Plain };
        let options = CaptureOptions {
            selector: selector.as_deref(),
            extent,
            texts: full,
            ..self.capture_options()
        };
        self.look_as(tab, options).await
    }

    /// Looks at a tab on behalf of a call that has the tab's turn already.
    pub(crate) async fn look_in_turn(
        &self,
        tab: &Arc<TabRecord>,
        selector: Option<&str>,
        full: bool,
    ) -> Result<Look> {
        let extent = if full { CaptureExtent::Full } else { CaptureExtent::Plain };
        self.look_as(tab, CaptureOptions { selector, extent, ..self.capture_options() }).await
    }

    fn capture_options(&self) -> CaptureOptions<'static> {
        CaptureOptions { pierce: !self.options.no_pierce, ..CaptureOptions::default() }
    }

    async fn look_as(&self, tab: &Arc<TabRecord>, options: CaptureOptions<'_>) -> Result<Look> {
        self.check_tab(tab)?;
        let selector = options.selector;
        let (captured, changing) = tokio::join!(capture(tab, options), self.self_changing(tab));
        let (page, texts) = captured?;
        if let Some(selector) = selector
            && page.scope.is_none()
        {
            return Err(no_match(selector));
        }
        let news = tab.memory().is_news(&page);
        if news {
            self.shared.references().observe(tab.key, &page);
        }
        match selector {
            None if news => self.note_late_changes(tab, &page, changing),
            // The look before saw the same page, so an answer has reported all of it.
            None => tab.answers().answered = None,
            Some(_) => {}
        }
        Ok(Look { tab: tab.clone(), page, texts })
    }

    /// Returns the outline of a look. Elements that it shows with a number can be acted on.
    pub fn outline(&self, look: &Look, options: &OutlineOptions) -> Outline {
        let mut references = self.shared.references();
        let options = OutlineOptions { wording: self.options.wording, ..options.clone() };
        outline(&look.page, &options, &mut references.numbering(&look.page))
    }

    /// Looks at a tab and outlines it, all in one turn. Scope and start may be given as references.
    pub async fn inspect(
        &self,
        tab: &Arc<TabRecord>,
        scope: &ScopeChoice,
        after: Option<&str>,
        options: OutlineOptions,
    ) -> Result<Outline> {
        let _turn = tab.turn().await?;
        let look = self.look_in_turn(tab, scope.selector(), false).await?;
        let references: Vec<&str> = scope.reference().into_iter().chain(after).collect();
        let look = self.look_again_for(look, scope.selector(), false, &references).await?;
        let scope = self.scope_in(&look, scope)?;
        let after = after.map(|given| self.find(&look, given)).transpose()?;
        let max_tokens = options.max_tokens.saturating_sub(late_changes::tokens_of(tab));
        let options = OutlineOptions { scope, after, max_tokens, ..options };
        check_continues(&look.page, &options).map_err(LookError::from)?;
        Ok(self.outline(&look, &options))
    }

    /// Returns the part of a look's page that a scope selects.
    pub(crate) fn scope_in(&self, look: &Look, scope: &ScopeChoice) -> Result<Scope> {
        // The browser matched the selector when it captured the page.
        let matched = |selector: &str| look.page.scope.ok_or_else(|| no_match(selector));
        scope.resolve(|given| self.find(look, given), matched)
    }

    /// Returns the regions of the page that was left last, for the outline of the current page.
    pub fn regions_left(&self, tab: &TabRecord) -> Option<Arc<KnownRegions>> {
        let left = tab.answers().left.take()?;
        let url = tab.state.now().url.clone();
        is_same_site(left.url(), &url).then(|| Arc::new(KnownRegions::of(&left)))
    }

    /// Returns the regions of a page, if the next page is of the same site.
    pub(crate) fn known_regions(&self, left: &Page, now: &Page) -> Option<Arc<KnownRegions>> {
        is_same_site(left.url(), now.url()).then(|| Arc::new(KnownRegions::of(left)))
    }

    /// Finds the node of a reference in a look, if it is still what the caller saw.
    pub fn find(&self, look: &Look, given: &str) -> Result<NodeId> {
        let reference = self.resolve(&look.tab, given)?;
        Ok(self.shared.references().find(&reference, &look.page)?)
    }

    /// Returns the reference of a node of a look, so that it can be acted on.
    pub fn reference(&self, look: &Look, node: NodeId) -> String {
        self.shared.references().numbering(&look.page).number(node).to_string()
    }

    /// Looks a reference up for a tab.
    pub(crate) fn resolve(
        &self,
        tab: &TabRecord,
        given: &str,
    ) -> Result<pagesight_core::refs::Reference> {
        let tabs = self.shared.tabs();
        let name_of = |key: u32| tabs.by_key(key).map(|record| record.label());
        Ok(self.shared.references().resolve(tab.key, given, name_of)?)
    }
}
