//! Connects to a browser with thirty tabs, of which one hangs and one is frozen, and uses one of
//! them. The pages of all others count what happens to them.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::json;

use super::Findings;
use super::beats::{Beat, keeps_pace};
use super::person::{BrowserName, Debugging, PersonsBrowser};
use super::site::{AttachSite, Hang};
use crate::attached::AttachedTab;
use crate::devtools::DevTools;
use crate::install::display::Display;
use crate::mcp::McpClient;
use crate::outline::ParsedOutline;

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

/// The phase in which the hung and the frozen tab are chosen.
const SILENT_CHOSEN: &str = "silent tabs chosen";

/// How pagesight leaves the browser.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leaving {
    Closed,
    Killed,
}

/// The reports of all tabs at one time.
struct Reports {
    at: Instant,
    beats: HashMap<u32, Beat>,
}

/// Runs everything in one browser.
pub async fn run(
    program: &Path,
    display: &Display,
    site: &AttachSite,
    name: BrowserName,
) -> anyhow::Result<Findings> {
    site.forget();
    let hang = match name {
        BrowserName::Chromium => Hang::UntilReleased,
        BrowserName::Firefox => Hang::Forever,
    };
    let url = |id| if id == HUNG { site.hanging_url(id, hang) } else { site.url(id) };
    let urls: Vec<String> = (1..=TABS).map(url).collect();
    let mut browser = PersonsBrowser::start(name, Debugging::Port, display, &urls).await?;
    let run = TabsRun {
        program,
        site,
        browser: &browser,
        has_frozen: name == BrowserName::Chromium,
        hang,
        chosen: RefCell::default(),
    };
    let outcome = run.all().await;
    let runs = browser.runs();
    browser.end().await;
    let mut found = outcome?;
    found.require(runs, || "the browser does not run any more".to_owned());
    Ok(found)
}

struct TabsRun<'a> {
    program: &'a Path,
    site: &'a AttachSite,
    browser: &'a PersonsBrowser,
    has_frozen: bool,
    hang: Hang,
    /// The tabs that were chosen.
    chosen: RefCell<BTreeSet<u32>>,
}

