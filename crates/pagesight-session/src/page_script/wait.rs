//! Functions of the page script that wait: for news of the page, for quiet, for a text.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use pagesight_browser::{Result, Tab};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::time::Instant;

use super::call::{Function, PageScript, ask_tab};

/// A call to `next_change` that the page has not answered yet.
pub(crate) type NewsCall = Pin<Box<dyn Future<Output = Result<News>> + Send>>;

/// The report of a page. It reports everything only once.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct News {
    pub(crate) changes: Vec<PageChange>,
    /// How long ago the page was last busy, in milliseconds.
    pub(crate) stalled: Option<f64>,
    /// The visible loading state, if there is one.
    pub(crate) loading: Option<String>,
    /// Whether it is a small sign beside the content, which may stay.
    pub(crate) aside: bool,
    /// How much longer transitions will take, in milliseconds.
    pub(crate) moving: f64,
    /// Permissions that it asked for and that were denied.
    pub(crate) denied: Vec<String>,
    /// The document is proven to be at rest: nothing in it can change.
    #[serde(rename = "atRest")]
    pub(crate) at_rest: bool,
    pub(crate) schedule: Option<PageSchedule>,
}

/// The things that the scripts of a page have scheduled; all times in milliseconds.
#[derive(Clone, Copy, Deserialize)]
pub(crate) struct PageSchedule {
    pub(crate) due: Option<f64>,
    pub(crate) restless: bool,
    /// Something is due later, within some seconds.
    pub(crate) later: bool,
    /// How long ago an interface was used that does not say when it calls scripts.
    pub(crate) used: Option<f64>,
    /// How long it took to find out.
    pub(crate) took: f64,
}

/// Changes of one kind.
#[derive(Deserialize)]
pub(crate) struct PageChange {
    pub(crate) shape: u64,
    pub(crate) label: String,
    pub(crate) grows: bool,
    /// Only a text changed, or an attribute that shows or hides nothing.
    #[serde(default)]
    pub(crate) value: bool,
    /// The element changes on its own.
    #[serde(default)]
    pub(crate) steady: bool,
    pub(crate) count: u32,
    /// How long ago the first and the last of them were, in milliseconds.
    pub(crate) first: f64,
    pub(crate) last: f64,
}

/// A text to wait for.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Awaited<'a> {
    /// Until it is shown.
    Text(&'a str),
    /// Until it is not shown any more.
    Gone(&'a str),
}

#[derive(Deserialize)]
struct Met {
    met: bool,
}

/// Where a text is shown; values that the user hides are hidden in it.
#[derive(Deserialize)]
struct Occurrences {
    wanted: String,
    around: Vec<String>,
}

#[derive(Deserialize)]
struct Reacted {
    ok: bool,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Elements {
    #[serde(alias = "there")]
    ids: Vec<u32>,
}

/// Asks the page to answer as soon as it has news, or after this many milliseconds. `fresh` forgets
/// earlier news. `document` is the number of the document that is asked: Firefox repeats a call in
/// the next document if its own goes away.
pub(crate) fn next_change(
    tab: &Arc<dyn Tab>,
    milliseconds: u128,
    fresh: bool,
    document: u64,
    limit: Duration,
) -> NewsCall {
    let tab = tab.clone();
    let arguments = json!([milliseconds as u64, fresh, document]);
    Box::pin(async move { ask_tab(&tab, Function::NextChange, arguments, limit).await })
}

impl PageScript<'_> {
    /// Returns all news, complete up to now; with the schedule, if asked, which takes two frames.
    pub(crate) async fn activity_now(&self, with_schedule: bool) -> Result<News> {
        let arguments = if with_schedule { json!([true]) } else { json!([]) };
        self.ask_waiting(Function::ActivityNow, arguments).await
    }

    /// Waits for the next frame that is drawn.
    pub(crate) async fn next_animation_frame(&self) -> Result<()> {
        self.ask_waiting::<IgnoredAny>(Function::NextAnimationFrame, json!([])).await.map(drop)
    }

    /// Waits until nothing changed for `quiet` milliseconds, or until `limit` have passed.
    pub(crate) async fn wait_for_quiet(&self, quiet: u32, limit: u32) -> Result<()> {
        self.run(Function::WaitForQuiet, json!([quiet, limit])).await
    }

    /// Whether the focused field may have suggestions. From now on the page script observes whether
    /// the page reacts to its text.
    pub(crate) async fn watch_reaction(&self) -> Result<bool> {
        self.is_done(Function::WatchReaction, json!([])).await
    }

    /// Waits for the first visible reaction since `watch_reaction`, at most this many milliseconds.
    pub(crate) async fn first_reaction(&self, milliseconds: u128) -> Result<bool> {
        let arguments = json!([milliseconds as u64]);
        Ok(self.ask_waiting::<Reacted>(Function::FirstReaction, arguments).await?.ok)
    }

    /// Returns the elements that change without an action.
    pub(crate) async fn self_changing(&self) -> Result<Vec<u32>> {
        Ok(self.ask::<Elements>(Function::SelfChanging, json!([])).await?.ids)
    }

    /// Returns which of these elements are still in the document.
    pub(crate) async fn there(&self, locals: &[u32]) -> Result<Vec<u32>> {
        Ok(self.ask::<Elements>(Function::There, json!([locals])).await?.ids)
    }

    /// Waits for a text for at most this many milliseconds. Returns whether the condition became
    /// true.
    pub(crate) async fn wait_for_text(
        &self,
        awaited: Awaited<'_>,
        milliseconds: u64,
    ) -> Result<bool> {
        let arguments = json!([awaited, milliseconds]);
        Ok(self.ask_waiting::<Met>(Function::WaitForText, arguments).await?.met)
    }

    /// The same for a user who hides values: a text counts only where it is shown beside them. The
    /// page does not know the values, so each occurrence is judged here.
    pub(crate) async fn wait_for_masked_text(
        &self,
        awaited: Awaited<'_>,
        deadline: Instant,
    ) -> Result<bool> {
        let mut changed = false;
        loop {
            let left = deadline.saturating_duration_since(Instant::now()).as_millis() as u64;
            let arguments = json!([awaited, left, true, changed]);
            let Occurrences { wanted, around } =
                self.ask_waiting(Function::WaitForText, arguments).await?;
            let is_shown = around.iter().any(|text| text.contains(&wanted));
            let is_met = is_shown == matches!(awaited, Awaited::Text(_));
            if is_met || left == 0 {
                return Ok(is_met);
            }
            changed = true;
        }
    }
}
