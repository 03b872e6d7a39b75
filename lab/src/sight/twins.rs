//! the same pages in Chromium and in Firefox. The outlines must be the same
//! text, except for lines that differ for a known reason. Elements without a name must have the
//! same hints. The fingerprints must have the same hash. A baseline of one browser must raise no
//! alarm in the other.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use similar::{ChangeTag, DiffTag, TextDiff};

use crate::options::{DetailsArgs, PageGroup, PagesArgs, Visitor};
use crate::outline::OutlineLine;
use crate::pages::PageState;
use crate::product::{
    Action, Change, Engine, Feature, Fingerprint, FingerprintRequest, IgnoreRules, LaunchOptions,
    OutlineOptions, ScopeChoice, Session, SessionOptions, Severity, TabRecord, Target, compare,
};
use crate::report::table;

/// The role of elements that only a listener makes usable. Firefox does not report all of those.
const CLICKABLE: &str = "clickable";
const LOCAL: &str = "127.0.0.1,localhost";
/// Sends requests to other machines to a proxy that does not exist, so that they fail at once in
/// both browsers.
pub(crate) const OFFLINE: [(&str, &str); 3] = [
    ("no_proxy", LOCAL),
    ("http_proxy", "http://127.0.0.1:9"),
    ("https_proxy", "http://127.0.0.1:9"),
];
/// Set in the environment when the command has restarted itself.
pub const RESTARTED: &str = "PAGESIGHT_LAB_RESTARTED";
/// The share of lines that must be the same.
const LEAST: f64 = 0.99;
/// How long one page may take in both.
const PAGE_LIMIT: Duration = Duration::from_secs(120);
/// Time for late requests to end in both browsers.
const LATECOMERS: Duration = Duration::from_millis(1_500);
/// How often a page that still changes is looked at again.
const LOOKS: usize = 6;

/// Pages of the fixtures that hang, ask or change on purpose.
const LEFT_OUT: [&str; 5] =
    ["changes.html", "frame-hang.html", "hang.html", "prompts.html", "restless.html"];

/// One of the two browsers.
struct ComparedBrowser {
    session: Session,
    tab: Arc<TabRecord>,
}

impl ComparedBrowser {
    async fn start(engine: Engine) -> anyhow::Result<ComparedBrowser> {
        let launch = LaunchOptions { engine, ..LaunchOptions::default() };
        let session = Session::new(SessionOptions { launch, ..SessionOptions::default() });
        session.turn_off(Feature::PageDiffing);
        let tab = session.open_tab(None).await?;
        Ok(ComparedBrowser { session, tab })
    }

    async fn see(&self, page_state: &PageState) -> anyhow::Result<BrowserView> {
        let ComparedBrowser { session, tab } = self;
        if let Some(url) = &page_state.url {
            session.navigate(tab, &session.address(url)?, Some(Duration::from_secs(8))).await?;
        }
        if let Some(step) = &page_state.step {
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
        let print = session.fingerprint(tab, &FingerprintRequest::default()).await?;
        Ok(BrowserView { lines, print })
    }

    /// Clicks the middle of an element with the mouse.
    async fn click(&self, selector: &str) -> anyhow::Result<()> {
        let middle = format!(
            "(() => {{ const b = document.querySelector({selector:?}).getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2] }})()"
        );
        let middle = self.session.evaluate(&self.tab, &middle).await?;
        let at = |n: usize| middle[n].as_f64().context("no place to click");
        let click = Action::Click(Target::Point(at(0)?, at(1)?));
        let acted = self.session.act(&self.tab, &[click], None).await?;
        anyhow::ensure!(!acted.failed(), "{selector} could not be clicked");
        Ok(())
    }
}

/// A page as one browser showed it.
struct BrowserView {
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

/// Returns the role and the hint of each line that has a hint, without listeners' lines.
fn hints(lines: &str) -> Vec<String> {
    let read = lines.lines().map(|line| OutlineLine::read(&line.replacen("[n]", "[1]", 1)));
    let hinted = read.filter(|line| line.role != CLICKABLE && !line.hint.is_empty());
    hinted.map(|line| format!("{} ({})", line.role, line.hint)).collect()
}

/// Both browsers, and what was found out about their pages.
struct Twins {
    twins: [ComparedBrowser; 2],
    tally: TwinsTally,
    /// Every difference, for `--details`.
    differences: String,
}

/// Counts of one page, or of all.
#[derive(Clone, Copy, Default)]
struct TwinsTally {
    pages: usize,
    lines: usize,
    same: usize,
    /// Lines of Chromium that only a listener makes: Firefox does not report listeners.
    listeners: usize,
    /// Lines that differ only in how far something scrolls.
    pixels: usize,
    hints: usize,
    other_hints: usize,
    hashes: usize,
    alarms: usize,
}

impl TwinsTally {
    fn add(&mut self, page: TwinsTally) {
        self.pages += page.pages;
        self.lines += page.lines;
        self.same += page.same;
        self.listeners += page.listeners;
        self.pixels += page.pixels;
        self.hints += page.hints;
        self.other_hints += page.other_hints;
        self.hashes += page.hashes;
        self.alarms += page.alarms;
    }

