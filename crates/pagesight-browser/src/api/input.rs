//! Mouse, touch and keyboard input, as plain data that does not depend on a protocol.

use std::time::Duration;

/// A mouse button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MouseButton {
    /// The main button.
    Left,
    /// The button that opens context menus.
    Right,
}

/// One piece of real browser input.
#[derive(Clone, Debug, PartialEq)]
pub enum Gesture {
    /// Move the mouse, then press and release a button `count` times at a point of the viewport. On
    /// a touch screen, tap there `count` times, or press long for the button of context menus.
    Click {
        /// CSS pixels from the left of the viewport.
        x: f64,
        /// CSS pixels from the top of the viewport.
        y: f64,
        /// Points that the mouse visits first, as a hand does.
        via: Vec<(f64, f64)>,
        /// The button that is pressed.
        button: MouseButton,
        /// 1 for a click, 2 for a double click.
        count: u8,
        /// Whether the key that adds to a selection is held: Control, or Meta on macOS.
        adds: bool,
    },
    /// Move the mouse to a point of the viewport.
    Move {
        /// CSS pixels from the left of the viewport.
        x: f64,
        /// CSS pixels from the top of the viewport.
        y: f64,
        /// Points that the mouse visits first, as a hand does.
        via: Vec<(f64, f64)>,
    },
    /// Press and release one key, with modifiers: `Enter`, `Control+A`, `a`.
    Press {
        /// The key and its modifiers.
        chord: KeyChord,
        /// The frame that gets it.
        target: KeyTarget,
    },
    /// Type text key by key; a line break is Enter. Characters without a key are inserted the way
    /// an input method inserts them.
    Type {
        /// The text to type.
        text: String,
        /// The frame that gets it.
        target: KeyTarget,
    },
    /// Insert text at the caret, as an input method does.
    InsertText {
        /// The text to insert, at the cursor.
        text: String,
        /// The frame that has the focus; `None` for the top one.
        frame: Option<String>,
    },
    /// Turn the wheel over a point of the viewport.
    Scroll {
        /// CSS pixels from the left of the viewport.
        x: f64,
        /// CSS pixels from the top of the viewport.
        y: f64,
        /// How far to the right, in CSS pixels.
        dx: f64,
        /// How far down, in CSS pixels.
        dy: f64,
        /// Identifies the box that should scroll. A browser that sends a turn of the wheel to the
        /// box of the turn before need not wait if they are the same. `None`: wait.
        scroller: Option<String>,
    },
    /// Press the main button at one point, move to a second point in steps, and release it there.
    /// On a touch screen, a finger moves.
    Drag {
        /// The point where the button is pressed.
        from: Spot,
        /// The point where the button is released.
        to: Spot,
    },
    /// Move a finger from one point to a second one. Only on a touch screen.
    Swipe {
        /// The point where the finger comes down.
        from: Spot,
        /// The point where it is lifted.
        to: Spot,
    },
}

/// The frame that keys are meant for. An engine that has to choose the frame itself sends keys to
/// this one only, and fails if it cannot find out that this one has the focus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyTarget {
    /// The frame that has the focus, whichever it is.
    Focused,
    /// This frame, if it has the focus; `None` for the top one.
    Frame(Option<String>),
}

/// A point of the viewport and the frame under it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spot {
    /// CSS pixels from the left of the viewport.
    pub x: f64,
    /// CSS pixels from the top of the viewport.
    pub y: f64,
    /// The frame; `None` for the top one.
    pub frame: Option<String>,
    /// Points that the mouse visits first.
    pub via: Vec<(f64, f64)>,
}

impl Gesture {
    /// Returns the press of a key in a frame that must have the focus; `None` for the top one.
    pub fn press_in(frame: Option<&str>, chord: KeyChord) -> Gesture {
        Gesture::Press { chord, target: KeyTarget::Frame(frame.map(str::to_owned)) }
    }

    /// Number of positions of [`Gesture::way`] before those at the drop target.
    pub(crate) const STEPS_OF_WAY: usize = 6;

    /// How often, and how long each time, the mouse waits over the place where it drops something.
    pub(crate) const WAITS_BEFORE_DROP: usize = 4;
    pub(crate) const WAIT_BEFORE_DROP: Duration = Duration::from_millis(80);

    /// Returns the positions of the mouse during a drag, including its end. The first steps are
    /// short, because a drag begins only after a few pixels. The last position comes twice, because
    /// only the second move makes the drop target notice the drag. Before it comes a different
    /// point of the drop target.
    pub(crate) fn way(from: &Spot, to: &Spot) -> Vec<(f64, f64)> {
        let (wide, high) = (to.x - from.x, to.y - from.y);
        let length = wide.hypot(high).max(1.0);
        let near = |pixels: f64| (pixels / length).min(1.0);
        let mut shares: [f64; Self::STEPS_OF_WAY] = [near(3.0), near(8.0), 0.2, 0.4, 0.6, 0.8];
        shares.sort_by(f64::total_cmp);
        let between = shares.map(|share| (from.x + wide * share, from.y + high * share));
        between.into_iter().chain(to.via.iter().copied()).chain([(to.x, to.y); 2]).collect()
    }
}

/// A key and the modifiers held with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyChord {
    /// The key's name as in `KeyboardEvent.key`: `Enter`, `ArrowDown`, `a`.
    pub key: String,
    /// Control held.
    pub control: bool,
    /// Shift held.
    pub shift: bool,
    /// Alt held.
    pub alt: bool,
    /// Meta (Command) held.
    pub meta: bool,
}
