//! `pagesight watch`: stays on a page and compares it again whenever it re-renders, in place or by
//! a reload. Prints one message per render, with only the changes since the last message, and waits
//! while the server is down. Ctrl-C ends it and prints all differences that are left.

mod delta;
mod files;
mod served;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use pagesight_browser::BrowserError;
use pagesight_core::compare::{Comparison, Severity, Status, compare, worded};
use pagesight_core::fingerprint::Fingerprint;
use pagesight_core::text::address::{display, without_values};
use pagesight_core::text::escape::{sentence, value};
use pagesight_session::{
    Action, Address, PageEvent, Session, SessionError, TabRecord, Viewport, WaitOutcome, Watcher,
};
use serde_json::{Value, json};

use crate::cli::arguments::WatchArguments;
use crate::cli::options::Output;
use crate::cli::page_address::completed;
use crate::cli::{exit, print, signals};
use crate::hints;
use crate::tools::compare::live_base;
use crate::tools::error::ToolError;
use crate::tools::evaluate_permission::EvaluatePermission;
use crate::tools::fingerprint::take_like;
use crate::tools::navigate;
use crate::tools::workspace::Workspace;
use delta::ChangeDelta;
use files::WatchedFiles;
use pagesight_check::clock::{time_of_day, timestamp};
use pagesight_check::report::comparison;
use pagesight_check::report::words::{count, first, severity_counts};
use pagesight_check::settings::{current_folder, ignore_rules, settings_file};
use served::ServedFiles;

/// The pause after a check that found nothing new. It grows with each such check, so that a page
/// that keeps changing is not checked all the time.
const PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_millis(500);
/// After this long without news, a page no longer counts as one that keeps changing.
const CALM: Duration = Duration::from_secs(2);
/// How many times the first check is tried if the document is replaced.
const FIRST_TRIES: usize = 5;
/// How long to wait for a page that is loading before its state is printed.
const PATIENCE: Duration = Duration::from_secs(5);
/// The time between two attempts to reach a page.
const TRY_AGAIN: Duration = Duration::from_secs(1);
/// How many changes one message lists.
const MOST_CHANGES: usize = 40;

/// Watches until a signal. Closes the browser in every case.
pub(crate) async fn run(mut arguments: WatchArguments) -> anyhow::Result<ExitCode> {
    if arguments.page.ends_with(".page.json") && !arguments.page.contains("://") {
        bail!("a page file does not change; compare it with: pagesight compare {}", arguments.page);
    }
    arguments.page = completed(&arguments.page)?;
    print::settings(settings_file(&current_folder())?.as_deref());
    let workspace =
        Workspace::new(Session::new(arguments.browser.options()?), EvaluatePermission::Off);
    let result = watch(&workspace, &arguments).await;
    workspace.session.close().await;
    result
}

async fn watch(workspace: &Workspace, arguments: &WatchArguments) -> anyhow::Result<ExitCode> {
    let ended = signals::ended_by_signal();
    tokio::pin!(ended);
    let mut watched = tokio::select! {
        watched = PageWatch::begin(workspace, arguments) => watched?,
        () = &mut ended => bail!("ended by a signal before the page was loaded"),
    };
    let result = tokio::select! {
        result = watched.watch() => result,
        () = &mut ended => Ok(()),
    };
    watched.summary(arguments.fail_on);
    result?;
    Ok(exit::of_comparison(&watched.last, arguments.fail_on))
}

/// A page that is watched.
struct PageWatch<'w> {
    workspace: &'w Workspace,
    tab: Arc<TabRecord>,
    /// The state of the tab at its last reported event.
    watcher: Watcher,
    address: Address,
    base: Arc<Fingerprint>,
    against: String,
    output: Output,
    begun: Instant,
    checks: usize,
    /// The last result; all of it was printed.
    last: Comparison,
    /// The files whose changes reload the page.
    files: Option<WatchedFiles>,
    /// The files of the page on its server, until a change of them was reported that the page did
    /// not render.
    served: Option<ServedFiles>,
    /// The last printed reason why the page could not be compared. Empty after a successful check.
    unclear: String,
}

