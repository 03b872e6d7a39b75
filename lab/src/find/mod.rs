//! `cargo lab find`: whether `query` finds what a person asks for. An oracle that shares no code
//! with the page script lists what can be asked for on saved pages, generated pages and apps; the
//! lab makes questions from it, rewords most of them, asks the program and judges the answers. One
//! half of the pages, split by their names, is for development; the other half is reported.

mod drawings;
mod facts;
mod judge;
mod made;
mod parts;
mod playwright;
mod questions;
mod reword;
mod rows;
mod separators;
mod several;
mod tables;
mod timing;
mod visit;

use clap::{Args, ValueEnum};

use crate::install::apps::ICON_APPS;
use crate::options::{DetailsArgs, PageGroup, PagesArgs, ProgramArgs, SeedArgs, Visitor};
use tables::Figures;
use visit::{Asked, Asker};

/// Limits for the reported half: shares of the questions with an answer, of the questions
/// without one, and the median of an answer's tokens.
const FOUND: f64 = 0.95;
const FIRST: f64 = 0.85;
const WRONGLY_POOR: f64 = 0.02;
const RIGHTLY_POOR: f64 = 0.90;
const MEDIAN_TOKENS: usize = 120;
/// The share of the questions about controls without a name.
const FOUND_BY_ICON: f64 = 0.90;
/// How many questions a whole run asks at least, on both halves, with and without an answer.
const LEAST_QUESTIONS: usize = 2_000;
const LEAST_WITHOUT: usize = 200;
/// How many milliseconds a query may take longer than a plain look at a page of 5,000 elements.
const LONGER: f64 = 30.0;

/// Pages that hang, or that change between the oracle and the question.
const LEFT_OUT: [&str; 5] =
    ["hang.html", "frame-hang.html", "restless.html", "fleeting.html", "prompts.html"];

/// A half of the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Half {
    /// The half that thresholds are set on.
    Develop,
    /// The half that is reported.
    Report,
}

impl Half {
    /// Returns the half that a page belongs to, by a hash of its name.
    fn of(name: &str) -> Half {
        if hash(name).is_multiple_of(2) { Half::Develop } else { Half::Report }
    }
}

/// FNV-1a, mixed once more: its lowest bit depends on the lowest bits of the text only.
fn hash(name: &str) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325_u64;
    let hash = name
        .bytes()
        .fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    hash ^ (hash >> 29) ^ (hash >> 47)
}

/// Options of `cargo lab find`.
#[derive(Args)]
#[command(
    after_help = "Parts for --only with --rows: generated, saved, libraries, long, questions, speed; an item as \
    `generated: firefox: cards` or `libraries: chromium: Tabulator`"
)]
pub struct FindArgs {
    #[command(flatten)]
    pages: PagesArgs,
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    seed: SeedArgs,
    #[command(flatten)]
    details: DetailsArgs,
    /// Which half of the pages is asked about
    #[arg(long, value_enum, default_value_t = Half::Report)]
    half: Half,
    /// Ask Playwright MCP only this many of the questions; 0 leaves it out
    #[arg(long, value_name = "N", default_value_t = 200)]
    playwright: usize,
    /// Read tables, lists and cards with `read_rows` instead, and compare their cells
    #[arg(long, conflicts_with_all = ["half", "playwright"])]
    rows: bool,
}

