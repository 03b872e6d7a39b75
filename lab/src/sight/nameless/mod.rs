//! Counts the lines of usable elements without a name and a hint, and draws sampled hints on sheets
//! beside pictures of their elements, so that a person can judge them.

mod lines;
mod sheets;

use super::judging::{Judging, PageJudge, StillPage, everything};
use crate::install::apps::ICON_APPS;
use crate::options::{DetailsArgs, PagesArgs, run_file};
use crate::product::LookOptions;
use crate::random::Random;
use crate::report::table;
use lines::{NamelessTally, UsableLine, usable_lines};
use sheets::HintPicture;

/// The largest share of lines without a name and a hint.
const MOST_SILENT: f64 = 0.05;
/// Fixtures that change on their own or do not answer.
const LEFT_OUT: [&str; 5] =
    ["hang.html", "frame-hang.html", "restless.html", "fleeting.html", "prompts.html"];

#[derive(Default)]
struct NamelessJudge {
    /// Whether pictures are taken.
    pictures: bool,
    tallies: Vec<(String, NamelessTally)>,
    /// The lines that say nothing.
    silent: Vec<String>,
    found: Vec<HintPicture>,
}

pub async fn run(
    pages: &PagesArgs,
    details: &DetailsArgs,
    sample: usize,
    seed: u64,
) -> anyhow::Result<()> {
    let mut judge = NamelessJudge { pictures: sample > 0, ..NamelessJudge::default() };
    let (mut judging, visited) = Judging::visit(&mut judge, pages, &LEFT_OUT, &ICON_APPS).await?;
    let NamelessJudge { tallies, silent, found, .. } = std::mem::take(judging.judge());
    table(
        "page | usable lines | without a name | without a name, fields with a label beside them left out | without a name and a hint",
    );
    let mut all = NamelessTally::default();
    tallies.iter().for_each(|(_, tally)| all.add(tally));
    for (page, tally) in tallies.iter().chain(&[("**all**".to_owned(), all)]) {
        print!("{}", tally.row(page));
    }
    details.write(&silent.join("\n"))?;
    if sample > 0 {
        let pictures = Random::new(seed).sample(found, sample);
        sheets::write(&pictures, &judging.tools, &run_file("nameless")?).await?;
        println!("{} hints are drawn in target/lab-runs/nameless", pictures.len());
    }
    judging.end().await.and(visited)?;
    anyhow::ensure!(all.lines > 0, "no page or app matches");
    anyhow::ensure!(
        all.silent_share() <= MOST_SILENT,
        "{} of {} usable lines have neither a name nor a hint",
        all.silent,
        all.lines
    );
    Ok(())
}

impl PageJudge for NamelessJudge {
    async fn judge(&mut self, page: StillPage<'_>) -> anyhow::Result<()> {
        let look = page.session.look(page.tab, LookOptions::default()).await?;
        let lines = usable_lines(&look.page, &page.session.outline(&look, &everything()));
        let mut tally = NamelessTally::default();
        for line in &lines {
            tally.count(line);
            if line.is_silent() {
                self.silent.push(format!("{}: {}", page.name, line.text));
            }
        }
        eprint!("{}", tally.row(page.name));
        self.tallies.push((page.name.to_owned(), tally));
        if self.pictures {
            let seen =
                |line: &&UsableLine| line.in_viewport && !line.text.contains(" covered by [");
            let hinted: Vec<&UsableLine> =
                lines.iter().filter(|line| line.is_hinted()).filter(seen).collect();
            sheets::photograph(page.tools, page.attached, page.name, &hinted, &mut self.found)
                .await?;
        }
        Ok(())
    }
}
