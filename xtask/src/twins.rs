//! `cargo xtask twins`: the same pages in Chromium and in Firefox. The outlines must be the same
//! text but for a few lines that can be explained, the fingerprints must have the same hash, and a
//! baseline of one browser must raise no alarm in the other.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use pagesight_core::compare::{IgnoreRules, Severity, compare};
use pagesight_core::fingerprint::Fingerprint;
use pagesight_core::render::OutlineOptions;
use pagesight_session::{
    Action, Engine, Feature, LaunchOptions, Options, ScopeChoice, Session, TabRecord, Taking,
    Target,
};
use similar::{ChangeTag, TextDiff};

use crate::sight::{Stop, apps, install, site};

const LOCAL: &str = "127.0.0.1,localhost";
/// What is asked of other machines goes to a proxy that is not there, and fails at once in both
/// browsers.
pub(crate) const OFFLINE: [(&str, &str); 3] = [
    ("no_proxy", LOCAL),
    ("http_proxy", "http://127.0.0.1:9"),
    ("https_proxy", "http://127.0.0.1:9"),
];
/// How many lines must be the same.
const LEAST: f64 = 0.99;
/// How long one page may take in both.
const PAGE_LIMIT: Duration = Duration::from_secs(120);
/// What comes late has to come, or fail, in both.
const LATECOMERS: Duration = Duration::from_millis(1_500);
/// How often a page that still changes is looked at again.
const LOOKS: usize = 6;

/// What to look at.
#[derive(clap::Args)]
pub struct Asked {
    /// Folders of saved pages, or addresses; without any, the project's own fixtures
    places: Vec<String>,
    /// Visit live web apps, installed into target/sight
    #[arg(long)]
    apps: bool,
    /// Only pages and apps whose name contains this
    #[arg(long)]
    only: Option<String>,
    /// Write the lines that differ to this file
    #[arg(long)]
    differences: Option<PathBuf>,
}

/// One browser.
struct Twin {
    session: Session,
    tab: Arc<TabRecord>,
}

impl Twin {
    async fn start(engine: Engine) -> anyhow::Result<Twin> {
        let launch = LaunchOptions { engine, ..LaunchOptions::default() };
        let session = Session::new(Options { launch, ..Options::default() });
        session.set(Feature::PageDiffing, false);
        let tab = session.open_tab(None).await?;
        Ok(Twin { session, tab })
    }

    async fn see(&self, stop: &Stop) -> anyhow::Result<Seen> {
        let Twin { session, tab } = self;
        if let Some(url) = &stop.url {
            session.navigate(tab, &session.address(url)?, Some(Duration::from_secs(8))).await?;
        }
        if let Some(step) = &stop.step {
            match step.strip_prefix("click ") {
                Some(selector) => self.click(selector).await?,
                None => drop(
                    session.evaluate(tab, &format!("void (async () => {{ {step} }})()")).await?,
                ),
            }
        }
        let options =
            OutlineOptions { fold: false, max_tokens: 1_000_000, ..OutlineOptions::default() };
        let mut lines = String::new();
        // An app may still be at work, and in one browser longer than in the other.
        for _ in 0..LOOKS {
            tokio::time::sleep(LATECOMERS).await;
            let outline = session.inspect(tab, &ScopeChoice::Full, None, options.clone()).await?;
            let before = std::mem::replace(&mut lines, without_numbers(&outline.text));
            if before == lines {
                break;
            }
        }
        let print = session.fingerprint(tab, &Taking::default()).await?;
        Ok(Seen { lines, print })
    }

    /// Clicks the middle of an element with the mouse.
    async fn click(&self, selector: &str) -> anyhow::Result<()> {
        let middle = format!(
            "(() => {{ const b = document.querySelector({selector:?}).getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2] }})()"
        );
        let middle = self.session.evaluate(&self.tab, &middle).await?;
        let at = |n: usize| middle[n].as_f64().context("no place to click");
        let click = Action::Click(Target::Point(at(0)?, at(1)?));
        let acted = self.session.act(&self.tab, &[click], 1_000).await?;
        anyhow::ensure!(!acted.failed(), "{selector} could not be clicked");
        Ok(())
    }
}