/// Asks all questions, prints the tables, and fails below the thresholds.
pub async fn run(args: FindArgs) -> anyhow::Result<()> {
    let program = args.program.path()?;
    if args.rows {
        let run = rows::RowsRun {
            program: &program,
            seed: args.seed.seed,
            only: &args.pages.only,
            details: &args.details,
            folders: args.pages.places(),
        };
        return rows::run(run).await;
    }
    let mut asker = Asker::start(&program, args.seed.seed, args.half).await?;
    let mut made = made::page_states(args.seed.seed).await?;
    made.retain(|page_state| args.pages.only.includes(&page_state.name));
    asker.visit(PageGroup::Generated, made).await;
    let visited = args.pages.visit(&LEFT_OUT, &ICON_APPS, &mut asker).await;
    let Asked { answered, subjects, queries, failed } = asker.end().await?;
    let longer = timing::measure(&program).await?;
    let figures = Figures::of(&answered);
    tables::print(&answered);
    println!("\n{}", longer.line());
    let part = args.pages.only.is_set();
    let mut short = several::report(&subjects, queries, part);
    if args.playwright > 0 {
        playwright::compare(&answered, args.playwright, args.seed.seed).await;
    }
    let of_several = subjects.iter().map(|subject| &subject.answered);
    args.details.write(&tables::misses(answered.iter().chain(of_several)))?;
    anyhow::ensure!(failed.is_empty(), "could not be asked about: {}", failed.join(", "));
    visited?;
    short.extend(shortfalls(&figures, longer.milliseconds(), part));
    anyhow::ensure!(short.is_empty(), "{}", short.join("; "));
    Ok(())
}

/// Names each threshold that was missed.
fn shortfalls(figures: &Figures, longer: f64, part: bool) -> Vec<String> {
    let mut short = Vec::new();
    let mut at_least = |what: &str, share: f64, least: f64| {
        if share < least {
            let (share, least) = (share * 100.0, least * 100.0);
            short.push(format!("{what}: {share:.1} % instead of {least:.0} %"));
        }
    };
    at_least("answers with the element", figures.found, FOUND);
    if figures.by_icon > 0 {
        let share = figures.found_by_icon;
        at_least("answers with the nameless element", share, FOUND_BY_ICON);
    }
    at_least("answers with the element in the first unit", figures.first, FIRST);
    at_least("questions that do not match poorly", 1.0 - figures.wrongly_poor, 1.0 - WRONGLY_POOR);
    if figures.without > 0 {
        at_least("questions without an answer", figures.rightly_poor, RIGHTLY_POOR);
    }
    if figures.median_tokens > MEDIAN_TOKENS {
        short.push(format!("{} tokens per answer", figures.median_tokens));
    }
    if longer > LONGER {
        short.push(format!("a query takes {longer:.1} ms more than a look"));
    }
    if !part && figures.questions < LEAST_QUESTIONS / 2 {
        short.push(format!("only {} questions", figures.questions));
    }
    if !part && figures.without < LEAST_WITHOUT / 2 {
        short.push(format!("only {} questions without an answer", figures.without));
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_halves_are_about_equal_and_depend_on_the_name_only() {
        let develop =
            (0..1_000).filter(|n| Half::of(&format!("page-{n}.html")) == Half::Develop).count();
        assert!((440..560).contains(&develop), "{develop}");
        assert_eq!(Half::of("forms.html"), Half::of("forms.html"));
    }

    #[test]
    fn each_missed_threshold_is_named() {
        let good = Figures {
            questions: 2_000,
            without: 200,
            found: 0.97,
            first: 0.9,
            wrongly_poor: 0.01,
            rightly_poor: 0.95,
            median_tokens: 80,
            by_icon: 50,
            found_by_icon: 0.95,
        };
        assert!(shortfalls(&good, 5.0, false).is_empty());
        let few = Figures { questions: 10, without: 0, ..good };
        assert!(shortfalls(&few, 5.0, true).is_empty());
        let message = shortfalls(&few, 50.0, false).join("; ");
        for part in ["only 10 questions", "only 0 questions", "50.0 ms"] {
            assert!(message.contains(part), "{part}: {message}");
        }
        let poor =
            Figures { found: 0.9, first: 0.5, found_by_icon: 0.8, median_tokens: 500, ..good };
        let message = shortfalls(&poor, 5.0, false).join("; ");
        for part in ["90.0 %", "50.0 %", "80.0 %", "500 tokens"] {
            assert!(message.contains(part), "{part}: {message}");
        }
    }
}
