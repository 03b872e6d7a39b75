//! `experimental_features`: turns one feature on or off for this session, and reports the state of
//! all.

use pagesight_session::{Feature, SessionError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::answer::Answer;
use super::error::ArgumentError;
use super::operation::{Effect, Operation, ToolResult};
use super::workspace::Workspace;

/// Parameters of `experimental_features`. Accepts any keys, so that the error for a wrong one can
/// list the right ones.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(transform = two_switches)]
pub(crate) struct ExperimentsParameters(
    #[schemars(with = "Map<String, Value>")] Map<String, Value>,
);

/// Declares one boolean property per feature in the schema that callers see.
fn two_switches(schema: &mut schemars::Schema) {
    let features = Feature::ALL
        .map(|feature| (feature.name().to_owned(), serde_json::json!({"type": "boolean"})));
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), Value::Object(Map::from_iter(features)));
    schema.insert("additionalProperties".to_owned(), false.into());
}

pub(crate) struct Experiments;

impl Operation for Experiments {
    const NAME: &'static str = "experimental_features";
    const DESCRIPTION: &'static str = "Turn a feature on or off (both start on).";
    const EFFECT: Effect = Effect::Steers;
    type Parameters = ExperimentsParameters;

    async fn run(workspace: &Workspace, parameters: ExperimentsParameters) -> ToolResult {
        let known = Feature::ALL.map(Feature::name).join(", ");
        let mut given = parameters.0.iter();
        let (Some((name, value)), None) = (given.next(), given.next()) else {
            let given = parameters.0.len();
            return Err(ArgumentError::FeatureCount { given, known }.into());
        };
        let feature = Feature::named(name).map_err(SessionError::from)?;
        let Some(on) = value.as_bool() else {
            let (feature, given) = (name.clone(), value.to_string().chars().take(60).collect());
            return Err(ArgumentError::FeatureValue { feature, given, known }.into());
        };
        match on {
            true => workspace.session.turn_on(feature),
            false => workspace.session.turn_off(feature),
        }
        let states = Feature::ALL.map(|feature| {
            format!(
                "{}: {}",
                feature.name(),
                if workspace.session.has(feature) { "on" } else { "off" }
            )
        });
        Ok(Answer::text(format!("{}\n", states.join("\n"))))
    }
}
