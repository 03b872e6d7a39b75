//! What is done while an action settles, so that its answer comes soon after: a look at the page as
//! soon as it seems calm, and the lines of the looks before and after, read on another thread.
//! Nothing is told from it unless the look after settling says that the page is still the same.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pagesight_core::diff::Reading;
use pagesight_core::page::Page;
use tokio::task::JoinHandle;

use super::batch::Actor;
use crate::features::Feature;
use crate::look::capture::{Wish, capture};

/// A page of more nodes takes longer to look at than there is time.
const LARGEST: usize = 60_000;

/// The lines of the first page that was looked at, and of the last.
#[derive(Default)]
pub(super) struct Readings(Mutex<Vec<Begun>>);

struct Begun {
    page: Arc<Page>,
    reading: JoinHandle<Arc<Reading>>,
}

impl Readings {
    fn begun(&self) -> MutexGuard<'_, Vec<Begun>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins to read the lines of a page.
    pub(super) fn begin(&self, page: &Arc<Page>) {
        let mut begun = self.begun();
        if begun.iter().any(|known| Arc::ptr_eq(&known.page, page)) {
            return;
        }
        begun.truncate(1);
        let read = page.clone();
        let reading = tokio::task::spawn_blocking(move || Arc::new(Reading::of(&read)));
        begun.push(Begun { page: page.clone(), reading });
    }

    /// The lines of a page.
    pub(super) async fn of(&self, page: &Arc<Page>) -> Arc<Reading> {
        let begun = {
            let mut begun = self.begun();
            let place = begun.iter().position(|known| Arc::ptr_eq(&known.page, page));
            place.map(|place| begun.remove(place))
        };
        let read = match begun {
            Some(begun) => begun.reading.await.ok(),
            None => None,
        };
        read.unwrap_or_else(|| Arc::new(Reading::of(page)))
    }
}

impl Actor<'_> {
    /// Looks at the page while it may still change. What cannot be looked at now is looked at
    /// later.
    pub(super) fn glance(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async move {
            // A page that has to be walked as a whole each time is not walked once more.
            let known = Some(self.tab.memory())
                .filter(|memory| !memory.in_vain)
                .and_then(|memory| memory.last());
            if !self.session.has(Feature::PageDiffing)
                || known.is_none_or(|page| page.len() > LARGEST)
            {
                return;
            }
            let wish =
                Wish { pierce: !self.session.options.no_pierce, ahead: true, ..Wish::default() };
            if let Ok((page, _)) = capture(self.tab, wish).await {
                self.readings.begin(&page);
            }
        })
    }
}
