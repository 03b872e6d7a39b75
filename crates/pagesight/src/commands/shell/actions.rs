//! Reads the actions of `pagesight act`: `click 12`, `fill 13 "Ada"`, or JSON as agents write it.

use serde_json::Value;

use super::action_forms::action;
use super::action_words::split;

/// Reads one argument, which is one action, or JSON of one or several.
pub(crate) fn read(given: &str) -> Result<Vec<Value>, String> {
    let trimmed = given.trim();
    if trimmed.starts_with(['{', '[']) {
        let read: Value = serde_json::from_str(trimmed)
            .map_err(|error| format!("{}: not valid JSON: {error}", shown(given)))?;
        return Ok(match read {
            Value::Array(actions) => actions,
            action => vec![action],
        });
    }
    let words = split(trimmed).map_err(|reason| format!("{}: {reason}", shown(given)))?;
    let action = action(&words).map_err(|error| format!("{}: {error}", shown(given)))?;
    Ok(vec![action])
}

/// Reads actions from standard input: JSON, or one action per line.
pub(crate) fn read_lines(text: &str) -> Result<Vec<Value>, String> {
    if text.trim_start().starts_with('[') {
        return read(text);
    }
    let lines =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(lines.map(read).collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

fn shown(given: &str) -> String {
    let start: String = given.chars().take(60).collect();
    format!("{start:?}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn actions() {
        for (given, expected) in [
            ("click 12", json!({"type": "click", "element": "12"})),
            ("  click  [12] ", json!({"type": "click", "element": "[12]"})),
            ("hover 1_12", json!({"type": "hover", "element": "1_12"})),
            ("click 120,80.5", json!({"type": "click", "x": 120.0, "y": 80.5})),
            (
                "fill 13 \"Ada Lovelace\"",
                json!({"type": "fill", "element": "13", "text": "Ada Lovelace"}),
            ),
            (
                "fill 13 Ada Lovelace",
                json!({"type": "fill", "element": "13", "text": "Ada Lovelace"}),
            ),
            ("fill 13 ''", json!({"type": "fill", "element": "13", "text": ""})),
            (
                "fill 13 \"a \\\"b\\\" \\n c\"",
                json!({"type": "fill", "element": "13", "text": "a \"b\" \n c"}),
            ),
            ("fill 13 don't", json!({"type": "fill", "element": "13", "text": "don't"})),
            ("fill 13 'a \\n'", json!({"type": "fill", "element": "13", "text": "a \\n"})),
            ("click \"2\"", json!({"type": "click", "target": "2"})),
            (
                "click \"Plus\" in 4 times 5",
                json!({"type": "click", "target": "Plus", "in": "4", "times": 5}),
            ),
            ("press Tab times 3", json!({"type": "press", "key": "Tab", "times": 3})),
            (
                "press ArrowUp 9 times 3",
                json!({"type": "press", "key": "ArrowUp", "element": "9", "times": 3}),
            ),
            ("click 'New event'", json!({"type": "click", "target": "New event"})),
            ("click css=.next", json!({"type": "click", "target": "css=.next"})),
            (
                "click \"Save\" in \"dialog: Edit\"",
                json!({"type": "click", "target": "Save", "in": "dialog: Edit"}),
            ),
            (
                "click Remind in \"1394\"",
                json!({"type": "click", "target": "Remind", "in": "\"1394\""}),
            ),
            (
                "fill \"Title\" in 12 Tea",
                json!({"type": "fill", "target": "Title", "in": "12", "text": "Tea"}),
            ),
            (
                "fill \"Title\" in Berlin",
                json!({"type": "fill", "target": "Title", "text": "in Berlin"}),
            ),
            (
                "press Enter \"Search\"",
                json!({"type": "press", "key": "Enter", "target": "Search"}),
            ),
            (
                "drag \"A\" in 4 10,20",
                json!({"type": "drag", "from": {"target": "A", "in": "4"}, "to": {"x": 10.0, "y": 20.0}}),
            ),
            (
                "drag 1 \"listitem: B\"",
                json!({"type": "drag", "from": "1", "to": {"target": "listitem: B"}}),
            ),
            ("click Submit", json!({"type": "click", "target": "Submit"})),
            ("click Log in", json!({"type": "click", "target": "Log in"})),
            ("click Log in in 4", json!({"type": "click", "target": "Log in", "in": "4"})),
            ("hover button: New event", json!({"type": "hover", "target": "button: New event"})),
            (
                "click Show more in \"Kitchen\" times 2",
                json!({"type": "click", "target": "Show more", "in": "Kitchen", "times": 2}),
            ),
            ("click Plus times 2", json!({"type": "click", "target": "Plus", "times": 2})),
            ("click Save in dialog", json!({"type": "click", "target": "Save in dialog"})),
            (
                "fill Email ada lovelace",
                json!({"type": "fill", "target": "Email", "text": "ada lovelace"}),
            ),
            (
                "fill Email in 4 ''",
                json!({"type": "fill", "target": "Email", "in": "4", "text": ""}),
            ),
            ("select Size L", json!({"type": "select", "target": "Size", "values": ["L"]})),
            ("drag A B", json!({"type": "drag", "from": {"target": "A"}, "to": {"target": "B"}})),
            ("type hello", json!({"type": "type", "text": "hello"})),
            ("type 13 hello", json!({"type": "type", "element": "13", "text": "hello"})),
            ("type \"13\" hello", json!({"type": "type", "text": "13 hello"})),
            ("type 13", json!({"type": "type", "text": "13"})),
            ("press Control+A", json!({"type": "press", "key": "Control+A"})),
            ("press Enter 5", json!({"type": "press", "key": "Enter", "element": "5"})),
            (
                "select 7 Red 'Dark blue'",
                json!({"type": "select", "element": "7", "values": ["Red", "Dark blue"]}),
            ),
            ("scroll 9", json!({"type": "scroll", "element": "9"})),
            ("scroll 0 -300", json!({"type": "scroll", "dx": 0.0, "dy": -300.0})),
            ("scroll 9 0 300", json!({"type": "scroll", "element": "9", "dx": 0.0, "dy": 300.0})),
            ("drag 1 2", json!({"type": "drag", "from": "1", "to": "2"})),
            ("drag 1 10,20", json!({"type": "drag", "from": "1", "to": {"x": 10.0, "y": 20.0}})),
            (
                "upload 4 a.txt b.txt",
                json!({"type": "upload", "element": "4", "paths": ["a.txt", "b.txt"]}),
            ),
            ("dialog accept", json!({"type": "dialog", "accept": true})),
            ("dialog accept Ada", json!({"type": "dialog", "accept": true, "text": "Ada"})),
            ("dialog dismiss", json!({"type": "dialog", "accept": false})),
            ("wait 500", json!({"type": "wait", "ms": 500})),
            ("wait text Saved it", json!({"type": "wait", "text": "Saved it"})),
            ("wait gone Loading", json!({"type": "wait", "gone": "Loading"})),
            ("{\"type\": \"click\", \"element\": 3}", json!({"type": "click", "element": 3})),
        ] {
            assert_eq!(read(given), Ok(vec![expected]), "{given}");
        }
    }

    #[test]
    fn an_action_that_is_wrong_is_one_sentence() {
        for (bad, says) in [
            ("", "there is no action; give one such as 'click 12'"),
            ("jump 3", "jump is not an action; give one of click, double_click, "),
            ("clik 3", "clik is not an action; did you mean click?"),
            ("double-click 3", "double-click is not an action; did you mean double_click?"),
            ("click", "click needs an element or a point; write click N|NAME|X,Y or click "),
            ("click \"\"", "\"\" is not an element or a point; write"),
            ("click times 3", "\"times\" is not an element or a point; write"),
            ("click \"Save\" in dialog", "\"in\" is not expected there; write"),
            ("click \"Save\" in", "\"in\" is not expected there"),
            ("click Save \"now\"", "\"Save\" is not an element or a point"),
            ("click 1 2", "\"2\" is not expected there; write click"),
            ("click 1 times", "click needs a whole number; write"),
            ("click 1 times 2.5", "\"2.5\" is not expected there"),
            ("click 1 times 2 times 3", "\"times\" is not expected there"),
            ("check 3 adults", "\"adults\" is not expected there; write check N|NAME|X,Y"),
            ("fill", "fill needs an element; write fill N|NAME TEXT"),
            ("fill 1", "fill needs a text; write fill N|NAME TEXT"),
            ("fill Name", "fill needs a text; write fill N|NAME TEXT"),
            ("fill \"\" x", "\"\" is not an element; write fill"),
            ("type", "type needs the number of an element or a text; write"),
            ("press", "press needs a key; write press KEY or"),
            ("press Enter Search", "\"Search\" is not expected there; write press KEY or"),
            ("select 3", "select needs a value; write select N|NAME VALUE…"),
            ("scroll", "scroll needs an element or a distance in pixels; write"),
            ("scroll down", "\"down\" is not an element or a distance in pixels; write"),
            ("scroll 1 x", "\"x\" is not expected there"),
            ("drag", "drag needs an element or a point to drag from"),
            ("drag 1", "drag needs an element or a point to drop it on"),
            ("dialog", "dialog needs accept or dismiss; write"),
            ("dialog yes", "\"yes\" is not accept or dismiss; write"),
            ("wait", "wait needs a time in ms or text or gone or url; write"),
            ("wait soon", "\"soon\" is not a time in ms or text or gone or url; write wait MS or"),
            ("wait text", "wait needs a text; write"),
            ("upload 3", "upload needs a file; write upload N|NAME FILE…"),
            ("fill 3 \"open", "the quote \" is not closed"),
            ("{\"type\": ", "not valid JSON"),
        ] {
            let error = read(bad).unwrap_err();
            let sentence = error.strip_prefix(&format!("{}: ", shown(bad)));
            assert!(sentence.is_some_and(|it| it.starts_with(says)), "{bad:?}: {error}");
        }
    }

    #[test]
    fn several_from_standard_input() {
        let two = "# log in\nfill 1 Ada\n\nclick 2\n";
        assert_eq!(read_lines(two).unwrap().len(), 2);
        assert_eq!(read_lines("[{\"type\":\"click\",\"element\":1}]").unwrap().len(), 1);
        assert!(read_lines("click 1\njump").is_err());
        assert_eq!(read_lines("").unwrap().len(), 0);
    }
}
