//! A site of generated pages, listed in `pages.toml` or in a sitemap: saved, unchanged, some pages
//! broken. Time is compared with loading the same pages only.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::ensure;
use axum::extract::State;
use axum::http::header::HOST;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};

use super::check::Checker;
use crate::pages::listen;
use crate::product::{Feature, Session, SessionOptions};
use crate::random::Random;
use crate::report;

#[path = "../../../crates/pagesight/tests/whole/support/shop_pages.rs"]
mod pages;

/// How much longer a check of unchanged pages may take than loading them.
const MOST_OVERHEAD: f64 = 0.10;
/// The most memory of a check, in MiB.
const MOST_MEMORY: f64 = 200.0;
/// How many pages one file of the sitemap lists.
const IN_FILE: usize = 100;
/// The size of the unpacked bomb.
const BOMB: &str = "2G";

#[derive(Default)]
struct SiteState {
    /// The broken pages, each with its fault.
    faults: BTreeMap<usize, usize>,
    /// The pages of the sitemap in their order.
    order: Vec<usize>,
    /// A replacement for the first file of the sitemap.
    bomb: Option<Vec<u8>>,
}

type SharedState = Arc<Mutex<SiteState>>;

/// The served site.
pub struct Site {
    pub address: String,
    state: SharedState,
}

impl Site {
    pub async fn serve() -> anyhow::Result<Site> {
        let state = SharedState::default();
        let app = axum::Router::new().fallback(answer).with_state(state.clone());
        Ok(Site { address: listen(app).await?, state })
    }

