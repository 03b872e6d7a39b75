//! The forms of actions: the table that reads them and that help lists. An element is a number, or
//! a name, which `in` may limit.

use serde_json::{Map, Value, json};

use super::action_error::ActionFormError;
use super::action_words::Word;
use Part::{Element, End, Flag, Keyword, Milliseconds, Number, Target, Text, Words};

/// A part of an action after its verb. The name is the member of the action in JSON.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// An element or a point. A name without quotes has all words that are left.
    Target,
    /// An element. A name without quotes is one word, because something follows.
    Element,
    /// An element whose name has quotes, because other words mean something else.
    QuotedElement,
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
const VERBS: [(&str, &[&[Part]]); 16] = [
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
            &[Part::Word("key"), Part::QuotedElement],
            &[Part::Word("key"), Keyword("times"), Part::Count("times")],
            &[Part::Word("key"), Part::QuotedElement, Keyword("times"), Part::Count("times")],
        ],
    ),
    ("select", &[&[Element, Words("values")]]),
    (
        "scroll",
        &[
            &[Part::QuotedElement],
            &[Number("dx"), Number("dy")],
            &[Part::QuotedElement, Number("dx"), Number("dy")],
        ],
    ),
    ("swipe", &[&[Number("dx"), Number("dy")], &[Part::QuotedElement, Number("dx"), Number("dy")]]),
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

/// Returns the verbs.
fn verbs() -> impl Iterator<Item = &'static str> + Clone {
    VERBS.iter().map(|(verb, _)| *verb)
}

/// Returns the forms of every verb, as people write them.
pub(crate) fn all() -> Vec<Vec<String>> {
    VERBS.iter().map(|(verb, forms)| shown(verb, forms)).collect()
}

/// Returns the forms of one verb, as people write them.
fn shown(verb: &str, forms: &[&[Part]]) -> Vec<String> {
    let form = |parts: &&[Part]| {
        let parts: Vec<String> = parts.iter().map(|part| part.shown()).collect();
        format!("{verb} {}", parts.join(" "))
    };
    forms.iter().map(form).collect()
}

/// Reads an action. The error is about the form that fits best.
pub(super) fn action(words: &[Word]) -> Result<Value, ActionFormError> {
    let (verb, rest) = words.split_first().ok_or(ActionFormError::Empty)?;
    let Some((verb, forms)) = VERBS.iter().find(|(word, _)| *word == verb.text) else {
        return Err(ActionFormError::verb(&verb.text, verbs()));
    };
    // How many words are left where a form stops to fit, and the parts that would fit there.
    let mut fewest = usize::MAX;
    let mut fitting: Vec<&str> = Vec::new();
    for parts in *forms {
        let mut action = Map::from_iter([("type".to_owned(), Value::from(*verb))]);
        let mut left = rest;
        let mut misfit = None;
        for part in *parts {
            match part.read(left, &mut action) {
                Some(after) => left = after,
                None => {
                    misfit = Some(part.noun());
                    break;
                }
            }
        }
        if misfit.is_none() && left.is_empty() {
            return Ok(Value::Object(action));
        }
        if left.len() < fewest {
            fewest = left.len();
            fitting.clear();
        }
        if left.len() == fewest {
            fitting.extend(misfit.filter(|noun| !fitting.contains(noun)));
        }
    }
    let forms = shown(verb, forms).join(" or ");
    let needed = fitting.join(" or ");
    Err(match rest[rest.len() - fewest..].first().map(|word| word.text.clone()) {
        None => ActionFormError::Missing { verb, needed, forms },
        Some(word) if fewest == rest.len() => ActionFormError::Wrong { word, needed, forms },
        Some(word) => ActionFormError::NotExpected { word, forms },
    })
}

