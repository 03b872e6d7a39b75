//! Looks at the pages of icons through pagesight and judges every button's hint.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use serde::Deserialize;
use serde_json::json;
use tokio::process::Command;

use super::judge::{Verdict, judge};
use super::table::IconSources;
use super::{IconsArgs, LEAST_RIGHT};
use crate::install;
use crate::mcp::McpClient;
use crate::options::run_file;
use crate::outline::ParsedOutline;
use crate::pages;

/// More than the largest page needs.
const MAX_TOKENS: u32 = 50_000;

/// A page that `lab/icons/pages.mjs` wrote.
#[derive(Deserialize)]
struct IconPage {
    page: String,
    set: String,
    way: String,
    icons: Vec<MeantIcon>,
}

/// The icon of a button. `name` is empty if there must be no hint.
#[derive(Deserialize)]
struct MeantIcon {
    name: String,
    names: Vec<String>,
    svg: String,
}

/// How many hints of a set, drawn in one way, are right, wrong and missing.
#[derive(Clone, Copy, Default)]
struct HintTally {
    right: usize,
    wrong: usize,
    missing: usize,
}

impl HintTally {
    fn all(self) -> usize {
        self.right + self.wrong + self.missing
    }
}

/// Draws the icons, looks at them and prints a table; fails if too few hints are right.
pub async fn run(
    args: &IconsArgs,
    folder: &Path,
    sources: &IconSources,
    hashes: &[Option<String>],
) -> anyhow::Result<()> {
    let mut node = Command::new("node");
    node.arg("pages.mjs").arg(args.seed.seed.to_string()).arg(args.count.to_string());
    install::run(node.current_dir(folder)).await?;
    let icon_pages = std::fs::read(folder.join("pages/expected.json"))?;
    let icon_pages: Vec<IconPage> = serde_json::from_slice(&icon_pages)?;
    let known = KnownNames::new(sources, hashes);
    let site = pages::serve(folder.to_owned()).await?;
    let client =
        McpClient::start(&args.program.path()?, &["--browser", args.browser.name()]).await?;
    let mut tallies: BTreeMap<(&str, &str), HintTally> = BTreeMap::new();
    let (mut details, mut failed) = (Vec::new(), Vec::new());
    for page in &icon_pages {
        if !args.only.includes(&format!("{}: {}", page.set, page.way)) {
            continue;
        }
        match look(&client, &site, page, &known, &mut details).await {
            Ok(tally) => {
                eprintln!("{}, {}: {} of {}", page.set, page.way, tally.right, tally.all());
                tallies.insert((&page.way, &page.set), tally);
            }
            Err(error) => {
                eprintln!("{}: {error:#}", page.page);
                failed.push(page.page.as_str());
            }
        }
    }
    client.close().await?;
    args.details.write(&details.join("\n"))?;
    anyhow::ensure!(!tallies.is_empty(), "no set and way has such a name");
    print(&tallies);
    anyhow::ensure!(failed.is_empty(), "could not be judged: {}", failed.join(", "));
    judge_all(&tallies)
}

/// Looks at one page and judges its buttons.
async fn look(
    client: &McpClient,
    site: &str,
    page: &IconPage,
    known: &KnownNames<'_>,
    details: &mut Vec<String>,
) -> anyhow::Result<HintTally> {
    let url = format!("{site}/pages/{}", page.page);
    client.call("browser_navigate", json!({ "url": url, "max_tokens": 0 })).await?;
    let look = json!({ "fold": false, "max_tokens": MAX_TOKENS });
    let (text, _) = client.call("inspect_tab", look).await?;
    let outline = ParsedOutline::read(&text);
    let buttons = outline.all("button");
    if buttons.len() != page.icons.len() {
        let file = run_file(&format!("icons-{}.txt", page.page))?;
        std::fs::write(&file, &text)?;
        anyhow::bail!(
            "{} buttons are listed, {} are there; the outline is in {}",
            buttons.len(),
            page.icons.len(),
            file.display()
        );
    }
    let mut tally = HintTally::default();
    for (button, icon) in buttons.iter().zip(&page.icons) {
        // Some drawings name themselves by a title; a name is not a hint, but it says as much.
        let named = format!("{} icon", button.name.to_lowercase());
        let has_hint = button.name.is_empty() || !button.hint.is_empty();
        let hint = if has_hint { &button.hint } else { &named };
        let verdict = if icon.name.is_empty() {
            match hint.as_str() {
                "" => Verdict::Right,
                _ => Verdict::Wrong,
            }
        } else {
            judge(hint, &known.names(icon))
        };
        match verdict {
            Verdict::Right => tally.right += 1,
            Verdict::Wrong => tally.wrong += 1,
            Verdict::Missing => tally.missing += 1,
        }
        if verdict != Verdict::Right {
            let names: Vec<&str> = known.names(icon).into_iter().collect();
            details.push(format!(
                "{}, {}: {:?} for {} ({})",
                page.set,
                page.way,
                hint,
                icon.name,
                names.join(", ")
            ));
        }
    }
    Ok(tally)
}

