//! Words one change.

use serde_json::Value;

use super::super::change::{Change, ChangeType};
use super::entries;
use super::noun::{capitalized, noun};
use crate::fingerprint::Sight;
use crate::text::escape::sentence;

impl Change {
    /// Returns the change as a sentence for people: `Button 'Save' is missing.`
    pub fn sentence(&self) -> String {
        // The changes of older runs have less to say.
        let words = self.words().unwrap_or_else(|| self.description.clone());
        sentence(&ended(words))
    }

    fn words(&self) -> Option<String> {
        use ChangeType as T;
        match self.kind {
            T::RouteChanged => return self.sides("The route is", str::to_owned),
            T::TitleChanged => return self.sides("The title is", |title| format!("'{title}'")),
            T::ConsoleError | T::RequestFailed => return None,
            // Their description is a sentence already.
            T::TextChanged | T::NumberChanged | T::FieldChanged => return None,
            T::LayoutChanged | T::StyleChanged | T::PictureChanged | T::AuditViolation => {
                return None;
            }
            _ => {}
        }
        let label = self.label()?;
        Some(match self.kind {
            T::LandmarkMissing => format!("{label} is missing{}", self.lost_controls()),
            T::ElementMissing | T::FieldMissing | T::HeadingMissing => {
                format!("{label} is missing{}", self.size_before())
            }
            T::LandmarkAdded | T::ElementAdded | T::FieldAdded if self.facts.revealed => {
                format!("{label} is visible now; it was hidden")
            }
            T::LandmarkAdded | T::ElementAdded | T::FieldAdded => self.new_element()?,
            T::ElementRenamed => self.renamed()?,
            T::ElementDisabled => format!("{label} is disabled now"),
            T::ElementEnabled => format!("{label} is enabled now"),
            T::ElementHidden | T::ElementCovered => {
                format!("{label} {}{}", unusable(&self.facts.sight).0, self.lost_controls())
            }
            T::ElementMoved => self.moved(&label),
            T::LinkChanged => {
                let (was, now) = self.both("href")?;
                format!("{label} leads to {now} now, not to {was}")
            }
            T::HeadingChanged => self.heading()?,
            T::ListEmpty | T::ListChanged | T::TableEmpty | T::TableChanged => {
                entries::changed(self, &label)?
            }
            T::ImageBroken => format!("{label} is broken"),
            T::ErrorAppeared => format!("New error: {}", self.called()),
            T::ErrorResolved => format!("The error {} is gone", self.called()),
            T::LoadingStuck => format!("Still loading: {}", self.called()),
            T::ModalOpened => format!("A dialog is open: {}", self.called()),
            T::ModalClosed => format!("The dialog {} is closed", self.called()),
            T::NotificationAppeared => format!("New message: {}", self.called()),
            T::EmptyStateAppeared => format!("There is nothing to show: {}", self.called()),
            T::RouteChanged
            | T::TitleChanged
            | T::ConsoleError
            | T::RequestFailed
            | T::TextChanged
            | T::NumberChanged
            | T::FieldChanged
            | T::LayoutChanged
            | T::StyleChanged
            | T::PictureChanged
            | T::AuditViolation => return None,
        })
    }

    /// Returns the beginning of a sentence about the element: `Button 'Save'`, `The search area`.
    /// None for a change of the whole page, and for changes of older runs.
    pub(super) fn label(&self) -> Option<String> {
        let word = self.noun().0;
        Some(match self.facts.called.as_deref()? {
            "" => format!("The {word}"),
            called => format!("{} {called}", capitalized(word)),
        })
    }

    pub(super) fn called(&self) -> &str {
        self.facts.called.as_deref().unwrap_or_default()
    }

    /// Returns the word for the element, and its plural.
    pub(super) fn noun(&self) -> (&str, &str) {
        let kind = self.element.as_ref().and_then(|element| element.kind.as_deref());
        noun(kind.unwrap_or_default())
    }

    /// Returns the text of a member of the values before and now.
    fn both(&self, member: &str) -> Option<(&str, &str)> {
        let (was, now) = (self.was.as_ref()?, self.now.as_ref()?);
        Some((was.get(member)?.as_str()?, now.get(member)?.as_str()?))
    }

