//! Judges what pagesight lists by an oracle that shares no code with it, and by the browser's own
//! accessibility tree.

use super::frames;
use super::judging::{Judging, PageJudge, StillPage, everything};
use super::verdict::{self, PageVerdict, Share};
use crate::options::{DetailsArgs, PagesArgs};
use crate::product::LookOptions;
use crate::report::table;

/// The least share of roles and names that agree.
const AGREEMENT: f64 = 0.99;
/// The least share of native things that are listed.
const NATIVE: f64 = 1.0;
/// The least share of focusable things and of things with listeners that are listed.
const LISTENER: f64 = 0.95;

#[derive(Default)]
struct OracleJudge {
    verdicts: Vec<PageVerdict>,
}

impl PageJudge for OracleJudge {
    async fn judge(&mut self, page: StillPage<'_>) -> anyhow::Result<()> {
        let look = page.session.look(page.tab, LookOptions::default()).await?;
        let outline = page.session.outline(&look, &everything());
        let found = frames::ask(page.tools, &page.attached.session).await?;
        let verdict = verdict::judge(page.name, &look.page, &outline, &found);
        let share = |share: Share| format!("{}/{}", share.good, share.all);
        let (native, listener) = (share(verdict.native), share(verdict.listener));
        eprintln!("{}: native {native}, listeners {listener}", verdict.page);
        self.verdicts.push(verdict);
        Ok(())
    }
}

pub async fn run(pages: &PagesArgs, details: &DetailsArgs) -> anyhow::Result<()> {
    let mut judge = OracleJudge::default();
    let (judging, visited) = Judging::visit(&mut judge, pages, &["hang.html"], &[]).await?;
    let judged = judging.end().await;
    print(&judge.verdicts);
    details.write(&serde_json::to_string_pretty(&judge.verdicts)?)?;
    judged.and(visited)?;
    anyhow::ensure!(!judge.verdicts.is_empty(), "no page or app matches");
    enough(&judge.verdicts)
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
    println!();
    table(
        "page | frames | elements | native reached / listed | focusable | listeners | by another line | by script only | twice | controls | roles agree | names agree | only named here",
    );
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
