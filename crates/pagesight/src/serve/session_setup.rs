//! The options of one session, which a client gives when it opens the session: its state, the size
//! of its tabs, its secrets and the folders of its uploads. The process is started without them, so
//! that sessions with different ones share it.

use std::path::PathBuf;

use pagesight_session::{Emulation, Options, Secrets, Viewport};
use serde::{Deserialize, Serialize};

use crate::cli::absolute_path::absolute;
use crate::cli::options::BrowserArguments;
use crate::cli::secrets::{GivenSecret, SecretArgumentError, add_secrets};
use crate::cli::state_file;

/// The options of one session. What is left out is as the process was started.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct SessionSetup {
    /// The file with its cookies and localStorage.
    pub(crate) state: Option<PathBuf>,
    pub(crate) viewport: Option<Viewport>,
    /// The conditions that its new tabs emulate.
    pub(crate) emulation: Emulation,
    pub(crate) upload_roots: Vec<PathBuf>,
    pub(crate) secrets: Vec<GivenSecret>,
}

/// A session is open with different options than a client gives.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{flag}: the session was opened with different values; end it with pagesight close, and open it again"
)]
pub(crate) struct SetupConflict {
    flag: &'static str,
}

/// The options of a session cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SetupError {
    #[error("{0:#}")]
    State(anyhow::Error),
    /// The database of the project.
    #[error("{0:#}")]
    Store(anyhow::Error),
    #[error(transparent)]
    Secrets(#[from] SecretArgumentError),
    #[error(transparent)]
    Conflict(#[from] SetupConflict),
}

impl SessionSetup {
    /// Returns the options of a session that these browser options contain. `has_viewport`: the
    /// user gave a size.
    pub(crate) fn of_browser(browser: &BrowserArguments, has_viewport: bool) -> SessionSetup {
        let state = browser.state.as_ref().map(absolute);
        let viewport = has_viewport.then_some(browser.viewport);
        let emulation = browser.emulation.emulation();
        SessionSetup { state, viewport, emulation, ..SessionSetup::default() }
    }

    /// Returns the options of a new session in a process with these options.
    pub(super) fn options(&self, process: &Options) -> Result<Options, SetupError> {
        let mut options = process.clone();
        if let Some(file) = &self.state {
            let read = state_file::read(file, "--state").map_err(SetupError::State)?;
            options.state = Some(read);
        }
        if let Some(viewport) = self.viewport {
            options.viewport = viewport;
            options.emulation.device = None;
        }
        if let Some(device) = self.emulation.device {
            options.viewport = device.viewport;
        }
        options.emulation = self.emulation.clone().over(&options.emulation);
        options.upload_roots.extend(self.upload_roots.iter().cloned());
        let mut secrets: Secrets = options.secrets.clone();
        add_secrets(&mut secrets, &self.secrets)?;
        options.secrets = secrets;
        Ok(options)
    }

    /// Fails if a client gives options that the open session does not have. The size of a tab and
    /// what it emulates can change at any time.
    pub(super) fn check(&self, open: &SessionSetup) -> Result<(), SetupConflict> {
        let conflicts = [
            ("--state", self.state.is_some() && self.state != open.state),
            (
                "--upload-root",
                !self.upload_roots.iter().all(|root| open.upload_roots.contains(root)),
            ),
            ("--secret", !self.secrets.iter().all(|secret| open.secrets.contains(secret))),
        ];
        match conflicts.into_iter().find(|(_, differs)| *differs) {
            Some((flag, _)) => Err(SetupConflict { flag }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(name: &str, value: &str) -> GivenSecret {
        GivenSecret {
            name: name.to_owned(),
            value: value.to_owned(),
            origins: vec!["https://shop.example".to_owned()],
        }
    }

    #[test]
    fn a_session_has_the_options_of_the_process_and_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("state.json");
        std::fs::write(&file, "{\"cookies\": [], \"origins\": []}").unwrap();
        let process = Options { upload_roots: vec!["/all".into()], ..Options::default() };
        let setup = SessionSetup {
            state: Some(file),
            viewport: Some(Viewport { width: 390, height: 844 }),
            upload_roots: vec!["/mine".into()],
            secrets: vec![secret("WORD", "hunter22")],
            emulation: serde_json::from_str(r#"{"color_scheme":"dark","offline":true}"#).unwrap(),
        };
        let process = Options {
            emulation: serde_json::from_str(r#"{"device":"ipad","color_scheme":"light","cpu":2}"#)
                .unwrap(),
            ..process
        };
        let options = setup.options(&process).unwrap();
        assert_eq!(options.viewport.width, 390);
        assert_eq!(options.emulation.to_string(), "dark, offline, cpu 2", "a size ends a device");
        let phone = serde_json::from_str(r#"{"device":"pixel-9"}"#).unwrap();
        let phone = SessionSetup { emulation: phone, ..SessionSetup::default() };
        assert_eq!(phone.options(&process).unwrap().viewport.width, 412);
        assert_eq!(options.upload_roots, [PathBuf::from("/all"), PathBuf::from("/mine")]);
        assert_eq!(options.secrets.names().collect::<Vec<_>>(), ["WORD"]);
        assert!(process.holds_nothing_of_the_user() && !options.holds_nothing_of_the_user());
        assert!(!format!("{setup:?}").contains("hunter22"), "{setup:?}");
        let sent = serde_json::to_string(&setup).unwrap();
        assert_eq!(serde_json::from_str::<SessionSetup>(&sent).unwrap(), setup);
    }

    #[test]
    fn different_options_of_an_open_session_are_refused() {
        let open = SessionSetup {
            state: Some("/s".into()),
            upload_roots: vec!["/a".into(), "/b".into()],
            secrets: vec![secret("WORD", "hunter22")],
            viewport: None,
            emulation: Emulation::default(),
        };
        assert_eq!(open.check(&open), Ok(()));
        assert_eq!(SessionSetup::default().check(&open), Ok(()));
        let viewport = Some(Viewport::default());
        assert_eq!(SessionSetup { viewport, ..SessionSetup::default() }.check(&open), Ok(()));
        for (flag, given) in [
            ("--state", SessionSetup { state: Some("/t".into()), ..open.clone() }),
            ("--upload-root", SessionSetup { upload_roots: vec!["/c".into()], ..open.clone() }),
            (
                "--secret",
                SessionSetup { secrets: vec![secret("WORD", "hunter23")], ..open.clone() },
            ),
        ] {
            let error = given.check(&open).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{flag}: the session was opened with")), "{error}");
        }
    }
}