/// What one browser showed of a page.
struct Seen {
    lines: String,
    print: Arc<Fingerprint>,
}

/// The outline without the numbers of its elements, which are given in the order of their
/// appearance.
fn without_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('[') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let digits = from[1..].find(|c: char| !c.is_ascii_digit()).unwrap_or(from.len() - 1);
        let number = digits > 0 && from[1 + digits..].starts_with(']');
        out.push_str(if number { "[n]" } else { "[" });
        rest = &from[if number { digits + 2 } else { 1 }..];
    }
    out.push_str(rest);
    out
}

/// The outline without how many pixels there are to scroll.
fn without_pixels(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for part in text.split_inclusive(" px more") {
        let rest = part.strip_suffix(" px more").unwrap_or(part);
        out.push_str(if rest.len() < part.len() {
            rest.trim_end_matches(|c: char| c.is_ascii_digit())
        } else {
            rest
        });
        out.push_str(&part[rest.len()..]);
    }
    out
}

#[derive(Default)]
struct Tally {
    table: String,
    differences: String,
    pages: usize,
    lines: usize,
    same: usize,
    /// Lines that are another only because Firefox tells nobody which listeners scripts have added.
    deaf: usize,
    /// Lines that are another only in how many pixels there are to scroll: the browsers' letters
    /// are not equally large.
    pixels: usize,
    hashes: usize,
    alarms: usize,
}

impl Tally {
    fn judge(&mut self, name: &str, [chromium, firefox]: [Seen; 2]) {
        let diff = TextDiff::from_lines(&chromium.lines, &firefox.lines);
        let lines = chromium.lines.lines().count().max(firefox.lines.lines().count());
        let equal = |a: &str, b: &str| {
            let diff = TextDiff::from_lines(a, b);
            diff.iter_all_changes().filter(|change| change.tag() == ChangeTag::Equal).count()
        };
        let same = equal(&chromium.lines, &firefox.lines);
        let unmeasured = [without_pixels(&chromium.lines), without_pixels(&firefox.lines)];
        let pixels = equal(&unmeasured[0], &unmeasured[1]).saturating_sub(same);
        let clickable = |line: &str| line.trim_start().starts_with("[n] clickable");
        let gone = diff.iter_all_changes().filter(|change| change.tag() == ChangeTag::Delete);
        let deaf = gone.filter(|change| clickable(change.value())).count();
        let hash = chromium.print.hash == firefox.print.hash;
        let told = compare(&chromium.print, &firefox.print, &IgnoreRules::default());
        let alarms: Vec<_> =
            told.changes.iter().filter(|change| change.severity >= Severity::Warning).collect();
        self.pages += 1;
        self.lines += lines;
        self.same += same;
        self.deaf += deaf;
        self.pixels += pixels;
        self.hashes += usize::from(hash);
        self.alarms += alarms.len();
        let verdict = if hash { "same" } else { "other" };
        let _ = writeln!(
            self.table,
            "| {name} | {lines} | {deaf} | {pixels} | {} | {verdict} | {} |",
            lines.saturating_sub(same + deaf + pixels),
            alarms.len()
        );
        println!(
            "{name}: {same} of {lines} lines, {deaf} for want of listeners, {pixels} in pixels, hash {verdict}, {} alarms",
            alarms.len()
        );
        if same < lines || !hash {
            let _ = writeln!(self.differences, "# {name} (- Chromium, + Firefox)");
        }
        for change in diff.iter_all_changes().filter(|change| change.tag() != ChangeTag::Equal) {
            let sign = if change.tag() == ChangeTag::Delete { '-' } else { '+' };
            let _ = write!(self.differences, "{sign} {change}");
        }
        for alarm in alarms {
            let _ = writeln!(self.differences, "! {} {}", alarm.kind.as_str(), alarm.description);
        }
        for change in
            told.changes.iter().filter(|change| change.severity < Severity::Warning && !hash)
        {
            let _ = writeln!(self.differences, "? {} {}", change.kind.as_str(), change.description);
        }
    }
}

