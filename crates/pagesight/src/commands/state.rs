//! `pagesight state save`: writes the cookies and localStorage of a browser to a file.

use std::path::Path;

use anyhow::{Context, bail};
use pagesight_session::{BrowserState, Session, WebOrigin, private_files};
use tokio_util::sync::CancellationToken;

use super::shell;
use crate::cli::arguments::StateArguments;
use crate::cli::{print, signals};

/// Saves the state of a browser.
pub(crate) async fn save(arguments: StateArguments) -> anyhow::Result<()> {
    let StateArguments { file, origin, session, browser } = arguments;
    let origins: Vec<WebOrigin> =
        origin.iter().map(|given| given.parse()).collect::<Result<_, _>>().context("--origin")?;
    if let Some(name) = session {
        return save_session(&file, &name, origin).await;
    }
    if browser.connect.is_none() && browser.profile.is_none() {
        bail!("a new browser has no state; give -s NAME, --connect URL or --profile DIR");
    }
    if let Some(missing) = browser.profile.as_ref().filter(|profile| !profile.is_dir()) {
        bail!(
            "--profile: there is no folder {}; give one that a browser has used",
            missing.display()
        );
    }
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

/// Saves the state of an open session.
async fn save_session(file: &Path, name: &str, origins: Vec<String>) -> anyhow::Result<()> {
    let answer = shell::save_state(name, origins).await?;
    let answer = answer.map_err(|failure| anyhow::Error::msg(failure.sentence))?;
    let state = answer.file().context("the answer has no state")?;
    let notes = answer.data["notes"].as_array().into_iter().flatten().filter_map(|it| it.as_str());
    let notes: Vec<String> = notes.map(str::to_owned).collect();
    write_text(file, &state, &answer.text, &notes)
}

/// Writes a state to a file that only the user can read.
pub(crate) fn write(file: &Path, state: &BrowserState, notes: &[String]) -> anyhow::Result<()> {
    write_text(file, state.to_json().as_bytes(), &state.summary(), notes)
}

fn write_text(file: &Path, state: &[u8], summary: &str, notes: &[String]) -> anyhow::Result<()> {
    private_files::replace_private(file, state)
        .with_context(|| format!("cannot write {}", file.display()))?;
    notes.iter().for_each(|note| print::note(note));
    print::note(&format!("wrote {summary} to {}", file.display()));
    Ok(())
}
