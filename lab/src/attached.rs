//! A tab that the lab is attached to beside pagesight: does the steps of a page state and waits
//! until the page is still.

use std::time::Duration;

use anyhow::Context;
use serde_json::{Value, json};

use crate::devtools::DevTools;
use crate::pages::PageState;

/// A tab of a browser, with a DevTools session of the lab's own.
pub struct AttachedTab {
    pub session: String,
}

/// Returns the targets of all open tabs.
pub async fn tab_targets(tools: &DevTools) -> anyhow::Result<Vec<String>> {
    let answer = tools.call(None, "Target.getTargets", json!({})).await?;
    let pages = answer["targetInfos"].as_array().cloned().unwrap_or_default();
    let pages = pages.iter().filter(|target| target["type"] == "page");
    Ok(pages.filter_map(|target| target["targetId"].as_str().map(str::to_owned)).collect())
}

impl AttachedTab {
    /// Attaches to a tab and to the frames in it.
    pub async fn attach(tools: &DevTools, target: &str) -> anyhow::Result<AttachedTab> {
        let attach = json!({ "targetId": target, "flatten": true });
        let session = tools.call(None, "Target.attachToTarget", attach).await?;
        let session = session["sessionId"].as_str().context("no session of the tab")?.to_owned();
        let attach =
            json!({ "autoAttach": true, "flatten": true, "waitForDebuggerOnStart": false });
        tools.call(Some(&session), "Target.setAutoAttach", attach).await?;
        tools.call(Some(&session), "Page.enable", json!({})).await?;
        tools.call(Some(&session), "Runtime.enable", json!({})).await?;
        Ok(AttachedTab { session })
    }

    /// Waits until the page is still, does the step of a page state, and waits again.
    pub async fn play(&self, tools: &DevTools, page_state: &PageState) -> anyhow::Result<()> {
        self.settle(tools).await?;
        if let Some(step) = &page_state.step {
            match step.strip_prefix("click ") {
                Some(selector) => self.click(tools, selector).await?,
                None => drop(self.evaluate(tools, step).await?),
            }
            self.settle(tools).await?;
        }
        Ok(())
    }

    /// Evaluates an expression in the page's own world.
    pub async fn evaluate(&self, tools: &DevTools, expression: &str) -> anyhow::Result<Value> {
        let call = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true });
        let answer = tools.call(Some(&self.session), "Runtime.evaluate", call).await?;
        let failed = answer
            .get("exceptionDetails")
            .map(|details| details["exception"]["description"].clone());
        anyhow::ensure!(failed.is_none(), "{expression} failed: {}", failed.unwrap_or_default());
        Ok(answer["result"]["value"].clone())
    }

    /// Clicks the middle of an element with the mouse.
    async fn click(&self, tools: &DevTools, selector: &str) -> anyhow::Result<()> {
        let middle = format!(
            "(() => {{ const b = document.querySelector({selector:?}).getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2] }})()"
        );
        let middle = self.evaluate(tools, &middle).await?;
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let mouse = json!({ "type": kind, "x": middle[0], "y": middle[1], "button": "left", "clickCount": 1 });
            tools.call(Some(&self.session), "Input.dispatchMouseEvent", mouse).await?;
        }
        Ok(())
    }

    /// Waits until the page has had the same size for a second; 20 s at most.
    pub async fn settle(&self, tools: &DevTools) -> anyhow::Result<()> {
        let count = json!({ "expression": "document.readyState + document.querySelectorAll('*').length", "returnByValue": true });
        let (mut last, mut still) = (String::new(), 0);
        for _ in 0..80 {
            // A page that is being left answers nothing.
            let answer = tools
                .call(Some(&self.session), "Runtime.evaluate", count.clone())
                .await
                .unwrap_or_default();
            let now = answer["result"]["value"].as_str().unwrap_or_default().to_owned();
            still = if now == last && now.starts_with("complete") { still + 1 } else { 0 };
            if still >= 4 {
                break;
            }
            last = now;
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
        Ok(())
    }
}
