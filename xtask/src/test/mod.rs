//! `cargo xtask test`: every check of the project, which `./test` calls after setting the machine
//! up. Runs all checks even if one fails, and ends with the line `N passed, N failed`.
//!
//! - `./test quick`: format, house rules, lints of the product, unit tests, page script; no browser
//! - `./test`: all of that and every test with Chromium and Firefox, except the long ones
//! - `./test long`: the long tests
//! - `./test FILTER`: only the Rust tests whose name contains FILTER

mod programs;
mod suite;
mod summary;

use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use programs::TestProgram;
use suite::{Suite, SuiteResult};
use summary::Summary;

/// Unit tests in modules of these names need a browser or a database; `./test quick` leaves them
/// out.
const SLOW_MODULES: [&str; 2] = ["in_browser::", "with_postgres::"];
/// Tests in a module of this name are for `./test long`.
const LONG: &str = "long::";
/// Tests of this name are those of the macro `both_engines!` that use Firefox.
const FIREFOX: &str = "::firefox";
/// The test programs that need no browser, except for tests in `in_browser` modules.
const WITHOUT_BROWSER: [&str; 9] =
    ["--workspace", "--lib", "--bins", "--test", "session", "--test", "captures", "--test", "docs"];
/// The environment variable with the reason why there is no Firefox. `./test` sets it if none can
/// be installed.
const NO_FIREFOX: &str = "PAGESIGHT_TEST_NO_FIREFOX";
/// The environment variable with the path of a file. Tests that cannot run here append one line to
/// it: `what: why`.
const SKIPS: &str = "PAGESIGHT_TEST_SKIPS";
const SCRIPTS: &str = "sh -n pagesight && sh -n scripts/setup.sh && bash -n test && bash -n .ci/run \
    && bash scripts/setup.test.sh";
const DOC_TESTS: &str = "cargo test --doc --workspace --locked --no-fail-fast --quiet";
const DOCUMENTATION: &str = "RUSTDOCFLAGS='-D warnings' cargo doc --no-deps --workspace --locked";
/// The time limit of one suite, far above what it needs on a busy machine.
const SUITE_LIMIT: Duration = Duration::from_secs(40 * 60);

/// Runs the checks that the arguments select; false if something failed.
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    let root = crate::project::root();
    let run = TestRun {
        skips: root.join("target/test-skips.txt"),
        logs: root.join("target/test-logs"),
        summary: Mutex::default(),
        root,
    };
    std::fs::create_dir_all(&run.logs)?;
    std::fs::write(&run.skips, "")?;
    match arguments {
        [word] if word == "quick" => run.quick(),
        [word] if word == "long" => run.long(),
        [] => run.everything(),
        filters => run.filtered(&filters.iter().map(String::as_str).collect::<Vec<_>>()),
    }
    run.summary().skip_lines(&std::fs::read_to_string(&run.skips).unwrap_or_default());
    Ok(run.summary().print())
}

struct TestRun {
    root: PathBuf,
    skips: PathBuf,
    logs: PathBuf,
    summary: Mutex<Summary>,
}

impl TestRun {
    fn quick(&self) {
        self.quick_checks();
        self.cargo("clippy", "--workspace --locked --lib --bins -- -D warnings");
        for program in self.programs(&WITHOUT_BROWSER) {
            let mut suite = program.suite(&["--skip", SLOW_MODULES[0], "--skip", SLOW_MODULES[1]]);
            // A test that starts a browser here is in the wrong module, and fails.
            suite.command.env("PAGESIGHT_BROWSER", "/no-browser-in-quick-tests");
            suite.command.env("PAGESIGHT_FIREFOX", "/no-browser-in-quick-tests");
            self.run(suite);
        }
        self.generated_docs();
        self.summary().skip("everything that needs a browser or PostgreSQL: ./test runs it");
    }

    /// The page script's long tests run alone: they depend on the times of timers.
    fn long(&self) {
        self.filtered(&[LONG]);
        self.page_tests(&[("PAGESIGHT_TEST_LONG", "1")]);
    }

    fn filtered(&self, filters: &[&str]) {
        for program in self.programs(&["--workspace"]) {
            self.run(program.suite(filters));
        }
        self.summary().skip("everything but the Rust tests that the filter selects");
    }

    /// The tests are compiled first. Then the browsers, which wait most of the time, have the
    /// compiler beside them. The page script's tests need no Rust, so they begin at once.
    fn everything(&self) {
        std::thread::scope(|scope| {
            scope.spawn(|| self.page_tests(&[]));
            self.quick_checks();
            self.run(Suite::shell("scripts", SCRIPTS));
            let (with_browser, without): (Vec<_>, Vec<_>) =
                self.programs(&["--workspace"]).into_iter().partition(TestProgram::needs_browser);
            scope.spawn(move || self.browser_tests(&with_browser));
            self.generated_docs();
            for program in without {
                self.run(program.suite(&[]));
            }
            self.cargo("clippy", "--workspace --locked --all-targets -- -D warnings");
            self.run(Suite::shell("documentation", DOCUMENTATION));
            self.run(Suite::shell("examples in the documentation", DOC_TESTS));
        });
        self.summary().skip("the long tests: ./test long runs them");
    }

