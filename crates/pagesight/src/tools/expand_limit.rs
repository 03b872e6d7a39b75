//! Makes descriptions of elements fit into a token limit. Long texts are shortened first, then
//! attributes and selectors are left out, then whole elements from the last on. Each description
//! says what was done to it. An answer is within its limit, whatever the page holds.

use pagesight_core::text::escape::bounded;
use pagesight_core::text::{json, tokens};
use serde_json::{Value, json};

/// The steps of making a description smaller, in order.
const STEPS: [Step; 7] = [
    Step::Shorten(500),
    Step::Shorten(200),
    Step::Shorten(80),
    Step::DropAttributes,
    Step::OneSelector,
    Step::Shorten(40),
    Step::Minimum,
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
    /// Leave out every other member that is long.
    Minimum,
}

/// A member is long from this many characters on.
const LONG: usize = 160;

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
                let count = element["attributes"].as_object().map_or(0, |all| all.len())
                    + element["attributes_left_out"].as_u64().unwrap_or_default() as usize;
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
            Step::Minimum => {
                let members = element.as_object_mut().into_iter().flatten();
                for (_, member) in members.filter(|(name, _)| *name != "elementId") {
                    if member.to_string().len() > LONG {
                        *member = Value::Null;
                    }
                }
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
    without_last(elements, sizes, max_tokens)
}

/// Leaves out the last elements, if even their errors are too long, and counts them.
fn without_last(mut elements: Vec<Value>, mut sizes: Vec<usize>, max_tokens: usize) -> Vec<Value> {
    let count = |left_out: usize| json!({ "error": format!("{left_out} more were left out; ask for fewer per call") });
    let last = size(&count(elements.len()));
    let mut left_out = 0;
    while sizes.iter().sum::<usize>() + if left_out > 0 { last } else { 0 } > max_tokens {
        if sizes.pop().is_none() {
            break;
        }
        elements.pop();
        left_out += 1;
    }
    if left_out > 0 {
        elements.push(count(left_out));
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

    /// Every member as long as a page can make it.
    fn hostile(number: usize) -> Value {
        let long = "Wörd-7 ".repeat(100);
        let attributes: serde_json::Map<String, Value> =
            (0..9).map(|n| (format!("data-{n}-{long}"), long.clone().into())).collect();
        json!({
            "elementId": number.to_string(),
            "uid": format!("1_{number}"),
            "role": "button",
            "name": long,
            "tag": long,
            "selectors": [long, long],
            "selector_matches": [1, 1],
            "playwright": long,
            "xpath": long,
            "attributes": attributes,
            "text": long,
            "box": [1, 2, 3, 4],
            "state": ["usable"],
            "value": long,
            "frame": long,
            "shadow_path": vec![long.clone(); 9],
            "listeners": ["click"],
        })
    }

    #[test]
    fn nothing_that_a_page_holds_exceeds_the_limit() {
        for limit in [200, 201, 400, 8_000] {
            for count in [1, 2, 20] {
                let fitted = fit((1..=count).map(hostile).collect(), limit);
                let total = tokens::count(&Value::from(fitted.clone()).to_string());
                assert!(total <= limit, "{count} elements, {limit}: {total}");
                assert!(count > 1 || fitted[0]["role"] == "button", "{limit}");
            }
        }
        let refused = json!({ "elementId": "9", "error": "stale reference [9]: gone" });
        let fitted = fit(vec![refused; 20], 200);
        assert!(tokens::count(&Value::from(fitted.clone()).to_string()) <= 200);
        let last = fitted.last().unwrap()["error"].as_str().unwrap();
        assert!(last.ends_with("more were left out; ask for fewer per call"), "{last}");
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
