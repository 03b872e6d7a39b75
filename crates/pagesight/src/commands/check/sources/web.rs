//! Reads files of the site and opens its pages, for sources. Plain HTTP is read directly; for HTTPS
//! the browser reads, because these requests are made without TLS.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use pagesight_browser::{DownloadError, download};
use pagesight_core::text::escape;
use pagesight_session::{Engine, LaunchOptions, Session, WaitOutcome};
use serde_json::Value;

use super::listed::CheckedSite;
use super::sitemap::SitemapFiles;
use crate::commands::check::browser::{CheckBrowser, VisitError};
use crate::commands::check::browsers::grid_browsers;
use crate::commands::check::grid::{GridBrowsers, GridLease};
use crate::commands::check::plan::Plan;
use crate::hints;

/// How long one file may take.
const LIMIT: Duration = Duration::from_secs(60);
/// The most bytes that the browser reads; they come through its protocol as text.
const MOST_BY_BROWSER: usize = 16 << 20;

/// Reads files, and starts a browser when one is needed.
pub(super) struct SourceWeb<'a> {
    plan: &'a Plan,
    /// The Grid that the browser comes from, if there is one.
    grid: Option<GridBrowsers>,
    browser: Option<SourceBrowser>,
}

/// The browser of the sources.
enum SourceBrowser {
    Own(Box<CheckBrowser>),
    Leased(GridLease),
}

impl Deref for SourceBrowser {
    type Target = CheckBrowser;

    fn deref(&self) -> &CheckBrowser {
        match self {
            SourceBrowser::Own(browser) => browser,
            SourceBrowser::Leased(browser) => browser,
        }
    }
}

impl<'a> SourceWeb<'a> {
    /// Creates it for a plan. Starts nothing yet.
    pub(super) fn new(plan: &'a Plan, grid: &[String]) -> SourceWeb<'a> {
        let grid = (!grid.is_empty()).then(|| grid_browsers(plan, false, grid, 1));
        SourceWeb { plan, grid, browser: None }
    }

    /// Returns a session that the set-up of the plan ran in. An error is a sentence.
    pub(super) async fn session(&mut self) -> Result<Arc<Session>, String> {
        let (plan, engine) = (self.plan, self.engine());
        let plain = |error| match error {
            VisitError::BrowserEnded => "the browser ended".to_owned(),
            VisitError::Final(why) | VisitError::Failed(why) => why,
        };
        let browser = match (self.browser.take(), &self.grid) {
            (Some(browser), _) => browser,
            (None, Some(grid)) => {
                SourceBrowser::Leased(grid.take(engine, LIMIT).await.map_err(plain)?)
            }
            (None, None) => {
                let launch = LaunchOptions { engine, ..LaunchOptions::default() };
                SourceBrowser::Own(Box::new(CheckBrowser::new(launch, plan)))
            }
        };
        let browser = self.browser.insert(browser);
        browser.ready(plan.setup.as_ref()).await.map_err(plain)?;
        Ok(browser.session.clone())
    }

    pub(super) async fn close(self) {
        match self.browser {
            Some(SourceBrowser::Own(browser)) => browser.session.close().await,
            Some(SourceBrowser::Leased(lease)) => drop(lease),
            None => {}
        }
        if let Some(grid) = self.grid {
            grid.close().await;
        }
    }

    fn engine(&self) -> Engine {
        let templates = self.plan.sources.iter().flat_map(|source| &source.template);
        self.plan.jobs.iter().chain(templates).map(|job| job.engine).next().unwrap_or_default()
    }

    /// Reads a file in a page of its site.
    async fn read_by_browser(&mut self, url: &str, most: usize) -> Result<Vec<u8>, String> {
        let session = self.session().await?;
        let site = CheckedSite::of(url).ok_or("the address is not valid")?;
        let plain = |error| hints::sentence(hints::CHECK, &error);
        let tab = session.open_tab(None).await.map_err(plain)?;
        let read = async {
            let root = session.address(&site.url("/")).map_err(plain)?;
            let navigated = session.navigate(&tab, &root, Some(LIMIT)).await.map_err(plain)?;
            if let WaitOutcome::Failed(why) = navigated.outcome {
                return Err(why);
            }
            let most = most.min(MOST_BY_BROWSER);
            let route = site.route(url).unwrap_or("/");
            let script = format!("({READ})({}, {most})", Value::from(route));
            let answer = session.evaluate(&tab, &script).await.map_err(plain)?;
            match (answer["bytes"].as_str(), answer["error"].as_str()) {
                (Some(bytes), _) => {
                    BASE64.decode(bytes).map_err(|_| "it could not be read".to_owned())
                }
                (None, Some(error)) => Err(escape::safe(error, 200)),
                (None, None) => Err("it could not be read".to_owned()),
            }
        };
        let read = read.await;
        let _ = session.close_tab(&tab).await;
        read
    }
}

/// Reads a file in the page: its bytes as base64, or an error.
const READ: &str = r#"async (route, most) => {
  try {
    const answer = await fetch(route, { cache: 'no-store', credentials: 'include' });
    if (answer.status !== 200) return { error: `it answered ${answer.status}` };
    const reader = answer.body.getReader();
    const parts = [];
    let length = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      if (length > most) {
        await reader.cancel();
        return { error: `it is longer than ${most} bytes` };
      }
      parts.push(value);
    }
    const url = await new Promise((done, fail) => {
      const file = new FileReader();
      file.onload = () => done(file.result);
      file.onerror = () => fail(file.error);
      file.readAsDataURL(new Blob(parts));
    });
    return { bytes: url.slice(url.indexOf(',') + 1) };
  } catch (error) {
    return { error: String(error) };
  }
}"#;

impl SitemapFiles for SourceWeb<'_> {
    async fn read(&mut self, url: &str, most: usize) -> Result<Vec<u8>, String> {
        match download(url, most, LIMIT).await {
            Ok(file) => match file.encoding.as_deref() {
                None | Some("gzip" | "x-gzip" | "identity") => Ok(file.bytes),
                Some(other) => Err(format!("its encoding {other:?} is not known")),
            },
            Err(DownloadError::Scheme) => self.read_by_browser(url, most).await,
            Err(error) => Err(error.to_string()),
        }
    }
}
