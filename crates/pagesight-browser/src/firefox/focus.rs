//! Finds the frame that gets keys. Firefox has to be given that frame, so it must be certain: keys
//! may be a secret, and the document around a frame may be of a different origin.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

use crate::api::input::KeyTarget;
use crate::api::traits::CALL_LIMIT;
use crate::bidi::script;
use crate::bidi::state::BidiTabState;
use crate::error::{BrowserError, Result};

/// How long the focus may take to arrive in a frame: the documents around it learn of it later.
const ARRIVAL_LIMIT: Duration = Duration::from_millis(500);
/// How often they are asked meanwhile.
const ARRIVAL_PAUSE: Duration = Duration::from_millis(20);

/// Returns the frame that has the focus (`None`: the top one), if keys for `target` may go there.
pub(super) async fn receiver(state: &BidiTabState, target: &KeyTarget) -> Result<Option<String>> {
    // A frame may have any depth, so the time is limited, not the number of steps.
    let deadline = Instant::now() + CALL_LIMIT;
    let target = match target {
        KeyTarget::Frame(frame) => {
            KeyTarget::Frame(frame.clone().filter(|frame| *frame != state.id))
        }
        KeyTarget::Focused => KeyTarget::Focused,
    };
    confirmed(&target, |frame| inwards(state, frame, deadline)).await
}

/// Follows the focus from the top frame inwards. `inwards` returns the frame inside of a frame that
/// has the focus. A frame that does not answer could pass the keys to anyone, so it is an error.
async fn confirmed<Answer>(
    target: &KeyTarget,
    inwards: impl Fn(Option<String>) -> Answer,
) -> Result<Option<String>>
where
    Answer: Future<Output = Result<Option<String>>>,
{
    let deadline = Instant::now() + ARRIVAL_LIMIT;
    loop {
        let mut focused = None;
        while let Some(inner) = inwards(focused.clone()).await.map_err(uncertain)? {
            focused = Some(inner);
        }
        match target {
            KeyTarget::Frame(wanted) if *wanted != focused => {}
            _ => return Ok(focused),
        }
        if Instant::now() >= deadline {
            return Err(BrowserError::FocusElsewhere);
        }
        tokio::time::sleep(ARRIVAL_PAUSE).await;
    }
}

/// Turns the failure of a question about the focus into the reason why no keys are sent.
fn uncertain(error: BrowserError) -> BrowserError {
    match error {
        BrowserError::TimedOut { .. }
        | BrowserError::Script(_)
        | BrowserError::Refused { .. }
        | BrowserError::Navigated => BrowserError::FocusUncertain,
        other => other,
    }
}

/// Returns the frame inside of a frame that has the focus, if a frame has it.
async fn inwards(
    state: &BidiTabState,
    frame: Option<String>,
    deadline: Instant,
) -> Result<Option<String>> {
    #[derive(Deserialize)]
    struct ActiveElement {
        id: u32,
        frame: bool,
    }
    let frame = frame.as_deref();
    let left = || deadline.saturating_duration_since(Instant::now());
    let active: ActiveElement =
        script::call(state, frame, "focusedElement", &json!([]), left()).await?;
    if !active.frame {
        return Ok(None);
    }
    let inner = script::frames_of(state, frame, &[active.id], left()).await?;
    Ok(inner.into_iter().next().flatten())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(depth: usize) -> Option<String> {
        (depth > 0).then(|| depth.to_string())
    }

    /// Asks a page whose focus is in the frame at this depth; the frame `silent` does not answer.
    async fn asked(
        target: KeyTarget,
        depth: usize,
        silent: Option<usize>,
    ) -> Result<Option<String>> {
        let answer = |frame: Option<String>| async move {
            let now = frame.map_or(0, |frame| frame.parse().unwrap());
            match silent == Some(now) {
                true => Err(BrowserError::TimedOut { what: String::new(), limit: ARRIVAL_LIMIT }),
                false => Ok((now < depth).then(|| at(now + 1)).flatten()),
            }
        };
        confirmed(&target, answer).await
    }

    #[tokio::test]
    async fn keys_go_to_the_frame_that_is_known_to_have_the_focus() {
        for depth in [0, 1, 11, 40] {
            for target in [KeyTarget::Focused, KeyTarget::Frame(at(depth))] {
                assert_eq!(asked(target, depth, None).await, Ok(at(depth)));
            }
        }
    }

    #[tokio::test]
    async fn no_keys_are_sent_if_a_frame_does_not_answer() {
        for silent in [0, 1, 2] {
            for target in [KeyTarget::Focused, KeyTarget::Frame(at(2))] {
                let sent = asked(target, 2, Some(silent)).await;
                assert_eq!(sent, Err(BrowserError::FocusUncertain), "{silent}");
            }
        }
    }

    #[tokio::test]
    async fn no_keys_are_sent_to_a_different_frame() {
        for (meant, depth) in [(2, 0), (2, 1), (0, 1), (1, 2)] {
            let sent = asked(KeyTarget::Frame(at(meant)), depth, None).await;
            assert_eq!(sent, Err(BrowserError::FocusElsewhere), "{meant} {depth}");
        }
    }
}
