//! Makes descriptions of elements fit into a token limit. Long texts are shortened first, then
//! attributes and selectors are left out, then whole elements from the last on. Each description
//! says what was done to it.

use pagesight_core::text::escape::bounded;
use pagesight_core::text::{json, tokens};
use serde_json::{Value, json};

/// The steps of making a description smaller, in order.
const STEPS: [Step; 6] = [
    Step::Shorten(500),
    Step::Shorten(200),
    Step::Shorten(80),
    Step::DropAttributes,
    Step::OneSelector,
    Step::Shorten(40),
];

/// The members whose texts may be shortened. A shortened selector would match something else.
const SHORTENED: [&str; 4] = ["attributes", "text", "value", "name"];

enum Step {
    /// Cut texts after this many characters.
    Shorten(usize),
    /// Leave out the attributes, and count them.
    DropAttributes,
    /// Keep the most stable selector, and leave out the path.
    OneSelector,
}

impl Step {
    fn apply(&self, element: &mut Value) {
        let before = element.clone();
        match self {
            Step::Shorten(limit) => {
                for member in SHORTENED {
                    shorten(&mut element[member], *limit);
                }
            }
            Step::DropAttributes => {
                let count = element["attributes"].as_object().map_or(0, |all| all.len());
                element["attributes"] = json!({});
                element["attributes_left_out"] = count.into();
            }
            Step::OneSelector => {
                for member in ["selectors", "selector_matches"] {
                    if let Some(list) = element[member].as_array_mut() {
                        list.truncate(1);
                    }
                }
                element["xpath"] = Value::Null;
            }
        }
        if *element != before {
            element["shortened"] = true.into();
        }
    }
}

fn shorten(value: &mut Value, limit: usize) {
    match value {
        Value::String(text) => *text = bounded(text, limit),
        Value::Object(members) => members.values_mut().for_each(|one| shorten(one, limit)),
        _ => {}
    }
}

/// Makes descriptions fit: all of them together take at most `max_tokens` tokens.
pub(super) fn fit(mut elements: Vec<Value>, max_tokens: usize) -> Vec<Value> {
    let mut sizes: Vec<usize> = elements.iter().map(size).collect();
    for step in &STEPS {
        if sizes.iter().sum::<usize>() <= max_tokens {
            return elements;
        }
        for (element, size_now) in elements.iter_mut().zip(&mut sizes) {
            if element.get("error").is_none() {
                step.apply(element);
                *size_now = size(element);
            }
        }
    }
    for at in (0..elements.len()).rev() {
        if sizes.iter().sum::<usize>() <= max_tokens {
            break;
        }
        if elements[at].get("error").is_none() {
            let error = "left out: the answer would be longer than max_tokens; ask for it alone";
            elements[at] = json!({ "elementId": elements[at]["elementId"], "error": error });
            sizes[at] = size(&elements[at]);
        }
    }
    elements
}

/// Returns the size of a description with the comma after it.
fn size(element: &Value) -> usize {
    tokens::count(&json::to_text(element)) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(number: usize) -> Value {
        let long = "word ".repeat(400);
        json!({
            "elementId": number.to_string(),
            "selectors": ["#save", "main > button"],
            "selector_matches": [1, 1],
            "xpath": "/html/body/main/button",
            "attributes": { "id": "save", "data-state": long },
            "text": "Save",
        })
    }

    #[test]
    fn small_descriptions_stay_as_they_are() {
        let one = json!({ "elementId": "1", "text": "Save" });
        assert_eq!(fit(vec![one.clone()], 200), [one]);
    }

    #[test]
    fn long_texts_are_shortened_before_anything_is_left_out() {
        let fitted = fit((1..=5).map(element).collect(), 1_200);
        let total: usize = fitted.iter().map(size).sum();
        assert!(total <= 1_200, "{total}");
        for one in &fitted {
            assert_eq!(one["shortened"], true);
            assert_eq!(one["attributes"]["id"], "save");
            assert_eq!(one["selectors"], json!(["#save", "main > button"]));
        }
    }

    #[test]
    fn elements_that_do_not_fit_are_named() {
        let fitted = fit((1..=20).map(element).collect(), 700);
        assert!(fitted.iter().map(size).sum::<usize>() <= 700);
        assert_eq!(fitted.len(), 20);
        assert_eq!(fitted[0]["attributes_left_out"], 2);
        assert_eq!(fitted[19]["elementId"], "20");
        assert!(fitted[19]["error"].as_str().unwrap().starts_with("left out"));
    }
}
