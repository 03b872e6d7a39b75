//! `browser_evaluate`: runs the caller's JavaScript. What it may do is the user's choice.

use pagesight_core::text::{json, tokens};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::answer::Answer;
use super::evaluate_permission::EvaluatePermission;
use super::operation::{Effect, Operation, ToolResult};
use super::token_limit::{DEFAULT_TOKENS, token_limit};
use super::workspace::Workspace;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EvaluateParameters {
    /// with element: a function that gets it
    expression: String,
    #[serde(default, deserialize_with = "pagesight_session::reference::optional")]
    element: Option<String>,
    max_tokens: Option<usize>,
    #[serde(alias = "tabName")]
    tab: Option<String>,
}

impl EvaluateParameters {
    pub(crate) fn of(
        expression: String,
        element: Option<String>,
        max_tokens: Option<usize>,
    ) -> EvaluateParameters {
        EvaluateParameters { expression, element, max_tokens, tab: None }
    }
}

pub(crate) struct Evaluate;

impl Operation for Evaluate {
    const NAME: &'static str = "browser_evaluate";
    const DESCRIPTION: &'static str =
        "Evaluate a JavaScript expression in the page and return JSON.";
    const EFFECT: Effect = Effect::Acts;
    type Parameters = EvaluateParameters;

    async fn run(workspace: &Workspace, parameters: EvaluateParameters) -> ToolResult {
        let (session, permission) = (&workspace.session, workspace.evaluate);
        permission.check(session)?;
        let all = permission == EvaluatePermission::All;
        let default = if all { DEFAULT_TOKENS } else { READING_TOKENS };
        let max_tokens = token_limit(parameters.max_tokens, default, &None, "a value")?;
        let tab = workspace.tab(&parameters.tab).await?;
        let EvaluateParameters { expression, element, .. } = &parameters;
        let value = match element {
            _ if !all => session.evaluate_reading(&tab, element.as_deref(), expression).await?,
            Some(element) => session.evaluate_on(&tab, element, expression).await?,
            None => session.evaluate(&tab, expression).await?,
        };
        Answer::json(&within(value, max_tokens))
    }
}

/// The description for agents that may only read.
pub(crate) const READING: &str =
    "Evaluate a JavaScript expression that only reads the page and return JSON.";
/// The limit of an answer to an expression that only reads.
const READING_TOKENS: usize = 1_000;

/// Returns a value, or the start of its JSON text if it has more tokens than the limit.
fn within(value: Value, max_tokens: usize) -> Value {
    let text = json::to_text(&value);
    // A token has at least one byte.
    if text.len() <= max_tokens {
        return value;
    }
    let tokens = tokens::count(&text);
    if tokens <= max_tokens {
        return value;
    }
    let shortened = |bytes: usize| {
        let end = (0..=bytes).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
        let start = &text[..end];
        json!({ "truncated": true, "tokens": tokens, "start": start })
    };
    // Find the longest start that fits, quotes and backslashes of the JSON in JSON included.
    let (mut fits, mut too_long) = (0, text.len().min(max_tokens.saturating_mul(16)));
    while too_long - fits > 16 {
        let middle = fits + (too_long - fits) / 2;
        match tokens::count(&json::to_text(&shortened(middle))) <= max_tokens {
            true => fits = middle,
            false => too_long = middle,
        }
    }
    shortened(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_value_is_cut_at_the_limit() {
        let small = json!({ "a": [1, 2, "three"] });
        assert_eq!(within(small.clone(), 200), small);
        let rows: Vec<Value> =
            (0..5_000).map(|n| json!({ "id": n, "name": "quote \" ü" })).collect();
        for limit in [200, 1_000] {
            let cut = within(json!(rows), limit);
            let size = tokens::count(&json::to_text(&cut));
            assert!(size <= limit && size > limit * 3 / 4, "{size} of {limit}");
            assert!(cut["truncated"] == true && cut["tokens"].as_u64().unwrap() > 20_000, "{cut}");
            assert!(cut["start"].as_str().unwrap().starts_with("[{"), "{cut}");
        }
    }
}
