//! Chooses options. For a native select, the page script prepares the choice so that one real key
//! press or click completes it: it selects the option before the wanted one and leaves the arrow
//! key, or selects all but one of several options and leaves the click. Any other list is opened
//! with a click, and its options are clicked.

use pagesight_browser::{Gesture, KeyTarget, MouseButton};
use pagesight_core::text::escape;

use super::actor::{Actor, Aim, Found, Thing};
use super::error::ActionError;
use super::fill::plain;
use super::input::{Arrival, InputEffect};
use crate::error::Result;
use crate::page_script::{Choice, FieldKind, Handling};

/// How many options an error names.
const NAMED: usize = 12;
/// How long a list may take to show an option, in milliseconds.
const APPEARS: u32 = 2000;
/// The same for a list that may not have the option.
const APPEARS_SOON: u32 = 400;

impl Actor<'_> {
    pub(super) async fn select(&mut self, element: &str, values: &[String]) -> Result<String> {
        let found = self.find(element).await?;
        self.prepare(&found, Handling::Select).await?;
        let frame = found.path.frame.as_deref();
        let choice = self.script(frame).choose_options(found.local, values).await?;
        if !choice.ok {
            return Err(refusal(&found.words, &choice).into());
        }
        if choice.way == "custom" {
            return self.select_custom(&found, values, &choice).await;
        }
        let shown = |choice: &Choice| {
            let value = choice.value.as_deref().unwrap_or_default();
            format!("{} = {}", found.words, escape::value(value, 200))
        };
        let effect = match choice.way.as_str() {
            "none" => return Ok(format!("{} already — nothing was done", shown(&choice))),
            "key" => {
                // If the focus is elsewhere, the key must not go there; the option is set below.
                let still = self.script(frame).still_focused(found.local).await?;
                let key = match still {
                    true => Gesture::press_in(frame, plain(&choice.key)),
                    // It changes nothing, wherever it goes.
                    false => Gesture::Press { chord: plain("Shift"), target: KeyTarget::Focused },
                };
                self.carry_out(&key, None).await?
            }
            _ => {
                let thing = option_of(&found, choice.option, &found.words);
                let Aim { x, y, via } = self.ready(&thing, Handling::Select).await?;
                let (button, count, adds) = (MouseButton::Left, 1, choice.add);
                let click = Gesture::Click { x, y, via, button, count, adds };
                self.carry_out(&click, None).await?
            }
        };
        if !effect.outcome.stayed() {
            return self.report(&format!("selected in {}", found.words), &effect).await;
        }
        let mut now = self.script(frame).check_choice(found.local, values).await?;
        if !now.ok && now.reason.is_empty() {
            // Where keys only open the list (macOS), the option is set as a script would set it.
            now = self.script(frame).set_choice(found.local, values).await?;
        }
        if !now.ok {
            return Err(refusal(&found.words, &now).into());
        }
        self.look = None;
        self.report(&format!("selected in {}", shown(&now)), &effect).await
    }

    /// Chooses options in a list that is not a `select`: its options are found in the live page.
    async fn select_custom(
        &mut self,
        found: &Found,
        values: &[String],
        choice: &Choice,
    ) -> Result<String> {
        let frame = found.path.frame.clone();
        let frame = frame.as_deref();
        let mut labels = Vec::new();
        let mut last: Option<InputEffect> = None;
        for value in values {
            let wait = if choice.open { APPEARS } else { APPEARS_SOON };
            let shown: Option<Choice> = match choice.open || last.is_some() {
                true => Some(self.script(frame).wait_for_option(found.local, value, wait).await?),
                false => None,
            };
            let option = match shown
                .filter(|option| option.ok || option.reason != "missing" || choice.open)
            {
                Some(option) => option,
                None => self.open_list(found, value).await?,
            };
            if !option.ok {
                return Err(refusal(&found.words, &option).into());
            }
            labels.push(escape::value(&option.label, 100));
            if option.selected {
                continue;
            }
            let words = format!("option {} of {}", escape::value(&option.label, 100), found.words);
            let thing = option_of(found, option.option, &words);
            let click = self.ready(&thing, Handling::Click).await?.click();
            let arrival = Arrival { words, frame: found.path.frame.clone() };
            let effect = self.carry_out(&click, Some(arrival)).await?;
            let stayed = effect.outcome.stayed();
            last = Some(effect);
            if !stayed {
                break;
            }
        }
        let done = format!("selected {} in {}", labels.join(", "), found.words);
        match last {
            Some(effect) => self.report(&done, &effect).await,
            None => {
                Ok(format!("{} has {} already — nothing was done", found.words, labels.join(", ")))
            }
        }
    }

    /// Opens a list with a click and waits for an option. In a list with a search field, the option
    /// is typed.
    async fn open_list(&mut self, found: &Found, value: &str) -> Result<Choice> {
        let frame = found.path.frame.as_deref();
        let click = self.ready(&found.thing(), Handling::Click).await?.click();
        let arrival = Arrival { words: found.words.clone(), frame: found.path.frame.clone() };
        let effect = self.carry_out(&click, Some(arrival)).await?;
        if !effect.outcome.stayed() {
            return Err(ActionError::NoList { target: found.words.clone() }.into());
        }
        let option = self.script(frame).wait_for_option(found.local, value, APPEARS_SOON).await?;
        if option.ok || option.reason != "missing" {
            return Ok(option);
        }
        let typed = self.script(frame).focus(found.local).await?;
        if typed.ok && typed.kind == FieldKind::Text {
            let gesture =
                Gesture::InsertText { text: value.to_owned(), frame: found.path.frame.clone() };
            self.carry_out(&gesture, None).await?;
        }
        Ok(self.script(frame).wait_for_option(found.local, value, APPEARS).await?)
    }
}

