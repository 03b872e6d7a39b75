//! `cargo xtask test`: every check of the project, which `./test` calls after setting the machine
//! up. Runs all checks even if one fails, says what was skipped and what passed only when repeated,
//! and ends with the line `N passed, N failed`.
//!
//! - `./test quick`: format, house rules, lints of the product, unit tests, page script; no browser
//! - `./test`: all of that and every test with Chromium and Firefox
//! - `./test FILTER`: only the Rust tests whose name contains FILTER

mod process;
mod programs;
mod report;
mod suite;
mod summary;
mod unsteady;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Context;

use programs::TestProgram;
use suite::Suite;
use summary::Summary;
use unsteady::Unsteady;

/// How long a single check, such as clippy without a cache, may take.
const CHECK_LIMIT: Duration = Duration::from_secs(40 * 60);
/// How long the page script's tests may take.
const PAGE_LIMIT: Duration = Duration::from_secs(20 * 60);
/// Unit tests in a module of this name need a browser.
const IN_BROWSER: &str = "in_browser::";
/// The test programs that need no browser, except for tests in such a module.
const WITHOUT_BROWSER: [&str; 9] =
    ["--workspace", "--lib", "--bins", "--test", "session", "--test", "captures", "--test", "docs"];
/// The modules of the whole-path tests that also run in Firefox, and the tests in them that start
/// their own Chromium or no browser at all.
const IN_FIREFOX: &[&str] = &[
    "act::",
    "actions::",
    "frames::",
    "hang::a_page_that_keeps_the_browser_busy",
    "hostile::",
    "lifetime::",
    "log::",
    "look::",
    "outcomes::",
    "pictures::",
    "secrets::",
    "serve::each",
    "shell::",
    "siege::",
    "state::",
    "traps::",
    "unusual::",
    "wait::",
];
const NOT_IN_FIREFOX: [&str; 4] =
    ["a_browser_of_the_users", "the_command_line", "page_files", "the_tool_list"];
/// The environment variable with the reason why there is no Firefox. `./test` sets it if none can
/// be installed.
const NO_FIREFOX: &str = "PAGESIGHT_TEST_NO_FIREFOX";
/// The environment variable with the path of a file. Tests that cannot run here append one line to
/// it: `what: why`.
const SKIPS: &str = "PAGESIGHT_TEST_SKIPS";

/// Runs the checks that the arguments select; false if something failed.
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    let root = crate::project::root();
    let list = root.join("tests/unsteady.txt");
    let text = std::fs::read_to_string(&list).with_context(|| list.display().to_string())?;
    let mut test = Test {
        skips: root.join("target/test-skips.txt"),
        unsteady: Unsteady::parse(&text)?,
        summary: Summary::default(),
        root,
    };
    std::fs::create_dir_all(test.root.join("target"))?;
    std::fs::write(&test.skips, "")?;
    match arguments {
        [word] if word == "quick" => test.quick(),
        [] => test.everything(),
        filters => test.filtered(filters),
    }
    test.summary.skip_lines(&std::fs::read_to_string(&test.skips).unwrap_or_default());
    Ok(test.summary.print())
}

struct Test {
    root: PathBuf,
    skips: PathBuf,
    unsteady: Unsteady,
    summary: Summary,
}

impl Test {
    fn quick(&mut self) {
        self.format();
        self.house_rules();
        self.check("page script: types, format and bundle", page_build());
        self.clippy(&["--lib", "--bins"]);
        // A test that starts a browser here is in the wrong module, and fails.
        let no_browser = [
            ("PAGESIGHT_BROWSER", "/no-browser-in-quick-tests".to_owned()),
            ("PAGESIGHT_FIREFOX", "/no-browser-in-quick-tests".to_owned()),
        ];
        for program in self.programs(&WITHOUT_BROWSER) {
            self.run(program.suite(&["--skip", IN_BROWSER], &no_browser));
        }
        self.generated_docs();
        self.summary.skip("everything that needs a browser: ./test runs it");
    }

    fn filtered(&mut self, filters: &[String]) {
        let filters: Vec<&str> = filters.iter().map(String::as_str).collect();
        for program in self.programs(&["--workspace"]) {
            self.run(program.suite(&filters, &self.environment()));
        }
        self.summary.skip("everything but Rust tests in Chromium: a filter was given");
    }