impl<'w> PageWatch<'w> {
    /// Opens the page and prints how it compares.
    async fn begin(
        workspace: &'w Workspace,
        arguments: &WatchArguments,
    ) -> anyhow::Result<PageWatch<'w>> {
        let files = WatchedFiles::of(current_folder(), &arguments.files)?;
        let session = &workspace.session;
        let address = session.address(&arguments.page)?;
        let tab = session.open_tab(None).await?;
        let navigated = session.navigate(&tab, &address, None).await?;
        if let WaitOutcome::Failed(why) | WaitOutcome::NoDocument(why) = &navigated.outcome {
            let page = without_values(&arguments.page);
            bail!("{page} could not be opened ({why}); start its server and try again");
        }
        if !navigated.outcome.is_ready() || navigated.trouble.is_some() {
            print::note(&navigate::lines(&navigated, hints::COMMAND_LINE));
        }
        let served = match files.is_none() && arguments.browser.connect.is_none() {
            true => ServedFiles::of(&navigated.url).await,
            false => None,
        };
        let base = live_base(workspace, &tab, &arguments.against).await?;
        let viewport = Viewport { width: base.viewport.width, height: base.viewport.height };
        if viewport != arguments.browser.viewport {
            // Resized once, not for every check.
            session.resize_tab(&tab, viewport).await?;
        }
        let mut watched = PageWatch {
            workspace,
            watcher: session.watch(&tab),
            tab,
            address,
            base,
            against: arguments.against.clone(),
            output: arguments.output.output,
            begun: Instant::now(),
            checks: 0,
            last: Comparison::default(),
            files,
            served,
            unclear: String::new(),
        };
        let found = watched.first_check().await?;
        let news = ChangeDelta::between(&[], &found.changes);
        let page = display(&arguments.page);
        let head = match found.changes.len() {
            0 => format!("watching {page} against {}: no changes", watched.against),
            _ => format!(
                "watching {page} against {}: {}",
                watched.against,
                severity_counts(found.changes.iter())
            ),
        };
        watched.report("watching", &head, &news, &found)?;
        watched.last = found;
        Ok(watched)
    }

    async fn watch(&mut self) -> anyhow::Result<()> {
        let mut unchanged_checks: u32 = 0;
        let mut loading_since: Option<Instant> = None;
        // The last check failed and has to be repeated.
        let mut due = false;
        loop {
            let asked = Instant::now();
            if let Err(error) = self.heard(std::mem::take(&mut due), loading_since).await? {
                self.handle(error.into()).await?;
                due = true;
                continue;
            }
            if asked.elapsed() > CALM {
                unchanged_checks = 0;
            }
            let found = match self.check().await {
                Ok(found) => {
                    self.unclear.clear();
                    found
                }
                Err(error) => {
                    self.handle(error).await?;
                    due = true;
                    continue;
                }
            };
            let patient = loading_since.is_none_or(|since| since.elapsed() < PATIENCE);
            if found.status == Status::Loading && patient {
                loading_since.get_or_insert_with(Instant::now);
                continue;
            }
            loading_since = None;
            let news = ChangeDelta::between(&self.last.changes, &found.changes);
            if news.is_empty() {
                unchanged_checks += 1;
                tokio::time::sleep(LONGEST_PAUSE.min(PAUSE * unchanged_checks)).await;
                continue;
            }
            unchanged_checks = 0;
            self.report("changed", &news.head(found.changes.len()), &news, &found)?;
            self.page_has_rendered();
            self.last = found;
        }
    }

    /// Waits until there is a reason to check: a check that is `due`, or news of the page. The
    /// inner error concerns the page only; watching continues after it.
    async fn heard(
        &mut self,
        due: bool,
        loading_since: Option<Instant>,
    ) -> anyhow::Result<Result<(), SessionError>> {
        let session = &self.workspace.session;
        if due && !session.has_left(&self.watcher) {
            return Ok(Ok(()));
        }
        let event = match loading_since {
            // A page that is loading is checked again even without news.
            Some(since) => {
                let left = (since + PATIENCE).saturating_duration_since(Instant::now());
                let event =
                    tokio::time::timeout(left, session.next_page_event(&mut self.watcher)).await;
                event.unwrap_or(Ok(PageEvent::Changed))
            }
            None => {
                let changed = async {
                    match &mut self.files {
                        Some(files) => files.changed().await,
                        None => std::future::pending().await,
                    }
                };
                let unseen = async {
                    match &mut self.served {
                        Some(served) => served.unseen().await,
                        None => std::future::pending().await,
                    }
                };
                tokio::select! {
                    event = session.next_page_event(&mut self.watcher) => event,
                    file = changed => return self.reload(&file?).await.map(Ok),
                    file = unseen => return self.warn_of(&file).map(Ok),
                }
            }
        };
        if matches!(event, Ok(PageEvent::Replaced)) {
            self.page_has_rendered();
        }
        let unreachable = match event {
            Ok(PageEvent::Changed) => return Ok(Ok(())),
            Ok(PageEvent::Unreachable(why)) => why,
            Ok(PageEvent::Replaced) => match session.arrived(&self.tab).await {
                Ok(WaitOutcome::Failed(why)) => why,
                arrived => return Ok(arrived.map(|_| ())),
            },
            Err(error) => return Ok(Err(error)),
        };
        self.wait_for(&unreachable).await?;
        self.watcher = self.workspace.session.watch(&self.tab);
        Ok(Ok(()))
    }

    /// Records that the page has rendered something on its own.
    fn page_has_rendered(&mut self) {
        if let Some(served) = &mut self.served {
            served.page_has_rendered();
        }
    }

    /// Says that the page does not show what its server has now. Once is enough.
    fn warn_of(&mut self, file: &str) -> anyhow::Result<()> {
        self.served = None;
        self.say(
            "unseen",
            &format!(
                "{} changed and the page did not reload, so watch cannot see the change; give --files GLOB with the files of the site, such as --files 'dist/**', or use a server that reloads its pages",
                value(file, 100)
            ),
        )
    }

    /// Loads the page again, because a file of it changed.
    async fn reload(&mut self, file: &str) -> anyhow::Result<()> {
        let session = &self.workspace.session;
        if let Err(error) = session.navigate(&self.tab, &self.address, None).await {
            let why = hints::sentence(hints::COMMAND_LINE, &error);
            self.wait_for(&why).await?;
        }
        self.watcher = self.workspace.session.watch(&self.tab);
        self.say("reloaded", &format!("{} changed; the page was reloaded", value(file, 100)))
    }

    /// Compares the page. Fails if the document was replaced in the meantime.
    async fn check(&mut self) -> Result<Comparison, ToolError> {
        let current = take_like(self.workspace, &self.tab, &self.base).await?;
        self.checks += 1;
        if self.workspace.session.has_left(&self.watcher) {
            return Err(SessionError::from(BrowserError::Navigated).into());
        }
        Ok(compare(&self.base, &current, &ignore_rules(self.workspace.store.folder())?))
    }

    /// Compares a page that was just opened. It may still redirect, so the check is retried.
    async fn first_check(&mut self) -> Result<Comparison, ToolError> {
        let mut tries = 1;
        loop {
            match self.check().await {
                Err(ToolError::Session(SessionError::Browser(BrowserError::Navigated)))
                    if tries < FIRST_TRIES =>
                {
                    tries += 1;
                    self.workspace.session.arrived(&self.tab).await?;
                    self.watcher = self.workspace.session.watch(&self.tab);
                }
                found => return found,
            }
        }
    }

    /// Handles an error of a check. Only the loss of the browser or the tab ends the watch.
    async fn handle(&mut self, error: ToolError) -> anyhow::Result<()> {
        let browser = match &error {
            ToolError::Session(SessionError::Browser(browser)) => Some(browser),
            _ => None,
        };
        match browser {
            Some(BrowserError::DialogOpen { kind, message }) => {
                let answer = Action::Dialog { accept: false, text: None };
                self.workspace.session.act(&self.tab, &[answer], Some(200)).await?;
                let text = value(message, 100);
                self.say(
                    "dialog",
                    &format!("the page opened a dialog ({kind}: {text}); it was dismissed"),
                )
            }
            Some(
                BrowserError::Disconnected | BrowserError::TabClosed | BrowserError::TabCrashed,
            ) => Err(error).context("the page can no longer be watched"),
            // The document was replaced; the watcher reports it.
            Some(BrowserError::Navigated) if self.workspace.session.has_left(&self.watcher) => {
                Ok(())
            }
            Some(_) => {
                // The page is busy.
                tokio::time::sleep(LONGEST_PAUSE).await;
                Ok(())
            }
            None => {
                let text = format!(
                    "the page cannot be compared now: {}",
                    error.sentence(hints::COMMAND_LINE)
                );
                if text != self.unclear {
                    self.say("unclear", &text)?;
                    self.unclear = text;
                }
                tokio::time::sleep(LONGEST_PAUSE).await;
                Ok(())
            }
        }
    }

    /// Waits until the page can be reached again.
    async fn wait_for(&mut self, why: &str) -> anyhow::Result<()> {
        self.say("unreachable", &format!("the page cannot be reached ({why}); waiting for it"))?;
        let since = Instant::now();
        loop {
            tokio::time::sleep(TRY_AGAIN).await;
            match self.workspace.session.navigate(&self.tab, &self.address, None).await {
                Ok(navigated) if navigated.outcome.is_ready() || navigated.status.is_some() => {
                    break;
                }
                Ok(_) => {}
                Err(
                    error @ SessionError::Browser(
                        BrowserError::Disconnected | BrowserError::TabClosed,
                    ),
                ) => {
                    return Err(error).context("the page can no longer be watched");
                }
                Err(_) => {}
            }
        }
        self.page_has_rendered();
        self.say("back", &format!("the page is back after {} s", since.elapsed().as_secs()))
    }

    /// Prints one line with the time.
    fn say(&self, event: &str, text: &str) -> anyhow::Result<()> {
        still_open(match self.output {
            Output::Json => {
                let value = json!({ "time": timestamp(), "event": event, "text": text });
                print::json_message(&value)
            }
            Output::Text => print::block(&format!("{}  {}", time_of_day(), sentence(text))),
        })
    }

    /// Prints one message: the changes that came and went since the last one.
    fn report(
        &self,
        event: &str,
        head: &str,
        news: &ChangeDelta<'_>,
        found: &Comparison,
    ) -> anyhow::Result<()> {
        if self.output == Output::Json {
            let value = json!({
                "time": timestamp(), "event": event, "text": head, "status": found.status, "checks": self.checks,
                "changes": news.came, "resolved": news.went, "left": found.changes.len(),
            });
            return still_open(print::json_message(&value));
        }
        let mut out = format!("{}  {head}\n", time_of_day());
        let mut lines = Vec::new();
        for worded in worded(news.came.iter().copied().enumerate()) {
            let change = worded.first();
            lines.push(comparison::line(change.severity.as_str(), change, &worded.sentence));
        }
        for worded in worded(news.went.iter().copied().enumerate()) {
            lines.push(comparison::line("gone", worded.first(), &worded.sentence));
        }
        for line in first(lines, MOST_CHANGES) {
            out.push_str(&format!("  {}\n", line.trim_end()));
        }
        still_open(print::block(&out))
    }

    /// Prints the summary at the end.
    fn summary(&self, fail_on: Severity) {
        let checks = count(self.checks, "check");
        let time = self.begun.elapsed().as_secs();
        let head = format!("ended after {} min {} s and {checks}", time / 60, time % 60);
        if self.output == Output::Json {
            let changes: Vec<Value> =
                self.last.changes.iter().map(|change| json!(change)).collect();
            let failed = self.last.at_least(fail_on) > 0;
            let value = json!({
                "time": timestamp(), "event": "ended", "text": head, "status": self.last.status,
                "checks": self.checks, "failed": failed, "changes": changes,
            });
            return print::json(&value, self.output);
        }
        let against = comparison::lines(&self.last, Severity::Info);
        print::block(&format!(
            "{}  {head}; compared with {}: {}",
            time_of_day(),
            self.against,
            against.trim_start()
        ));
    }
}

