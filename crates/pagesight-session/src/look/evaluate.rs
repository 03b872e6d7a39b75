//! Evaluates the caller's JavaScript: in the page's own world, where it may do anything, or in a
//! world of its own, where it may only read.

use std::sync::Arc;
use std::time::Duration;

use pagesight_browser::{BrowserError, ReadValue, ReadingExpression};
use serde_json::{Value, json};

use crate::error::Result;
use crate::look::frame_path::FramePath;
use crate::page_script::read;
use crate::session::Session;
use crate::tab::record::TabRecord;

/// How long it may take.
const LIMIT: Duration = Duration::from_secs(20);
/// How long an expression that only reads may take.
const READING_LIMIT: Duration = Duration::from_secs(1);
/// How long the page script may take for its part.
const MASK_LIMIT: Duration = Duration::from_secs(5);
/// The longest value of an expression that only reads, in characters.
const MOST_CHARACTERS: usize = 200_000;

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

impl Session {
    /// Evaluates an expression that only reads, within a second; with an element, as
    /// [`Session::evaluate_on`] does. One that would change something is refused. Values of secret
    /// fields, cookies and storage are masked, as far as that is possible. Only in Chromium.
    pub async fn evaluate_reading(
        &self,
        tab: &Arc<TabRecord>,
        element: Option<&str>,
        expression: &str,
    ) -> Result<Value> {
        let _turn = tab.turn().await?;
        self.check_tab(tab)?;
        let (frame, local) = match element {
            None => (None, None),
            Some(given) => {
                let look = self.look_in_turn(tab, None, false).await?;
                let node = look.page.node(self.find(&look, given)?);
                let path = FramePath::of(&look.page, &node.document().token).unwrap_or_default();
                (path.frame, Some(node.local()))
            }
        };
        let script = tab.script(frame.as_deref(), MASK_LIMIT);
        let secret_values = script.secret_values().await?;
        let expression = ReadingExpression {
            source: expression,
            secret_values: &secret_values,
            most_characters: MOST_CHARACTERS,
            limit: READING_LIMIT,
        };
        let evaluated = tab.tab.evaluate_reading(frame.as_deref(), local, &expression);
        let value = tab.main_thread.attend_work(evaluated).await?;
        let value = match value.ok_or(BrowserError::Navigated)? {
            ReadValue::Whole(text) => read(&text)?,
            ReadValue::Cut { start, characters } => {
                json!({ "truncated": true, "characters": characters, "start": start })
            }
        };
        // What the expression put together from other texts.
        Ok(script.hide_secrets(&value).await?)
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
