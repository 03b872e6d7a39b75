//! Reports what a batch changed: compares the page before the first action with the page now. The
//! live page says which of the elements that disappeared are only hidden. After a navigation, the
//! report is a short outline of the new page instead.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use pagesight_core::diff::{Circumstances, Diff, ElementKey, diff_read};
use pagesight_core::page::Page;
use pagesight_core::render::{OutlineOptions, outline};

use super::action::BatchChanges;
use super::actor::{Actor, Before};
use crate::look::frame_path::FramePath;
use crate::session::features::Feature;

/// The longest diff, and the longest outline of a page that an action navigated to, in tokens,
/// unless the caller gives a limit.
const DIFF_TOKENS: usize = 1_000;
const OUTLINE_TOKENS: usize = 400;
/// From this percentage of new lines on, a new URL of the same document counts as a new page.
const ANOTHER_PAGE: usize = 60;
/// How long the page may take to report which elements change without an action, and which still
/// exist.
const ASK_LIMIT: Duration = Duration::from_secs(1);
/// The page is asked for about this many elements whether they still exist; a thousand of them take
/// about a millisecond.
const MOST_ASKED: usize = 20_000;

impl Actor<'_> {
    /// Looks at the page before the first action. If it cannot be looked at (a dialog is open), the
    /// last known page is used.
    pub(super) async fn look_before(&mut self) {
        if !self.session.has(Feature::PageDiffing) {
            return;
        }
        let (look, restless) = match self.session.check_tab(self.tab) {
            // A page that does not answer a small call does not get a large one.
            Ok(()) => match self.tab.script(None, ASK_LIMIT).self_changing().await {
                Ok(ids) => (self.session.look_in_turn(self.tab, None, false).await.ok(), Some(ids)),
                Err(_) => (None, None),
            },
            Err(_) => (None, None),
        };
        let page = look.as_ref().map(|look| look.page.clone()).or_else(|| self.tab.memory().last());
        let token =
            page.as_ref().and_then(|page| page.documents.first()).map(|top| top.token.clone());
        let ids = restless.unwrap_or_default();
        let restless = token
            .map_or(Vec::new(), |token| ids.into_iter().map(|id| (token.clone(), id)).collect());
        if let Some(page) = &page {
            self.readings.begin(page);
        }
        let numbers = page.as_ref().map_or(Vec::new(), |page| self.session.numbers_of(page));
        self.before = Before { page, numbers, restless };
        self.fresh = look.is_some();
        self.look = look;
    }

    /// Returns what the actions changed; none if it is not known, or was already reported.
    /// `navigated`: a different document was loaded meanwhile.
    pub(super) async fn changes(
        &mut self,
        max_tokens: Option<usize>,
        failed: bool,
        navigated: bool,
    ) -> Option<BatchChanges> {
        if !self.session.has(Feature::PageDiffing) || self.session.check_tab(self.tab).is_err() {
            return None;
        }
        let Before { page: before, numbers, restless } = std::mem::take(&mut self.before);
        // A look after the last action shows the current page.
        let after = match self.look.take() {
            Some(look) => look.page,
            None => match self.session.look_in_turn(self.tab, None, false).await {
                Ok(look) => look.page,
                // The failed action is already reported.
                Err(_) if failed => return None,
                Err(error) => return Some(BatchChanges::Unseen(error)),
            },
        };
        let same = |before: &Page| match (before.documents.first(), after.documents.first()) {
            (Some(was), Some(now)) => was.token == now.token,
            _ => false,
        };
        // Without a look before, there is nothing to compare with.
        let before = before?;
        if !same(&before) {
            // If nothing navigated, `before` is an older cached page, and the actions did not lead
            // to the current one.
            return navigated.then(|| self.new_page(&before, &after, max_tokens));
        }
        if Arc::ptr_eq(&before, &after) {
            return (!failed && !self.said_unchanged)
                .then(|| BatchChanges::Seen("no visible change in text or controls\n".to_owned()));
        }
        let circumstances = Circumstances {
            acted: std::mem::take(&mut self.acted),
            restless,
            still_changing: self.still_changing,
            no_pierce: self.session.options.no_pierce,
        };
        let (old, new) = (self.readings.of(&before).await, self.readings.of(&after).await);
        let mut diff = diff_read((&before, old), (&after, new), &circumstances);
        let silent = failed || self.said_unchanged;
        if diff.is_empty() && silent && (diff.background.is_empty() || failed) {
            return None;
        }
        if before.url() != after.url() && diff.share_new() >= ANOTHER_PAGE {
            return Some(self.new_page(&before, &after, max_tokens));
        }
        self.ask_who_is_there(&mut diff, &after).await;
        let known = self.session.numbers_since(&before, &numbers, &after);
        self.session.note_replaced(&diff, &known, &before, &after);
        let wording = self.session.options.wording;
        let mut references = self.session.shared.references();
        let limit = max_tokens.unwrap_or(DIFF_TOKENS);
        let text = diff
            .render(limit, wording, &mut references.numbering(&after), &|node| known[node.index()]);
        Some(BatchChanges::Seen(text))
    }

    /// Returns a short outline of the page that the actions led to.
    fn new_page(&self, before: &Page, page: &Page, max_tokens: Option<usize>) -> BatchChanges {
        let options = OutlineOptions {
            max_tokens: max_tokens.unwrap_or(OUTLINE_TOKENS),
            wording: self.session.options.wording,
            known: self.session.known_regions(before, page),
            ..OutlineOptions::default()
        };
        let mut references = self.session.shared.references();
        BatchChanges::NewPage(Box::new(outline(page, &options, &mut references.numbering(page))))
    }

    /// Asks the page which of the elements that are no longer visible are only hidden.
    async fn ask_who_is_there(&self, diff: &mut Diff<'_>, after: &Page) {
        let mut asked: HashMap<String, Vec<u32>> = HashMap::new();
        for (token, local) in diff.disappeared().take(MOST_ASKED) {
            asked.entry(token).or_default().push(local);
        }
        let mut there: Vec<ElementKey> = Vec::new();
        for (token, locals) in asked {
            let Some(path) = FramePath::of(after, &token) else { continue };
            let script = self.tab.script(path.frame.as_deref(), ASK_LIMIT);
            if let Ok(found) = script.there(&locals).await {
                there.extend(found.into_iter().map(|local| (token.clone(), local)));
            }
        }
        diff.mark_hidden(&there);
    }
}