    fn row(&self, name: &str) -> String {
        let TwinsTally { lines, same, listeners, pixels, hints, other_hints, alarms, .. } = self;
        let hashes = format!("{} of {}", self.hashes, self.pages);
        format!(
            "| {name} | {lines} | {same} | {listeners} | {pixels} | {hints} | {other_hints} | \
             {hashes} | {alarms} |"
        )
    }
}

impl Visitor for Twins {
    async fn visit(&mut self, group: PageGroup, page_states: Vec<PageState>) {
        // The first visit to an app may differ from later ones: it makes files and settings.
        let urls = page_states.iter().filter_map(|page_state| page_state.url.as_ref());
        for url in urls.filter(|_| group == PageGroup::App) {
            let plain = PageState { name: String::new(), url: Some(url.clone()), step: None };
            let _ = tokio::time::timeout(PAGE_LIMIT, self.twins[0].see(&plain)).await;
        }
        for page_state in page_states {
            let [chromium, firefox] = &self.twins;
            let both = async {
                anyhow::Ok([chromium.see(&page_state).await?, firefox.see(&page_state).await?])
            };
            match tokio::time::timeout(PAGE_LIMIT, both).await.context("took too long").flatten() {
                Ok(seen) => self.judge(&page_state.name, seen),
                Err(error) => println!("skipped: {}: {error:#}", page_state.name),
            }
        }
    }
}

impl Twins {
    fn judge(&mut self, name: &str, [chromium, firefox]: [BrowserView; 2]) {
        let diff = TextDiff::from_lines(&chromium.lines, &firefox.lines);
        let equal = |a: &str, b: &str| {
            let diff = TextDiff::from_lines(a, b);
            diff.iter_all_changes().filter(|change| change.tag() == ChangeTag::Equal).count()
        };
        let same = equal(&chromium.lines, &firefox.lines);
        let unmeasured = [without_pixels(&chromium.lines), without_pixels(&firefox.lines)];
        let clickable = |line: &str| {
            line.trim_start().strip_prefix("[n] ").is_some_and(|line| line.starts_with(CLICKABLE))
        };
        let gone = diff.iter_all_changes().filter(|change| change.tag() == ChangeTag::Delete);
        let hinted = [hints(&chromium.lines), hints(&firefox.lines)];
        let other_hints =
            similar::capture_diff_slices(similar::Algorithm::Myers, &hinted[0], &hinted[1]);
        let other_hints = other_hints.iter().filter(|part| part.tag() != DiffTag::Equal);
        let is_same = chromium.print.hash == firefox.print.hash;
        let compared = compare(&chromium.print, &firefox.print, &IgnoreRules::default());
        let is_alarm = |change: &&Change| change.severity >= Severity::Warning;
        let page = TwinsTally {
            pages: 1,
            lines: chromium.lines.lines().count().max(firefox.lines.lines().count()),
            same,
            listeners: gone.filter(|change| clickable(change.value())).count(),
            pixels: equal(&unmeasured[0], &unmeasured[1]).saturating_sub(same),
            hints: hinted[0].len().max(hinted[1].len()),
            other_hints: other_hints
                .map(|part| part.old_range().len().max(part.new_range().len()))
                .sum(),
            hashes: usize::from(is_same),
            alarms: compared.changes.iter().filter(is_alarm).count(),
        };
        println!("{}", page.row(name));
        self.tally.add(page);
        self.differences.push_str(&format!("# {name} (- Chromium, + Firefox)\n"));
        for change in diff.iter_all_changes().filter(|change| change.tag() != ChangeTag::Equal) {
            let sign = if change.tag() == ChangeTag::Delete { '-' } else { '+' };
            self.differences.push_str(&format!("{sign} {change}"));
        }
        for change in compared.changes.iter().filter(|change| !is_same || is_alarm(change)) {
            let line = format!("! {} {}\n", change.kind.as_str(), change.description);
            self.differences.push_str(&line);
        }
    }
}

/// Compares all pages; fails below the limits.
pub async fn run(pages: &PagesArgs, details: &DetailsArgs) -> anyhow::Result<()> {
    if std::env::var_os("no_proxy").is_none_or(|hosts| hosts != LOCAL) {
        return again_offline();
    }
    let twins = [
        ComparedBrowser::start(Engine::Chromium).await?,
        ComparedBrowser::start(Engine::Firefox).await?,
    ];
    let mut twins = Twins { twins, tally: TwinsTally::default(), differences: String::new() };
    println!();
    table(
        "page | lines | the same | only listeners | only pixels | hints | different hints | hash | alarms",
    );
    let visited = pages.visit(&LEFT_OUT, &[], &mut twins).await;
    for twin in &twins.twins {
        twin.session.close().await;
    }
    let all = twins.tally;
    println!("{}", all.row("**all**"));
    let share = (all.same + all.listeners + all.pixels) as f64 / all.lines.max(1) as f64;
    println!("\n{:.2} % of the lines are the same, apart from listeners and pixels", share * 100.0);
    details.write(&twins.differences)?;
    visited?;
    anyhow::ensure!(all.pages > 0, "no page or app matches");
    anyhow::ensure!(share >= LEAST, "fewer lines are the same than {} %", LEAST * 100.0);
    anyhow::ensure!(all.alarms == 0, "a baseline of one browser raises alarms in the other");
    Ok(())
}

/// Runs the same command again with nothing but this machine in reach.
fn again_offline() -> anyhow::Result<()> {
    let mut again = std::process::Command::new(std::env::current_exe()?);
    again.args(std::env::args_os().skip(1)).envs(OFFLINE).env(RESTARTED, "1");
    anyhow::ensure!(again.status()?.success(), "the browsers differ");
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn hints_are_read_with_their_roles() {
        let lines =
            "[n] button (star icon)\n  [n] clickable (red)\n[n] link: Home\n[n] link (home) — x";
        assert_eq!(super::hints(lines), ["button (star icon)", "link (home)"]);
    }

    #[test]
    fn numbers_of_elements_only() {
        let text = "[12] link: a [b] [3x] covered by [4]\n[]";
        assert_eq!(super::without_numbers(text), "[n] link: a [b] [3x] covered by [n]\n[]");
    }
}
