//! Waiting for something the caller names: a text, its end, an address, or time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pagesight_browser::BrowserError;
use pagesight_core::render::escape::value;
use serde::Deserialize;
use serde_json::json;

use crate::act::WaitFor;
use crate::answer::read;
use crate::error::{Result, SessionError};
use crate::eyes::Eyes;
use crate::facts::TabFacts;
use crate::tabs::TabRecord;

/// The longest wait a caller may ask for.
const LONGEST: Duration = Duration::from_secs(25);

/// Whether the page cannot go on.
fn is_stopped(facts: &TabFacts) -> bool {
    facts.dialog.is_some() || facts.closed || facts.crashed
}

#[derive(Deserialize)]
struct Met {
    met: bool,
}

impl Eyes {
    /// Waits for a call that has the tab's turn; answers with its line.
    pub(crate) async fn wait_in_turn(
        &self,
        tab: &Arc<TabRecord>,
        until: &WaitFor,
        limit: Duration,
    ) -> Result<String> {
        let begun = Instant::now();
        let wanted = if let WaitFor::Time(time) = until { *time } else { limit };
        if wanted > LONGEST {
            let text = format!(
                "a wait of {} ms is too long; {} ms is the most",
                wanted.as_millis(),
                LONGEST.as_millis()
            );
            return Err(SessionError::Input(text));
        }
        let deadline = begun + limit;
        let (met, what) = match until {
            WaitFor::Time(time) => {
                // What stops the page ends the wait too.
                tab.facts.wait(begun + *time, |facts| is_stopped(facts).then_some(())).await;
                self.check_tab(tab)?;
                return Ok(format!("waited {} ms", begun.elapsed().as_millis()));
            }
            WaitFor::Url(part) => {
                let met =
                    tab.facts.wait(deadline, |facts| facts.url.contains(part.as_str()).then_some(())).await;
                (met.is_some(), format!("the url to hold {}", value(part, 100)))
            }
            WaitFor::Text(text) => (
                self.wait_for_text(tab, text, false, deadline).await?,
                format!("the text {}", value(text, 100)),
            ),
            WaitFor::Gone(text) => (
                self.wait_for_text(tab, text, true, deadline).await?,
                format!("the text {} to go", value(text, 100)),
            ),
        };
        let waited = begun.elapsed().as_millis();
        if met {
            Ok(format!("waited {waited} ms for {what}"))
        } else {
            self.check_tab(tab)?;
            let text = format!(
                "waited {waited} ms for {what} in vain; look with inspect_tab, or give a longer timeout_ms"
            );
            Err(SessionError::Input(text))
        }
    }

    async fn wait_for_text(
        &self,
        tab: &Arc<TabRecord>,
        text: &str,
        gone: bool,
        deadline: Instant,
    ) -> Result<bool> {
        let condition = if gone { json!({ "gone": text }) } else { json!({ "text": text }) };
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(false);
            }
            let arguments = json!([condition, left.as_millis() as u64]).to_string();
            match tab.script("wait", &arguments, left + Duration::from_millis(500)).await {
                Ok(answer) => return Ok(read::<Met>(&answer)?.met),
                // Another document: the wait goes on there, once it is committed.
                Err(BrowserError::Navigated) => {
                    let pause = Instant::now() + Duration::from_millis(50);
                    tab.facts.wait(pause.min(deadline), |facts| (!facts.navigating).then_some(())).await;
                }
                Err(BrowserError::TimedOut { .. }) => return Ok(false),
                Err(error) => return Err(error.into()),
            }
        }
    }
}
