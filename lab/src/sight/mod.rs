//! `cargo lab sight`: whether pagesight lists everything that a person can use. Loads pages in a
//! browser that the lab starts, lets pagesight look at them, and compares what it lists with an
//! independent oracle (`oracle.js`) and with the browser's accessibility tree.

mod frames;
mod verdict;

use std::time::Duration;

use anyhow::Context;
use clap::Args;

use crate::attached::{AttachedTab, tab_targets};
use crate::devtools::{DevTools, LabBrowser};
use crate::options::{DetailsArgs, PagesArgs};
use crate::pages::PageState;
use crate::product::{LookOptions, OutlineOptions, Session, SessionOptions, TabRecord};
use verdict::{PageVerdict, Share};

/// What must hold over all pages: roles and names, natively interactive, focusable and with
/// listeners.
const AGREEMENT: f64 = 0.99;
const NATIVE: f64 = 1.0;
const LISTENER: f64 = 0.95;

/// How long one page may take.
const PAGE_LIMIT: Duration = Duration::from_secs(180);

/// Options of `cargo lab sight`.
#[derive(Args)]
pub struct SightArgs {
    #[command(flatten)]
    pages: PagesArgs,
    #[command(flatten)]
    details: DetailsArgs,
}

/// Judges all pages and apps; fails below the thresholds.
pub async fn run(args: SightArgs) -> anyhow::Result<()> {
    // The page hangs on purpose.
    let page_states = args.pages.pages(&["hang.html"]).await?;
    let browser = LabBrowser::start().await?;
    let tools = DevTools::connect(&browser.url).await?;
    let mut run = SightRun::default();
    run.visit(&browser, &tools, page_states).await;
    let mut ran = 0;
    for app in args.pages.apps() {
        if let Some(mut running) = app.start_or_skip().await {
            run.visit(&browser, &tools, std::mem::take(&mut running.page_states)).await;
            running.end().await;
            ran += 1;
        }
    }
    browser.close(&tools).await;
    print(&run.verdicts);
    args.details.write(&serde_json::to_string_pretty(&run.verdicts)?)?;
    anyhow::ensure!(
        run.failed.is_empty(),
        "these pages could not be judged: {}",
        run.failed.join(", ")
    );
    args.pages.require_apps(ran)?;
    anyhow::ensure!(!run.verdicts.is_empty(), "no page or app matches");
    enough(&run.verdicts)
}

/// What was judged so far, and what could not be.
#[derive(Default)]
struct SightRun {
    verdicts: Vec<PageVerdict>,
    failed: Vec<String>,
}

impl SightRun {
    /// Judges one state after the other, a tab for each page.
    async fn visit(&mut self, browser: &LabBrowser, tools: &DevTools, page_states: Vec<PageState>) {
        let session = Session::new(SessionOptions {
            connect: Some(browser.url.clone()),
            ..SessionOptions::default()
        });
        let mut open: Option<SharedTab> = None;
        for page_state in page_states {
            if page_state.url.is_some()
                && let Some(visit) = open.take()
            {
                let _ = session.close_tab(&visit.tab).await;
            }
            let judged = async {
                if open.is_none() {
                    open = Some(SharedTab::begin(&session, tools).await?);
                }
                open.as_ref().context("no tab")?.judge(&session, tools, &page_state).await
            };
            let judged = tokio::time::timeout(PAGE_LIMIT, judged).await;
            match judged.map_err(anyhow::Error::from).and_then(|judged| judged) {
                Ok(verdict) => {
                    let said = |share: Share| format!("{}/{}", share.good, share.all);
                    let (native, focusable, listener) =
                        (said(verdict.native), said(verdict.focusable), said(verdict.listener));
                    eprintln!(
                        "{}: native {native}, focusable {focusable}, listeners {listener}",
                        verdict.page
                    );
                    self.verdicts.push(verdict);
                }
                Err(error) => {
                    eprintln!("{}: {error:#}", page_state.name);
                    self.failed.push(page_state.name);
                }
            }
        }
        session.close().await;
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
        let target = tab_targets(tools)
            .await?
            .into_iter()
            .find(|target| !before.contains(target))
            .context("no new tab")?;
        let attached = AttachedTab::attach(tools, &target).await?;
        Ok(SharedTab { tab, attached })
    }

