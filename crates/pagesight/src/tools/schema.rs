//! Shrinks the JSON schemas that `schemars` derives, because the whole tool list has to stay under
//! 2,500 tokens.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// Returns the JSON schema of parameters, without keywords that agents do not need.
pub(crate) fn of<P: JsonSchema>() -> Map<String, Value> {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<P>().to_value();
    slim(&mut schema);
    match schema {
        Value::Object(mut object) => {
            // The tool has its own description.
            object.remove("description");
            object
        }
        _ => Map::new(),
    }
}

fn slim(value: &mut Value) {
    match value {
        Value::Object(object) => {
            // Every unsigned number has the minimum 0.
            for key in ["$schema", "title", "format", "additionalProperties", "minimum"] {
                // A property may be named "title". Its schema is an object; the value of a keyword
                // is not.
                if object.get(key).is_some_and(|keyword| !keyword.is_object()) {
                    object.remove(key);
                }
            }
            // A flag that is left out is off, and the description of the list suffices.
            if object.get("default").is_some_and(|value| value.is_null() || value == false) {
                object.remove("default");
            }
            if let Some(Value::Array(types)) = object.get_mut("type") {
                types.retain(|one| one != "null");
                if let [one] = types.as_slice() {
                    let one = one.clone();
                    object.insert("type".into(), one);
                }
            }
            if let Some(Value::Array(values)) = object.get_mut("enum") {
                values.retain(|one| !one.is_null());
            }
            if let Some(Value::Array(choices)) = object.get_mut("anyOf") {
                choices.retain(|choice| choice.get("type").is_none_or(|kind| kind != "null"));
                if let [Value::Object(only)] = choices.as_slice() {
                    let only = only.clone();
                    object.remove("anyOf");
                    for (key, inner) in only {
                        object.entry(key).or_insert(inner);
                    }
                }
            }
            if let Some(Value::Object(items)) = object.get_mut("items") {
                items.remove("description");
            }
            object.values_mut().for_each(slim);
        }
        Value::Array(items) => items.iter_mut().for_each(slim),
        _ => {}
    }
}
