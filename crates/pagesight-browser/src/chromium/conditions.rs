//! The conditions that a tab of Chromium emulates.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use serde_json::{Value, json};

use crate::api::device::Device;
use crate::api::emulation::Emulation;
use crate::api::viewport::Viewport;

/// A part of a tab that has a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TabPart {
    /// The page.
    Page,
    /// A frame in a process of its own.
    Frame,
    /// A worker.
    Worker,
}

/// The conditions of a tab.
#[derive(Clone, Debug, Default)]
pub(super) struct TabConditions {
    pub(super) emulation: Emulation,
    /// The size of the page, unless the device has one.
    pub(super) viewport: Viewport,
}

impl TabConditions {
    /// Returns the parameters of the command that gives a tab its size.
    pub(super) fn metrics(&self) -> Value {
        metrics(self.viewport, self.emulation.device.as_ref())
    }
}

/// Returns the parameters of the command that gives a tab its size and its device.
pub(super) fn metrics(viewport: Viewport, device: Option<&Device>) -> Value {
    let Viewport { width, height } = viewport;
    let Some(device) = device else {
        return json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
    };
    // A device that was resized, perhaps turned, has no bars.
    let screen = if viewport == device.viewport { device.screen } else { viewport };
    let mut metrics = json!({
        "width": width, "height": height, "deviceScaleFactor": device.pixel_ratio,
        "mobile": device.touch, "screenWidth": screen.width, "screenHeight": screen.height,
    });
    if device.touch {
        let upright = height >= width;
        metrics["screenOrientation"] = match upright {
            true => json!({"type": "portraitPrimary", "angle": 0}),
            false => json!({"type": "landscapePrimary", "angle": 90}),
        };
    }
    metrics
}

/// The tabs that emulate a position, by context. Their pages need the permission, which only a
/// whole context can have.
#[derive(Default)]
pub(super) struct LocatedTabs(pub(super) Mutex<HashMap<Option<String>, HashSet<String>>>);
