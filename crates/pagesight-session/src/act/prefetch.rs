//! Captures the page while an action settles, as soon as it seems quiet, so that the answer comes
//! soon after. It is used only if the capture after settling says that the page is still the same.

use std::future::Future;
use std::pin::Pin;

use super::actor::Actor;
use crate::look::capture::{CaptureOptions, capture};
use crate::session::features::Feature;

/// Looking at a page with more nodes takes longer than the time that is left.
const LARGEST: usize = 60_000;

impl Actor<'_> {
    /// Looks at the page while it may still change. If that fails, the look after the action still
    /// follows.
    pub(super) fn glance(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async move {
            // A page that must be walked as a whole each time is not walked once more.
            let known = Some(self.tab.memory())
                .filter(|memory| !memory.patch_failed)
                .and_then(|memory| memory.last());
            if !self.session.has(Feature::PageDiffing)
                || known.is_none_or(|page| page.len() > LARGEST)
            {
                return;
            }
            let options = CaptureOptions {
                pierce: !self.session.options.no_pierce,
                ahead: true,
                ..CaptureOptions::default()
            };
            if let Ok((page, _)) = capture(self.tab, options).await {
                self.readings.begin(&page);
            }
        })
    }
}
