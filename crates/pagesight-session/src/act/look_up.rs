//! Looks up the targets of an action when its turn comes. A target must match exactly one element
//! that can be used now. Until then, the page is watched and looked at again.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::time::Duration;

use pagesight_browser::BrowserError;
use pagesight_core::page::{Flags, Node, NodeId};
use pagesight_core::render::Numbers;
use pagesight_core::targets::{
    Candidates, TargetMatch, TargetQuery, is_inside, look_up, look_up_container,
};
use pagesight_core::text::escape::value;
use tokio::time::Instant;

use super::action::Action;
use super::actor::Actor;
use super::error::ActionError;
use super::given::{GivenElement, NamedTarget};
use crate::error::{Result, SessionError};
use crate::look::Look;
use crate::page_script::Matched;
use crate::tab::error::TabError;

/// The page is looked at again after this time, even if it reports no change: nobody reports the
/// end of a transition, or a change in a frame.
const LOOK_AGAIN: Duration = Duration::from_millis(250);
/// How many candidates an error names.
const NAMED: usize = 6;
/// The longest target that an error repeats.
const GIVEN_LIMIT: usize = 100;

/// Why a look did not end the look-up.
pub(super) struct NotYet {
    /// The part of the target that was not found: its words in an error.
    words: String,
    /// The candidates that cannot be used, now or while the page is as it is.
    unusable: Vec<NodeId>,
    /// If there are none: the elements that are called most alike.
    near: Vec<NodeId>,
}