/// Turns a closed standard output into an error, which ends the watch.
fn still_open(is_open: bool) -> anyhow::Result<()> {
    anyhow::ensure!(is_open, "stopped: standard output was closed");
    Ok(())
}

#[cfg(test)]
mod in_browser {
    use super::*;

    async fn opened(html: &str) -> (Session, Arc<TabRecord>) {
        let session = Session::new(pagesight_session::Options::default());
        let tab = session.tab(None).await.unwrap();
        session
            .navigate(&tab, &session.address(&format!("data:text/html,{html}")).unwrap(), None)
            .await
            .unwrap();
        (session, tab)
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_new_document_is_noticed_before_the_old_one_is_reported() {
        let (session, tab) = opened("<h1>One</h1>").await;
        let mut watcher = session.watch(&tab);
        assert!(!session.has_left(&watcher));
        session
            .navigate(&tab, &session.address("data:text/html,<h1>Two</h1>").unwrap(), None)
            .await
            .unwrap();
        assert!(session.has_left(&watcher));
        assert_eq!(session.next_page_event(&mut watcher).await.unwrap(), PageEvent::Replaced);
        assert!(!session.has_left(&watcher));
        session.close().await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_change_between_two_questions_is_not_lost() {
        let (session, tab) = opened("<h1>One</h1>").await;
        let mut watcher = session.watch(&tab);
        let limit = Duration::from_secs(5);
        for round in 0..3 {
            session
                .fingerprint(&tab, &pagesight_session::FingerprintRequest::default())
                .await
                .unwrap();
            // Drains the news of earlier changes.
            while tokio::time::timeout(
                Duration::from_millis(700),
                session.next_page_event(&mut watcher),
            )
            .await
            .is_ok()
            {}
            session
                .fingerprint(&tab, &pagesight_session::FingerprintRequest::default())
                .await
                .unwrap();
            let edit = format!("document.querySelector('h1').textContent = 'Now {round}'");
            session.evaluate(&tab, &edit).await.unwrap();
            tokio::time::sleep(Duration::from_millis(300)).await;
            let heard = tokio::time::timeout(limit, session.next_page_event(&mut watcher)).await;
            assert_eq!(
                heard.expect("it is heard of").unwrap(),
                PageEvent::Changed,
                "round {round}"
            );
        }
        session.close().await;
    }
}
