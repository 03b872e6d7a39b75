//! Divides the bytes that logs may take among all tabs of the process, whatever their session.

use std::sync::{Arc, Mutex, Weak};

use pagesight_browser::lock;
use pagesight_core::log::LOG_BYTES;

use crate::tab::state::SharedTabState;

/// The log of one tab takes at most this part of the bytes for all logs.
const FEWEST_SHARES: usize = 4;

/// The tabs that have a log.
static TABS: Mutex<Vec<Weak<SharedTabState>>> = Mutex::new(Vec::new());

/// Gives a new tab its share; the logs of the other tabs are cut to theirs.
pub(crate) fn share(new: &Arc<SharedTabState>) {
    let open: Vec<Arc<SharedTabState>> = {
        let mut tabs = lock(&TABS);
        tabs.retain(|tab| tab.strong_count() > 0);
        tabs.push(Arc::downgrade(new));
        tabs.iter().filter_map(Weak::upgrade).collect()
    };
    let share = LOG_BYTES / open.len().max(FEWEST_SHARES);
    // The list is not locked meanwhile, so that no tab waits for the lock of a different one.
    for state in open {
        state.now().log.entries.set_limit(share);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_tabs_of_the_process_share_the_bytes() {
        let tabs: Vec<Arc<SharedTabState>> = (0..100).map(|_| Arc::default()).collect();
        tabs.iter().for_each(share);
        let limit = tabs[0].now().log.entries.limit();
        assert!(limit <= LOG_BYTES / 100, "{limit}");
        drop(tabs);
        let alone = Arc::default();
        share(&alone);
        // Other tests have tabs, too.
        assert!(alone.now().log.entries.limit() > limit);
    }
}