impl Actor<'_> {
    /// Returns the action with a reference in the place of each target.
    pub(super) async fn looked_up<'x>(&mut self, action: &'x Action) -> Result<Cow<'x, Action>> {
        if action.elements().all(|element| element.target().is_none()) {
            return Ok(Cow::Borrowed(action));
        }
        self.session.check_tab(self.tab)?;
        // The candidates are texts of the page.
        self.admit_document(None, "the page").await?;
        let mut action = action.clone();
        let shows =
            matches!(action, Action::Scroll { .. } | Action::Swipe { .. } | Action::Hover(_));
        for element in action.elements_mut() {
            if let Some(target) = element.target() {
                *element = GivenElement::Reference(self.look_up(target, shows).await?);
            }
        }
        Ok(Cow::Owned(action))
    }

    /// Waits until a target matches exactly one element, and returns its reference. `shows`: the
    /// action only shows the element, so that it need not be enabled.
    async fn look_up(&mut self, target: &NamedTarget, shows: bool) -> Result<String> {
        let begun = Instant::now();
        let deadline = begun + target.limit;
        let mut watcher = self.session.watch(self.tab);
        loop {
            // The last look begins at the deadline or after it.
            let last = Instant::now() >= deadline;
            let not_yet = match self.look_once(target, shows).await {
                Ok(Ok(reference)) => return Ok(reference),
                Ok(Err(not_yet)) => Some(not_yet),
                Err(error) if is_passing(&error) => None,
                Err(error) => return Err(error),
            };
            if last {
                return Err(self.not_found(target, not_yet, begun.elapsed()));
            }
            let until = deadline.min(Instant::now() + LOOK_AGAIN);
            let event = self.session.next_page_event(&mut watcher);
            if let Ok(event) = tokio::time::timeout_at(until, event).await {
                event?;
            }
        }
    }

    /// Looks at the page and for the target in it.
    async fn look_once(
        &mut self,
        target: &NamedTarget,
        shows: bool,
    ) -> Result<std::result::Result<String, NotYet>> {
        let known = self.look.take().filter(|_| std::mem::take(&mut self.fresh));
        let look = match known {
            Some(look) => look,
            None => self.session.look_in_turn(self.tab, None, false).await?,
        };
        let candidates = Candidates::of(&look.page, |url| self.session.allows_address(url));
        let found = match self.matched(&look, &candidates, target).await? {
            Ok(found) => found,
            Err(not_yet) => {
                self.look = Some(look);
                return Ok(Err(not_yet));
            }
        };
        let words = value(&target.given, GIVEN_LIMIT);
        let found = match found {
            TargetMatch::Later(later) if shows && later.len() == 1 => TargetMatch::One(later[0]),
            found => found,
        };
        match found {
            TargetMatch::One(id) => {
                let reference = self.session.reference(&look, id);
                (self.look, self.fresh) = (Some(look), true);
                Ok(Ok(reference))
            }
            TargetMatch::Several(ids) => Err(self.several(&look, &candidates, words, &ids)),
            TargetMatch::Later(unusable) | TargetMatch::Inert(unusable) => {
                self.look = Some(look);
                Ok(Err(NotYet { words, unusable, near: Vec::new() }))
            }
            TargetMatch::Nothing { near } => {
                self.look = Some(look);
                Ok(Err(NotYet { words, unusable: Vec::new(), near }))
            }
        }
    }

    /// Returns what a target matches in a look, or that its container was not found.
    pub(super) async fn matched(
        &self,
        look: &Look,
        candidates: &Candidates<'_>,
        target: &NamedTarget,
    ) -> Result<std::result::Result<TargetMatch, NotYet>> {
        let mut within = None;
        if let Some(container) = &target.within {
            let found = match &container.query {
                TargetQuery::Reference(given) => TargetMatch::One(self.session.find(look, given)?),
                TargetQuery::Css(selector) => self.css_matches(look, selector, None).await?,
                TargetQuery::Line(line) => look_up_container(candidates, line),
            };
            let words = format!("in: {}", value(&container.given, GIVEN_LIMIT));
            match found {
                TargetMatch::One(id) => within = Some(id),
                TargetMatch::Several(ids) => {
                    return Err(self.several(look, candidates, words, &ids));
                }
                TargetMatch::Inert(unusable) => {
                    return Ok(Err(NotYet { words, unusable, near: Vec::new() }));
                }
                TargetMatch::Later(near) | TargetMatch::Nothing { near } => {
                    return Ok(Err(NotYet { words, unusable: Vec::new(), near }));
                }
            }
        }
        Ok(Ok(match &target.query {
            TargetQuery::Css(selector) => self.css_matches(look, selector, within).await?,
            TargetQuery::Line(line) => look_up(candidates, line, within),
            // It was read as a reference.
            TargetQuery::Reference(_) => TargetMatch::Nothing { near: Vec::new() },
        }))
    }

    /// Returns the elements of all documents that a selector matches and that may be used.
    async fn css_matches(
        &self,
        look: &Look,
        selector: &str,
        within: Option<NodeId>,
    ) -> Result<TargetMatch> {
        let mut found_in: HashMap<&str, HashSet<u32>> = HashMap::new();
        let inside = |id: NodeId| within.is_none_or(|around| is_inside(&look.page, around, id));
        for document in &look.page.documents {
            if !self.session.allows_address(&document.url) {
                continue;
            }
            let script = self.script(document.frame.as_deref());
            let found: HashSet<u32> = match script.all_matches(selector).await {
                Ok(Matched { refused: Some(reason), .. }) => {
                    return Err(ActionError::RefusedSelector { reason }.into());
                }
                Ok(found) => found.ids.into_iter().collect(),
                // A frame that went away has no matches.
                Err(BrowserError::Navigated | BrowserError::TimedOut { .. })
                    if document.frame.is_some() =>
                {
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            found_in.insert(&document.token, found);
        }
        let matches = look.page.nodes().filter(|node| {
            let found = found_in.get(node.document().token.as_str());
            found.is_some_and(|found| found.contains(&node.local())) && inside(node.id())
        });
        let matches: Vec<NodeId> = matches.map(|node| node.id()).collect();
        Ok(TargetMatch::of(&look.page, matches))
    }

    /// Returns that several elements match, which are listed.
    pub(super) fn several(
        &self,
        look: &Look,
        candidates: &Candidates<'_>,
        target: String,
        ids: &[NodeId],
    ) -> SessionError {
        let (count, list) = (ids.len(), self.listed(look, candidates, ids, |_| String::new()));
        ActionError::SeveralTargets { target, count, list }.into()
    }

    /// Returns why nothing was found.
    fn not_found(
        &self,
        target: &NamedTarget,
        not_yet: Option<NotYet>,
        waited: Duration,
    ) -> SessionError {
        let waited = waited.as_millis();
        let (Some(NotYet { words: target, unusable, near }), Some(look)) = (not_yet, &self.look)
        else {
            let target = value(&target.given, GIVEN_LIMIT);
            return ActionError::NoTarget { target, waited, near: String::new() }.into();
        };
        let candidates = Candidates::of(&look.page, |url| self.session.allows_address(url));
        if !unusable.is_empty() {
            let reasons = |id: NodeId| format!(" {}", self.why_unusable(look.page.node(id)));
            let list = self.listed(look, &candidates, &unusable, reasons);
            return ActionError::NoUsableTarget { target, waited, list }.into();
        }
        let near = match near.is_empty() {
            true => String::new(),
            false => {
                let near = self.listed(look, &candidates, &near, |_| String::new());
                format!("; near it are {near}")
            }
        };
        ActionError::NoTarget { target, waited, near }.into()
    }

    /// Returns why an element of the last look cannot be used.
    fn why_unusable(&self, node: Node<'_>) -> String {
        let words = |node: Node<'_>| self.words_of(&node.document().token, node.local());
        if node.is_inert() {
            let by = self.blocked_by(&node.document().token, node.local());
            return format!("is inert because of {}", by.unwrap_or_else(|| "its page".to_owned()));
        }
        match node.cover() {
            _ if node.is(Flags::DISABLED) => "is disabled".to_owned(),
            Some(cover) => {
                format!(
                    "is covered by {}",
                    words(cover).unwrap_or_else(|| "another element".to_owned())
                )
            }
            None => "cannot be scrolled into view".to_owned(),
        }
    }

    /// Returns elements with their numbers and places, each with some more words.
    fn listed(
        &self,
        look: &Look,
        candidates: &Candidates<'_>,
        ids: &[NodeId],
        more_of: impl Fn(NodeId) -> String,
    ) -> String {
        let mut words: Vec<String> = Vec::new();
        // Places are compared among those that are named: there may be thousands.
        let named = &ids[..ids.len().min(NAMED)];
        for id in named {
            let number = self.session.shared.references().numbering(&look.page).number(*id);
            let place = candidates.with_place(*id, named);
            words.push(format!("[{number}] {place}{}", more_of(*id)));
        }
        let more = ids.len().saturating_sub(NAMED);
        let rest = if more > 0 { format!(", … {more} more") } else { String::new() };
        words.join(", ") + &rest
    }
}

/// Whether a look failed only because the page is being replaced.
fn is_passing(error: &SessionError) -> bool {
    matches!(
        error,
        SessionError::Tab(TabError::Busy { .. }) | SessionError::Browser(BrowserError::Navigated)
    )
}