/// The names of every drawing, in all sets.
struct KnownNames<'a> {
    hashes: HashMap<&'a str, &'a str>,
    names: HashMap<&'a str, BTreeSet<&'a str>>,
}

impl<'a> KnownNames<'a> {
    fn new(sources: &'a IconSources, hashes: &'a [Option<String>]) -> KnownNames<'a> {
        let mut known = KnownNames { hashes: HashMap::new(), names: HashMap::new() };
        for (drawing, hash) in sources.drawings.iter().zip(hashes) {
            let Some(hash) = hash else { continue };
            known.hashes.insert(&drawing.svg, hash);
            known.names.entry(hash).or_default().insert(&drawing.name);
        }
        known
    }

    /// Returns the names of an icon: its own, and those of the same drawing or glyph.
    fn names<'b>(&'b self, icon: &'b MeantIcon) -> BTreeSet<&'b str> {
        let own = std::iter::once(icon.name.as_str()).chain(icon.names.iter().map(String::as_str));
        let same = self.hashes.get(icon.svg.as_str()).and_then(|hash| self.names.get(hash));
        own.chain(same.into_iter().flatten().copied()).collect()
    }
}

/// Prints the share of right hints for each way and set.
fn print(tallies: &BTreeMap<(&str, &str), HintTally>) {
    let sets: BTreeSet<&str> =
        tallies.keys().map(|(_, set)| *set).filter(|set| !set.is_empty()).collect();
    let ways: BTreeSet<&str> = tallies.keys().map(|(way, _)| *way).collect();
    let set_names: Vec<&str> = sets.iter().copied().collect();
    println!("| way | {} | all | wrong | missing |", set_names.join(" | "));
    println!("|---|{}---|---|---|", "---|".repeat(sets.len()));
    for way in ways {
        let cells: Vec<String> = sets
            .iter()
            .map(|set| match tallies.get(&(way, *set)) {
                Some(tally) => format!("{} / {}", tally.right, tally.all()),
                None => "–".to_owned(),
            })
            .collect();
        let mut of_way = HintTally::default();
        for (_, tally) in tallies.iter().filter(|((name, _), _)| *name == way) {
            of_way.right += tally.right;
            of_way.wrong += tally.wrong;
            of_way.missing += tally.missing;
        }
        println!(
            "| {way} | {} | {} / {} | {} | {} |",
            cells.join(" | "),
            of_way.right,
            of_way.all(),
            of_way.wrong,
            of_way.missing
        );
    }
}

/// Fails if a threshold is missed.
fn judge_all(tallies: &BTreeMap<(&str, &str), HintTally>) -> anyhow::Result<()> {
    let (mut right, mut all, mut strangers) = (0, 0, 0);
    for ((_, set), tally) in tallies {
        if set.is_empty() {
            strangers += tally.wrong;
        } else {
            right += tally.right;
            all += tally.all();
        }
    }
    println!("\n{right} of {all} hints are right; {strangers} drawings of no set have a hint");
    anyhow::ensure!(strangers == 0, "{strangers} drawings that are in no set have a hint");
    anyhow::ensure!(
        right as f64 >= LEAST_RIGHT * all as f64,
        "only {right} of {all} hints are right"
    );
    Ok(())
}