    fn everything(&mut self) {
        self.format();
        self.house_rules();
        self.check("scripts", scripts());
        self.check("page script: types, format and bundle", page_build());
        // Tests with a browser wait most of the time, so they run while other code compiles.
        let pages = self.begin_page_tests();
        self.clippy(&["--all-targets"]);
        let programs = self.programs(&["--workspace"]);
        self.generated_docs();
        let mut docs = cargo(&["doc", "--no-deps", "--workspace", "--locked"]);
        docs.env("RUSTDOCFLAGS", "-D warnings");
        self.check("documentation", docs);
        for background in pages {
            self.end(background);
        }
        for program in &programs {
            self.run(program.suite(&[], &self.environment()));
        }
        self.run(doctests());
        self.whole_path_in_firefox(&programs);
    }

    fn format(&mut self) {
        if is_installed("fmt") {
            self.check("format", cargo(&["fmt", "--all", "--check"]));
        } else {
            self.summary.skip("format: rustfmt is missing; run rustup component add rustfmt");
        }
    }

    fn clippy(&mut self, targets: &[&str]) {
        if is_installed("clippy") {
            let mut command = cargo(&["clippy", "--workspace", "--locked"]);
            command.args(targets).args(["--", "-D", "warnings"]);
            self.check("lints", command);
        } else {
            self.summary.skip("lints: clippy is missing; run rustup component add clippy");
        }
    }

    fn house_rules(&mut self) {
        self.own_check("house rules", crate::tidy::run);
    }

    /// Runs after the program is built, because the documentation is compared with it.
    fn generated_docs(&mut self) {
        self.own_check("generated documentation", || crate::docs::run(true));
    }

    fn own_check(&mut self, name: &str, check: impl FnOnce() -> anyhow::Result<()>) {
        println!("\n== {name}");
        match check() {
            Ok(()) => self.summary.passed += 1,
            Err(error) => {
                println!("{error}");
                self.summary.failures.push(name.to_owned());
            }
        }
    }

    /// Runs a command that counts as one check.
    fn check(&mut self, name: &str, mut command: Command) {
        let begun = Instant::now();
        println!("\n== {name}");
        let finished = process::run(command.current_dir(&self.root), CHECK_LIMIT, true);
        if finished.success() {
            self.summary.passed += 1;
        } else {
            println!("{}", finished.status_words());
            self.summary.failures.push(name.to_owned());
        }
        println!("== {name}: {} s", begun.elapsed().as_secs());
    }

    /// Builds test programs; returns none if they do not compile.
    fn programs(&mut self, arguments: &[&str]) -> Vec<TestProgram> {
        let begun = Instant::now();
        println!("\n== building the tests");
        let built = programs::build(&self.root, arguments);
        println!("== building the tests: {} s", begun.elapsed().as_secs());
        built.unwrap_or_else(|error| {
            self.summary.failures.push(format!("building the tests: {error}"));
            Vec::new()
        })
    }

    fn run(&mut self, suite: Suite) {
        println!("\n== {}", suite.name);
        let name = suite.name.clone();
        self.summary.add(&name, suite.run(&self.unsteady, true));
    }

    /// Starts the page script's tests in the background, in both browsers.
    fn begin_page_tests(&mut self) -> Vec<Background> {
        let mut begun = Vec::new();
        for firefox in [false, true] {
            if firefox && let Some(reason) = no_firefox() {
                self.summary.skip(&format!("page script in Firefox: {reason}"));
                continue;
            }
            begun.push(self.begin(page_tests(&self.root, firefox)));
        }
        begun
    }

    /// Starts a suite in the background.
    fn begin(&self, suite: Suite) -> Background {
        let (name, unsteady) = (suite.name.clone(), self.unsteady.clone());
        let thread = std::thread::spawn(move || suite.run(&unsteady, false));
        Background { name, thread }
    }

    /// Waits for a suite in the background and prints its output.
    fn end(&mut self, background: Background) {
        println!("\n== {}", background.name);
        match background.thread.join() {
            Ok(result) => {
                print!("{}", result.output);
                self.summary.add(&background.name, result);
            }
            Err(_) => self.summary.failures.push(format!("{}: it panicked", background.name)),
        }
    }

