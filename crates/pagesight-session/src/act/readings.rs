//! Reads the lines of the pages before and after a batch on a separate thread, while the batch
//! continues.

use std::sync::{Arc, Mutex, MutexGuard};

use pagesight_browser::lock;
use pagesight_core::diff::Reading;
use pagesight_core::page::Page;
use tokio::task::JoinHandle;

/// The lines of the first and the last page that were looked at.
#[derive(Default)]
pub(super) struct Readings(Mutex<Vec<Begun>>);

struct Begun {
    page: Arc<Page>,
    reading: JoinHandle<Arc<Reading>>,
}

impl Readings {
    fn begun(&self) -> MutexGuard<'_, Vec<Begun>> {
        lock(&self.0)
    }

    /// Starts reading the lines of a page.
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

    /// Returns the lines of a page.
    pub(super) async fn of(&self, page: &Arc<Page>) -> Arc<Reading> {
        let begun = {
            let mut begun = self.begun();
            let at = begun.iter().position(|known| Arc::ptr_eq(&known.page, page));
            at.map(|at| begun.remove(at))
        };
        let read = match begun {
            Some(begun) => begun.reading.await.ok(),
            None => None,
        };
        read.unwrap_or_else(|| Arc::new(Reading::of(page)))
    }
}
