//! `cargo lab mutate --visual`: faults that people notice (colours, fonts, prices, overlaps, moved,
//! cut and covered elements, pictures) and differences that they do not, on saved pages, as
//! `pagesight check` of the program reports them. A fault is found if a change of at least
//! `warning` is reported; a harmless difference must have none. `visual.js` makes both.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{Path as Route, Query, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use clap::ValueEnum;
use serde::Deserialize;
use serde_json::Value;

use super::MutateArgs;
use crate::options::run_file;
use crate::pages;
use crate::random::Random;

const VISUAL: &str = include_str!("visual.js");
/// The least share of faults that is found, and the most of harmless differences that is reported.
const LIMITS: [(Look, f64, f64); 2] = [(Look::Layout, 0.85, 0.02), (Look::Pixels, 0.98, 0.03)];
/// How long a whole check may take.
const CHECK_LIMIT: Duration = Duration::from_secs(900);
/// The requests of a saved page to other machines end here.
const GONE: &str = "/gone/";

/// The parts of the look of the pages that are compared.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Look {
    Off,
    Layout,
    Pixels,
}

impl Look {
    fn word(self) -> &'static str {
        match self {
            Look::Off => "off",
            Look::Layout => "layout",
            Look::Pixels => "pixels",
        }
    }
}

/// One page with one change.
struct Case {
    page: PathBuf,
    kind: String,
    seed: usize,
    is_fault: bool,
}

/// The pages that are served.
#[derive(Default)]
struct Site {
    cases: Vec<Case>,
    /// Whether the pages are changed.
    is_changed: Mutex<bool>,
    /// The change of each page, in words.
    done: Mutex<BTreeMap<usize, String>>,
}

#[derive(Deserialize)]
struct Said {
    case: usize,
    words: String,
}

/// Runs the check of `look` on changed pages, prints the table, and fails below the limits.
pub async fn run(args: &MutateArgs, look: Look) -> anyhow::Result<()> {
    let program = args.program.path()?;
    let folders: Vec<PathBuf> = args.pages.places().iter().map(PathBuf::from).collect();
    let pages = page_files(&folders)?;
    let (faults, harmless) = (kinds("const faults"), kinds("const harmless"));
    let mut random = Random::new(args.seed.seed);
    let mut cases = Vec::new();
    for (kinds, count, is_fault) in [(&faults, args.count, true), (&harmless, args.reloads, false)]
    {
        for kind in kinds.iter().cycle().take(count) {
            let page = random.one(&pages).cloned().unwrap_or_default();
            let seed = random.below(1 << 31);
            cases.push(Case { page, kind: kind.clone(), seed, is_fault });
        }
    }
    let site = Arc::new(Site { cases, ..Site::default() });
    let address = pages::listen(router(site.clone())).await?;
    let folder = run_file("visual")?;
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder)?;
    let mut plan = format!(
        "base_url = \"{address}\"\nretries = 0\nnumbers = \"warning\"\nexact = [\"css=.lab-price\"]\n\
         visual = \"{}\"\n",
        look.word()
    );
    for at in 0..site.cases.len() {
        plan.push_str(&format!("[[page]]\nname = \"c{at}\"\nroute = \"/c/{at}\"\n"));
    }
    std::fs::write(folder.join("pages.toml"), plan)?;
    let (_, saved) = check(&program, &folder).await?;
    let (unchanged, same) = check(&program, &folder).await?;
    let restless = alarms(&unchanged).len();
    if let Ok(mut is_changed) = site.is_changed.lock() {
        *is_changed = true;
    }
    let (changed, took) = check(&program, &folder).await?;
    let alarms = alarms(&changed);
    let done = site.done.lock().map(|done| done.clone()).unwrap_or_default();
    // Found and made, by kind.
    let mut rows: BTreeMap<(bool, &str), (usize, usize)> = BTreeMap::new();
    let mut misses = Vec::new();
    for (at, words) in done.iter().filter(|(_, words)| !words.is_empty()) {
        let case = &site.cases[*at];
        let row = rows.entry((!case.is_fault, &case.kind)).or_default();
        row.1 += 1;
        let reported = alarms.get(at);
        row.0 += usize::from(reported.is_some());
        if reported.is_some() != case.is_fault {
            let page = case.page.file_name().unwrap_or_default().to_string_lossy();
            let reported = reported.map_or_else(|| "nothing reported".to_owned(), Clone::clone);
            misses.push(format!("{}: {page}: {words}: {reported}", case.kind));
        }
    }
    println!("| kind | made | reported |\n|---|---|---|");
    for ((_, kind), (reported, made)) in &rows {
        println!("| {kind} | {made} | {reported} |");
    }
    let total = |harmless: bool| {
        let of = rows.iter().filter(|((is_harmless, _), _)| *is_harmless == harmless);
        of.fold((0, 0), |sum, (_, row)| (sum.0 + row.0, sum.1 + row.1))
    };
    let share = |(part, all): (usize, usize)| part as f64 / all.max(1) as f64;
    let (found, wrong) = (total(false), total(true));
    println!(
        "\n{}: {} of {} faults found ({:.0} %), {} of {} harmless differences reported ({:.0} %), \
         {restless} of {} unchanged pages reported; saved in {:.1} s, compared in {:.1} s, with the \
         changes in {:.1} s",
        look.word(),
        found.0,
        found.1,
        share(found) * 100.0,
        wrong.0,
        wrong.1,
        share(wrong) * 100.0,
        site.cases.len(),
        saved.as_secs_f64(),
        same.as_secs_f64(),
        took.as_secs_f64(),
    );
    args.details.write(&misses.join("\n"))?;
    misses.iter().for_each(|miss| println!("MISS: {miss}"));
    if let Some((_, least, most)) = LIMITS.iter().find(|(of, ..)| *of == look) {
        anyhow::ensure!(share(found) >= *least, "too few faults were found");
        anyhow::ensure!(share(wrong) <= *most, "too many harmless differences were reported");
    }
    Ok(())
}

