//! Opens one next page after the other with a real click on the control that leads there.

use pagesight_core::page::{Flags, NodeId};
use pagesight_core::rows::ReadingEnd;
use pagesight_core::rows::pages::{NextControl, PageOrigin, current_page, next_control};
use pagesight_core::targets::{Candidates, TargetMatch};
use pagesight_core::text::escape::value;
use tokio::time::Instant;

use super::reader::{Further, PagesReader, RowsLook, is_arriving, is_loading};
use super::request::FurtherPages;
use crate::act::action::Target;
use crate::act::actor::Aimed;
use crate::act::error::ActionError;
use crate::act::given::GivenElement;
use crate::act::input::Arrival;
use crate::error::{Result, SessionError};
use crate::page_script::Handling;
use crate::wait::settle::{SettleOutcome, WaitOutcome};

/// The longest target that an error repeats.
const GIVEN_LIMIT: usize = 100;

impl PagesReader<'_> {
    /// Reads page after page.
    pub(super) async fn page_through(&mut self, mut seen: RowsLook) -> Result<ReadingEnd> {
        // A wrong control is an error before anything is clicked.
        if let (FurtherPages::Next(Some(given)), true) =
            (&self.pages.further, self.state.reading.is_empty())
        {
            self.given_control(&seen, given).await?;
        }
        let is_next = self.state.unread == Some(PageOrigin::NextPage);
        if is_next && self.scrolls_pages {
            seen = self.at_top(seen).await?;
        }
        let added = self.add(&seen);
        if self.state.steps == 0 {
            self.state.steps = 1;
        } else if is_next && added.rows > 0 {
            // The call before ended after it had opened this page.
            self.count_page(&seen);
        }
        loop {
            if let Some(end) = self.limit() {
                return Ok(end);
            }
            // A page that is a virtual list draws only the rows in view.
            if self.scrolls_pages {
                match self.scroll_through(seen).await? {
                    ReadingEnd::EndOfList | ReadingEnd::NotScrolled => {}
                    end => return Ok(end),
                }
                let Some(now) = self.see().await? else { return Ok(ReadingEnd::Elsewhere) };
                seen = now;
            }
            if self.has_read_enough() {
                return Ok(ReadingEnd::Pages);
            }
            let url = self.actor.tab.state.now().url.clone();
            let loading = match self.open_next(&seen).await? {
                Further::Shown { loading } => loading,
                Further::Ended(end) => return Ok(end),
            };
            match self.new_rows(loading).await? {
                Ok(now) => {
                    self.count_page(&now);
                    seen = now;
                }
                Err(end) => {
                    let moved = self.actor.tab.state.now().url != url;
                    let number = self.state.number + usize::from(moved);
                    self.state.number =
                        current_page(&self.state.page).map_or(number, |number| number as usize);
                    return Ok(end);
                }
            }
        }
    }

    /// Counts a page that was read.
    fn count_page(&mut self, seen: &RowsLook) {
        let number = self.state.number + 1;
        self.state.number = current_page(&seen.look.page).map_or(number, |number| number as usize);
        self.state.steps += 1;
    }

    /// Adds the rows of the next page, once it has new ones; or returns why there are none.
    async fn new_rows(
        &mut self,
        loading: bool,
    ) -> Result<std::result::Result<RowsLook, ReadingEnd>> {
        let begun = Instant::now();
        let mut is_last = false;
        loop {
            let seen = self.see().await?;
            let end = match seen {
                Some(mut seen) => {
                    if self.scrolls_pages {
                        seen = self.at_top(seen).await?;
                    }
                    self.state.unread = Some(PageOrigin::NextPage);
                    let added = self.add(&seen);
                    if added.rows > 0 || added.left > 0 {
                        return Ok(Ok(seen));
                    }
                    ReadingEnd::NothingNew
                }
                None => ReadingEnd::Elsewhere,
            };
            if is_last {
                return Ok(Err(end));
            }
            // Once more, when the page is quiet for certain.
            is_last = !loading || !self.wait_for_rows(begun).await?;
            if is_last {
                self.wait_for_rows(Instant::now()).await?;
            }
        }
    }

    /// Clicks the control that shows the next page.
    async fn open_next(&mut self, seen: &RowsLook) -> Result<Further> {
        let control = match &self.pages.further {
            FurtherPages::Next(Some(given)) => self.given_control(seen, given).await?,
            _ => next_control(&seen.look.page, &seen.table),
        };
        let control = match control {
            NextControl::Usable(control) => control,
            NextControl::Disabled => return Ok(Further::Ended(ReadingEnd::EndOfList)),
            NextControl::None if self.state.steps > 1 => {
                return Ok(Further::Ended(ReadingEnd::EndOfList));
            }
            NextControl::None => return Ok(Further::Ended(ReadingEnd::NoControl)),
        };
        let reference = self.actor.session.reference(&seen.look, control);
        let target = Target::Element(GivenElement::Reference(reference));
        (self.actor.look, self.actor.fresh) = (None, false);
        self.actor.admit_document(None, "the page").await?;
        let Aimed { aim, words, found } = self.actor.aim(&target, Handling::Click).await?;
        let arrival = found.map(|found| Arrival { words, frame: found.path.frame });
        // From here on, the tab may show the next page, even if the time is over meanwhile.
        self.state.unread = Some(PageOrigin::NextPage);
        self.begin_step();
        let effect = self.actor.carry_out(&aim.click(), arrival).await?;
        let failed = |why: String| Further::Ended(ReadingEnd::Failed { why });
        Ok(match effect.outcome {
            SettleOutcome::Stayed(reason) => Further::Shown { loading: is_loading(&reason) },
            SettleOutcome::Navigated(outcome @ (WaitOutcome::Settled(_) | WaitOutcome::Loaded)) => {
                Further::Shown { loading: is_arriving(&outcome) }
            }
            SettleOutcome::Navigated(outcome) => failed(outcome.to_string()),
            SettleOutcome::Dialog => failed("a dialog opened".to_owned()),
            SettleOutcome::Closed => failed("the tab closed itself".to_owned()),
        })
    }

    /// Finds the control that the caller gave, on this page.
    async fn given_control(
        &mut self,
        seen: &RowsLook,
        given: &GivenElement,
    ) -> Result<NextControl> {
        let page = &seen.look.page;
        let state = |id: NodeId| match page.node(id).is(Flags::DISABLED) {
            true => NextControl::Disabled,
            false => NextControl::Usable(id),
        };
        let session = self.actor.session;
        let named = match given {
            GivenElement::Named(named) => named,
            GivenElement::Reference(reference) => {
                return match session.find(&seen.look, reference) {
                    Ok(id) => {
                        let node = page.node(id);
                        self.state.control = Some((node.role(), node.name().to_owned()));
                        Ok(state(id))
                    }
                    // The next page has a control of its own.
                    Err(SessionError::Reference(_)) if self.state.control.is_some() => {
                        Ok(self.same_control(seen).map_or(NextControl::None, state))
                    }
                    Err(error) => Err(error),
                };
            }
        };
        let candidates = Candidates::of(page, |url| session.allows_address(url));
        let words = || value(&named.given, GIVEN_LIMIT);
        let found = match self.actor.matched(&seen.look, &candidates, named).await? {
            Ok(found) => found,
            Err(_) => TargetMatch::Nothing { near: Vec::new() },
        };
        match found {
            TargetMatch::One(id) => Ok(state(id)),
            TargetMatch::Several(ids) => {
                Err(self.actor.several(&seen.look, &candidates, words(), &ids))
            }
            TargetMatch::Later(_) => Ok(NextControl::Disabled),
            TargetMatch::Inert(_) | TargetMatch::Nothing { .. } if self.state.steps > 1 => {
                Ok(NextControl::None)
            }
            TargetMatch::Inert(_) | TargetMatch::Nothing { .. } => {
                let (target, near) = (words(), String::new());
                Err(ActionError::NoTarget { target, waited: 0, near }.into())
            }
        }
    }

    /// Finds the control with the role and the name of the one that was given; of several, the last
    /// one.
    fn same_control(&self, seen: &RowsLook) -> Option<NodeId> {
        let (role, name) = self.state.control.as_ref()?;
        let nodes =
            seen.look.page.nodes().filter(|node| {
                node.hidden().is_none() && node.role() == *role && node.name() == name
            });
        nodes.last().map(|node| node.id())
    }
}