impl Part {
    /// Returns how people write it.
    fn shown(self) -> String {
        match self {
            Target | End(_) => "N|NAME|X,Y".to_owned(),
            Element | Part::QuotedElement => "N|NAME".to_owned(),
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

    /// Returns what people call it, for errors.
    fn noun(self) -> &'static str {
        match self {
            Target => "an element or a point",
            Element | Part::QuotedElement => "an element",
            Part::Reference => "the number of an element",
            End("to") => "an element or a point to drop it on",
            End(_) => "an element or a point to drag from",
            Words("paths") => "a file",
            Words(_) => "a value",
            Text(_) => "a text",
            Part::Word(_) => "a key",
            Number(_) => "a distance in pixels",
            Part::Count(_) => "a whole number",
            Milliseconds => "a time in ms",
            Flag(word, _) | Keyword(word) => word,
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
            Target => return named(words, Bare::Words, action),
            Element => return named(words, Bare::Word, action),
            Part::QuotedElement => return named(words, Bare::No, action),
            Part::Reference => add("element", reference()?),
            End(name) => match first.point() {
                Some((x, y)) => add(name, json!({ "x": x, "y": y })),
                None if first.is_reference() => add(name, reference()?),
                None => {
                    let mut target = Map::new();
                    let rest = named(words, Bare::Word, &mut target)?;
                    action.insert(name.to_owned(), target.into());
                    return Some(rest);
                }
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

/// How many words a name without quotes may have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bare {
    No,
    Word,
    Words,
}

/// Reads an element: its number, or its name, and what limits the name: `"Save" in 12`. Returns the
/// words that are left.
fn named<'w>(
    words: &'w [Word],
    bare: Bare,
    members: &mut Map<String, Value>,
) -> Option<&'w [Word]> {
    let (first, rest) = words.split_first()?;
    if first.is_reference() {
        members.insert("element".to_owned(), first.text.as_str().into());
        return Some(rest);
    }
    let (name, rest) = match first.is_target() {
        true => (first.text.clone(), rest),
        false => bare_name(words, bare)?,
    };
    members.insert("target".to_owned(), name.into());
    match container(rest) {
        Some((container, rest)) => {
            members.insert("in".to_owned(), container_text(container).into());
            Some(rest)
        }
        None => Some(rest),
    }
}

/// Reads a name without quotes. It ends before what limits the name, and before `times`.
fn bare_name(words: &[Word], bare: Bare) -> Option<(String, &[Word])> {
    let longest = match bare {
        Bare::No => 0,
        Bare::Word => 1,
        Bare::Words => words.iter().take_while(|word| !word.quoted).count(),
    };
    let ends = |at: &usize| {
        let rest = &words[*at..];
        rest.is_empty() || is_times(rest) || container(rest).is_some() || bare == Bare::Word
    };
    let end = (1..=longest.min(words.len())).find(ends)?;
    let name: Vec<&str> = words[..end].iter().map(|word| word.text.as_str()).collect();
    let is_name = !words[0].quoted && !is_times(words);
    is_name.then(|| (name.join(" "), &words[end..]))
}

/// Returns the element that limits a name, and the words after it.
fn container(words: &[Word]) -> Option<(&Word, &[Word])> {
    match words {
        [word, container, rest @ ..]
            if word.text == "in"
                && !word.quoted
                && (container.is_reference() || container.is_target()) =>
        {
            Some((container, rest))
        }
        _ => None,
    }
}

/// Returns the element that limits a name as tools take it. There, a number needs quotes of its own
/// to be a name.
fn container_text(container: &Word) -> String {
    let bare = Word { text: container.text.clone(), quoted: false };
    match container.quoted && bare.is_reference() {
        true => Value::from(container.text.as_str()).to_string(),
        false => container.text.clone(),
    }
}

/// Whether the words are `times 3`.
fn is_times(words: &[Word]) -> bool {
    matches!(words, [word, count] if word.text == "times" && count.text.parse::<u32>().is_ok())
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
            assert!(action(&words).is_ok(), "{written}");
        }
        assert!(all().concat().contains(&"fill N|NAME TEXT".to_owned()));
    }
}