impl TabsRun<'_> {
    async fn all(&self) -> anyhow::Result<Findings> {
        let mut found = Findings::default();
        wait_for(LOADED, "all tabs load", || self.site.beats().len() == TABS as usize).await?;
        let freezer = self.freeze().await?;
        // The page that hangs does so after two seconds.
        tokio::time::sleep(ALONE / 2).await;
        let first = self.reports();
        tokio::time::sleep(ALONE).await;
        let before = self.reports();
        self.unchanged(&mut found, "before pagesight", &first, &before);

        self.use_and_leave(&mut found, &before, Leaving::Closed).await?;
        self.judge_frozen(&mut found, &before, freezer.as_ref()).await?;
        self.choose_silent(&mut found).await?;
        tokio::time::sleep(ALONE / 2).await;
        self.unchanged(&mut found, SILENT_CHOSEN, &before, &self.reports());
        // Killed comes last: Firefox keeps the session of a client that was killed, and has only
        // one.
        self.use_and_leave(&mut found, &before, Leaving::Killed).await?;
        let after = self.reports();
        self.judge_pace(&mut found, &first, &before, &after);
        self.judge_chosen(&mut found, &before, &after);
        self.site.release();
        if self.hang == Hang::UntilReleased {
            self.goes_on(&mut found, &before, HUNG, "").await?;
        }
        self.print_counts(&mut found, &before);
        Ok(found)
    }

    /// Uses a tab, leaves, and compares all others.
    async fn use_and_leave(
        &self,
        found: &mut Findings,
        before: &Reports,
        leaving: Leaving,
    ) -> anyhow::Result<()> {
        let name = if leaving == Leaving::Closed { "closed" } else { "killed" };
        let line = self.use_one(leaving, name).await?;
        found.lines.push(format!("- {line}"));
        tokio::time::sleep(ALONE / 2).await;
        self.unchanged(found, name, before, &self.reports());
        Ok(())
    }

    fn reports(&self) -> Reports {
        Reports { at: Instant::now(), beats: self.site.beats() }
    }

    /// The tabs that nobody chooses and that are neither hung nor frozen.
    fn others(&self) -> impl Iterator<Item = u32> + use<> {
        let frozen = self.has_frozen.then_some(FROZEN);
        let chosen = self.chosen.borrow().clone();
        (1..=TABS).filter(move |id| !chosen.contains(id) && *id != HUNG && Some(*id) != frozen)
    }

    /// Freezes a tab, as the browser does with tabs that were not used for long.
    async fn freeze(&self) -> anyhow::Result<Option<(DevTools, AttachedTab)>> {
        let Some(address) = self.browser.devtools.as_deref().filter(|_| self.has_frozen) else {
            return Ok(None);
        };
        let tools = DevTools::connect(address).await?;
        let targets = tools.call(None, "Target.getTargets", json!({})).await?;
        let wanted = self.site.url(FROZEN);
        let targets = targets["targetInfos"].as_array().cloned().unwrap_or_default();
        let target = targets.iter().find(|target| target["url"] == wanted.as_str());
        let target = target.and_then(|target| target["targetId"].as_str());
        let tab = AttachedTab::attach(&tools, target.context("no tab to freeze")?).await?;
        let state = json!({ "state": "frozen" });
        tools.call(Some(&tab.session), "Page.setWebLifecycleState", state).await?;
        Ok(Some((tools, tab)))
    }

    /// Connects, lists, chooses, looks, acts, takes a picture and leaves.
    async fn use_one(&self, leaving: Leaving, name: &str) -> anyhow::Result<String> {
        let begun = Instant::now();
        let client = self.browser.pagesight(self.program, &format!("tabs-{name}")).await?;
        let (listed, _) = client.call("browser_tabs", json!({ "action": "list" })).await?;
        let listing = begun.elapsed();
        let count = listed.lines().filter(|line| line.contains("not chosen")).count();
        anyhow::ensure!(count == TABS as usize, "{count} tabs are listed: {listed}");
        // Firefox lists its tabs without titles, and in no order of the window.
        let own = listed.lines().filter(|line| line.contains(" http://127.0.0.1:"));
        let line = own.skip(CHOSEN - 1).find(|line| !line.contains(&titled(FROZEN)));
        let tab = line.and_then(|line| line.split(' ').next()).context("no tab to choose")?;
        let begun = Instant::now();
        client.call("browser_tabs", json!({ "action": "select", "tab": tab })).await?;
        let (outline, _) = client.call("inspect_tab", json!({ "tab": tab })).await?;
        let id = outline.split_once("tab?id=").map(|(_, rest)| rest);
        let id: Option<u32> = id.and_then(|id| id.split_whitespace().next()?.parse().ok());
        self.chosen.borrow_mut().extend(id);
        let outline = ParsedOutline::read(&outline);
        let number = |role: &str, name: &str| {
            let line = outline.named(role, name).and_then(|line| line.number);
            line.with_context(|| format!("{name} is not listed"))
        };
        let actions = json!([
            { "type": "fill", "element": number("textbox", "First")?, "text": name },
            { "type": "click", "element": number("button", "Save")? },
        ]);
        let (acted, _) = client.call("browser_interact", json!({ "actions": actions })).await?;
        anyhow::ensure!(acted.contains(&format!("saved {name}-")), "nothing was saved: {acted}");
        let using = begun.elapsed();
        // A tab in the background may not draw in time; the answer has to say so.
        let picture = client.ask("take_screenshot", json!({ "tab": tab })).await?;
        let drawn = match picture.failed {
            true => picture.text.trim().chars().take(80).collect(),
            false => "a picture".to_owned(),
        };
        anyhow::ensure!(picture.took < SILENT_TAB, "the picture took {:?}", picture.took);
        match leaving {
            Leaving::Closed => client.close().await?,
            Leaving::Killed => kill(client).await?,
        }
        Ok(format!(
            "{name}: {count} tabs listed after {} ms; chosen, looked at, filled and clicked in {} ms; \
             {drawn} in {} ms",
            listing.as_millis(),
            using.as_millis(),
            picture.took.as_millis()
        ))
    }

    /// Records everything that changed in the other tabs.
    fn unchanged(&self, found: &mut Findings, phase: &str, before: &Reports, after: &Reports) {
        let mut changed = 0;
        for id in self.others() {
            let (Some(then), Some(now)) = (before.beats.get(&id), after.beats.get(&id)) else {
                found.misses.push(format!("{phase}: tab {id} never reported"));
                continue;
            };
            let different = now.differences(then);
            changed += usize::from(!different.is_empty());
            found.require(different.is_empty(), || {
                format!("{phase}: tab {id}: {}", different.join(", "))
            });
        }
        let mut silent = vec![("hung", HUNG)];
        // The lab lets the frozen tab go on after the first use, and choosing it wakes it.
        let frozen = self.has_frozen && phase != SILENT_CHOSEN && phase != "killed";
        silent.extend(frozen.then_some(("frozen", FROZEN)));
        for (state, id) in silent {
            let same = before.beats.get(&id) == after.beats.get(&id);
            found.require(same, || format!("{phase}: the {state} tab went on"));
        }
        found.lines.push(format!("- {phase}: {changed} of {} tabs changed", self.others().count()));
    }

    /// Compares how often the timers of the other tabs ran.
    fn judge_pace(&self, found: &mut Findings, first: &Reports, before: &Reports, after: &Reports) {
        let ticks = |reports: &Reports| -> u32 {
            self.others().filter_map(|id| reports.beats.get(&id)).map(|beat| beat.ticks).sum()
        };
        let tabs = self.others().count() as f64;
        let pace = |from: &Reports, to: &Reports| {
            let seconds = (to.at - from.at).as_secs_f64();
            f64::from(ticks(to) - ticks(from)) / seconds / tabs
        };
        let (alone, used) = (pace(first, before), pace(before, after));
        let line = format!("{alone:.2} ticks per second and tab before, {used:.2} with pagesight");
        found.require(keeps_pace(alone, used), || format!("timers slowed down: {line}"));
        found.lines.push(format!("- {line}"));
    }

    /// The tabs that were used are as they were: no emulation is left. A page that got input keeps
    /// its focus until the tab is shown and left: that is the browser's, and only printed.
    fn judge_chosen(&self, found: &mut Findings, before: &Reports, after: &Reports) {
        for id in self.chosen.borrow().iter() {
            let (Some(then), Some(now)) = (before.beats.get(id), after.beats.get(id)) else {
                found.misses.push(format!("chosen tab {id} never reported"));
                continue;
            };
            let different = now.differences(then);
            found.lines.push(format!("- chosen tab {id} afterwards: {different:?}"));
            let left = different.iter().any(|what| {
                what.starts_with("visibility ")
                    || what.starts_with("size")
                    || what.ends_with("resize")
            });
            found.require(!left, || format!("chosen tab {id} is left with {different:?}"));
        }
    }

    /// Lets the frozen tab go on: it must not have noticed anything either. Then freezes it again.
    async fn judge_frozen(
        &self,
        found: &mut Findings,
        before: &Reports,
        freezer: Option<&(DevTools, AttachedTab)>,
    ) -> anyhow::Result<()> {
        let Some((tools, tab)) = freezer else { return Ok(()) };
        let become_state = |state: &'static str| {
            let state = json!({ "state": state });
            tools.call(Some(&tab.session), "Page.setWebLifecycleState", state)
        };
        become_state("active").await?;
        // The lab itself froze it and let it go on.
        self.goes_on(found, before, FROZEN, "2 more freeze or resume").await?;
        become_state("frozen").await?;
        Ok(())
    }

    /// Waits until a silent tab reports again, and compares it with before.
    async fn goes_on(
        &self,
        found: &mut Findings,
        before: &Reports,
        id: u32,
        expected: &str,
    ) -> anyhow::Result<()> {
        let then = before.beats.get(&id).context("a silent tab never reported")?;
        let ticks = || self.site.beats().get(&id).map_or(0, |beat| beat.ticks);
        wait_for(GOES_ON, "a silent tab goes on", || ticks() > then.ticks + 1).await?;
        let beats = self.site.beats();
        let different = beats.get(&id).map(|now| now.differences(then)).unwrap_or_default();
        let different = different.join(", ");
        found.require(different == expected, || format!("silent tab {id}: {different}"));
        found.lines.push(format!("- silent tab {id} went on: {different:?}"));
        Ok(())
    }

    /// Chooses the tabs that do not answer; each call has to end soon.
    async fn choose_silent(&self, found: &mut Findings) -> anyhow::Result<()> {
        let client = self.browser.pagesight(self.program, "tabs-silent").await?;
        let (listed, _) = client.call("browser_tabs", json!({ "action": "list" })).await?;
        let mut silent = vec![("hung", " http://localhost:".to_owned())];
        silent.extend(self.has_frozen.then(|| ("frozen", titled(FROZEN))));
        for (state, mark) in silent {
            let line = listed.lines().find(|line| line.contains(&mark)).unwrap_or_default();
            let tab = line.split(' ').next().unwrap_or_default();
            let reply = client.ask("inspect_tab", json!({ "tab": tab })).await?;
            let text: String = reply.text.trim().chars().take(200).collect();
            let millis = reply.took.as_millis();
            found.lines.push(format!("- a look at the {state} tab: {millis} ms, {text:?}"));
            found.require(reply.took < SILENT_TAB, || format!("the {state} tab took {millis} ms"));
            found.require(state != "hung" || reply.failed, || format!("{state}: {text}"));
        }
        client.close().await
    }

    /// Prints the sums of what the other tabs counted since the start of pagesight.
    fn print_counts(&self, found: &mut Findings, before: &Reports) {
        let beats = self.site.beats();
        let mut sums = [("", 0); 5];
        let mut ticks = 0;
        for id in self.others() {
            let (Some(then), Some(now)) = (before.beats.get(&id), beats.get(&id)) else { continue };
            ticks += now.ticks - then.ticks;
            for (sum, ((name, now), (_, then))) in
                sums.iter_mut().zip(now.events().into_iter().zip(then.events()))
            {
                *sum = (name, sum.1 + now - then);
            }
        }
        let longest = self.others().filter_map(|id| beats.get(&id)).map(|beat| beat.longest);
        let longest = longest.fold(0.0, f64::max);
        let sums: Vec<String> = sums.iter().map(|(name, sum)| format!("{sum} {name}")).collect();
        found.lines.push(format!(
            "- counted by the others: {ticks} ticks, {}; longest time between two ticks {longest:.0} ms",
            sums.join(", ")
        ));
    }
}

/// The title of a tab as it is listed.
fn titled(id: u32) -> String {
    format!(" \"Tab {id}\" ")
}

/// Kills the server, as a crash would.
async fn kill(client: McpClient) -> anyhow::Result<()> {
    let status = tokio::process::Command::new("kill")
        .args(["-KILL", &client.pid.to_string()])
        .stderr(Stdio::null())
        .status()
        .await?;
    anyhow::ensure!(status.success(), "the server could not be killed");
    let _ = client.close().await;
    Ok(())
}

/// Waits until something holds.
pub async fn wait_for(
    limit: Duration,
    what: &str,
    mut holds: impl FnMut() -> bool,
) -> anyhow::Result<()> {
    let begun = Instant::now();
    while !holds() {
        anyhow::ensure!(begun.elapsed() < limit, "waited {limit:?} until {what}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Ok(())
}