/// Returns an option of a list as a target for input.
fn option_of<'a>(found: &'a Found, option: u32, words: &'a str) -> Thing<'a> {
    let token = &found.reference.document;
    Thing { local: option, path: &found.path, token, words, expected: None }
}

/// Returns why an option cannot be chosen.
fn refusal(words: &str, choice: &Choice) -> ActionError {
    let (target, option) = (words.to_owned(), escape::value(&choice.missing, 60));
    match choice.reason.as_str() {
        "gone" => ActionError::Gone { target },
        "disabled" => ActionError::Disabled { target },
        "one only" => ActionError::OneOptionOnly { target },
        "disabled option" => ActionError::OptionDisabled { target, option },
        _ if choice.options.is_empty() => ActionError::NoOptions { target, option },
        _ => {
            let near = nearest(&choice.missing, &choice.options);
            let more = choice.total.saturating_sub(near.len());
            ActionError::NoSuchOption { target, option, near, more }
        }
    }
}

/// Returns the options that an error names: those with words of the wanted option first, then the
/// first ones.
fn nearest(wanted: &str, options: &[String]) -> Vec<String> {
    let wanted = wanted.to_lowercase();
    let words: Vec<&str> = wanted.split_whitespace().collect();
    let alike = |option: &str| {
        let option = option.to_lowercase();
        option.contains(&wanted) || words.iter().any(|word| word.len() > 2 && option.contains(word))
    };
    let (close, rest): (Vec<&String>, Vec<&String>) =
        options.iter().partition(|option| alike(option));
    close.into_iter().chain(rest).take(NAMED).map(|option| escape::value(option, 40)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_options_are_named_first() {
        let options: Vec<String> =
            (0..20).map(|n| format!("Number {n}")).chain(["Dark red".to_owned()]).collect();
        let named = nearest("red", &options);
        assert_eq!(
            (named.len(), named[0].as_str(), named[1].as_str()),
            (NAMED, "\"Dark red\"", "\"Number 0\"")
        );
    }
}
