//! Reads files of the site and opens its pages, for sources. Plain HTTP is read directly; for HTTPS
//! the browser reads, because these requests are made without TLS.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use pagesight_browser::{DownloadError, download};
use pagesight_core::text::escape;
use pagesight_session::{Engine, Session, WaitOutcome};
use serde_json::Value;

use super::error::SourceError;
use super::listed::CheckedSite;
use super::sitemap::SitemapFiles;
use crate::plan::Plan;
use crate::visit::{BrowserLease, CheckBrowsers, VisitError};

/// How long one file may take.
const LIMIT: Duration = Duration::from_secs(60);
/// The most bytes that the browser reads; they come through its protocol as text.
const MOST_BY_BROWSER: usize = 16 << 20;

/// Reads files, and starts a browser when one is needed.
pub(super) struct SourceWeb<'a> {
    plan: &'a Plan,
    browsers: Box<dyn CheckBrowsers>,
    lease: Option<Box<dyn BrowserLease>>,
}

impl<'a> SourceWeb<'a> {
    /// Creates it for a plan. Starts nothing yet.
    pub(super) fn new(plan: &'a Plan, browsers: Box<dyn CheckBrowsers>) -> SourceWeb<'a> {
        SourceWeb { plan, browsers, lease: None }
    }

    /// Returns a session that the set-up of the plan ran in.
    pub(super) async fn session(&mut self) -> Result<Arc<Session>, SourceError> {
        let unusable = |error: VisitError| SourceError::Unusable(error.to_string());
        let lease = match self.lease.take() {
            Some(lease) => lease,
            None => self.browsers.lend(self.engine(), LIMIT).await.map_err(unusable)?,
        };
        let browser = self.lease.insert(lease).browser();
        browser.ready(self.plan.setup.as_ref()).await.map_err(unusable)?;
        Ok(browser.session.clone())
    }

    pub(super) async fn close(mut self) {
        drop(self.lease.take());
        self.browsers.close().await;
    }

    fn engine(&self) -> Engine {
        let templates = self.plan.sources.iter().flat_map(|source| &source.template);
        self.plan.jobs.iter().chain(templates).map(|job| job.engine).next().unwrap_or_default()
    }

    /// Reads a file in a page of its site.
    async fn read_by_browser(&mut self, url: &str, most: usize) -> Result<Vec<u8>, SourceError> {
        let session = self.session().await?;
        let site = CheckedSite::of(url).ok_or("the address is not valid")?;
        let tab = session.open_tab(None).await?;
        let read = async {
            let root = session.address(&site.url("/"))?;
            let navigated = session.navigate(&tab, &root, Some(LIMIT)).await?;
            if let WaitOutcome::Failed(why) = navigated.outcome {
                return Err(SourceError::Unusable(why));
            }
            let most = most.min(MOST_BY_BROWSER);
            let route = site.route(url).unwrap_or("/");
            let script = format!("({READ})({}, {most})", Value::from(route));
            let answer = session.evaluate(&tab, &script).await?;
            match (answer["bytes"].as_str(), answer["error"].as_str()) {
                (Some(bytes), _) => BASE64.decode(bytes).map_err(|_| "it could not be read".into()),
                (None, Some(error)) => Err(escape::safe(error, 200).into()),
                (None, None) => Err("it could not be read".into()),
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
    async fn read(&mut self, url: &str, most: usize) -> Result<Vec<u8>, SourceError> {
        match download(url, most, LIMIT).await {
            Ok(file) => match file.encoding.as_deref() {
                None | Some("gzip" | "x-gzip" | "identity") => Ok(file.bytes),
                Some(other) => Err(format!("its encoding {other:?} is not known").into()),
            },
            Err(DownloadError::Scheme) => self.read_by_browser(url, most).await,
            Err(error) => Err(error.to_string().into()),
        }
    }
}