    /// Chromium first, then Firefox. Side by side they are hardly faster without a graphics card,
    /// and navigations in Firefox reach their time limit. Three tests at once are faster in
    /// Chromium alone, and slower beside the page script's tests.
    fn browser_tests(&self, programs: &[TestProgram]) {
        for program in programs {
            self.run_tests(program, "", &["--skip", LONG, "--skip", FIREFOX]);
        }
        if let Some(reason) = no_firefox() {
            return self.summary().skip(&format!("tests in Firefox: {reason}"));
        }
        for program in programs {
            let arguments = [FIREFOX, "--skip", LONG, "--test-threads=2"];
            self.run_tests(program, " in Firefox", &arguments);
        }
    }

    fn page_tests(&self, variables: &[(&str, &str)]) {
        let mut suite = page_suite("page script");
        suite.command.envs(variables.iter().copied());
        self.run(suite);
        if let Some(reason) = no_firefox() {
            return self.summary().skip(&format!("page script in Firefox: {reason}"));
        }
        let mut suite = page_suite("page script in Firefox");
        suite.command.envs(variables.iter().copied()).env("PAGESIGHT_TEST_ENGINE", "firefox");
        self.run(suite);
    }

    fn quick_checks(&self) {
        self.cargo("fmt", "--all --check");
        self.own_check("house rules", crate::tidy::run);
        self.run(Suite::shell("page script: types, format, bundle", "node page/build.mjs --check"));
    }

    /// Runs a component of the Rust toolchain that may be missing.
    fn cargo(&self, component: &str, arguments: &str) {
        let version = Command::new("cargo").args([component, "--version"]).output();
        if version.is_ok_and(|output| output.status.success()) {
            self.run(Suite::shell(component, &format!("cargo {component} {arguments}")));
        } else {
            self.summary().skip(&format!("{component}: run rustup component add {component}"));
        }
    }

    /// Runs after the program is built, because the documentation is compared with it.
    fn generated_docs(&self) {
        self.own_check("generated documentation", || crate::docs::run(true));
    }

    fn own_check(&self, name: &str, check: impl FnOnce() -> anyhow::Result<()>) {
        let begun = Instant::now();
        let result = check().map_err(|error| error.to_string());
        self.summary().add_check(name, result, begun.elapsed());
    }

    fn programs(&self, arguments: &[&str]) -> Vec<TestProgram> {
        println!("== building the tests");
        let begun = Instant::now();
        let (programs, result) = match programs::build(&self.root, arguments) {
            Ok(programs) => (programs, Ok(())),
            Err(error) => (Vec::new(), Err(error.to_string())),
        };
        self.summary().add_check("building the tests", result, begun.elapsed());
        programs
    }

    /// Runs tests with a browser, and what fails once more alone: other work on the machine delays
    /// browsers by seconds. What passes then is printed as unsteady.
    fn run_tests(&self, program: &TestProgram, label: &str, arguments: &[&str]) {
        let suite_of = |arguments: &[&str]| {
            let mut suite = program.suite(arguments);
            suite.name.push_str(label);
            suite
        };
        let suite = suite_of(arguments);
        let name = suite.name.clone();
        let mut result = self.result_of(suite);
        Suite::again(&mut result, |test| {
            let mut alone = suite_of(&["--exact", test]);
            alone.name.push_str(" again");
            self.result_of(alone)
        });
        self.summary().add(&name, result);
    }

    fn run(&self, suite: Suite) {
        let name = suite.name.clone();
        let result = self.result_of(suite);
        self.summary().add(&name, result);
    }

    fn result_of(&self, mut suite: Suite) -> SuiteResult {
        suite.command.env(SKIPS, &self.skips);
        suite.run(&self.root, &self.logs, SUITE_LIMIT)
    }

    fn summary(&self) -> std::sync::MutexGuard<'_, Summary> {
        // A poisoned lock means that a lane panicked; its results so far still count.
        self.summary.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

fn no_firefox() -> Option<String> {
    std::env::var(NO_FIREFOX).ok().filter(|reason| !reason.is_empty())
}

/// All files run in one process that shares one browser.
fn page_suite(name: &str) -> Suite {
    let mut command = Command::new("node");
    command.args(["--test", "--test-reporter=./page/test/reporter.mjs", "page/test/together.mjs"]);
    Suite { name: name.to_owned(), command }
}
