//! Connects to a browser with thirty tabs, of which one hangs and one is frozen, and uses one of
//! them. The pages of all others count what happens to them.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::json;

use super::Attach;
use super::browser::{Debugging, PersonsBrowser};
use super::site::{Beat, Hang};
use crate::attached::AttachedTab;
use crate::devtools::DevTools;
use crate::outline::ParsedOutline;
use crate::processes::{signal, wait_for};
use crate::product::Engine;
use crate::report::Report;

const TABS: u32 = 30;
/// The place of the tab that is chosen. The tab in front is the first, and its focus must stay.
const CHOSEN: usize = 5;
const HUNG: u32 = 29;
const FROZEN: u32 = 30;
/// How long all tabs may take to load on a busy machine.
const LOADED: Duration = Duration::from_secs(180);
/// How long tabs are left alone, before and after.
const ALONE: Duration = Duration::from_secs(8);
/// How long a tab may take to go on.
const GOES_ON: Duration = Duration::from_secs(20);
/// How long the choice of a tab may take that does not answer.
const SILENT_TAB: Duration = Duration::from_secs(8);
/// The share of its ticks that a tab must keep.
const LEAST_SHARE: f64 = 0.75;
/// The phase in which the hung and the frozen tab are chosen.
const SILENT_CHOSEN: &str = "silent tabs chosen";

/// The reports of all pages up to a moment.
struct Reports {
    at: Instant,
    beats: HashMap<u32, Beat>,
}

impl Reports {
    /// Returns what a page counted under a name.
    fn count(&self, id: u32, name: &str) -> f64 {
        self.beats.get(&id).and_then(|beat| beat[name].as_f64()).unwrap_or_default()
    }
}

pub async fn run(attach: &Attach, engine: Engine) -> anyhow::Result<Vec<String>> {
    let site = &attach.site;
    site.forget();
    // Firefox cannot interrupt a page that hangs, so that one is never released.
    let (hang, has_frozen) = match engine {
        Engine::Chromium => (Hang::UntilReleased, true),
        Engine::Firefox => (Hang::Forever, false),
    };
    let url = |id| if id == HUNG { site.hanging_url(id, hang) } else { site.url(id) };
    let urls: Vec<String> = (1..=TABS).map(url).collect();
    let mut browser =
        PersonsBrowser::start(engine, Debugging::Port, &attach.display, &urls).await?;
    let run = TabsRun { attach, browser: &browser, has_frozen, hang, chosen: RefCell::default() };
    let outcome = run.all().await;
    let runs = browser.runs();
    browser.end().await;
    let mut report = outcome?;
    report.require(runs, || "the browser does not run any more".to_owned());
    Ok(report.misses)
}

struct TabsRun<'a> {
    attach: &'a Attach,
    browser: &'a PersonsBrowser,
    has_frozen: bool,
    hang: Hang,
    /// The tabs that were chosen so far.
    chosen: RefCell<BTreeSet<u32>>,
}

