//! Finds pages that differ from load to load: loads each several times, compares the loads with the
//! first, and suggests ignore rules. No baseline is read or written.

use std::future::Future;
use std::sync::{Arc, Mutex};

use pagesight_browser::lock;
use pagesight_core::compare::{Change, Comparison, worded};
use pagesight_core::text::escape::sentence;
use serde::Serialize;
use tokio::task::JoinSet;

use crate::plan::{Job, Plan};
use crate::report::words::count;
use crate::result::title;
use crate::visit::{PageVisitor, VisitError, VisitRequest};

/// How many differences of a page are listed.
const MOST: usize = 10;
/// The shortest beginning that two texts must share to make a pattern, in characters.
const SHORTEST_SHARED: usize = 3;
/// How often a browser that ended is replaced.
const MOST_RESTARTS: u32 = 3;

/// How a page behaved.
#[derive(Clone, Debug, Serialize)]
pub struct PageStability {
    /// The page, its browser and its viewport.
    pub page: String,
    /// How often it was loaded.
    pub loads: usize,
    /// In how many loads it differed from the first.
    pub differed: usize,
    /// The differences, as sentences with their types.
    pub differences: Vec<String>,
    /// The line that ignores them: `ignore = [...]`; empty if no rule fits.
    pub ignore: String,
    /// Why it could not be loaded; empty if it could.
    pub error: String,
}

/// Loads pages several times, some of them at a time. `stop` ends it early; pages without a result
/// are left out then.
pub async fn stability(
    plan: Arc<Plan>,
    visitor: Arc<dyn PageVisitor>,
    queue: Vec<usize>,
    (loads, jobs): (usize, usize),
    stop: impl Future<Output = ()>,
) -> Vec<PageStability> {
    let next =
        Arc::new(Mutex::new(queue.iter().copied().enumerate().collect::<Vec<_>>().into_iter()));
    let done: Arc<Mutex<Vec<(usize, PageStability)>>> = Arc::default();
    let mut workers = JoinSet::new();
    for _ in 0..jobs.min(queue.len()) {
        let (plan, visitor) = (plan.clone(), visitor.clone());
        let (next, done) = (next.clone(), done.clone());
        workers.spawn(async move {
            loop {
                let Some((at, job)) = lock(&next).next() else { return };
                let found = page(&plan, &*visitor, &plan.jobs[job], loads).await;
                lock(&done).push((at, found));
            }
        });
    }
    tokio::select! {
        () = async { while workers.join_next().await.is_some() {} } => {}
        () = stop => {}
    }
    workers.shutdown().await;
    visitor.close().await;
    let mut done = std::mem::take(&mut *lock(&done));
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, found)| found).collect()
}

/// Loads one page several times.
async fn page(plan: &Plan, visitor: &dyn PageVisitor, job: &Job, loads: usize) -> PageStability {
    let size = pagesight_core::fingerprint::Size {
        width: job.viewport.width,
        height: job.viewport.height,
    };
    let mut found = PageStability {
        page: title(&job.name, job.engine.id(), size, &job.emulation.to_string(), &job.scope),
        loads,
        differed: 0,
        differences: Vec::new(),
        ignore: String::new(),
        error: String::new(),
    };
    if let Some(why) = plan.out_of_bounds(job) {
        found.error = plan.secrets.hide(why.to_string());
        return found;
    }
    let mut first = None;
    let mut changes: Vec<Change> = Vec::new();
    for _ in 0..loads {
        let request = VisitRequest {
            job,
            base: first.as_deref(),
            keeps: false,
            picture: false,
            before: None,
            pixels: false,
            last: true,
        };
        let mut restarts = 0;
        let visited = loop {
            match visitor.visit(&request).await {
                Err(error) if error == VisitError::BrowserEnded && restarts < MOST_RESTARTS => {
                    restarts += 1
                }
                visited => break visited,
            }
        };
        match visited {
            Err(error) => {
                found.error = plan.secrets.hide(error.to_string());
                return found;
            }
            Ok(visit) => {
                if let Some(mut comparison) = visit.comparison {
                    plan.secrets.hide_in_comparison(&mut comparison);
                    found.differed += usize::from(!comparison.changes.is_empty());
                    add(&mut changes, comparison);
                }
                first.get_or_insert(visit.fingerprint);
            }
        }
    }
    describe(&mut found, &changes);
    found
}

/// Adds the changes of a load that earlier loads did not have.
fn add(changes: &mut Vec<Change>, comparison: Comparison) {
    for change in comparison.changes {
        let is_known = |known: &Change| {
            (known.kind, &known.element, &known.location)
                == (change.kind, &change.element, &change.location)
        };
        if !changes.iter().any(is_known) {
            changes.push(change);
        }
    }
}

/// Words the differences, and the rules that ignore them.
fn describe(found: &mut PageStability, changes: &[Change]) {
    let sentences = worded(changes.iter().enumerate());
    let line = |worded: &pagesight_core::compare::WordedChanges<'_>| {
        sentence(&format!("{}: {}", worded.first().kind.as_str(), worded.sentence))
    };
    found.differences = sentences.iter().take(MOST).map(line).collect();
    let more = sentences.len().saturating_sub(MOST);
    if more > 0 {
        found.differences.push(count(more, "more difference"));
    }
    let mut rules: Vec<String> = Vec::new();
    for change in changes {
        let Some(rule) = rule(change) else { continue };
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    if !rules.is_empty() {
        found.ignore = format!("ignore = [{}]", rules.join(", "));
    }
}

