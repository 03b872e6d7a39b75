//! Reads the actions of `pagesight act`: `click 12`, `fill 13 "Ada"`, or JSON as `browser_interact`
//! takes it.

use serde_json::{Map, Value, json};

/// The forms of actions, for error messages.
const FORMS: &str = "click N, double_click N, right_click N, hover N, check N, uncheck N, fill N TEXT, type [N] TEXT, press KEY [N], select N VALUE…, scroll N or scroll [N] DX DY, drag N N, upload N FILE…, dialog accept [TEXT] or dialog dismiss, wait text|gone|url TEXT or wait MS";

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
    let action = action(&words)
        .ok_or_else(|| format!("{}: not an action; the actions are {FORMS}", shown(given)))?;
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

/// A word, and whether it was quoted.
struct Word {
    text: String,
    quoted: bool,
}

/// Splits at white space. Quotes keep words together; in double quotes, a backslash keeps the next
/// character.
fn split(given: &str) -> Result<Vec<Word>, String> {
    let mut words = Vec::new();
    let mut characters = given.chars().peekable();
    while let Some(first) = characters.peek().copied() {
        if first.is_whitespace() {
            characters.next();
            continue;
        }
        let mut word = Word { text: String::new(), quoted: false };
        while let Some(next) = characters.peek().copied().filter(|next| !next.is_whitespace()) {
            characters.next();
            // Only a quote at the beginning of a word quotes: don't is a word.
            if !(next == '"' || next == '\'') || !word.text.is_empty() || word.quoted {
                word.text.push(next);
                continue;
            }
            word.quoted = true;
            loop {
                match characters.next() {
                    None => return Err(format!("the quote {next} is not closed")),
                    Some(end) if end == next => break,
                    Some('\\') if next == '"' => match characters.next() {
                        Some('n') => word.text.push('\n'),
                        Some('t') => word.text.push('\t'),
                        Some(kept) => word.text.push(kept),
                        None => return Err(format!("the quote {next} is not closed")),
                    },
                    Some(other) => word.text.push(other),
                }
            }
        }
        words.push(word);
    }
    Ok(words)
}

/// Whether a word is a reference: `12`, `[12]`, `1_12`.
fn is_reference(word: &Word) -> bool {
    let inner = word.text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let inner = inner.unwrap_or(&word.text);
    !word.quoted
        && inner.starts_with(|c: char| c.is_ascii_digit())
        && inner.chars().all(|c| c.is_ascii_digit() || c == '_')
}

/// Reads a point, such as `120,80`.
fn point(word: &Word) -> Option<(f64, f64)> {
    let (x, y) = word.text.split_once(',').filter(|_| !word.quoted)?;
    Some((x.parse().ok()?, y.parse().ok()?))
}

/// Joins the remaining words to one text.
fn text(words: &[Word]) -> Option<String> {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    (!words.is_empty()).then(|| texts.join(" "))
}

fn action(words: &[Word]) -> Option<Value> {
    let (verb, rest) = words.split_first()?;
    let kind = verb.text.as_str();
    let mut action = Map::from_iter([("type".to_owned(), Value::from(kind))]);
    match (kind, rest) {
        ("click" | "double_click" | "right_click" | "hover" | "check" | "uncheck", [target]) => {
            match point(target) {
                Some((x, y)) => action.extend([("x".into(), x.into()), ("y".into(), y.into())]),
                None => add(&mut action, "element", element(target)?),
            }
        }
        ("fill", [target, rest @ ..]) => {
            add(&mut action, "element", element(target)?);
            add(&mut action, "text", text(rest)?.into());
        }
        ("type", [target, rest @ ..]) if is_reference(target) && !rest.is_empty() => {
            add(&mut action, "element", element(target)?);
            add(&mut action, "text", text(rest)?.into());
        }
        ("type", rest) => add(&mut action, "text", text(rest)?.into()),
        ("press", [key]) => add(&mut action, "key", key.text.as_str().into()),
        ("press", [key, target]) => {
            add(&mut action, "key", key.text.as_str().into());
            add(&mut action, "element", element(target)?);
        }
        ("select", [target, values @ ..]) | ("upload", [target, values @ ..])
            if !values.is_empty() =>
        {
            add(&mut action, "element", element(target)?);
            let values: Vec<&str> = values.iter().map(|word| word.text.as_str()).collect();
            add(&mut action, if kind == "select" { "values" } else { "paths" }, json!(values));
        }
        ("scroll", [target]) => add(&mut action, "element", element(target)?),
        ("scroll", [target @ .., dx, dy]) if target.len() <= 1 => {
            if let [target] = target {
                add(&mut action, "element", element(target)?);
            }
            add(&mut action, "dx", dx.text.parse::<f64>().ok()?.into());
            add(&mut action, "dy", dy.text.parse::<f64>().ok()?.into());
        }
        ("drag", [from, to]) => {
            add(&mut action, "from", end(from)?);
            add(&mut action, "to", end(to)?);
        }
        ("dialog", [answer, rest @ ..]) => {
            let accept = match answer.text.as_str() {
                "accept" => true,
                "dismiss" if rest.is_empty() => false,
                _ => return None,
            };
            add(&mut action, "accept", accept.into());
            if let Some(text) = text(rest) {
                add(&mut action, "text", text.into());
            }
        }
        ("wait", [ms]) if !ms.quoted => add(&mut action, "ms", ms.text.parse::<u64>().ok()?.into()),
        ("wait", [what, rest @ ..]) if ["text", "gone", "url"].contains(&what.text.as_str()) => {
            add(&mut action, &what.text, text(rest)?.into());
        }
        _ => return None,
    }
    Some(Value::Object(action))
}

fn add(action: &mut Map<String, Value>, key: &str, value: Value) {
    action.insert(key.to_owned(), value);
}

fn element(word: &Word) -> Option<Value> {
    is_reference(word).then(|| word.text.as_str().into())
}

fn end(word: &Word) -> Option<Value> {
    point(word).map(|(x, y)| json!({"x": x, "y": y})).or_else(|| element(word))
}

#[cfg(test)]
mod tests {
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
    fn what_is_not_an_action_is_refused() {
        for bad in [
            "",
            "click",
            "click Save",
            "click 1 2",
            "fill 3",
            "fill Save x",
            "press",
            "select 3",
            "scroll",
            "scroll 1 x",
            "drag 1",
            "dialog",
            "dialog yes",
            "wait",
            "wait soon",
            "wait text",
            "jump 3",
            "fill 3 \"open",
            "{\"type\": ",
            "upload 3",
        ] {
            assert!(read(bad).is_err(), "{bad:?}");
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