/// Looks at everything in both.
pub async fn run(asked: Asked) -> anyhow::Result<()> {
    if std::env::var_os("no_proxy").is_none_or(|hosts| hosts != LOCAL) {
        return again_offline();
    }
    let mut places = asked.places.clone();
    if places.is_empty() && !asked.apps {
        places.push(crate::root().join("tests/fixtures").display().to_string());
    }
    let wanted = |name: &str| asked.only.as_ref().is_none_or(|only| name.contains(only.as_str()));
    let mut stops = Vec::new();
    for place in &places {
        stops.extend(site::stops(place).await?);
    }
    // Pages of the fixtures that hang, ask or change on purpose.
    let odd = ["hang", "prompts", "restless"];
    stops.retain(|stop| wanted(&stop.name) && !odd.iter().any(|word| stop.name.contains(word)));
    let twins = [Twin::start(Engine::Chromium).await?, Twin::start(Engine::Firefox).await?];
    let mut tally = Tally::default();
    visit(&twins, &stops, &mut tally).await;
    let apps: Vec<&apps::App> =
        apps::APPS.iter().filter(|app| asked.apps && wanted(app.name)).collect();
    if !apps.is_empty() {
        let folder = crate::root().join("target/sight");
        std::fs::create_dir_all(&folder)?;
        install::prepare(&folder).await?;
        for app in apps {
            match app.start(&folder).await {
                Ok(mut running) => {
                    // An app that has just started loads its parts when they are first asked for.
                    for url in running.stops.iter().filter_map(|stop| stop.url.as_ref()) {
                        let plain =
                            Stop { name: String::new(), url: Some(url.clone()), step: None };
                        let _ = tokio::time::timeout(PAGE_LIMIT, twins[0].see(&plain)).await;
                    }
                    visit(&twins, &running.stops, &mut tally).await;
                    running.end().await;
                }
                Err(error) => println!("skipped: {}: {error:#}", app.name),
            }
        }
    }
    for twin in &twins {
        twin.session.close().await;
    }
    let Tally { table, differences, pages, lines, same, deaf, pixels, hashes, alarms } = tally;
    println!(
        "\n| page | lines | for want of listeners | only in pixels | other lines | hash | alarms |\n|---|---|---|---|---|---|---|\n{table}"
    );
    let share = (same + deaf + pixels) as f64 / lines.max(1) as f64;
    println!(
        "{same} of {lines} lines the same, {deaf} but for listeners, {pixels} but for pixels ({:.2} % together), {hashes} of {pages} hashes, {alarms} alarms",
        share * 100.0
    );
    if let Some(file) = asked.differences {
        std::fs::write(&file, differences)?;
    }
    anyhow::ensure!(share >= LEAST, "fewer lines are the same than {} %", LEAST * 100.0);
    anyhow::ensure!(alarms == 0, "a baseline of one browser raises alarms in the other");
    Ok(())
}

/// Runs the same command with nothing but this machine in reach.
fn again_offline() -> anyhow::Result<()> {
    let mut again = std::process::Command::new(std::env::current_exe()?);
    again.args(std::env::args_os().skip(1)).envs(OFFLINE);
    anyhow::ensure!(again.status()?.success(), "the browsers differ");
    Ok(())
}

async fn visit(twins: &[Twin; 2], stops: &[Stop], tally: &mut Tally) {
    for stop in stops {
        // One after the other: an app has one state.
        let both = async { Ok([twins[0].see(stop).await?, twins[1].see(stop).await?]) };
        let seen: anyhow::Result<[Seen; 2]> = match tokio::time::timeout(PAGE_LIMIT, both).await {
            Ok(seen) => seen,
            Err(_) => Err(anyhow::anyhow!("took too long")),
        };
        match seen {
            Ok(seen) => tally.judge(&stop.name, seen),
            Err(error) => println!("skipped: {}: {error:#}", stop.name),
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_of_elements_only() {
        let text = "[12] link: a [b] [3x] covered by [4]\n[]";
        assert_eq!(super::without_numbers(text), "[n] link: a [b] [3x] covered by [n]\n[]");
    }
}
