//! The browser of a test. A test runs in Chromium; `both_engines!` makes one in Firefox of it, too.

use std::cell::Cell;

use pagesight_browser::{Engine, discover};

thread_local! {
    /// A test asks for its engine on its own thread only. Threads run several tests.
    static ENGINE: Cell<Engine> = const { Cell::new(Engine::Chromium) };
}

/// Makes the tests `NAME::chromium` and `NAME::firefox` of the function that follows. It is for
/// tests of code that differs by engine; CONTRIBUTING.md says what covers the others.
macro_rules! both_engines {
    ($name:ident) => {
        mod $name {
            #[tokio::test(flavor = "multi_thread")]
            async fn chromium() {
                super::$name().await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn firefox() {
                crate::support::in_firefox(super::$name()).await;
            }
        }
    };
}

/// Sets the engine of this thread until it is dropped, also if the test fails.
struct EngineOfThread;

impl Drop for EngineOfThread {
    fn drop(&mut self) {
        ENGINE.set(Engine::Chromium);
    }
}

/// Runs a test in Firefox, unless Firefox is missing.
pub async fn in_firefox(test: impl Future<Output = ()>) {
    if no_firefox() {
        return;
    }
    ENGINE.set(Engine::Firefox);
    let _reset = EngineOfThread;
    test.await;
}

/// Reports whether Firefox is missing. Then the test cannot run, which is reported to `./test`.
pub fn no_firefox() -> bool {
    let reported = std::env::var("PAGESIGHT_TEST_NO_FIREFOX").ok();
    let missing =
        reported.or_else(|| discover::find(Engine::Firefox).err().map(|error| error.to_string()));
    if let (Some(error), Ok(file)) = (&missing, std::env::var("PAGESIGHT_TEST_SKIPS")) {
        let mut skips = std::fs::OpenOptions::new().append(true).create(true).open(file).unwrap();
        std::io::Write::write_all(
            &mut skips,
            format!("whole path with Firefox: {error}\n").as_bytes(),
        )
        .unwrap();
    }
    missing.is_some()
}

/// Returns the browser of this test.
pub fn engine() -> Engine {
    ENGINE.get()
}

/// Reports whether this test uses Firefox, for the few differences.
pub fn is_firefox() -> bool {
    engine() == Engine::Firefox
}
