//! `pagesight watch`: stays on a page and checks it again whenever it renders anew, be it in place
//! or by a reload. Tells only what is another than it last told, one message a render, and waits
//! where a server is down. Ends on Ctrl-C with what is different then.

use std::collections::{HashMap, HashSet};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use pagesight_browser::BrowserError;
use pagesight_core::compare::{Change, ChangeType, Comparison, Severity, Status, compare};
use pagesight_core::fingerprint::{EntryId, Fingerprint};
use pagesight_session::{
    Action, Address, Session, SessionError, Stir, Stopped, TabRecord, Viewport, Watcher,
};
use serde_json::{Value, json};

use crate::cli::arguments::{Output, WatchArguments};
use crate::cli::{print, signals};
use crate::commands::baselines::exit_code;
use crate::project::store::{now, rules};
use crate::tools::compare::{lines, live_base};
use crate::tools::fingerprint::take_like;
use crate::tools::{self, Workspace};

/// A page that keeps changing by itself is not checked without a pause; it grows with every check
/// in vain.
const PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_millis(500);
/// After so long without news a page is no longer taken for one that keeps changing.
const CALM: Duration = Duration::from_secs(2);
/// How often the first check is begun anew because another document came.
const FIRST_TRIES: usize = 5;
/// How long a page that says it is loading is waited for before it is told so.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often a page that cannot be reached is tried again.
const TRY_AGAIN: Duration = Duration::from_secs(1);
/// How many changes one message lists.
const MOST_TOLD: usize = 40;

/// Watches until a signal comes; the browser ends in every case.
pub(crate) async fn run(arguments: WatchArguments) -> anyhow::Result<ExitCode> {
    if arguments.page.ends_with(".page.json") && !arguments.page.contains("://") {
        bail!("a page file does not change; compare it with: pagesight compare {}", arguments.page);
    }
    let workspace = Workspace::new(Session::new(arguments.browser.options()), false);
    let result = watch(&workspace, &arguments).await;
    workspace.session.close().await;
    result
}

async fn watch(workspace: &Workspace, arguments: &WatchArguments) -> anyhow::Result<ExitCode> {
    let ended = signals::ended_by_signal();
    tokio::pin!(ended);
    let mut watched = tokio::select! {
        watched = Watched::begin(workspace, arguments) => watched?,
        () = &mut ended => bail!("ended by a signal before the page was there"),
    };
    let result = tokio::select! {
        result = watched.go_on() => result,
        () = &mut ended => Ok(()),
    };
    watched.summary(Severity::from(arguments.fail_on));
    result?;
    Ok(exit_code(&watched.last, Severity::from(arguments.fail_on)))
}

/// A page that is watched.
struct Watched<'w> {
    workspace: &'w Workspace,
    tab: Arc<TabRecord>,
    /// Where the tab stood when it was last heard of.
    watcher: Watcher,
    address: Address,
    base: Arc<Fingerprint>,
    against: String,
    output: Output,
    begun: Instant,
    checks: usize,
    /// What was found last, all of which was told.
    last: Comparison,
    /// Why it could not be compared, as it was last told; empty once it could.
    unclear: String,
}