    fn sides(&self, begin: &str, quoted: impl Fn(&str) -> String) -> Option<String> {
        let (was, now) = (self.was.as_ref()?.as_str()?, self.now.as_ref()?.as_str()?);
        Some(format!("{begin} {} now, not {}", quoted(now), quoted(was)))
    }

    fn moved(&self, label: &str) -> String {
        let side = |value: &'_ Option<Value>| value.as_ref()?.as_str().map(str::to_owned);
        match (side(&self.was), side(&self.now)) {
            (Some(was), Some(now)) => {
                format!("{label} is in {} now, not in {}", place(&now), place(&was))
            }
            _ if self.is_about("list") => format!("{label} has its items in a different order"),
            _ => format!("{label} has a different place among its neighbours"),
        }
    }

    pub(super) fn is_about(&self, kind: &str) -> bool {
        self.element.as_ref().is_some_and(|element| element.kind.as_deref() == Some(kind))
    }

    fn new_element(&self) -> Option<String> {
        let (word, _) = self.noun();
        Some(match self.called() {
            "" => format!("New {word}"),
            called if called.starts_with('\'') => {
                format!("New {word}: {called}{}", self.size_now())
            }
            called => format!("New {word} {called}{}", self.size_now()),
        })
    }

    fn renamed(&self) -> Option<String> {
        let word = capitalized(self.noun().0);
        Some(match self.both("text")? {
            (was, "") => format!("{word} '{was}' has no name now"),
            ("", now) => format!("{word} {} has the name '{now}' now", self.called()),
            (was, now) => format!("{word} '{was}' is now '{now}'"),
        })
    }

    fn heading(&self) -> Option<String> {
        let (was, now) = self.both("text")?;
        let level = |value: &Option<Value>| value.as_ref().and_then(|it| it["level"].as_u64());
        Some(match was == now {
            true => {
                let (was, now) = (level(&self.was)?, level(&self.now)?);
                format!("{} has level {now} now, not {was}", self.label()?)
            }
            false => format!("Heading '{was}' is now '{now}'"),
        })
    }

    /// Returns how many controls are lost with a landmark.
    fn lost_controls(&self) -> String {
        match self.facts.controls {
            0 => String::new(),
            1 => "; 1 control is out of reach".to_owned(),
            count => format!("; {count} controls are out of reach"),
        }
    }

    pub(super) fn size_before(&self) -> String {
        entries::size(self.was.as_ref())
            .map_or_else(String::new, |size| format!(" (it had {size})"))
    }

    fn size_now(&self) -> String {
        entries::size(self.now.as_ref()).map_or_else(String::new, |size| format!(" ({size})"))
    }
}

/// Returns why nobody can see or use an element, for one and for several.
pub(super) fn unusable(sight: &Sight) -> (String, String) {
    let both = |how: &str| (format!("is {how}"), format!("are {how}"));
    match sight {
        Sight::Hidden(why) => match why.as_str() {
            "clipped" => ("has no size or is cut off".into(), "have no size or are cut off".into()),
            "off-screen" => both("where nobody can scroll to"),
            "closed" => both("hidden (closed)"),
            "display" => both("hidden (display: none)"),
            "visibility" => both("hidden (visibility: hidden)"),
            "opacity" => both("hidden (opacity: 0)"),
            "content-visibility" => both("hidden (content-visibility: hidden)"),
            why => both(&format!("hidden ({why})")),
        },
        Sight::Covered(cover) => both(&format!("covered by {cover}")),
        Sight::CutOff => both("cut off by what is around"),
        Sight::Transparent => both("transparent"),
        Sight::Unclickable => ("lets clicks through".into(), "let clicks through".into()),
        Sight::Waiting => (
            "has no size yet, because its picture is still loading".into(),
            "have no size yet, because their pictures are still loading".into(),
        ),
        Sight::Shown => both("hidden"),
    }
}

/// Returns a location, or the words for none.
fn place(location: &str) -> &str {
    if location.is_empty() { "the page" } else { location }
}

/// Returns the text with a full stop, unless it ends with one, also within quotes.
pub(super) fn ended(mut text: String) -> String {
    if !text.trim_end_matches('\'').ends_with(['.', '…', '!', '?']) {
        text.push('.');
    }
    text
}
