//! Looks again for an element that is gone for a moment: pages remove a card and put it back when
//! they render it again.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use crate::error::Result;
use crate::look::Look;
use crate::session::Session;

/// How long an element may be gone before its reference is stale.
const GONE_LIMIT: Duration = Duration::from_millis(500);

impl Session {
    /// Returns a look, or a newer one if an element of one of these references is gone in it and
    /// comes back soon. `selector` and `full` are those of the look.
    pub(crate) async fn look_again_for(
        &self,
        mut look: Look,
        selector: Option<&str>,
        full: bool,
        given: &[&str],
    ) -> Result<Look> {
        let tab = look.tab.clone();
        let references: Vec<_> =
            given.iter().filter_map(|given| self.resolve(&tab, given).ok()).collect();
        let is_gone = |look: &Look| {
            let known = self.shared.references();
            references.iter().any(|reference| known.is_gone(reference, &look.page))
        };
        if !is_gone(&look) {
            return Ok(look);
        }
        let until = Instant::now() + GONE_LIMIT;
        let mut watcher = self.watch(&tab);
        loop {
            look = self.look_in_turn(&tab, selector, full).await?;
            if Instant::now() >= until || !is_gone(&look) {
                return Ok(look);
            }
            // The last look is at the end of the time, whatever the page reported.
            if let Ok(event) = timeout_at(until, self.next_page_event(&mut watcher)).await {
                event?;
            }
        }
    }
}
