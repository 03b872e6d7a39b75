//! Real touches in Chromium. The browser recognizes gestures in them, as in those of a finger: a
//! tap becomes a click, a long press opens the context menu, and a swipe scrolls.

use std::time::Duration;

use serde_json::{Value, json};

use super::delivery::{arrived, finish, handled};
use super::state::ChromiumTabState;
use crate::api::input::{MouseButton, Spot};
use crate::error::Result;

const TOUCH: &str = "Input.dispatchTouchEvent";

/// How long a finger stays for a long press.
const LONG_PRESS: Duration = Duration::from_millis(800);
/// How long a finger stays, and how long it is away between two taps. Chromium ignores a second tap
/// that comes sooner.
const TAP: Duration = Duration::from_millis(50);
/// How many steps a moving finger takes, and how long each takes: that of a frame.
const STEPS: u32 = 12;
const STEP: Duration = Duration::from_millis(16);
/// How far a finger moves before Chromium takes it for a swipe.
const SLOP: f64 = 16.0;

/// Taps at a point, or presses it for long in place of the button for context menus.
pub(super) async fn tap(
    state: &ChromiumTabState,
    (x, y): (f64, f64),
    button: MouseButton,
    count: u8,
) -> Result<()> {
    let stay = if button == MouseButton::Right { LONG_PRESS } else { TAP };
    let steps = async {
        for tap in 1..=count {
            handled(state, TOUCH, touch("touchStart", Some((x, y)))).await?;
            tokio::time::sleep(stay).await;
            handled(state, TOUCH, touch("touchEnd", None)).await?;
            if tap < count {
                tokio::time::sleep(TAP).await;
            }
        }
        Ok(())
    };
    ended(state, steps.await).await
}

/// Moves a finger from one point to a second one.
pub(super) async fn swipe(state: &ChromiumTabState, from: &Spot, to: &Spot) -> Result<()> {
    ended(state, way(state, (from.x, from.y), (to.x, to.y)).await).await
}

async fn way(state: &ChromiumTabState, from: (f64, f64), to: (f64, f64)) -> Result<()> {
    handled(state, TOUCH, touch("touchStart", Some(from))).await?;
    let (wide, high) = (to.0 - from.0, to.1 - from.1);
    // The first part only shows that it is a swipe; pages do not get it.
    let first = (SLOP / wide.hypot(high).max(SLOP)).min(1.0);
    for step in 0..=STEPS {
        let share = first + (1.0 - first) * f64::from(step) / f64::from(STEPS);
        let at = (from.0 + wide * share, from.1 + high * share);
        handled(state, TOUCH, touch("touchMove", Some(at))).await?;
        tokio::time::sleep(STEP).await;
    }
    handled(state, TOUCH, touch("touchEnd", None)).await
}

async fn ended(state: &ChromiumTabState, done: Result<()>) -> Result<()> {
    match done {
        Ok(()) => finish(state, Vec::new()).await,
        refused => arrived(refused),
    }
}

fn touch(kind: &str, at: Option<(f64, f64)>) -> Value {
    let points = at.map(|(x, y)| json!({"x": x, "y": y, "id": 0}));
    json!({"type": kind, "touchPoints": points.into_iter().collect::<Vec<_>>()})
}