impl TabsRun<'_> {
    async fn all(&self) -> anyhow::Result<Report> {
        let mut report = Report::default();
        let site = &self.attach.site;
        wait_for(LOADED, "all tabs load", || site.beats().len() == TABS as usize).await?;
        let freezer = self.freeze().await?;
        let first = self.reports(ALONE / 2).await;
        let before = self.reports(ALONE).await;
        self.unchanged(&mut report, "before pagesight", &first, &before);
        self.use_one("closed").await?;
        self.unchanged(&mut report, "closed", &before, &self.reports(ALONE / 2).await);
        if let Some((tools, tab)) = &freezer {
            set_state(tools, tab, "active").await?;
            self.goes_on(&mut report, &before, FROZEN, "lifecycle 0 → 2").await?;
            set_state(tools, tab, "frozen").await?;
        }
        self.choose_silent(&mut report).await?;
        self.unchanged(&mut report, SILENT_CHOSEN, &before, &self.reports(ALONE / 2).await);
        self.use_one("killed").await?;
        let after = self.reports(ALONE / 2).await;
        self.unchanged(&mut report, "killed", &before, &after);
        self.judge_pace(&mut report, [&first, &before, &after]);
        self.judge_chosen(&mut report, &before, &after);
        site.release();
        if self.hang == Hang::UntilReleased {
            self.goes_on(&mut report, &before, HUNG, "").await?;
        }
        Ok(report)
    }

    /// Leaves the tabs alone, and returns what they reported.
    async fn reports(&self, pause: Duration) -> Reports {
        tokio::time::sleep(pause).await;
        Reports { at: Instant::now(), beats: self.attach.site.beats() }
    }

    /// Returns the tabs that must not notice anything.
    fn others(&self) -> Vec<u32> {
        let chosen = self.chosen.borrow();
        let silent = |id: &u32| *id == HUNG || (self.has_frozen && *id == FROZEN);
        (1..=TABS).filter(|id| !chosen.contains(id) && !silent(id)).collect()
    }

    async fn freeze(&self) -> anyhow::Result<Option<(DevTools, AttachedTab)>> {
        let Some(address) = self.browser.devtools.as_deref().filter(|_| self.has_frozen) else {
            return Ok(None);
        };
        let tools = DevTools::connect(address).await?;
        let targets = tools.call(None, "Target.getTargets", json!({})).await?;
        let wanted = self.attach.site.url(FROZEN);
        let targets = targets["targetInfos"].as_array().cloned().unwrap_or_default();
        let target = targets.iter().find(|target| target["url"] == wanted.as_str());
        let target = target.and_then(|target| target["targetId"].as_str());
        let tab = AttachedTab::attach(&tools, target.context("no tab to freeze")?).await?;
        set_state(&tools, &tab, "frozen").await?;
        Ok(Some((tools, tab)))
    }

    /// Connects, lists, chooses a tab, looks, fills, clicks, and leaves: closed, or killed.
    async fn use_one(&self, leaving: &str) -> anyhow::Result<()> {
        let begun = Instant::now();
        let log = format!("tabs-{leaving}");
        let client = self.browser.pagesight(&self.attach.program, &log).await?;
        let (listed, _) = client.call("browser_tabs", json!({ "action": "list" })).await?;
        let listing = begun.elapsed().as_millis();
        let count = listed.lines().filter(|line| line.contains("not chosen")).count();
        anyhow::ensure!(count == TABS as usize, "{count} tabs are listed: {listed}");
        let own = listed.lines().filter(|line| line.contains(" http://127.0.0.1:"));
        let line = own.skip(CHOSEN - 1).find(|line| !line.contains(&titled(FROZEN)));
        let tab = line.and_then(|line| line.split(' ').next()).context("no tab to choose")?;
        let begun = Instant::now();
        client.call("browser_tabs", json!({ "action": "select", "tab": tab })).await?;
        let (outline, _) = client.call("inspect_tab", json!({ "tab": tab })).await?;
        let id = outline.split_once("tab?id=").and_then(|(_, rest)| rest.split_whitespace().next());
        self.chosen.borrow_mut().extend(id.and_then(|id| id.parse::<u32>().ok()));
        let outline = ParsedOutline::read(&outline);
        let actions = json!([
            { "type": "fill", "element": outline.number("textbox", "First")?, "text": leaving },
            { "type": "click", "element": outline.number("button", "Save")? },
        ]);
        let (acted, _) = client.act(actions).await?;
        anyhow::ensure!(acted.contains(&format!("saved {leaving}-")), "not saved: {acted}");
        let using = begun.elapsed().as_millis();
        let picture = client.ask("take_screenshot", json!({ "tab": tab })).await?;
        anyhow::ensure!(picture.took < SILENT_TAB, "the picture took {:?}", picture.took);
        let drawn = if picture.failed { "no picture" } else { "a picture" };
        println!(
            "- {leaving}: {count} tabs listed after {listing} ms; chosen, looked at, filled and \
             clicked in {using} ms; {drawn} in {} ms",
            picture.took.as_millis()
        );
        if leaving == "killed" {
            signal("-KILL", i64::from(client.pid));
        }
        let closed = client.close().await;
        if leaving == "killed" { Ok(()) } else { closed }
    }

    /// Judges that nothing but the ticks changed in the other tabs.
    fn unchanged(&self, report: &mut Report, phase: &str, before: &Reports, after: &Reports) {
        let mut changed = 0;
        for id in self.others() {
            let different = differences(before, after, id);
            changed += usize::from(!different.is_empty());
            let words = || format!("{phase}: tab {id}: {}", different.join(", "));
            report.require(different.is_empty(), words);
        }
        let mut silent = vec![("hung", HUNG)];
        // It may wake when it is chosen.
        let frozen = self.has_frozen && phase != SILENT_CHOSEN && phase != "killed";
        silent.extend(frozen.then_some(("frozen", FROZEN)));
        for (state, id) in silent {
            let same = before.beats.get(&id) == after.beats.get(&id);
            report.require(same, || format!("{phase}: the {state} tab went on"));
        }
        println!("- {phase}: {changed} of {} tabs changed", self.others().len());
    }

    /// Judges the timers of the other tabs, and prints what their pages counted.
    fn judge_pace(&self, report: &mut Report, [first, before, after]: [&Reports; 3]) {
        let others = self.others();
        let sum = |reports: &Reports, name| -> f64 {
            others.iter().map(|id| reports.count(*id, name)).sum()
        };
        let pace = |from: &Reports, to: &Reports| {
            let ticks = sum(to, "ticks") - sum(from, "ticks");
            ticks / (to.at - from.at).as_secs_f64() / others.len() as f64
        };
        let (alone, used) = (pace(first, before), pace(before, after));
        let line = format!("{alone:.2} ticks per second and tab before, {used:.2} with pagesight");
        report.require(used >= alone * LEAST_SHARE, || format!("timers slowed down: {line}"));
        let longest = others.iter().map(|id| after.count(*id, "longest")).fold(0.0, f64::max);
        println!("- {line}; longest time between two ticks {longest:.0} ms");
        for name in ["focus", "blur", "visibility", "resize", "lifecycle"] {
            println!("- {name}, counted by the others: {}", sum(after, name) - sum(before, name));
        }
    }

    /// Judges that the chosen tabs got their visibility and size back.
    fn judge_chosen(&self, report: &mut Report, before: &Reports, after: &Reports) {
        for id in self.chosen.borrow().iter() {
            let different = differences(before, after, *id);
            println!("- chosen tab {id} afterwards: {different:?}");
            let is_left = |what: &String| {
                ["shown ", "size ", "resize "].iter().any(|name| what.starts_with(name))
            };
            let left = different.iter().any(is_left);
            report.require(!left, || format!("chosen tab {id} is left with {different:?}"));
        }
    }

    /// Judges that a silent tab goes on, and what it noticed.
    async fn goes_on(
        &self,
        report: &mut Report,
        before: &Reports,
        id: u32,
        expected: &str,
    ) -> anyhow::Result<()> {
        let ticks = || self.attach.site.beats().get(&id).and_then(|beat| beat["ticks"].as_f64());
        let then = before.count(id, "ticks");
        wait_for(GOES_ON, "a silent tab goes on", || ticks().is_some_and(|now| now > then + 1.0))
            .await?;
        let different = differences(before, &self.reports(Duration::ZERO).await, id).join(", ");
        report.require(different == expected, || format!("silent tab {id}: {different}"));
        println!("- silent tab {id} went on: {different:?}");
        Ok(())
    }

    /// Looks at the hung and at the frozen tab.
    async fn choose_silent(&self, report: &mut Report) -> anyhow::Result<()> {
        let client = self.browser.pagesight(&self.attach.program, "tabs-silent").await?;
        let (listed, _) = client.call("browser_tabs", json!({ "action": "list" })).await?;
        let mut silent = vec![("hung", " http://localhost:".to_owned())];
        silent.extend(self.has_frozen.then(|| ("frozen", titled(FROZEN))));
        for (state, mark) in silent {
            let line = listed.lines().find(|line| line.contains(&mark)).unwrap_or_default();
            let tab = line.split(' ').next().unwrap_or_default();
            let reply = client.ask("inspect_tab", json!({ "tab": tab })).await?;
            let text: String = reply.text.trim().chars().take(200).collect();
            println!("- a look at the {state} tab: {} ms, {text:?}", reply.took.as_millis());
            let late = || format!("the {state} tab took {:?}", reply.took);
            report.require(reply.took < SILENT_TAB, late);
            report.require(state != "hung" || reply.failed, || format!("{state}: {text}"));
        }
        client.close().await
    }
}

