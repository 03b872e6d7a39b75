//! Runs a case, either over its recorded exchange or in a real browser to record it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pagesight_browser::{LaunchOptions, launch};
use pagesight_core::render::OutlineOptions;
use pagesight_session::{
    Acted, Action, BatchChanges, Options, ScopeChoice, Session, TabRecord, Target,
};
use tokio::runtime::Builder;

use crate::engine::format::Exchange;
use crate::engine::record::Recorder;
use crate::engine::replay::Player;
use crate::site::{Page, RECORDED, serve};

/// A session during a case.
pub struct Case {
    pub session: Session,
    host: String,
}

/// A case: its name, its pages and the options of its session.
pub struct Setup {
    name: &'static str,
    pages: Vec<Page>,
    options: Options,
    /// A function of the page script whose answers are replaced by its internal error.
    failing: Option<&'static str>,
}

/// Makes a case with one page, `/`.
pub fn on(name: &'static str, body: &'static str) -> Setup {
    with(name, vec![Page::html("/", body)])
}

/// Makes a case with a site.
pub fn with(name: &'static str, pages: Vec<Page>) -> Setup {
    Setup { name, pages, options: Options::default(), failing: None }
}

impl Setup {
    /// Sets the options of the session.
    pub fn options(self, options: Options) -> Setup {
        Setup { options, ..self }
    }

    /// Plays the recording of a different case in which a function of the page script fails, such
    /// as `script activityNow`. Such a case is never recorded.
    pub fn failing(self, function: &'static str) -> Setup {
        Setup { failing: Some(function), ..self }
    }

    /// Runs the case. The first page is open in the active tab.
    pub fn run(self, case: impl AsyncFnOnce(&Case, &Arc<TabRecord>)) {
        let path = path(self.name);
        if std::env::var_os("PAGESIGHT_RECORD").is_some() {
            if self.failing.is_some() {
                return;
            }
            let runtime = Builder::new_multi_thread().enable_all().build().unwrap();
            runtime.block_on(self.record(&path, case));
        } else {
            let runtime = Builder::new_current_thread().enable_all().start_paused(true).build();
            runtime.unwrap().block_on(self.replay(&path, case));
        }
    }

    async fn record(self, path: &Path, case: impl AsyncFnOnce(&Case, &Arc<TabRecord>)) {
        let host = serve(self.pages).await;
        let recorder = Recorder::default();
        let viewport = self.options.viewport;
        let launched =
            launch(&LaunchOptions { viewport, no_hooks: true, ..LaunchOptions::default() })
                .await
                .unwrap();
        let browser = launched.browser.clone();
        let session = Session::with_browser(without_hooks(self.options), recorder.around(launched));
        let playing = Case { session, host: host.clone() };
        playing.begin(case).await;
        let text = recorder.finish(browser.product()).replace(&host, RECORDED);
        browser.close().await;
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    async fn replay(self, path: &Path, case: impl AsyncFnOnce(&Case, &Arc<TabRecord>)) {
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| {
            panic!("{}: {error}; record it with PAGESIGHT_RECORD=1", path.display())
        });
        let exchange = Exchange::read(&text).unwrap_or_else(|why| {
            panic!("{}: {why}; record it again with PAGESIGHT_RECORD=1", path.display())
        });
        let mut exchange = exchange;
        if let Some(function) = self.failing {
            exchange.fail(function);
        }
        let (player, connected) = Player::start(exchange);
        let session = Session::with_browser(without_hooks(self.options), connected);
        let playing = Case { session, host: RECORDED.to_owned() };
        let surprises = Surprises(player);
        playing.begin(case).await;
        drop(surprises);
    }
}

/// Pages of recorded exchanges do not know what their scripts have scheduled: how often a page is
/// asked for that depends on the speed of the machine.
fn without_hooks(mut options: Options) -> Options {
    options.launch.no_hooks = true;
    options
}

/// Fails a case that asked for something that was not recorded, even if the case failed already.
struct Surprises(Player);

impl Drop for Surprises {
    fn drop(&mut self) {
        let surprises = self.0.surprises();
        if surprises.is_empty() {
            return;
        }
        let text = format!("not recorded; record it again with PAGESIGHT_RECORD=1: {surprises:#?}");
        if std::thread::panicking() {
            eprintln!("{text}");
        } else {
            panic!("{text}");
        }
    }
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/exchanges/{name}.json"))
}

impl Case {
    async fn begin(&self, case: impl AsyncFnOnce(&Case, &Arc<TabRecord>)) {
        let tab = self.session.tab(None).await.unwrap();
        self.open(&tab, "/").await;
        case(self, &tab).await;
    }

    /// Returns a URL of the site.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.host)
    }

    /// Opens a page of the site.
    pub async fn open(&self, tab: &Arc<TabRecord>, path: &str) {
        let address = self.session.address(&self.url(path)).unwrap();
        self.session.navigate(tab, &address, None).await.unwrap();
    }

    /// Returns the outline of the page.
    pub async fn outline(&self, tab: &Arc<TabRecord>) -> String {
        let options = OutlineOptions::default();
        self.session.inspect(tab, &ScopeChoice::Full, None, options).await.unwrap().text
    }

    /// Returns the reference of the first line of the page that contains these words.
    pub async fn find(&self, tab: &Arc<TabRecord>, words: &str) -> String {
        let outline = self.outline(tab).await;
        let line = outline.lines().find(|line| line.contains(words) && line.contains('['));
        let line = line.unwrap_or_else(|| panic!("{words:?} is not in\n{outline}"));
        let (_, rest) = line.split_once('[').unwrap();
        rest.split_once(']').unwrap().0.to_owned()
    }

    pub async fn act(&self, tab: &Arc<TabRecord>, actions: &[Action]) -> Acted {
        self.session.act(tab, actions, None).await.unwrap()
    }

    /// Returns the line of one action, which must succeed.
    pub async fn line(&self, tab: &Arc<TabRecord>, action: Action) -> String {
        line_of(&self.act(tab, &[action]).await)
    }

    /// Returns the line of one action, which must fail.
    pub async fn refusal(&self, tab: &Arc<TabRecord>, action: Action) -> String {
        let acted = self.act(tab, &[action]).await;
        format!("failed: {}", acted.reports[0].clone().unwrap_err())
    }
}

/// Returns the line of the first action, which must have succeeded.
pub fn line_of(acted: &Acted) -> String {
    acted.reports[0].clone().unwrap()
}

/// Returns the changes of a batch in words; empty if none are reported.
pub fn changes_of(acted: Acted) -> String {
    match acted.changes {
        Some(BatchChanges::Seen(text)) => text,
        Some(BatchChanges::NewPage(outline)) => outline.text,
        None => String::new(),
        other => panic!("{other:?}"),
    }
}

/// Returns a click on an element.
pub fn click(element: &str) -> Action {
    Action::Click(Target::Element(element.into()))
}
