//! `pagesight state save`: writes the cookies and localStorage of a browser to a file.

use std::path::Path;

use anyhow::{Context, bail};
use pagesight_session::{BrowserState, Session, WebOrigin, private_files};
use tokio_util::sync::CancellationToken;

use crate::cli::arguments::StateArguments;
use crate::cli::{print, signals};

/// Saves the state of a browser.
pub(crate) async fn save(arguments: StateArguments) -> anyhow::Result<()> {
    let StateArguments { file, origin, browser } = arguments;
    if browser.connect.is_none() && browser.profile.is_none() {
        bail!("a new browser has no state; give --connect URL or --profile DIR");
    }
    let origins: Vec<WebOrigin> =
        origin.iter().map(|given| given.parse()).collect::<Result<_, _>>().context("--origin")?;
    let session = Session::new(browser.options()?);
    let stop = CancellationToken::new();
    let mut saving = std::pin::pin!(session.save_state(&origins, &stop));
    let saved = tokio::select! {
        saved = &mut saving => saved.map_err(anyhow::Error::from),
        () = signals::ended_by_signal() => {
            // The tab of the current origin is closed first: the browser may be the user's.
            stop.cancel();
            let _ = saving.await;
            Err(anyhow::anyhow!("ended by a signal"))
        }
    };
    session.close().await;
    let (state, notes) = saved?;
    write(&file, &state, &notes)
}

/// Writes a state to a file that only the user can read.
pub(crate) fn write(file: &Path, state: &BrowserState, notes: &[String]) -> anyhow::Result<()> {
    private_files::replace_private(file, state.to_json().as_bytes())
        .with_context(|| format!("cannot write {}", file.display()))?;
    notes.iter().for_each(|note| print::note(note));
    print::note(&format!("wrote {} to {}", state.summary(), file.display()));
    Ok(())
}
