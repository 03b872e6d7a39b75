//! Checks a JSON value against a schema, as far as the schemas of this project go. A keyword that
//! is not known here is a finding, so that no rule is skipped without notice.

use serde_json::Value;

/// Keywords that describe and do not restrict.
const REMARKS: [&str; 4] = ["$schema", "$id", "title", "description"];

/// Returns every place where `value` does not fit `schema`, one sentence each.
pub fn findings(value: &Value, schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(value, schema, "", &mut found);
    found
}

fn check(value: &Value, schema: &Value, place: &str, found: &mut Vec<String>) {
    let at = if place.is_empty() { "the whole" } else { place };
    let Some(rules) = schema.as_object() else {
        found.push(format!("{at}: its schema is not an object"));
        return;
    };
    for (keyword, rule) in rules {
        let fault = match keyword.as_str() {
            remark if REMARKS.contains(&remark) => None,
            "type" => wrong_type(value, rule),
            "const" => (value != rule).then(|| format!("must be {rule}")),
            "enum" => {
                let is_listed = rule.as_array().is_some_and(|values| values.contains(value));
                (!is_listed).then(|| format!("must be one of {rule}"))
            }
            "maxLength" => {
                length_fault(value, |length| Some(length) <= rule.as_u64(), "long", rule)
            }
            "minLength" => {
                length_fault(value, |length| Some(length) >= rule.as_u64(), "short", rule)
            }
            "minItems" => {
                let count = value.as_array().map(|items| items.len() as u64);
                (count.is_some() && count < rule.as_u64()).then(|| format!("needs {rule} items"))
            }
            "required" => missing(value, rule),
            "additionalProperties" if *rule == Value::Bool(false) => unknown(value, schema),
            "properties" => {
                for (name, rule) in rule.as_object().into_iter().flatten() {
                    if let Some(member) = value.get(name) {
                        check(member, rule, &format!("{place}/{name}"), found);
                    }
                }
                None
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(item, rule, &format!("{place}/{index}"), found);
                }
                None
            }
            _ => Some(format!("the schema uses {keyword}, which is not checked")),
        };
        found.extend(fault.map(|fault| format!("{at}: {fault}")));
    }
}

fn wrong_type(value: &Value, expected: &Value) -> Option<String> {
    let actual = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    (expected != actual).then(|| format!("must be of type {expected}"))
}

fn length_fault(
    value: &Value,
    fits: impl Fn(u64) -> bool,
    how: &str,
    limit: &Value,
) -> Option<String> {
    let length = value.as_str()?.chars().count() as u64;
    (!fits(length)).then(|| format!("{length} characters is too {how}; the limit is {limit}"))
}

fn missing(value: &Value, names: &Value) -> Option<String> {
    let object = value.as_object()?;
    let names = names.as_array().into_iter().flatten().filter_map(Value::as_str);
    let missing: Vec<&str> = names.filter(|name| !object.contains_key(*name)).collect();
    (!missing.is_empty()).then(|| format!("{} is missing", missing.join(", ")))
}

fn unknown(value: &Value, schema: &Value) -> Option<String> {
    let known = &schema["properties"];
    let names = value.as_object()?.keys().filter(|name| known.get(name.as_str()).is_none());
    let names: Vec<&str> = names.map(String::as_str).collect();
    (!names.is_empty()).then(|| format!("{} is not known", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_keyword_finds_its_fault() {
        let schema = json!({
            "type": "object", "required": ["name"], "additionalProperties": false,
            "properties": {
                "name": {"type": "string", "minLength": 2, "maxLength": 4},
                "kind": {"enum": ["a", "b"]},
                "list": {"minItems": 1, "items": {"const": 1}},
            },
        });
        let faults = |value: Value| findings(&value, &schema).len();
        assert_eq!(faults(json!({"name": "äöüß", "kind": "a", "list": [1, 1]})), 0);
        for (value, count) in [
            (json!([]), 1),
            (json!({}), 1),
            (json!({"name": 3}), 1),
            (json!({"name": "a"}), 1),
            (json!({"name": "abcde"}), 1),
            (json!({"name": "abc", "other": 1}), 1),
            (json!({"name": "abc", "kind": "c"}), 1),
            (json!({"name": "abc", "list": []}), 1),
            (json!({"name": "abc", "list": [1, 2, 3]}), 2),
        ] {
            assert_eq!(faults(value.clone()), count, "{value}");
        }
    }

    #[test]
    fn a_keyword_that_is_not_checked_is_a_finding() {
        let found = findings(&json!("x"), &json!({"pattern": "^a$"}));
        assert_eq!(found, ["the whole: the schema uses pattern, which is not checked"]);
    }
}