/// Returns what changed in a page apart from its ticks.
fn differences(before: &Reports, after: &Reports, id: u32) -> Vec<String> {
    let (Some(then), Some(now)) = (before.beats.get(&id), after.beats.get(&id)) else {
        return vec!["it never reported".to_owned()];
    };
    let counted = now.as_object().into_iter().flatten();
    let counted = counted.filter(|(name, _)| !["ticks", "longest"].contains(&name.as_str()));
    let changed = counted.filter(|(name, now)| then[name.as_str()] != **now);
    changed.map(|(name, now)| format!("{name} {} → {now}", then[name.as_str()])).collect()
}

async fn set_state(tools: &DevTools, tab: &AttachedTab, state: &str) -> anyhow::Result<()> {
    let state = json!({ "state": state });
    tools.call(Some(&tab.session), "Page.setWebLifecycleState", state).await?;
    Ok(())
}

fn titled(id: u32) -> String {
    format!(" \"Tab {id}\" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_no_difference_and_all_else_is() {
        let reports =
            |beat: Beat| Reports { at: Instant::now(), beats: HashMap::from([(1, beat)]) };
        let beat = |ticks: u32, focus: u32, shown: &str| {
            reports(json!({ "ticks": ticks, "focus": focus, "longest": ticks, "shown": shown }))
        };
        let before = beat(5, 1, "hidden");
        assert!(differences(&before, &beat(9, 1, "hidden"), 1).is_empty());
        let changed = differences(&before, &beat(9, 2, "visible"), 1);
        assert_eq!(changed, ["focus 1 → 2", "shown \"hidden\" → \"visible\""]);
        assert_eq!(differences(&before, &before, 2), ["it never reported"]);
    }
}
