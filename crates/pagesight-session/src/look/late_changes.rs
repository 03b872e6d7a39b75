//! Reports what changed on a page after the last answer about it: a message that came late, a list
//! that was loaded. The first look of a call compares; the answer of the call reports.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use pagesight_core::diff::{Circumstances, Diff, diff_in};
use pagesight_core::page::{Node, NodeId, Page};
use pagesight_core::targets::SameControls;
use pagesight_core::text::{escape, tokens};

use crate::session::Session;
use crate::session::features::Feature;
use crate::tab::record::TabRecord;
use crate::tab::state::short_url;

/// The beginning of the line.
const OPENING: &str = "since the last answer: ";
/// The longest line, in tokens.
const LINE_TOKENS: usize = 80;
/// How long the page may take to say what changes in the background.
const ASK_LIMIT: Duration = Duration::from_secs(1);
/// How many re-rendered elements are compared with their replacements.
const MOST_COMPARED: usize = 64;
/// How long a look for late changes may take.
const LOOK_LIMIT: Duration = Duration::from_secs(2);

/// Returns how many tokens the next answer needs for changes after the last one.
pub(crate) fn tokens_of(tab: &TabRecord) -> usize {
    tab.answers().line.as_deref().map_or(0, |line| tokens::count(line) + 1)
}

impl Session {
    /// Records that an answer about the tab is given. Changes from now on are reported by the next
    /// answer.
    pub fn note_answer(&self, tab: &TabRecord) {
        let committed = tab.state.now().committed;
        let page = tab.memory().last();
        tab.answers().answered = page.map(|page| (page, committed));
    }

    /// Returns what changed after the last answer, in one line, for the answer that is being given:
    /// `since the last answer: + [31] alert: Saved`.
    pub fn take_late_changes(&self, tab: &TabRecord) -> Option<String> {
        tab.answers().line.take()
    }

    /// Finds out what changed after the last answer, for a call that does not look at the page. The
    /// page script answers at once if nothing changed. A page that does not answer is left alone.
    pub async fn find_late_changes(&self, tab: &Arc<TabRecord>) {
        if !self.has(Feature::PageDiffing) || tab.answers().answered.is_none() {
            return;
        }
        let Ok(_turn) = tab.turn().await else { return };
        if self.check_tab(tab).is_ok() && tab.script(None, ASK_LIMIT).token().await.is_ok() {
            // A look at a huge page would delay the call.
            let look = self.look_in_turn(tab, None, false);
            let _ = tokio::time::timeout(LOOK_LIMIT, look).await;
        }
        // A later look of the same call may show a different page.
        tab.answers().answered = None;
    }

    /// Returns what changes in the background, if changes after the last answer are looked for.
    pub(super) async fn self_changing(&self, tab: &TabRecord) -> Vec<u32> {
        if tab.answers().answered.is_none() || !self.has(Feature::PageDiffing) {
            return Vec::new();
        }
        tab.script(None, ASK_LIMIT).self_changing().await.unwrap_or_default()
    }

    /// Compares a page with the one that the last answer was about. `changing`: the elements that
    /// change in the background.
    pub(super) fn note_late_changes(
        &self,
        tab: &Arc<TabRecord>,
        page: &Arc<Page>,
        changing: Vec<u32>,
    ) {
        let Some((known, committed)) = tab.answers().answered.take() else { return };
        if Arc::ptr_eq(&known, page) || !self.has(Feature::PageDiffing) {
            return;
        }
        let token = |page: &Page| page.documents.first().map(|top| top.token.clone());
        let text = if token(&known) == token(page) {
            let token = token(page).unwrap_or_default();
            let restless = changing.into_iter().map(|id| (token.clone(), id)).collect();
            let circumstances = Circumstances {
                restless,
                no_pierce: self.options.no_pierce,
                ..Circumstances::default()
            };
            let diff = diff_in(&known, page, &circumstances);
            let was = self.numbers_of(&known);
            self.note_replaced(&diff, &was, &known, page);
            let mut references = self.shared.references();
            let room = LINE_TOKENS - tokens::count(OPENING);
            diff.summary(room, &mut references.numbering(page), &|node| was[node.index()])
        } else {
            // A page that the last answer already reported is not news.
            (tab.state.now().committed > committed).then(|| {
                let address = escape::safe(&short_url(page.url()), 120);
                format!("navigated to {address} {}", escape::value(&page.title, 60))
            })
        };
        if let Some(text) = text {
            tab.answers().line = Some(format!("{OPENING}{text}"));
        }
    }

    /// Records the successors of elements that were re-rendered, so that a stale reference can name
    /// its successor.
    /// `numbers` are those that the elements of the page before were shown with.
    pub(crate) fn note_replaced(
        &self,
        diff: &Diff<'_>,
        numbers: &[Option<u32>],
        before: &Page,
        after: &Page,
    ) {
        if diff.replaced.is_empty() {
            return;
        }
        let mut references = self.shared.references();
        let same = SameControls::new(before, after);
        let known = |(was, now): &(NodeId, NodeId)| Some((numbers[was.index()]?, *was, *now));
        let pairs = diff.replaced.iter().filter_map(known).enumerate();
        let pairs: Vec<(u32, NodeId, bool)> = pairs
            .map(|(at, (number, was, now))| {
                (number, now, at < MOST_COMPARED && same.find(was) == Some(now))
            })
            .collect();
        references.succeed(after, &pairs);
    }

    /// Returns the numbers that the elements of a page were shown with, by their place in the page.
    pub(crate) fn numbers_of(&self, page: &Page) -> Vec<Option<u32>> {
        let references = self.shared.references();
        let number = |token: &str, local: u32| references.known(token, local);
        page.nodes().map(|node| number(&node.document().token, node.local())).collect()
    }

    /// Returns the same for a page of some time ago. `then` are the numbers at that time: those of
    /// elements that were re-rendered more than once are known no more by their elements.
    pub(crate) fn numbers_since(
        &self,
        before: &Page,
        then: &[Option<u32>],
        now: &Page,
    ) -> Vec<Option<u32>> {
        let known = self.numbers_of(before);
        let references = self.shared.references();
        let key = |node: Node<'_>| (node.document().token.clone(), node.local());
        let mut present: Option<HashSet<(String, u32)>> = None;
        let mut is_lost = |number: &u32| {
            let present = present.get_or_insert_with(|| now.nodes().map(key).collect());
            let element = references.element(*number);
            element.is_some_and(|(token, local)| !present.contains(&(token.to_owned(), local)))
        };
        let both = known.into_iter().zip(then.iter().copied().chain(std::iter::repeat(None)));
        both.map(|(known, then)| known.or_else(|| then.filter(&mut is_lost))).collect()
    }
}