    async fn judge(
        &self,
        session: &Session,
        tools: &DevTools,
        page_state: &PageState,
    ) -> anyhow::Result<PageVerdict> {
        if let Some(url) = &page_state.url {
            session.navigate(&self.tab, &session.address(url)?, None).await?;
        }
        self.attached.play(tools, page_state).await?;
        let look = session.look(&self.tab, LookOptions::default()).await?;
        let options =
            OutlineOptions { fold: false, max_tokens: 100_000_000, ..OutlineOptions::default() };
        let outline = session.outline(&look, &options);
        let found = frames::ask(tools, &self.attached.session).await?;
        Ok(verdict::judge(&page_state.name, &look.page, &outline, &found))
    }
}

fn sum(verdicts: &[PageVerdict], share: impl Fn(&PageVerdict) -> Share) -> Share {
    let mut total = Share::default();
    verdicts.iter().for_each(|verdict| total.add(share(verdict)));
    total
}

fn totals(verdicts: &[PageVerdict]) -> PageVerdict {
    PageVerdict {
        page: "**all**".to_owned(),
        elements: verdicts.iter().map(|verdict| verdict.elements).sum(),
        frames: verdicts.iter().map(|verdict| verdict.frames).sum(),
        native: sum(verdicts, |verdict| verdict.native),
        focusable: sum(verdicts, |verdict| verdict.focusable),
        listener: sum(verdicts, |verdict| verdict.listener),
        by_script: sum(verdicts, |verdict| verdict.by_script),
        stood_for: verdicts.iter().map(|verdict| verdict.stood_for).sum(),
        twice: verdicts.iter().map(|verdict| verdict.twice).sum(),
        roles: sum(verdicts, |verdict| verdict.roles),
        names: sum(verdicts, |verdict| verdict.names),
        unnamed: verdicts.iter().map(|verdict| verdict.unnamed).sum(),
        misses: Vec::new(),
    }
}

fn print(verdicts: &[PageVerdict]) {
    for verdict in verdicts {
        for miss in &verdict.misses {
            println!("{}: {}: {} — {}", verdict.page, miss.what, miss.element, miss.guess);
        }
    }
    println!(
        "\n| page | frames | elements | native reached / listed | focusable | listeners | by another line | by script only | twice | controls | roles agree | names agree | only named here |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for verdict in verdicts.iter().chain([&totals(verdicts)]) {
        let pair = |share: Share| format!("{} / {}", share.all, share.good);
        let percent = |share: Share| format!("{:.1} %", share.ratio() * 100.0);
        println!(
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            verdict.page,
            verdict.frames,
            verdict.elements,
            pair(verdict.native),
            pair(verdict.focusable),
            pair(verdict.listener),
            verdict.stood_for,
            pair(verdict.by_script),
            verdict.twice,
            verdict.roles.all,
            percent(verdict.roles),
            percent(verdict.names),
            verdict.unnamed
        );
    }
}

/// Fails under the thresholds, naming each.
fn enough(verdicts: &[PageVerdict]) -> anyhow::Result<()> {
    let all = totals(verdicts);
    let mut listeners = all.listener;
    listeners.add(all.focusable);
    let mut short = Vec::new();
    for (what, share, least) in [
        ("native things listed", all.native, NATIVE),
        ("listener and focusable things listed", listeners, LISTENER),
        ("roles that agree", all.roles, AGREEMENT),
        ("names that agree", all.names, AGREEMENT),
    ] {
        if share.ratio() < least {
            short.push(format!(
                "{what}: {:.2} % instead of {:.0} %",
                share.ratio() * 100.0,
                least * 100.0
            ));
        }
    }
    if all.twice > 0 {
        short.push(format!("{} things listed twice", all.twice));
    }
    anyhow::ensure!(short.is_empty(), "{}", short.join("; "));
    Ok(())
}
