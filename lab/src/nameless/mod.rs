//! `cargo lab nameless`: how many lines of usable elements say nothing, with and without hints, in
//! web apps and on saved pages. Samples hints and draws them on sheets beside a picture of their
//! element, so that a person can judge them.

mod lines;
mod sheets;

use std::time::Duration;

use anyhow::Context;
use clap::Args;

use crate::attached::{AttachedTab, tab_targets};
use crate::devtools::{DevTools, LabBrowser};
use crate::install::apps::RunningApp;
use crate::install::icon_apps::ICON_APPS;
use crate::options::{DetailsArgs, PagesArgs, SeedArgs, run_file};
use crate::pages::PageState;
use crate::product::{LookOptions, OutlineOptions, Session, SessionOptions, TabRecord};
use lines::{NamelessTally, UsableLine, usable_lines};
use sheets::{HintPicture, Sheets};

/// The largest share of lines with neither a name nor a hint.
const MOST_SILENT: f64 = 0.05;
/// How long one page may take.
const PAGE_LIMIT: Duration = Duration::from_secs(180);

/// Pages that hang, or that change while they are looked at.
const LEFT_OUT: [&str; 5] =
    ["hang.html", "frame-hang.html", "restless.html", "fleeting.html", "prompts.html"];

/// Options of `cargo lab nameless`.
#[derive(Args)]
pub struct NamelessArgs {
    #[command(flatten)]
    pages: PagesArgs,
    #[command(flatten)]
    seed: SeedArgs,
    #[command(flatten)]
    details: DetailsArgs,
    /// How many hints are sampled and drawn; 0 draws none
    #[arg(long, value_name = "N", default_value_t = 200)]
    sample: usize,
}

impl NamelessArgs {
    /// The seed of the sample.
    pub fn seed(&self) -> u64 {
        self.seed.seed
    }
}

/// Visits all pages and apps, prints the shares, and fails above the threshold.
pub async fn run(args: NamelessArgs) -> anyhow::Result<()> {
    let page_states = args.pages.pages(&LEFT_OUT).await?;
    let browser = LabBrowser::start().await?;
    let tools = DevTools::connect(&browser.url).await?;
    let mut run = NamelessRun { pictures: args.sample > 0, ..NamelessRun::default() };
    run.visit(&browser, &tools, page_states).await;
    let mut ran = 0;
    let more = ICON_APPS.iter().filter(|app| args.pages.visits_app(app.name));
    for app in args.pages.apps().into_iter().chain(more) {
        if let Some(mut running) = app.start_or_skip().await {
            run.visit_app(&browser, &tools, &mut running).await;
            ran += 1;
        }
    }
    println!("{}", run.table());
    args.details.write(&run.silent.join("\n"))?;
    if args.sample > 0 {
        let folder = run_file("nameless")?;
        let sheets = Sheets::sampled(std::mem::take(&mut run.found), args.sample, args.seed());
        let count = sheets.write(&tools, &folder).await?;
        println!("{count} hints are drawn in target/lab-runs/nameless");
    }
    browser.close(&tools).await;
    anyhow::ensure!(run.failed.is_empty(), "could not be visited: {}", run.failed.join(", "));
    args.pages.require_apps(ran)?;
    let all = run.all();
    anyhow::ensure!(all.lines > 0, "no page or app matches");
    anyhow::ensure!(
        all.silent_share() <= MOST_SILENT,
        "{} of {} usable lines have neither a name nor a hint",
        all.silent,
        all.lines
    );
    Ok(())
}

/// What was seen so far.
#[derive(Default)]
struct NamelessRun {
    /// Whether elements with hints are photographed.
    pictures: bool,
    tallies: Vec<(String, NamelessTally)>,
    /// The lines without a name and a hint.
    silent: Vec<String>,
    found: Vec<HintPicture>,
    failed: Vec<String>,
}

impl NamelessRun {
    async fn visit_app(
        &mut self,
        browser: &LabBrowser,
        tools: &DevTools,
        running: &mut RunningApp,
    ) {
        self.visit(browser, tools, std::mem::take(&mut running.page_states)).await;
        running.end().await;
    }

    /// Looks at one state after the other, in one tab.
    async fn visit(&mut self, browser: &LabBrowser, tools: &DevTools, page_states: Vec<PageState>) {
        if page_states.is_empty() {
            return;
        }
        let connect = Some(browser.url.clone());
        let session = Session::new(SessionOptions { connect, ..SessionOptions::default() });
        match SharedTab::begin(&session, tools).await {
            Ok(shared) => {
                for page_state in page_states {
                    let looked = shared.look(&session, tools, &page_state, self);
                    let looked = tokio::time::timeout(PAGE_LIMIT, looked).await;
                    if let Err(error) = looked.map_err(anyhow::Error::from).and_then(|done| done) {
                        eprintln!("{}: {error:#}", page_state.name);
                        self.failed.push(page_state.name);
                    }
                }
                let _ = session.close_tab(&shared.tab).await;
            }
            Err(error) => self.failed.push(format!("{error:#}")),
        }
        session.close().await;
    }

    fn all(&self) -> NamelessTally {
        let mut all = NamelessTally::default();
        self.tallies.iter().for_each(|(_, tally)| all.add(tally));
        all
    }

    fn table(&self) -> String {
        let mut out = "| page | usable lines | without a name | without a name, fields with a \
                       label beside them left out | without a name and a hint |\n\
                       |---|---|---|---|---|\n"
            .to_owned();
        let all = [("**all**".to_owned(), self.all())];
        for (page, tally) in self.tallies.iter().chain(&all) {
            out.push_str(&tally.row(page));
        }
        out
    }
}

/// A tab that pagesight and the lab are both connected to.
struct SharedTab {
    tab: std::sync::Arc<TabRecord>,
    attached: AttachedTab,
}

impl SharedTab {
    async fn begin(session: &Session, tools: &DevTools) -> anyhow::Result<SharedTab> {
        let before = tab_targets(tools).await?;
        let tab = session.open_tab(None).await?;
        let targets = tab_targets(tools).await?;
        let target = targets.into_iter().find(|target| !before.contains(target));
        let attached = AttachedTab::attach(tools, &target.context("no new tab")?).await?;
        Ok(SharedTab { tab, attached })
    }

    async fn look(
        &self,
        session: &Session,
        tools: &DevTools,
        page_state: &PageState,
        run: &mut NamelessRun,
    ) -> anyhow::Result<()> {
        if let Some(url) = &page_state.url {
            session.navigate(&self.tab, &session.address(url)?, None).await?;
        }
        self.attached.play(tools, page_state).await?;
        let look = session.look(&self.tab, LookOptions::default()).await?;
        let options =
            OutlineOptions { fold: false, max_tokens: 100_000_000, ..OutlineOptions::default() };
        let outline = session.outline(&look, &options);
        let lines = usable_lines(&look.page, &outline);
        let mut tally = NamelessTally::default();
        for line in &lines {
            tally.count(line);
            if line.is_silent() {
                run.silent.push(format!("{}: {}", page_state.name, line.text));
            }
        }
        eprint!("{}", tally.row(&page_state.name));
        run.tallies.push((page_state.name.clone(), tally));
        if run.pictures {
            // What is covered cannot be judged by eye.
            let seen =
                |line: &&UsableLine| line.in_viewport && !line.text.contains(" covered by [");
            let hinted: Vec<&UsableLine> =
                lines.iter().filter(|line| line.is_hinted()).filter(seen).collect();
            sheets::photograph(tools, &self.attached, &page_state.name, &hinted, &mut run.found)
                .await?;
        }
        Ok(())
    }
}
