//! Measures the floor of a look in a browser of the lab's own: a walk with all boxes and one hit
//! test per element in view.

use std::time::Duration;

use anyhow::Context;
use serde::Deserialize;
use serde_json::json;

use crate::attached::AttachedTab;
use crate::devtools::{DevTools, LabBrowser};
use crate::report::median;

const SCRIPT: &str = include_str!("floor.js");
/// How often the script runs in a page; the first runs are slower.
const RUNS: usize = 3;

/// The result of the script, and how many milliseconds it took.
#[derive(Deserialize, Clone, Copy)]
pub struct Floor {
    pub elements: usize,
    pub roots: usize,
    /// How many elements are in view; each has one hit test.
    pub tests: usize,
    pub walk: f64,
    pub hits: f64,
}

/// Finds the medians of some floors of the same page.
#[derive(Default)]
pub struct Floors(pub Vec<Floor>);

impl Floors {
    /// Returns the median of a part of them.
    pub fn median(&self, part: fn(&Floor) -> f64) -> f64 {
        median(&self.0.iter().map(part).collect::<Vec<f64>>())
    }

    /// Returns the median of the whole time, if it was measured.
    pub fn total(&self) -> Option<f64> {
        (!self.0.is_empty()).then(|| self.median(|floor| floor.walk + floor.hits))
    }
}

/// A browser with a tab of the size that pagesight's tabs have.
pub struct FloorBrowser {
    browser: LabBrowser,
    tools: DevTools,
    tab: AttachedTab,
}

impl FloorBrowser {
    pub async fn start() -> anyhow::Result<FloorBrowser> {
        let browser = LabBrowser::start().await?;
        let tools = DevTools::connect(&browser.url).await?;
        let page = json!({ "url": "about:blank" });
        let made = tools.call(None, "Target.createTarget", page).await?;
        let target = made["targetId"].as_str().context("no tab")?;
        let tab = AttachedTab::attach(&tools, target).await?;
        let size = json!({ "width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": false });
        let session = Some(tab.session.as_str());
        tools.call(session, "Emulation.setDeviceMetricsOverride", size).await?;
        Ok(FloorBrowser { browser, tools, tab })
    }

    /// Opens a page, measures its floor a few times, and leaves it.
    pub async fn measure(&self, url: &str) -> anyhow::Result<Vec<Floor>> {
        self.go(url).await?;
        // A page that lives has the same size from some moment on.
        self.tab.settle(&self.tools).await?;
        let mut floors = Vec::new();
        for _ in 0..RUNS {
            let found = self
                .tab
                .evaluate(&self.tools, &format!("({})()", SCRIPT.trim_end_matches(";\n")))
                .await?;
            floors.push(serde_json::from_value(found)?);
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        self.go("about:blank").await?;
        Ok(floors)
    }

    async fn go(&self, url: &str) -> anyhow::Result<()> {
        let session = Some(self.tab.session.as_str());
        self.tools.call(session, "Page.navigate", json!({ "url": url })).await?;
        Ok(())
    }

    pub async fn close(self) {
        self.browser.close(&self.tools).await;
    }
}