    fn whole_path_in_firefox(&mut self, programs: &[TestProgram]) {
        if let Some(reason) = no_firefox() {
            self.summary.skip(&format!("whole path in Firefox: {reason}"));
            return;
        }
        let Some(program) = programs.iter().find(|program| program.target == "whole") else {
            return;
        };
        // One at a time, and not beside Chromium: without a graphics card that is no faster, and
        // less steady.
        let mut arguments = vec!["--test-threads=1"];
        arguments.extend(IN_FIREFOX.iter().copied());
        arguments.extend(NOT_IN_FIREFOX.iter().flat_map(|name| ["--skip", name]));
        let mut environment = self.environment();
        environment.push(("PAGESIGHT_TEST_ENGINE", "firefox".to_owned()));
        let mut suite = program.suite(&arguments, &environment);
        suite.name = "whole path in Firefox".to_owned();
        self.run(suite);
    }

    fn environment(&self) -> Vec<(&'static str, String)> {
        vec![(SKIPS, self.skips.display().to_string())]
    }
}

/// A suite that runs in the background.
struct Background {
    name: String,
    thread: std::thread::JoinHandle<suite::SuiteResult>,
}

fn no_firefox() -> Option<String> {
    std::env::var(NO_FIREFOX).ok().filter(|reason| !reason.is_empty())
}

fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.args(arguments);
    command
}

/// Whether cargo has this subcommand.
fn is_installed(subcommand: &str) -> bool {
    cargo(&[subcommand, "--version"]).output().is_ok_and(|output| output.status.success())
}

fn scripts() -> Command {
    let mut command = Command::new("sh");
    command.args([
        "-c",
        "sh -n pagesight && sh -n scripts/setup.sh && bash -n test && bash -n .ci/run \
         && bash scripts/setup.test.sh",
    ]);
    command
}

fn page_build() -> Command {
    let mut command = Command::new("node");
    command.args(["page/build.mjs", "--check"]);
    command
}

/// Returns the page script's tests as a suite. In Firefox, and for a repeat, all files run in one
/// process that shares one browser.
fn page_tests(root: &Path, firefox: bool) -> Suite {
    let root = root.to_owned();
    let command = move |files: &[String], patterns: &[String]| {
        let mut command = Command::new("node");
        command.args(["--test", "--test-reporter=tap"]).args(patterns).args(files);
        command.current_dir(&root);
        if firefox {
            command.env("PAGESIGHT_TEST_ENGINE", "firefox");
        }
        command
    };
    let together = vec!["page/test/together.mjs".to_owned()];
    let all = match firefox {
        true => command(&together, &[]),
        false => command(&page_test_files(), &[]),
    };
    Suite {
        name: if firefox { "page script in Firefox" } else { "page script" }.to_owned(),
        all,
        only: Box::new(move |names| {
            let patterns: Vec<String> = names.iter().map(|name| name_pattern(name)).collect();
            command(&together, &patterns)
        }),
        read: report::read_tap,
        limit: PAGE_LIMIT,
    }
}

/// Returns the page script's test files by name, because the meaning of a folder differs between
/// versions of `node --test`.
fn page_test_files() -> Vec<String> {
    let mut files: Vec<String> = std::fs::read_dir(crate::project::root().join("page/test"))
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.ends_with(".test.mjs"))
        .map(|name| format!("page/test/{name}"))
        .collect();
    files.sort();
    files
}

/// Returns an option for node that selects one test. Characters other than letters and digits may
/// be escaped in the output, so the pattern matches anything there.
fn name_pattern(name: &str) -> String {
    let name = name.rsplit_once(" (#").map_or(name, |(name, _)| name);
    let mut pattern = String::new();
    for character in name.chars() {
        if character.is_ascii_alphanumeric() || character == ' ' {
            pattern.push(character);
        } else if !pattern.ends_with(".*") {
            pattern.push_str(".*");
        }
    }
    format!("--test-name-pattern=^{pattern}$")
}

fn doctests() -> Suite {
    let command = || cargo(&["test", "--doc", "--workspace", "--locked", "--no-fail-fast"]);
    let mut all = command();
    all.current_dir(crate::project::root());
    Suite {
        name: "examples in the documentation".to_owned(),
        all,
        // The names contain spaces, which the test harness does not accept in a filter.
        only: Box::new(move |_| {
            let mut command = command();
            command.current_dir(crate::project::root());
            command
        }),
        read: report::read_libtest,
        limit: CHECK_LIMIT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_matches_whatever_is_not_a_letter() {
        assert_eq!(name_pattern("a (b): c"), "--test-name-pattern=^a .*b.* c$");
        assert_eq!(name_pattern("same (#2)"), "--test-name-pattern=^same$");
    }
}
