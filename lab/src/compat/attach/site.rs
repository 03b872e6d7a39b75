//! Serves the pages of the person's tabs, and takes their reports. A page reports its counts once
//! per second, so that they are known without a connection to its browser.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::response::Html;
use axum::routing::{get, post};
use serde_json::Value;

use crate::pages;

/// How long the page that hangs waits for each answer; the rest of the time it is busy.
const HOLD: Duration = Duration::from_millis(200);

/// Counts what happens to its page, and reports it.
const PAGE: &str = include_str!("tab.html");

/// How long a page hangs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Hang {
    /// Until it is released. It asks synchronously, which keeps nothing from running in Firefox.
    UntilReleased,
    /// As long as it is there.
    Forever,
}

/// The counts of a page, by name.
pub type Beat = Value;

#[derive(Default)]
struct SiteState {
    beats: Mutex<HashMap<u32, Beat>>,
    released: AtomicBool,
}

#[derive(Clone)]
pub struct AttachSite {
    port: String,
    state: Arc<SiteState>,
}

impl AttachSite {
    pub async fn serve() -> anyhow::Result<AttachSite> {
        let state: Arc<SiteState> = Arc::default();
        let router = axum::Router::new()
            .route("/tab", get(|| async { Html(PAGE) }))
            .route("/beat", post(take))
            .route("/held", get(hold))
            .with_state(state.clone());
        let address = pages::listen(router).await?;
        Ok(AttachSite { port: address.rsplit(':').next().unwrap_or_default().to_owned(), state })
    }

    /// Returns the address of a tab's page.
    pub fn url(&self, id: u32) -> String {
        format!("http://127.0.0.1:{}/tab?id={id}", self.port)
    }

    /// Returns the address of a page that hangs. Its host is a different one, so that no other tab
    /// is in its process.
    pub fn hanging_url(&self, id: u32, hang: Hang) -> String {
        let until = if hang == Hang::Forever { "forever" } else { "released" };
        format!("http://localhost:{}/tab?id={id}&hangs={until}", self.port)
    }

    /// Lets the page that hangs go on.
    pub fn release(&self) {
        self.state.released.store(true, Ordering::SeqCst);
    }

    /// Forgets all reports, and lets the next page that hangs hang.
    pub fn forget(&self) {
        self.state.released.store(false, Ordering::SeqCst);
        self.lock().clear();
    }

    /// Returns the last report of every tab.
    pub fn beats(&self) -> HashMap<u32, Beat> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u32, Beat>> {
        self.state.beats.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn id(beat: &Beat) -> u32 {
    beat["id"].as_u64().unwrap_or_default() as u32
}

async fn take(State(state): State<Arc<SiteState>>, Json(beat): Json<Beat>) {
    state.beats.lock().unwrap_or_else(PoisonError::into_inner).insert(id(&beat), beat);
}

async fn hold(State(state): State<Arc<SiteState>>) -> &'static str {
    tokio::time::sleep(HOLD).await;
    if state.released.load(Ordering::SeqCst) { "go on" } else { "wait" }
}
