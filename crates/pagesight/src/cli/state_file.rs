//! The options of a session from the arguments of a command, with the file of `--state`, which is
//! read before a browser starts.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use anyhow::{anyhow, bail};
use pagesight_browser::is_running_name;
use pagesight_session::private_files::is_open_to_others;
use pagesight_session::{BrowserState, ConsentWait, Engine, LaunchOptions, Options};

use super::connection_arguments::Lookup;
use super::file_error::unreadable;
use super::options::BrowserArguments;
use super::{log, print};
use pagesight_check::clock;

use crate::hints;

const LARGEST: u64 = 16 * 1024 * 1024;

impl BrowserArguments {
    /// Returns the options of the session, with the state that is loaded.
    pub(crate) fn options(&self) -> anyhow::Result<Options> {
        self.options_with(&|name| std::env::var(name).ok())
    }

    /// Returns the options of the session, with values that `lookup` finds.
    pub(crate) fn options_with(&self, lookup: Lookup<'_>) -> anyhow::Result<Options> {
        if self.state.is_some() && self.connect.is_some() {
            bail!("--state: the browser at --connect has its own cookies; leave one of them out");
        }
        self.check_running()?;
        if let Some(address) = &self.connect {
            log::hide_parameters(address);
        }
        let state = self.state.as_deref();
        let state = state.map(|file| read(file, "--state")).transpose()?;
        let launch = LaunchOptions {
            engine: self.browser,
            headed: self.headed,
            profile: self.profile.clone(),
            ..self.environment.launch_with(self.connect.is_some(), lookup)?
        };
        let emulation = self.emulation.emulation();
        Ok(Options {
            launch,
            state,
            connect: self.connect.clone(),
            consent: ConsentWait::Report(|waiting| print::note(&waiting.to_string())),
            viewport: emulation.device.map_or(self.viewport, |device| device.viewport),
            emulation,
            allow_file: self.allow_file,
            no_pierce: self.no_pierce,
            wording: hints::COMMAND_LINE,
            ..Options::default()
        })
    }

    /// Checks the options for a running browser that is found by its name.
    fn check_running(&self) -> anyhow::Result<()> {
        let Some(name) = self.connect.as_deref().filter(|given| is_running_name(given)) else {
            return Ok(());
        };
        if self.browser != Engine::Chromium {
            bail!(
                "--connect {name}: only Chrome, Edge, Brave and Chromium are found by name; for Firefox give its address"
            );
        }
        if self.profile.is_some() || self.headed {
            let flag = if self.headed { "--headed" } else { "--profile" };
            bail!("{flag} has no effect on a running browser; leave it out with --connect {name}");
        }
        Ok(())
    }
}

/// Reads a file, and prints a note about each part that is not loaded. `given` is the flag or key
/// that names the file.
pub(crate) fn read(file: &Path, given: &str) -> anyhow::Result<Arc<BrowserState>> {
    let shown = file.display();
    let failed = |error: std::io::Error| anyhow!("{given}: {}", unreadable(file, &error));
    let opened = std::fs::File::open(file).map_err(failed)?;
    let is_open = opened.metadata().is_ok_and(|file| is_open_to_others(&file));
    let mut bytes = Vec::new();
    opened.take(LARGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > LARGEST {
        bail!("{given}: {shown} is larger than 16 MiB; save a new one with pagesight state save");
    }
    let text = String::from_utf8_lossy(&bytes);
    let (state, notes) = BrowserState::parse(&text, clock::seconds())
        .map_err(|error| anyhow::anyhow!("{given}: {shown} cannot be used: {error}"))?;
    // It is as good as a password.
    if is_open {
        print::note(&format!("{given}: {shown} can be read by others; run chmod 600 {shown}"));
    }
    for note in notes {
        print::note(&format!("{given}: {note}"));
    }
    Ok(Arc::new(state))
}