/// Returns the saved pages of the folders; without any, those of the fixtures that hold still.
fn page_files(folders: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let fixtures = crate::options::repository().join("tests/fixtures");
    let folders = if folders.is_empty() { vec![fixtures] } else { folders.to_vec() };
    let mut found = Vec::new();
    for folder in folders {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_left_out = super::LEFT_OUT.contains(&name.as_str()) || name == "restless.html";
            if name.ends_with(".html") && !is_left_out {
                found.push(path);
            }
        }
    }
    found.sort();
    anyhow::ensure!(!found.is_empty(), "there are no pages");
    Ok(found)
}

/// Returns the kinds of a list of `visual.js`.
fn kinds(list: &str) -> Vec<String> {
    let from = VISUAL.find(list).unwrap_or_default();
    let body = VISUAL[from..].split("\n  };").next().unwrap_or_default();
    let name = |line: &str| Some(line.trim().strip_prefix('"')?.split_once("\"()")?.0.to_owned());
    body.lines().filter_map(name).collect()
}

fn router(site: Arc<Site>) -> Router {
    let page = |State(site): State<Arc<Site>>, Route(at): Route<usize>| async move {
        site.page(at)
            .map_or_else(|| StatusCode::NOT_FOUND.into_response(), IntoResponse::into_response)
    };
    let said = |State(site): State<Arc<Site>>, Query(said): Query<Said>| async move {
        if let Ok(mut done) = site.done.lock() {
            done.insert(said.case, said.words);
        }
    };
    let missing = || async { StatusCode::NOT_FOUND };
    Router::new()
        .route("/c/{at}", get(page))
        .route("/said", get(said))
        .fallback(missing)
        .with_state(site)
}

impl Site {
    /// Returns the page of a case with the script that changes it.
    fn page(&self, at: usize) -> Option<Response> {
        let case = self.cases.get(at)?;
        let text = std::fs::read_to_string(&case.page).ok()?;
        let text = ["src=\"", "src='", "srcset=\"", "href=\"", "url(", "url('", "url(\""]
            .iter()
            .fold(text, |text, before| {
                ["https://", "http://"].iter().fold(text, |text, scheme| {
                    text.replace(&format!("{before}{scheme}"), &format!("{before}{GONE}"))
                })
            });
        let change = match self.is_changed.lock().is_ok_and(|changed| *changed) {
            true => format!(
                "{{ let words = null; try {{ words = visual.make({}, {}); }} catch {{}} \
                 fetch('/said?case={at}&words=' + encodeURIComponent(words ?? '')); }}",
                Value::from(case.kind.as_str()),
                case.seed
            ),
            false => String::new(),
        };
        let script = format!("{text}<script>{VISUAL}\nvisual.prepare();{change}</script>");
        Some(Html(script).into_response())
    }
}

/// Runs a check; returns its result, and how long it took.
async fn check(program: &Path, folder: &Path) -> anyhow::Result<(Value, Duration)> {
    let begun = Instant::now();
    let mut command = tokio::process::Command::new(program);
    command.args(["check", "--jobs", "2", "--output", "json"]).current_dir(folder);
    command.env_remove("CI").kill_on_drop(true);
    let output = tokio::time::timeout(CHECK_LIMIT, command.output()).await??;
    let result = serde_json::from_slice(&output.stdout)?;
    Ok((result, begun.elapsed()))
}

/// Returns the worst change of each page that has one of at least `warning`.
fn alarms(result: &Value) -> BTreeMap<usize, String> {
    let pages = result["pages"].as_array().into_iter().flatten();
    let alarm = |page: &Value| {
        let at = page["name"].as_str()?.strip_prefix('c')?.parse().ok()?;
        let changes = page["changes"].as_array()?;
        let worst = changes.iter().find(|change| change["severity"] != "info")?;
        Some((at, format!("{} {}", worst["type"], worst["description"])))
    };
    pages.filter_map(alarm).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_read_from_the_script() {
        let (faults, harmless) = (kinds("const faults"), kinds("const harmless"));
        assert!(faults.len() >= 18 && harmless.len() >= 10, "{faults:?} {harmless:?}");
        assert!(faults.contains(&"price".to_owned()) && !harmless.contains(&"price".to_owned()));
    }
}