    fn change(&self, change: impl FnOnce(&mut SiteState)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Returns a folder whose `pages.toml` has the address and this text.
    fn folder(&self, text: &str) -> anyhow::Result<tempfile::TempDir> {
        let folder = tempfile::tempdir()?;
        let text = format!("base_url = {:?}\n{text}", self.address);
        std::fs::write(folder.path().join("pages.toml"), text)?;
        Ok(folder)
    }

    /// Returns a folder that lists the pages; every one for which `in_firefox` holds is checked in
    /// Firefox.
    pub fn listed(
        &self,
        count: usize,
        in_firefox: impl Fn(usize) -> bool,
    ) -> anyhow::Result<tempfile::TempDir> {
        let page = |number| {
            let browsers = if in_firefox(number) { "browsers = [\"firefox\"]\n" } else { "" };
            format!("[[page]]\nroute = \"/p/{number}\"\n{browsers}")
        };
        self.folder(&(0..count).map(page).collect::<String>())
    }
}

async fn answer(State(state): State<SharedState>, headers: HeaderMap, uri: Uri) -> Response {
    let state = state.lock().unwrap_or_else(PoisonError::into_inner);
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let number = uri.path().rsplit('/').next().and_then(|number| number.parse::<usize>().ok());
    let files = state.order.len().div_ceil(IN_FILE);
    match (uri.path(), number) {
        // The index lists itself, too.
        ("/sitemap.xml", _) => {
            let files = (0..files).map(|file| format!("/map/{file}"));
            let files = files.chain(["/sitemap.xml".to_owned()]);
            sitemap("sitemapindex", "sitemap", host, files).into_response()
        }
        ("/map/0", _) if state.bomb.is_some() => {
            state.bomb.clone().unwrap_or_default().into_response()
        }
        (path, Some(file)) if path.starts_with("/map/") => {
            let pages = state.order.chunks(IN_FILE).nth(file).unwrap_or_default();
            sitemap("urlset", "url", host, pages.iter().map(|number| route(*number)))
                .into_response()
        }
        (_, Some(number)) => {
            Html(pages::page(number, state.faults.get(&number).copied())).into_response()
        }
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

fn sitemap(root: &str, entry: &str, host: &str, paths: impl Iterator<Item = String>) -> String {
    let row = |path: String| format!("<{entry}><loc>http://{host}{path}</loc></{entry}>");
    let rows: String = paths.map(row).collect();
    format!("<{root} xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{rows}</{root}>")
}

/// Returns the route of a page in the sitemap. Some have a query, which is part of the name.
fn route(number: usize) -> String {
    if number % 10 == 3 { format!("/p/{number}?view=all") } else { format!("/p/{number}") }
}

fn name(route: &str) -> String {
    route.trim_start_matches('/').replace(['/', '?', '='], "-")
}

/// Breaks some pages; returns the numbers.
fn break_some(site: &Site, all: usize, count: usize, random: &mut Random) -> Vec<usize> {
    let mut faults = BTreeMap::new();
    while faults.len() < count.min(all) {
        let (page, fault) = (random.below(all), random.below(pages::FAULTS.len()));
        faults.entry(page).or_insert(fault);
    }
    let numbers = faults.keys().copied().collect();
    site.change(|state| state.faults = faults);
    numbers
}

/// Checks the site: saved, unchanged, broken. Fails if a result is wrong, or if unchanged pages
/// take much longer than loading them.
pub async fn run(checker: &Checker, all: usize, rounds: usize, seed: u64) -> anyhow::Result<()> {
    let site = Site::serve().await?;
    let folder = site.listed(all, |_| false)?;
    let at = folder.path();
    let jobs = checker.jobs;
    let single = Checker { program: checker.program.clone(), jobs: 1 };
    let first = checker.check(at, &[]).await?;
    first.require("saved", all)?;
    let (mut check, mut smart, mut plain) = (Duration::MAX, Duration::MAX, Duration::MAX);
    for _ in 0..rounds {
        let unchanged = checker.check(at, &[]).await?;
        unchanged.require("unchanged", all)?;
        check = check.min(unchanged.took);
        smart = smart.min(load(&site, all, jobs, true).await?);
        plain = plain.min(load(&site, all, jobs, false).await?);
    }
    let alone = single.check(at, &[]).await?;
    alone.require("unchanged", all)?;
    let alone_load = load(&site, all, 1, true).await?;
    let broken = break_some(&site, all, all.div_ceil(10), &mut Random::new(seed));
    let third = checker.check(at, &[]).await?;
    let failing = third.reported["pages"].as_array().into_iter().flatten();
    let failing = failing.filter(|page| page["fails"] == true).count();

    let over = |took: Duration, beside: Duration| took.as_secs_f64() / beside.as_secs_f64() - 1.0;
    report::table("run | jobs | result | seconds | ms per page | than loading only");
    let row = |run: &str, jobs: usize, result: String, took: Duration, beside: Option<Duration>| {
        let than =
            beside.map_or(String::new(), |beside| format!("{:+.0} %", over(took, beside) * 100.0));
        let (seconds, each) = (took.as_secs_f64(), report::ms(took) / all as f64);
        println!("| {run} | {jobs} | {result} | {seconds:.1} | {each:.0} | {than} |");
    };
    row("first", jobs, format!("{all} saved, with pictures"), first.took, Some(smart));
    row("second", jobs, format!("{all} unchanged"), check, Some(smart));
    row("second", 1, format!("{all} unchanged"), alone.took, Some(alone_load));
    let result = format!("{} reported, {failing} of them failing", third.names("changed").len());
    row(&format!("{} broken", broken.len()), jobs, result, third.took, Some(smart));
    row("loading only, smart waiting", jobs, String::new(), smart, None);
    row("loading only, smart waiting", 1, String::new(), alone_load, None);
    row("loading only, `load` event", jobs, String::new(), plain, None);
    third.require_changed(&broken.iter().map(|number| format!("p-{number}")).collect())?;
    ensure!(
        over(check, smart) < MOST_OVERHEAD,
        "a check of unchanged pages takes {:+.0} %",
        over(check, smart) * 100.0
    );
    Ok(())
}

/// Opens all pages in this many tabs at a time, one tab per page, and does nothing else.
async fn load(site: &Site, pages: usize, jobs: usize, smart: bool) -> anyhow::Result<Duration> {
    let begun = Instant::now();
    let session = Arc::new(Session::new(SessionOptions::default()));
    if !smart {
        session.turn_off(Feature::SmartWaiting);
    }
    session.open_tab(None).await?;
    let next = Arc::new(Mutex::new(0..pages));
    let mut workers = tokio::task::JoinSet::new();
    for _ in 0..jobs {
        let (session, next, address) = (session.clone(), next.clone(), site.address.clone());
        workers.spawn(async move {
            loop {
                let number = next.lock().ok().and_then(|mut next| next.next());
                let Some(number) = number else { return anyhow::Ok(()) };
                let tab = session.open_tab(None).await?;
                session.navigate(&tab, &format!("{address}/p/{number}").parse()?, None).await?;
                session.close_tab(&tab).await?;
            }
        });
    }
    while let Some(done) = workers.join_next().await {
        done??;
    }
    session.close().await;
    Ok(begun.elapsed())
}

/// Checks the pages of a sitemap: saved, some changed in a different order, and a bomb among its
/// files.
pub async fn run_sitemap(checker: &Checker, count: usize, seed: u64) -> anyhow::Result<()> {
    let site = Site::serve().await?;
    let folder = site.folder("pictures = false\nsitemap = \"/sitemap.xml\"\n")?;
    let mut random = Random::new(seed);
    let mut order: Vec<usize> = (0..count).collect();
    site.change(|state| state.order = order.clone());
    report::table("part | result | seconds | most memory");
    let first = checker.check(folder.path(), &[]).await?;
    first.row("sitemap", &format!("{} pages saved", first.names("saved").len()));
    let named = |number: &usize| name(&route(*number));
    let all: BTreeSet<String> = order.iter().map(named).collect();
    ensure!(first.names("saved") == all, "{} {}", first.reported["summary"], first.errors);

    random.shuffle(&mut order);
    site.change(|state| state.order = order);
    let broken = break_some(&site, count, count.div_ceil(50), &mut random);
    let second = checker.check(folder.path(), &[]).await?;
    let (same, changed) = (second.names("unchanged").len(), second.names("changed").len());
    let result = format!("{same} unchanged, {changed} changed of {}", broken.len());
    second.row("sitemap in a different order", &result);
    second.require_changed(&broken.iter().map(named).collect())?;
    second.require("unchanged", count - broken.len())?;

    let script = format!("head -c {BOMB} /dev/zero | gzip -c");
    let bomb = std::process::Command::new("sh").args(["-c", &script]).output()?.stdout;
    let size = bomb.len() / 1024;
    site.change(|state| state.bomb = Some(bomb));
    let third = checker.check(folder.path(), &[]).await?;
    let result = format!("{size} KiB that unpack to {BOMB}: exit code {:?}", third.code);
    third.row("a bomb in the index", &result);
    let refused = third.code == Some(2) && third.errors.contains("unpacks to more than");
    ensure!(refused && third.reported.is_null(), "the bomb was not refused: {}", third.errors);
    let most = [&first, &second, &third].map(|run| run.memory).into_iter().fold(0.0, f64::max);
    ensure!(most < MOST_MEMORY, "a check needed {most:.0} MiB");
    Ok(())
}