impl<'w> Watched<'w> {
    /// Opens the page and tells how it stands.
    async fn begin(
        workspace: &'w Workspace,
        arguments: &WatchArguments,
    ) -> anyhow::Result<Watched<'w>> {
        let session = &workspace.session;
        let address = session.address(&arguments.page)?;
        let tab = session.open_tab(None).await?;
        let navigated = session.navigate(&tab, &address, None).await?;
        if let Stopped::Failed(why) | Stopped::NoDocument(why) = &navigated.stopped {
            bail!("{} could not be opened ({why}); start its server and try again", arguments.page);
        }
        if !navigated.stopped.is_ready() || navigated.trouble.is_some() {
            print::note(&tools::navigate::lines(&navigated));
        }
        let base = live_base(workspace, &tab, &arguments.against).await?;
        let viewport = Viewport { width: base.viewport.width, height: base.viewport.height };
        if viewport != arguments.browser.viewport {
            // Once, rather than for every check.
            session.resize_tab(&tab, viewport).await?;
        }
        let mut watched = Watched {
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
            unclear: String::new(),
        };
        let found = watched.first_check().await?;
        let news = Delta::between(&[], &found.changes);
        let head = match found.changes.len() {
            0 => format!("watching {} against {}: unchanged", arguments.page, watched.against),
            _ => format!(
                "watching {} against {}: {}",
                arguments.page,
                watched.against,
                counts(&news.came)
            ),
        };
        watched.tell("watching", &head, &news, &found)?;
        watched.last = found;
        Ok(watched)
    }

    async fn go_on(&mut self) -> anyhow::Result<()> {
        let mut in_vain: u32 = 0;
        let mut loading_since: Option<Instant> = None;
        // A check is owed: the last one came to nothing.
        let mut due = false;
        loop {
            let asked = Instant::now();
            if let Err(error) = self.heard(std::mem::take(&mut due), loading_since).await? {
                self.bear(error).await?;
                due = true;
                continue;
            }
            if asked.elapsed() > CALM {
                in_vain = 0;
            }
            let found = match self.check().await {
                Ok(found) => {
                    self.unclear.clear();
                    found
                }
                Err(error) => {
                    self.bear(error).await?;
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
            let news = Delta::between(&self.last.changes, &found.changes);
            if news.is_empty() {
                in_vain += 1;
                tokio::time::sleep(LONGEST_PAUSE.min(PAUSE * in_vain)).await;
                continue;
            }
            in_vain = 0;
            self.tell("changed", &news.head(found.changes.len()), &news, &found)?;
            self.last = found;
        }
    }

    /// Waits until there is a reason to check: none but the check that is `due`, or something that
    /// happened. What the page itself is to blame for is the inner error.
    async fn heard(
        &mut self,
        due: bool,
        loading_since: Option<Instant>,
    ) -> anyhow::Result<Result<(), SessionError>> {
        let session = &self.workspace.session;
        if due && !session.has_left(&self.watcher) {
            return Ok(Ok(()));
        }
        let stirred = match loading_since {
            // What is loading is looked at again also if nothing more is heard of it.
            Some(since) => {
                let left = (since + PATIENCE).saturating_duration_since(Instant::now());
                let stirred = tokio::time::timeout(left, session.stirred(&mut self.watcher)).await;
                stirred.unwrap_or(Ok(Stir::Changed))
            }
            None => session.stirred(&mut self.watcher).await,
        };
        let unreachable = match stirred {
            Ok(Stir::Changed) => return Ok(Ok(())),
            Ok(Stir::Unreachable(why)) => why,
            Ok(Stir::Replaced) => match session.arrived(&self.tab).await {
                Ok(Stopped::Failed(why)) => why,
                arrived => return Ok(arrived.map(|_| ())),
            },
            Err(error) => return Ok(Err(error)),
        };
        self.wait_for(&unreachable).await?;
        self.watcher = self.workspace.session.watch(&self.tab);
        Ok(Ok(()))
    }

    /// Compares what is shown. What may be of another document than the one that is there now is no
    /// answer.
    async fn check(&mut self) -> Result<Comparison, SessionError> {
        let current = take_like(self.workspace, &self.tab, &self.base).await?;
        self.checks += 1;
        if self.workspace.session.has_left(&self.watcher) {
            return Err(BrowserError::Navigated.into());
        }
        Ok(compare(&self.base, &current, &rules()?))
    }

    /// The same for a page that has just been opened, which may still send its visitor on.
    async fn first_check(&mut self) -> Result<Comparison, SessionError> {
        let mut tries = 1;
        loop {
            match self.check().await {
                Err(SessionError::Browser(BrowserError::Navigated)) if tries < FIRST_TRIES => {
                    tries += 1;
                    self.workspace.session.arrived(&self.tab).await?;
                    self.watcher = self.workspace.session.watch(&self.tab);
                }
                found => return found,
            }
        }
    }

    /// What may happen while a page is worked on is no reason to end; a browser that is gone is.
    async fn bear(&mut self, error: SessionError) -> anyhow::Result<()> {
        match &error {
            SessionError::Browser(BrowserError::DialogOpen { kind, message }) => {
                let answer = Action::Dialog { accept: false, text: None };
                self.workspace.session.act(&self.tab, &[answer], 200).await?;
                let text: String = message.chars().take(100).collect();
                self.say(
                    "dialog",
                    &format!("the page opened a dialog ({kind}: {text:?}); it was dismissed"),
                )
            }
            SessionError::Browser(
                BrowserError::Disconnected | BrowserError::TabClosed | BrowserError::TabCrashed,
            ) => Err(error).context("the page can no longer be watched"),
            // Another document came in between; it is heard of.
            SessionError::Browser(BrowserError::Navigated)
                if self.workspace.session.has_left(&self.watcher) =>
            {
                Ok(())
            }
            SessionError::Browser(_) => {
                // The page is busy.
                tokio::time::sleep(LONGEST_PAUSE).await;
                Ok(())
            }
            _ => {
                let text = format!("the page cannot be compared now: {error}");
                if text != self.unclear {
                    self.say("unclear", &text)?;
                    self.unclear = text;
                }
                tokio::time::sleep(LONGEST_PAUSE).await;
                Ok(())
            }
        }
    }

    /// Waits until the page is there again.
    async fn wait_for(&mut self, why: &str) -> anyhow::Result<()> {
        self.say("unreachable", &format!("the page cannot be reached ({why}); waiting for it"))?;
        let since = Instant::now();
        loop {
            tokio::time::sleep(TRY_AGAIN).await;
            match self.workspace.session.navigate(&self.tab, &self.address, None).await {
                Ok(navigated) if navigated.stopped.is_ready() || navigated.status.is_some() => {
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
        self.say("back", &format!("the page is back after {} s", since.elapsed().as_secs()))
    }

    /// One line with the time.
    fn say(&self, event: &str, text: &str) -> anyhow::Result<()> {
        self.message(match self.output {
            Output::Json => json!({ "time": now(), "event": event, "text": text }).to_string(),
            Output::Text => format!("{}  {text}", clock()),
        })
    }

    fn message(&self, text: String) -> anyhow::Result<()> {
        anyhow::ensure!(print::message(&text), "nobody reads what is told any more; it was ended");
        Ok(())
    }

    /// One message: what came and what went since the last.
    fn tell(
        &self,
        event: &str,
        head: &str,
        news: &Delta<'_>,
        found: &Comparison,
    ) -> anyhow::Result<()> {
        if self.output == Output::Json {
            let value = json!({
                "time": now(), "event": event, "text": head, "status": found.status, "checks": self.checks,
                "changes": news.came, "resolved": news.went, "left": found.changes.len(),
            });
            return self.message(value.to_string());
        }
        let mut out = format!("{}  {head}\n", clock());
        let came = news.came.iter().map(|change| (change.severity.as_str(), *change));
        let all = came.chain(news.went.iter().map(|change| ("gone", *change)));
        for (word, change) in all.clone().take(MOST_TOLD) {
            let place = match change.location.as_str() {
                "" => String::new(),
                place => format!("  ({place})"),
            };
            let line = format!(
                "  {word:<7}  {:<20}  {}{place}\n",
                change.kind.as_str(),
                change.description
            );
            out.push_str(&line);
        }
        match all.count().saturating_sub(MOST_TOLD) {
            0 => {}
            more => out.push_str(&format!("  and {more} more\n")),
        }
        self.message(out)
    }

    /// What is told at the end.
    fn summary(&self, fail_on: Severity) {
        let checks =
            if self.checks == 1 { "1 check".to_owned() } else { format!("{} checks", self.checks) };
        let time = self.begun.elapsed().as_secs();
        let head = format!("ended after {} min {} s and {checks}", time / 60, time % 60);
        if self.output == Output::Json {
            let changes: Vec<Value> =
                self.last.changes.iter().map(|change| json!(change)).collect();
            let failed = self.last.at_least(fail_on) > 0;
            let value = json!({
                "time": now(), "event": "ended", "text": head, "status": self.last.status,
                "checks": self.checks, "failed": failed, "changes": changes,
            });
            return print::json(&value, self.output);
        }
        let against = lines(&self.last, Severity::Info);
        print::result(&format!(
            "{}  {head}; against {} it is {}",
            clock(),
            self.against,
            against.trim_start()
        ));
    }
}

/// The time of day, where the user is.
fn clock() -> String {
    chrono::Local::now().format("%H:%M:%S").to_string()
}

/// What is another between two comparisons with the same baseline.
struct Delta<'c> {
    came: Vec<&'c Change>,
    went: Vec<&'c Change>,
}

impl<'c> Delta<'c> {
    fn between(old: &'c [Change], new: &'c [Change]) -> Delta<'c> {
        type Told<'c> = (ChangeType, Severity, &'c str, &'c str);
        let key = |change: &'c Change| -> Told<'c> {
            (change.kind, change.severity, &change.location, &change.description)
        };
        let without = |all: &'c [Change], known: &'c [Change]| -> Vec<&'c Change> {
            let mut left: HashMap<Told<'c>, usize> = HashMap::new();
            for change in known {
                *left.entry(key(change)).or_default() += 1;
            }
            let mut is_new = |change: &&'c Change| match left.get_mut(&key(change)) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    false
                }
                _ => true,
            };
            all.iter().filter(|change| is_new(change)).collect()
        };
        let came = without(new, old);
        let mut went = without(old, new);
        // What is told anew of the same thing says by itself that the last word on it no longer
        // holds.
        let anew: HashSet<EntryId> = came.iter().filter_map(|change| change.was_at).collect();
        went.retain(|old| old.was_at.is_none_or(|at| !anew.contains(&at)));
        Delta { came, went }
    }

    fn is_empty(&self) -> bool {
        self.came.is_empty() && self.went.is_empty()
    }

    /// What it comes to; `left` changes stand against the baseline now.
    fn head(&self, left: usize) -> String {
        match (self.came.len(), self.went.len(), left) {
            (_, _, 0) => "as the baseline again".to_owned(),
            (0, went, left) => format!("{went} resolved, {left} left"),
            (came, 0, left) if came == left => counts(&self.came),
            (_, 0, left) => format!("{}; {left} in all", counts(&self.came)),
            (_, went, left) => format!("{}, {went} resolved; {left} in all", counts(&self.came)),
        }
    }
}

