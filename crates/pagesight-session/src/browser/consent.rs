//! Waits for the user's consent to a connection to the user's own browser. The question stays open
//! between calls: one socket waits, and calls join it.

use std::time::Duration;

use pagesight_browser::{BrowserError, CONSENT_LIMIT, Connected, PendingConsent};

use crate::error::Result;

/// How long a call waits for the user's consent.
const ANSWER_LIMIT: Duration = Duration::from_secs(4);

/// How long a caller who waits as long as necessary waits silently.
const REPORT_AFTER: Duration = Duration::from_millis(700);

/// How a call waits while the user has not answered whether we may connect.
#[derive(Clone, Copy, Debug, Default)]
pub enum ConsentWait {
    /// Answers after a few seconds that the user is waited for; later calls wait for the same
    /// answer.
    #[default]
    Answer,
    /// Reports once that the user is waited for, and waits as long as the user may take.
    Report(fn(&BrowserError)),
}

/// The state of connecting to a browser that asks its user.
pub(crate) enum Consent {
    /// The user answered, and allowed it.
    Given(Connected),
    /// The user has not answered yet.
    Pending(PendingConsent),
}

/// Takes the outcome of a connection that was begun, or begins one. `slot` keeps it between calls.
pub(crate) async fn consent(slot: &mut Option<PendingConsent>, wanted: &str) -> Result<Consent> {
    if let Some(pending) = slot.clone() {
        if !pending.is_answered(Duration::ZERO).await {
            return Ok(Consent::Pending(pending));
        }
        *slot = None;
        if let Some(outcome) = pending.take() {
            return Ok(Consent::Given(outcome?));
        }
    }
    let pending = PendingConsent::begin(wanted).await?;
    *slot = Some(pending.clone());
    Ok(Consent::Pending(pending))
}

impl ConsentWait {
    /// Waits for the user's answer. Fails if there is none in time.
    pub(crate) async fn wait(self, pending: &PendingConsent) -> Result<()> {
        let limit = match self {
            ConsentWait::Answer => ANSWER_LIMIT,
            ConsentWait::Report(_) => REPORT_AFTER,
        };
        if pending.is_answered(limit).await {
            return Ok(());
        }
        let waiting = pending.still_waiting();
        if let ConsentWait::Report(report) = self {
            report(&waiting);
            if pending.is_answered(CONSENT_LIMIT).await {
                return Ok(());
            }
        }
        Err(waiting.into())
    }
}
