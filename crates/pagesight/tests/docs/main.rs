//! Runs the code blocks of the documentation. The first line of each block says whether it is run:
//! `run`, `run-with-browser` or `not-run: reason`, after the language. docs/README.md describes it.
//! Blocks in Rust are doc tests of `pagesight-session`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub,
    reason = "tests"
)]

mod blocks;
mod expected;
mod machine;
mod server;
mod shell;

use std::path::Path;
use std::rc::Rc;

use blocks::{Mark, MarkedBlock};
use machine::Machine;
use shell::PageShell;

/// Pages whose Rust blocks are doc tests (`crates/pagesight-session/src/lib.rs`).
const RUST_PAGES: [&str; 1] = ["docs/guide-rust.md"];

/// Folders of pages that have an example. Their blocks share one machine, because starting a
/// browser for each of these pages takes a minute.
const EXAMPLES: [&str; 2] = ["docs/commands/", "docs/tools/"];

fn is_example(path: &str) -> bool {
    EXAMPLES.iter().any(|folder| path.starts_with(folder))
}

/// Returns the pages of the documentation with their blocks.
fn pages() -> Vec<(String, Vec<MarkedBlock>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = vec!["README.md".to_owned(), "packaging/README.md".to_owned()];
    let mut folders = vec!["docs".to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root.join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(path),
                false if path.ends_with(".md") => files.push(path),
                false => {}
            }
        }
    }
    files.sort();
    let read = |path: String| {
        let text = std::fs::read_to_string(root.join(&path)).unwrap();
        let blocks = blocks::read(&path, &text).unwrap_or_else(|error| panic!("{error}"));
        (path, blocks)
    };
    files.into_iter().map(read).collect()
}

/// Runs the chosen blocks of some pages, each page in order and in a folder of its own. Fails with
/// the first problem of each page.
fn run_pages<'a>(
    pages: impl Iterator<Item = &'a (String, Vec<MarkedBlock>)>,
    is_chosen: impl Fn(&Mark) -> bool,
) {
    let (mut count, mut problems) = (0, Vec::new());
    let mut shared: Option<Rc<Machine>> = None;
    for (path, blocks) in pages {
        let begun = std::time::Instant::now();
        let chosen: Vec<&MarkedBlock> = blocks
            .iter()
            .filter(|block| block.language != "rust" && is_chosen(&block.mark))
            .collect();
        if chosen.is_empty() {
            continue;
        }
        let has_browser = chosen.iter().any(|block| block.mark == Mark::RunWithBrowser);
        let machine = match is_example(path) {
            true => shared.get_or_insert_with(|| shared_machine(has_browser)).clone(),
            false => Rc::new(Machine::new()),
        };
        let mut shell = PageShell::new(machine);
        let problem = chosen
            .iter()
            .find_map(|block| Some(format!("{path}:{}: {}", block.line, shell.run(block).err()?)));
        problems.extend(problem);
        drop(shell);
        count += chosen.len();
        println!("{path}: {} blocks in {:.1} s", chosen.len(), begun.elapsed().as_secs_f32());
    }
    assert!(count > 0, "no block was run");
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
}

/// Creates the machine of the pages with examples.
fn shared_machine(has_browser: bool) -> Rc<Machine> {
    let machine = Machine::new();
    if has_browser {
        machine.keep_browser();
    }
    Rc::new(machine)
}

#[test]
fn every_command_and_tool_has_an_example_that_is_run() {
    let pages = pages();
    let examples: Vec<_> = pages.iter().filter(|(path, _)| is_example(path)).collect();
    assert!(examples.len() > 40, "only {} pages were found", examples.len());
    let is_run = |block: &MarkedBlock| !matches!(block.mark, Mark::NotRun);
    let without = examples.iter().filter(|(_, blocks)| !blocks.iter().any(is_run));
    let without: Vec<&str> = without.map(|(path, _)| path.as_str()).collect();
    assert!(without.is_empty(), "{without:?} have no example; write one below `## Example`");
}

#[test]
fn every_block_says_whether_it_is_run() {
    let pages = pages();
    let count: usize = pages.iter().map(|(_, blocks)| blocks.len()).sum();
    assert!(count > 60, "only {count} blocks were found");
    for (path, blocks) in &pages {
        for block in blocks.iter().filter(|block| block.language == "rust") {
            let is_tested = RUST_PAGES.contains(&path.as_str());
            let is_run = !matches!(block.mark, Mark::NotRun);
            assert!(is_tested || !is_run, "{path}:{}: this page is not a doc test", block.line);
        }
    }
}

#[test]
fn blocks_without_a_browser_run() {
    run_pages(pages().iter(), |mark| matches!(mark, Mark::Run { .. }));
}

mod in_browser {
    use super::*;

    /// Runs the pages with a block that needs a browser. Each is run as a whole, because its blocks
    /// build on each other.
    fn run_whole_pages(is_chosen: impl Fn(&str) -> bool) {
        let pages = pages();
        let with_browser = pages.iter().filter(|(path, blocks)| {
            is_chosen(path) && blocks.iter().any(|block| block.mark == Mark::RunWithBrowser)
        });
        run_pages(with_browser, |mark| *mark != Mark::NotRun);
    }

    #[test]
    fn blocks_with_a_browser_run() {
        run_whole_pages(|path| !is_example(path));
    }

    #[test]
    fn examples_run() {
        run_whole_pages(is_example);
    }
}
