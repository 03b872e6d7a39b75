//! The forms of actions: the table that reads them and that help lists. An element is a number, or
//! a name in quotes, which `in` may limit.

use serde_json::{Map, Value, json};

use super::action_words::Word;
use Part::{Element, End, Flag, Keyword, Milliseconds, Number, Target, Text, Words};

/// A part of an action after its verb. The name is the member of the action in JSON.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// An element or a point.
    Target,
    Element,
    /// An element that can only be given by its number, because quotes make a text.
    Reference,
    /// An element or a point, by name.
    End(&'static str),
    /// One word.
    Word(&'static str),
    /// All words that are left, as a list.
    Words(&'static str),
    /// All words that are left, as one text.
    Text(&'static str),
    Number(&'static str),
    /// A whole number.
    Count(&'static str),
    Milliseconds,
    /// A word that means yes or no.
    Flag(&'static str, bool),
    /// A word that only chooses the form.
    Keyword(&'static str),
}

/// The verbs and their forms, which are tried in this order.
const VERBS: [(&str, &[&[Part]]); 15] = [
    ("click", &[&[Target], &[Target, Keyword("times"), Part::Count("times")]]),
    ("double_click", &[&[Target]]),
    ("right_click", &[&[Target]]),
    ("hover", &[&[Target]]),
    ("check", &[&[Target]]),
    ("uncheck", &[&[Target]]),
    ("fill", &[&[Element, Text("text")]]),
    ("type", &[&[Part::Reference, Text("text")], &[Text("text")]]),
    (
        "press",
        &[
            &[Part::Word("key")],
            &[Part::Word("key"), Element],
            &[Part::Word("key"), Keyword("times"), Part::Count("times")],
            &[Part::Word("key"), Element, Keyword("times"), Part::Count("times")],
        ],
    ),
    ("select", &[&[Element, Words("values")]]),
    (
        "scroll",
        &[&[Element], &[Number("dx"), Number("dy")], &[Element, Number("dx"), Number("dy")]],
    ),
    ("drag", &[&[End("from"), End("to")]]),
    ("upload", &[&[Element, Words("paths")]]),
    (
        "dialog",
        &[
            &[Flag("accept", true)],
            &[Flag("accept", true), Text("text")],
            &[Flag("dismiss", false)],
        ],
    ),
    (
        "wait",
        &[
            &[Milliseconds],
            &[Keyword("text"), Text("text")],
            &[Keyword("gone"), Text("gone")],
            &[Keyword("url"), Text("url")],
        ],
    ),
];

/// Returns the forms of every verb, as people write them.
pub(crate) fn all() -> Vec<Vec<String>> {
    let form = |verb: &str, parts: &[Part]| {
        let parts: Vec<String> = parts.iter().map(|part| part.shown()).collect();
        format!("{verb} {}", parts.join(" "))
    };
    VERBS
        .iter()
        .map(|(verb, forms)| forms.iter().map(|parts| form(verb, parts)).collect())
        .collect()
}

/// Reads an action; `None` if the words have none of the forms.
pub(super) fn action(words: &[Word]) -> Option<Value> {
    let (verb, rest) = words.split_first()?;
    let (verb, forms) = VERBS.iter().find(|(word, _)| *word == verb.text)?;
    forms.iter().find_map(|parts| {
        let mut action = Map::from_iter([("type".to_owned(), Value::from(*verb))]);
        let mut left = rest;
        for part in *parts {
            left = part.read(left, &mut action)?;
        }
        left.is_empty().then_some(Value::Object(action))
    })
}

impl Part {
    /// Returns how people write it.
    fn shown(self) -> String {
        match self {
            Target | End(_) => "N|NAME|X,Y".to_owned(),
            Element => "N|NAME".to_owned(),
            Part::Reference => "N".to_owned(),
            Words("paths") => "FILE…".to_owned(),
            Words(_) => "VALUE…".to_owned(),
            Text(_) => "TEXT".to_owned(),
            Part::Word(name) | Number(name) => name.to_uppercase(),
            Part::Count(_) => "TIMES".to_owned(),
            Milliseconds => "MS".to_owned(),
            Flag(word, _) | Keyword(word) => word.to_owned(),
        }
    }

    /// Reads the part at the beginning of the words, and returns those that are left.
    fn read<'w>(self, words: &'w [Word], action: &mut Map<String, Value>) -> Option<&'w [Word]> {
        let (first, rest) = words.split_first()?;
        let reference = || first.is_reference().then(|| Value::from(first.text.as_str()));
        let mut add = |name: &str, value: Value| drop(action.insert(name.to_owned(), value));
        let texts = || words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>();
        match self {
            Target if let Some((x, y)) = first.point() => {
                add("x", x.into());
                add("y", y.into());
            }
            Target | Element => return named(words, action),
            Part::Reference => add("element", reference()?),
            End(name) => match first.point() {
                Some((x, y)) => add(name, json!({ "x": x, "y": y })),
                None if first.is_target() => {
                    let mut target = Map::new();
                    let rest = named(words, &mut target)?;
                    action.insert(name.to_owned(), target.into());
                    return Some(rest);
                }
                None => add(name, reference()?),
            },
            Part::Word(name) => add(name, first.text.as_str().into()),
            Number(name) => add(name, first.text.parse::<f64>().ok()?.into()),
            Part::Count(name) => add(name, first.text.parse::<u32>().ok()?.into()),
            Milliseconds if first.quoted => return None,
            Milliseconds => add("ms", first.text.parse::<u64>().ok()?.into()),
            Flag(word, value) if first.text == word => add("accept", value.into()),
            Keyword(word) if first.text == word => {}
            Flag(..) | Keyword(_) => return None,
            Words(name) => {
                add(name, texts().into());
                return Some(&[]);
            }
            Text(name) => {
                add(name, texts().join(" ").into());
                return Some(&[]);
            }
        }
        Some(rest)
    }
}

/// Reads an element: its number, or its name, and what limits the name: `"Save" in 12`. Returns the
/// words that are left.
fn named<'w>(words: &'w [Word], members: &mut Map<String, Value>) -> Option<&'w [Word]> {
    let (first, rest) = words.split_first()?;
    if first.is_reference() {
        members.insert("element".to_owned(), first.text.as_str().into());
        return Some(rest);
    }
    if !first.is_target() {
        return None;
    }
    members.insert("target".to_owned(), first.text.as_str().into());
    match rest {
        [word, container, rest @ ..]
            if word.text == "in"
                && !word.quoted
                && (container.is_reference() || container.is_target()) =>
        {
            members.insert("in".to_owned(), container.text.as_str().into());
            Some(rest)
        }
        rest => Some(rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::shell::action_words::split;

    #[test]
    fn every_form_that_is_listed_can_be_read() {
        for form in all().into_iter().flatten() {
            let written = form
                .replace("N|NAME|X,Y", "12")
                .replace("N|NAME", "\"A name\" in 7")
                .replace(" N ", " 12 ")
                .replace("DX", "0")
                .replace("DY", "300")
                .replace("TIMES", "5")
                .replace("MS", "500");
            let words = split(&written).unwrap_or_default();
            assert!(action(&words).is_some(), "{written}");
        }
        assert!(all().concat().contains(&"fill N|NAME TEXT".to_owned()));
    }
}
