//! Tells a running call that nobody waits for its answer any more.

use tokio::sync::watch;

/// A signal that ends a call early. A batch of actions ends between two of them. Clones are the
/// same signal.
#[derive(Clone, Debug, Default)]
pub struct Stop(watch::Sender<bool>);

impl Stop {
    /// Gives the signal.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }

    /// Whether the signal was given.
    pub fn is_stopped(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits for the signal.
    pub async fn stopped(&self) {
        // The sender lives as long as `self`.
        let _ = self.0.subscribe().wait_for(|stopped| *stopped).await;
    }
}