/// `1 error, 2 warnings`.
fn counts(changes: &[&Change]) -> String {
    let mut parts = Vec::new();
    for (severity, word) in [
        (Severity::Error, "error"),
        (Severity::Warning, "warning"),
        (Severity::Info, "change to know of"),
    ] {
        let count = changes.iter().filter(|change| change.severity == severity).count();
        match (count, severity) {
            (0, _) => {}
            (1, _) => parts.push(format!("1 {word}")),
            (_, Severity::Info) => parts.push(format!("{count} changes to know of")),
            _ => parts.push(format!("{count} {word}s")),
        }
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use pagesight_core::fingerprint::EntryKind;

    use super::*;

    fn change(description: &str, severity: Severity, was_at: Option<usize>) -> Change {
        Change {
            kind: ChangeType::HeadingChanged,
            severity,
            element: None,
            location: String::new(),
            was: None,
            now: None,
            description: description.to_owned(),
            was_at: was_at.map(|at| EntryId::new(EntryKind::Heading, at)),
            now_at: None,
        }
    }

    fn told(old: &[Change], new: &[Change]) -> (Vec<String>, Vec<String>, String) {
        let delta = Delta::between(old, new);
        let words =
            |changes: &[&Change]| changes.iter().map(|change| change.description.clone()).collect();
        (words(&delta.came), words(&delta.went), delta.head(new.len()))
    }

    #[test]
    fn only_what_is_another_is_told() {
        let a = || change("a", Severity::Error, Some(0));
        let b = || change("b", Severity::Warning, Some(1));
        let other = || change("a, otherwise", Severity::Error, Some(0));
        let none: Vec<String> = Vec::new();
        assert_eq!(told(&[a()], &[a()]), (none.clone(), none.clone(), "0 resolved, 1 left".into()));
        assert_eq!(told(&[], &[a()]), (vec!["a".into()], none.clone(), "1 error".into()));
        assert_eq!(
            told(&[a()], &[]),
            (none.clone(), vec!["a".into()], "as the baseline again".into())
        );
        assert_eq!(
            told(&[a(), b()], &[b()]),
            (none.clone(), vec!["a".into()], "1 resolved, 1 left".into())
        );
        let (came, went, head) = told(&[a(), b()], &[other(), b()]);
        assert_eq!(
            (came, went, head.as_str()),
            (vec!["a, otherwise".into()], none, "1 error; 2 in all")
        );
        // Of two that are alike one more is one more.
        assert_eq!(told(&[a()], &[a(), a()]).0, ["a"]);
    }

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
    async fn another_document_is_noticed_before_anything_is_told_of_the_old_one() {
        let (session, tab) = opened("<h1>One</h1>").await;
        let mut watcher = session.watch(&tab);
        assert!(!session.has_left(&watcher));
        session
            .navigate(&tab, &session.address("data:text/html,<h1>Two</h1>").unwrap(), None)
            .await
            .unwrap();
        assert!(session.has_left(&watcher));
        assert_eq!(session.stirred(&mut watcher).await.unwrap(), Stir::Replaced);
        assert!(!session.has_left(&watcher));
        session.close().await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_change_between_two_questions_is_not_lost() {
        let (session, tab) = opened("<h1>One</h1>").await;
        let mut watcher = session.watch(&tab);
        let limit = Duration::from_secs(5);
        for round in 0..3 {
            session.fingerprint(&tab, &pagesight_session::Taking::default()).await.unwrap();
            // Until nothing more is heard of what was.
            while tokio::time::timeout(Duration::from_millis(700), session.stirred(&mut watcher))
                .await
                .is_ok()
            {}
            session.fingerprint(&tab, &pagesight_session::Taking::default()).await.unwrap();
            let edit = format!("document.querySelector('h1').textContent = 'Now {round}'");
            session.evaluate(&tab, &edit).await.unwrap();
            tokio::time::sleep(Duration::from_millis(300)).await;
            let heard = tokio::time::timeout(limit, session.stirred(&mut watcher)).await;
            assert_eq!(heard.expect("it is heard of").unwrap(), Stir::Changed, "round {round}");
        }
        session.close().await;
    }
}
