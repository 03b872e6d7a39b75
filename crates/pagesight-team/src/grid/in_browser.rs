//! Checks the sessions of a Grid with a chromedriver, which is a WebDriver endpoint, too.

use std::process::{Child, Command, Stdio};

use pagesight_check::plan::Overrides;
use pagesight_check::sources::add_pages;

use super::*;

/// A chromedriver, which is a WebDriver endpoint like a Grid. It ends with the test.
struct Driver {
    process: Child,
    address: String,
}

impl Driver {
    async fn start() -> Option<Driver> {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let mut command = Command::new("chromedriver");
        command.arg(format!("--port={port}")).stdout(Stdio::null()).stderr(Stdio::null());
        let Ok(process) = command.spawn() else {
            if let Ok(file) = std::env::var("PAGESIGHT_TEST_SKIPS") {
                use std::io::Write;
                let opened = std::fs::OpenOptions::new().append(true).create(true).open(file);
                let line = "sessions of a Grid: chromedriver is not installed";
                let _ = opened.and_then(|mut file| writeln!(file, "{line}"));
            }
            return None;
        };
        while tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Some(Driver { process, address: format!("http://127.0.0.1:{port}") })
    }

    /// Returns the processes of browsers that the driver started.
    fn browsers(&self) -> usize {
        // Any of its threads may have started one.
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.process.id()));
        let threads = threads.into_iter().flatten().flatten();
        let children = threads.map(|thread| {
            std::fs::read_to_string(thread.path().join("children")).unwrap_or_default()
        });
        children.map(|children| children.split_whitespace().count()).sum()
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn start() -> StartBrowser {
    let text = "[[page]]\nurl = \"http://a/\"\n";
    let path = std::path::Path::new("pages.toml");
    let plan = Plan::read(path, text, &Overrides::default(), &|_| None).unwrap();
    Box::new(move |engine, url| {
        let launch = LaunchOptions { engine, ..Default::default() };
        let connect = Some(url.to_owned());
        CheckBrowser::of(Options { launch, connect, ..session_options(&plan) })
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_shared_replaced_and_given_back() {
    let Some(driver) = Driver::start().await else { return };
    // Nothing listens at the first address: its requests are repeated at the other one.
    let addresses = ["http://127.0.0.1:9".to_owned(), driver.address.clone()];
    let grid = Arc::new(GridBrowsers::started_by(&addresses, 2, start()));
    let limit = Duration::from_secs(60);
    let first = grid.take(Engine::Chromium, limit).await.unwrap();
    let second = grid.take(Engine::Chromium, limit).await.unwrap();
    let (known, lost) = (first.browser.clone(), second.browser.clone());
    assert!(!Arc::ptr_eq(&known, &lost));
    assert_eq!(driver.browsers(), 2);

    // There are no more than two: the third page waits for one of them.
    let waiting = grid.clone();
    let third = tokio::spawn(async move { waiting.take(Engine::Chromium, limit).await });
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(!third.is_finished());
    Box::new(first).give_back(PageEnd::Known).await;
    let third = third.await.unwrap().unwrap();
    assert!(Arc::ptr_eq(&known, &third.browser));

    // A session that was lost is replaced.
    second.browser.session.close().await;
    Box::new(second).give_back(PageEnd::Known).await;
    let fourth = grid.take(Engine::Chromium, limit).await.unwrap();
    assert!(!Arc::ptr_eq(&fourth.browser, &lost) && fourth.browser.session.is_alive().await);

    // So is the session of a page that was given up.
    let lost = fourth.browser.clone();
    drop(fourth);
    let fifth = grid.take(Engine::Chromium, limit).await.unwrap();
    assert!(!Arc::ptr_eq(&fifth.browser, &lost) && fifth.browser.session.is_alive().await);

    // A session that is requested when the run ends is ended, too.
    Box::new(third).give_back(PageEnd::Known).await;
    let late = grid.clone();
    let late = tokio::spawn(async move { late.take(Engine::Chromium, limit).await });
    late.abort();
    grid.close().await;
    let begun = Instant::now();
    while driver.browsers() > 0 && begun.elapsed() < Duration::from_secs(10) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(driver.browsers(), 0, "all are given back");
}

#[tokio::test(flavor = "multi_thread")]
async fn sources_use_a_session_and_give_it_back() {
    use axum::{Router, response::Html, routing::get};
    let Some(driver) = Driver::start().await else { return };
    let site = Router::new()
        .route("/", get(|| async { Html("<a href='/two'>Two</a>") }))
        .route("/two", get(|| async { Html("<h1>Two</h1>") }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let served = tokio::spawn(async move { axum::serve(listener, site).await });
    let text = format!("base_url = \"http://{address}\"\nlinks = {{ from = \"/\", depth = 1 }}");
    let path = std::path::Path::new("pages.toml");
    let mut plan = Plan::read(path, &text, &Overrides::default(), &|_| None).unwrap();
    let grid = GridBrowsers::new(&plan, false, std::slice::from_ref(&driver.address), 1);
    let mut most = 0;
    let notes = {
        let listing = add_pages(&mut plan, Box::new(grid), std::future::pending());
        tokio::pin!(listing);
        loop {
            tokio::select! {
                notes = &mut listing => break notes.unwrap(),
                () = tokio::time::sleep(Duration::from_millis(20)) => {
                    most = most.max(driver.browsers());
                }
            }
        }
    };
    served.abort();
    assert!(notes[0].ends_with(": 2 pages"), "{notes:?}");
    assert_eq!((plan.jobs.len(), most), (2, 1), "in a browser of the driver");
    let begun = Instant::now();
    while driver.browsers() > 0 && begun.elapsed() < Duration::from_secs(10) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(driver.browsers(), 0, "it is given back");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_without_a_browser_fails_after_its_time() {
    let grid = GridBrowsers::started_by(&["http://127.0.0.1:9".to_owned()], 2, start());
    let begun = Instant::now();
    let failed = grid.take(Engine::Chromium, Duration::from_secs(1)).await;
    let Err(error @ VisitError::NoBrowser { .. }) = failed else { panic!("a browser") };
    let why = error.to_string();
    assert!(why.contains("127.0.0.1:9") && why.contains("within 1 s"), "{why}");
    assert!(begun.elapsed() < Duration::from_secs(5));
    grid.close().await;
}
