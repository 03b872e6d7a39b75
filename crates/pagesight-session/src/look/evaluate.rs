//! Evaluates the caller's JavaScript in the page.

use std::sync::Arc;
use std::time::Duration;

use crate::error::Result;
use crate::page_script::read;
use crate::session::Session;
use crate::tab::record::TabRecord;

impl Session {
    /// Evaluates an expression in the page's own world.
    pub async fn evaluate(
        &self,
        tab: &Arc<TabRecord>,
        expression: &str,
    ) -> Result<serde_json::Value> {
        let _turn = tab.turn().await?;
        self.check_tab(tab)?;
        let evaluated = tab.tab.evaluate(expression, Duration::from_secs(20));
        Ok(read(&tab.main_thread.attend_work(evaluated).await?)?)
    }
}
