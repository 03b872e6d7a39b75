//! `pagesight login`: opens a window, waits until a person has logged in, and saves the state of
//! the browser.

use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;
use pagesight_session::{Action, BrowserState, Session, TabRecord, WaitFor};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::state;
use crate::cli::arguments::LoginArguments;
use crate::cli::{print, signals};

/// How often it is checked that the window is still open.
const STILL_OPEN: Duration = Duration::from_millis(500);
/// How long a single wait for an address or a text may take; it is repeated.
const ONE_WAIT: Duration = Duration::from_secs(20);

/// Opens a window at a URL, waits, and saves cookies and localStorage.
pub(crate) async fn login(arguments: LoginArguments) -> anyhow::Result<()> {
    let LoginArguments { url, until_url, until_text, mut browser } = arguments;
    if browser.connect.is_some() {
        bail!(
            "--connect: login opens a window of its own; for a running browser use pagesight state save"
        );
    }
    for (flag, given) in [("--until-url", &until_url), ("--until-text", &until_text)] {
        if given.as_ref().is_some_and(|text| text.trim().is_empty()) {
            bail!("{flag}: give a text that is not empty");
        }
    }
    if until_url.is_some() && until_text.is_some() {
        bail!("--until-url and --until-text: give one of them");
    }
    if browser.headed {
        bail!("--headed: login always opens a window; leave it out");
    }
    let Some(file) = browser.state.take() else {
        bail!("give --state FILE, the file that the login is saved to");
    };
    // Otherwise the person would log in for nothing.
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(missing) = folder.filter(|folder| !folder.is_dir()) {
        bail!("--state: {} is not a folder; create it first", missing.display());
    }
    if !has_display() {
        bail!(
            "login opens a window, and there is no display (DISPLAY, WAYLAND_DISPLAY); run it on a desktop"
        );
    }
    // A login that has expired is renewed.
    browser.state = Some(file.clone()).filter(|file| file.exists());
    browser.headed = true;
    let session = Session::new(browser.options()?);
    session.person_takes_over();
    let until = until_url.map(WaitFor::Url).or(until_text.map(WaitFor::Text));
    let saved = signals::until_signal(log_in(&session, &url, until), "ended by a signal").await;
    session.close().await;
    let (saved, notes) = saved?;
    state::write(&file, &saved, &notes)
}

/// Whether a window can be shown.
fn has_display() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

async fn log_in(
    session: &Session,
    url: &str,
    until: Option<WaitFor>,
) -> anyhow::Result<(BrowserState, Vec<String>)> {
    let address = session.address(url)?;
    let tab = session.open_tab(None).await?;
    session.navigate(&tab, &address, None).await?;
    tokio::select! {
        done = finished(session, &tab, until) => done?,
        () = closed(session) => {
            bail!("the window was closed before the login was done; nothing was saved")
        }
    }
    Ok(session.save_state(&[], &CancellationToken::new()).await?)
}

/// Returns when the person says that the login is done, or the page shows it.
async fn finished(
    session: &Session,
    tab: &Arc<TabRecord>,
    until: Option<WaitFor>,
) -> anyhow::Result<()> {
    let Some(until) = until else {
        print::note("log in in the window, then press Enter here");
        return enter().await;
    };
    print::note("log in in the window; the login is saved when the page that you named is there");
    loop {
        let wait = [Action::Wait { until: until.clone(), limit: ONE_WAIT }];
        let acted = session.act(tab, &wait, None).await?;
        if !acted.failed() {
            return Ok(());
        }
        // A dialog, or a page that hangs, fails at once.
        tokio::time::sleep(STILL_OPEN).await;
    }
}

/// Waits for a line on standard input. A thread reads it, which does not delay the program's end.
async fn enter() -> anyhow::Result<()> {
    let (sender, line) = oneshot::channel();
    std::thread::spawn(move || {
        let mut text = String::new();
        let read = std::io::stdin().read_line(&mut text);
        let _ = sender.send(read.is_ok_and(|length| length > 0));
    });
    match line.await {
        Ok(true) => Ok(()),
        _ => {
            bail!("standard input ended before Enter was pressed; give --until-url or --until-text")
        }
    }
}

/// Returns when the browser has ended, or its last tab is closed: without a window it may run on.
async fn closed(session: &Session) {
    while session.is_alive().await && session.tabs().await.is_ok_and(|tabs| !tabs.is_empty()) {
        tokio::time::sleep(STILL_OPEN).await;
    }
}
