//! The options of a session.

use std::path::PathBuf;
use std::sync::Arc;

use pagesight_browser::{Emulation, LaunchOptions, Viewport};
use pagesight_core::hint::Wording;
use pagesight_core::text::hidden_values::HiddenValues;
use pagesight_core::web_origin::WebOrigin;

use crate::browser::consent::ConsentWait;
use crate::secrets::Secrets;
use crate::state::BrowserState;

/// The length of a password below which it is not hidden: it would be found in many words.
const SHORTEST_HIDDEN: usize = 6;

/// The options of a session.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How a browser is started.
    pub launch: LaunchOptions,
    /// The URL of a running browser to connect to instead, or the name of one that is searched for
    /// (`auto`, `chrome`, `edge`, `brave`, `chromium`).
    pub connect: Option<String>,
    /// How a call waits while the user of that browser has not allowed the connection.
    pub consent: ConsentWait,
    /// The viewport of new tabs, unless they stand in for a device.
    pub viewport: Viewport,
    /// The conditions that new tabs emulate.
    pub emulation: Emulation,
    /// Whether `file:` URLs may be opened.
    pub allow_file: bool,
    /// Do not enter shadow roots and frames.
    pub no_pierce: bool,
    /// Capture pages for a fingerprint while they settle, rather than for a look.
    pub for_fingerprints: bool,
    /// The folders that files may be uploaded from.
    pub upload_roots: Vec<PathBuf>,
    /// How hints in answers are worded.
    pub wording: Wording,
    /// Secrets that may be typed by their names.
    pub secrets: Secrets,
    /// Cookies and localStorage for a browser that is started.
    pub state: Option<Arc<BrowserState>>,
    /// How many tabs may be open at a time; without a number, as many as the browser can hold.
    pub most_tabs: Option<usize>,
    /// More values that must not leave the session, besides those of the secrets.
    pub hidden: HiddenValues,
    /// The origins of the documents that may be acted on, and of pages that
    /// [`Session::check_origin`](crate::Session::check_origin) accepts; any if there are none.
    pub origins: Vec<WebOrigin>,
}

impl Options {
    /// Whether the browser holds nothing of the user's: no login, no secret, no file. New options
    /// that bring something of the user's into the browser belong here.
    pub fn holds_nothing_of_the_user(&self) -> bool {
        self.connect.is_none()
            && self.launch.profile.is_none()
            && self.launch.connections.hold_nothing_of_the_user()
            && self.state.is_none()
            && self.secrets.list().is_empty()
            && !self.allow_file
    }

    /// Returns all values that must not leave the session.
    pub(crate) fn all_hidden(&self) -> HiddenValues {
        let mut hidden = self.hidden.clone();
        hidden.extend(&self.secrets.values());
        let secrets = self.launch.connections.secrets();
        for (name, value) in secrets.filter(|(_, value)| value.chars().count() >= SHORTEST_HIDDEN) {
            hidden.add(name, value);
        }
        hidden
    }
}