/// Returns the rule that ignores a change, as TOML; none if only its type would be left.
fn rule(change: &Change) -> Option<String> {
    let text = |value: &Option<serde_json::Value>| {
        let value = value.as_ref()?;
        value.as_str().or_else(|| value.get("text")?.as_str()).map(str::to_owned)
    };
    let own = change.element.as_ref().and_then(|element| element.text.clone());
    let pattern = match (text(&change.was), text(&change.now)) {
        (Some(was), Some(now)) if was != now => shared(&was, &now)?,
        _ => own.filter(|text| !text.is_empty())?.replace('*', "?"),
    };
    let quoted = toml_edit::Value::from(pattern).to_string();
    Some(format!("{{ text = {}, type = \"{}\" }}", quoted.trim(), change.kind.as_str()))
}

/// Returns a pattern for two texts: what they begin with. A number that differs is left out as a
/// whole, because its first digits change later.
fn shared(one: &str, other: &str) -> Option<String> {
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b && *a != '*');
    let begin: String = same.map(|(a, _)| a).collect();
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    let begin = begin.trim_end_matches(is_number).trim_end();
    (begin.chars().count() >= SHORTEST_SHARED).then(|| format!("{begin}*"))
}

/// Returns the result as text.
pub fn text(pages: &[PageStability]) -> String {
    let mut out = String::new();
    for page in pages {
        if !page.error.is_empty() {
            out.push_str(&format!("failed     {}  {}\n", page.page, sentence(&page.error)));
            continue;
        }
        if page.differed == 0 {
            continue;
        }
        let (differed, others) = (page.differed, page.loads - 1);
        out.push_str(&format!(
            "unstable   {}  {differed} of {others} further loads differ\n",
            page.page
        ));
        for difference in &page.differences {
            out.push_str(&format!("  {difference}\n"));
        }
        match page.ignore.is_empty() {
            true => out.push_str("  No rule by text fits; ignore its element by selector.\n"),
            false => out.push_str(&format!("  add to the page: {}\n", sentence(&page.ignore))),
        }
    }
    let unstable = pages.iter().filter(|page| page.differed > 0).count();
    let failed = pages.iter().filter(|page| !page.error.is_empty()).count();
    let stable = pages.len() - unstable - failed;
    let mut parts = vec![format!("{stable} stable")];
    if unstable > 0 {
        parts.push(format!("{unstable} unstable"));
    }
    if failed > 0 {
        parts.push(format!("{failed} failed"));
    }
    out + &format!("{}: {}\n", count(pages.len(), "page"), parts.join(", "))
}

#[cfg(test)]
mod tests {
    use pagesight_core::compare::ChangeType;
    use serde_json::json;

    use super::*;

    fn change(kind: &str, was: &str, now: &str) -> Change {
        let text = json!({
            "type": kind, "severity": "warning", "description": format!("{was} is now {now}"),
            "element": { "type": "link", "text": was }, "was": { "text": was }, "now": { "text": now },
        });
        serde_json::from_value(text).unwrap()
    }

    #[test]
    fn rules_cover_what_texts_have_in_common() {
        let visitors = change("element_renamed", "Visitors: one", "Visitors: many");
        let words = r#"{ text = "Visitors:*", type = "element_renamed" }"#;
        assert_eq!(rule(&visitors).as_deref(), Some(words));
        let counted = change("element_renamed", "Visitors: 1,395.0", "Visitors: 1,397.5");
        assert_eq!(rule(&counted).as_deref(), Some(words), "the next one may be 1,400");
        assert_eq!(rule(&change("element_renamed", "Ada", "Ben")), None, "nothing in common");
        let gone = Change { now: None, ..change("element_missing", "Ad of \"today\"", "") };
        let rule = rule(&gone).unwrap();
        let read = format!("ignore = [{rule}]").parse::<toml_edit::DocumentMut>();
        assert!(read.is_ok(), "{rule}");
    }

    #[test]
    fn a_page_that_differs_is_listed_with_its_rules() {
        let mut found = PageStability {
            page: "home (chromium 1280x720)".to_owned(),
            loads: 3,
            differed: 2,
            differences: Vec::new(),
            ignore: String::new(),
            error: String::new(),
        };
        let twice = change("element_renamed", "Visitors: one", "Visitors: many");
        let mut changes = Vec::new();
        for _ in 0..2 {
            let changed = vec![twice.clone()];
            add(&mut changes, Comparison { changes: changed, ..Comparison::default() });
        }
        describe(&mut found, &changes);
        let text = text(&[found]);
        assert!(text.contains("2 of 2 further loads differ\n"), "{text}");
        assert!(text.contains("add to the page: ignore = [{ text = \"Visitors:*\""), "{text}");
        assert!(text.ends_with("1 page: 0 stable, 1 unstable\n"), "{text}");
        assert_eq!(twice.kind, ChangeType::ElementRenamed);
    }
}
