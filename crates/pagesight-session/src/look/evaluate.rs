//! Evaluates the caller's JavaScript in the page.

use std::sync::Arc;
use std::time::Duration;

use pagesight_browser::BrowserError;

use crate::error::Result;
use crate::look::frame_path::FramePath;
use crate::page_script::read;
use crate::session::Session;
use crate::tab::record::TabRecord;

/// How long it may take.
const LIMIT: Duration = Duration::from_secs(20);

impl Session {
    /// Evaluates an expression in the page's own world.
    pub async fn evaluate(
        &self,
        tab: &Arc<TabRecord>,
        expression: &str,
    ) -> Result<serde_json::Value> {
        let _turn = tab.turn().await?;
        self.check_tab(tab)?;
        tab.state.now().activity.doubt_rest();
        let evaluated = tab.tab.evaluate(expression, LIMIT);
        Ok(read(&tab.main_thread.attend_work(evaluated).await?)?)
    }

    /// Evaluates an expression in which `element` is the element of a reference. If it is a
    /// function, it is called with the element. Runs in the page's own world.
    pub async fn evaluate_on(
        &self,
        tab: &Arc<TabRecord>,
        given: &str,
        expression: &str,
    ) -> Result<serde_json::Value> {
        let _turn = tab.turn().await?;
        let look = self.look_in_turn(tab, None, false).await?;
        let look = self.look_again_for(look, None, false, &[given]).await?;
        let node = look.page.node(self.find(&look, given)?);
        let path = FramePath::of(&look.page, &node.document().token).unwrap_or_default();
        let function = function_of(expression);
        tab.state.now().activity.doubt_rest();
        let evaluated = tab.tab.evaluate_on(path.frame.as_deref(), node.local(), &function, LIMIT);
        let value = tab.main_thread.attend_work(evaluated).await?;
        Ok(read(&value.ok_or(BrowserError::Navigated)?)?)
    }
}

/// Returns a function of an element that gives the value of an expression.
fn function_of(expression: &str) -> String {
    let text = expression.trim_start();
    let is_function =
        text.contains("=>") || text.starts_with("function") || text.starts_with("async ");
    // A handler such as `element.onclick` is a value; only a function that was written here is
    // called.
    let value = match is_function {
        true => "typeof value === 'function' ? value.call(element, element) : value",
        false => "value",
    };
    format!("function (element) {{ const value = ({expression}\n); return {value}; }}")
}
