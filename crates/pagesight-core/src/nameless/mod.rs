//! Guessed names of usable elements without a usable name: `button (trash icon)`. People read the
//! icon, the tooltip or the label next to a control; the page script collects these facts (clues),
//! and this module chooses the best one and words it. A guess is never a name: it is not in
//! hashes, baselines or locators.

mod around;
mod icon_class;
mod turn;
mod words;

#[cfg(test)]
mod tests;

use serde::{Serialize, Serializer};

use self::around::LabelReach;
use self::turn::Turn;
use self::words::ICON;
use crate::icons;
use crate::page::{CAPTURED_TEST_IDS, Flags, Node};
use crate::text::escape::{self, clean, safe};

/// The longest guess that is page text.
const TEXT_LIMIT: usize = 60;
/// Above this area an image is a picture, not an icon.
const LARGEST_ICON: i64 = 96 * 96;

/// Where a guess was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub enum GuessSource {
    /// A ligature of an icon font.
    Ligature,
    /// The id of a drawing that is used.
    Sprite,
    /// A class of an icon set.
    IconClass,
    /// An attribute that names the icon.
    IconAttribute,
    /// The title of a drawing.
    DrawingTitle,
    /// The file name of an image.
    ImageFile,
    /// The drawing itself.
    Drawing,
    /// The glyph of an icon font.
    Glyph,
    /// The label of its row, group or card.
    Label,
    /// A tooltip or a description.
    Tooltip,
    /// The title of an element around it.
    Title,
    /// A test id.
    TestId,
    /// The name of a field.
    Name,
    /// The id.
    Id,
    /// Words of the class.
    Class,
    /// Where a link leads.
    Address,
}

impl GuessSource {
    /// Returns the source in words.
    pub fn as_str(self) -> &'static str {
        match self {
            GuessSource::Ligature => "icon ligature",
            GuessSource::Sprite => "icon sprite",
            GuessSource::IconClass => "icon class",
            GuessSource::IconAttribute => "icon attribute",
            GuessSource::DrawingTitle => "drawing title",
            GuessSource::ImageFile => "image file",
            GuessSource::Drawing => "drawing",
            GuessSource::Glyph => "icon glyph",
            GuessSource::Label => "label",
            GuessSource::Tooltip => "tooltip",
            GuessSource::Title => "title around it",
            GuessSource::TestId => "test id",
            GuessSource::Name => "name attribute",
            GuessSource::Id => "id",
            GuessSource::Class => "class",
            GuessSource::Address => "address",
        }
    }

    /// Whether the guess is text of the page, not words of its markup.
    fn is_page_text(self) -> bool {
        matches!(self, GuessSource::Label | GuessSource::Tooltip | GuessSource::Title)
    }

    /// Whether the guess says what the element looks like. These sources are the first ones.
    pub(crate) fn is_icon(self) -> bool {
        self <= GuessSource::Glyph
    }
}

impl Serialize for GuessSource {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// The guessed name of an element without a usable name: the words in place of a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GuessedName {
    /// The words. Page text if its source is a label, a tooltip or a title.
    pub text: String,
    /// Where it was found.
    pub source: GuessSource,
}

impl GuessedName {
    pub(crate) fn label(text: &str) -> GuessedName {
        GuessedName { text: text.to_owned(), source: GuessSource::Label }
    }

    /// Returns the guess as it is printed between parentheses.
    pub fn printed(&self) -> String {
        // A bracket of the page must not end the guess, and a page cannot number its elements.
        let marks = |text: &str| text.contains(['(', ')']) || text.contains(" of ");
        match self.source.is_page_text() && marks(&self.text) {
            true => escape::value(&self.text, TEXT_LIMIT),
            false => safe(&self.text, TEXT_LIMIT),
        }
    }
}

/// Whether an element has a name that says what it does: not if it is only symbols, or its value.
pub fn has_usable_name(node: Node<'_>) -> bool {
    let name = node.name();
    name.chars().any(char::is_alphanumeric) && node.value() != Some(name) && !is_glyph(node)
}

/// Whether the name is a character that an icon font draws. Fonts with more icons than the private
/// use area has places go on after it, among letters of rare scripts.
fn is_glyph(node: Node<'_>) -> bool {
    let mut characters = node.name().chars();
    let (Some(only), None) = (characters.next(), characters.next()) else { return false };
    only >= '\u{f900}'
        && node.clues().any(|(kind, glyph)| {
            let code = glyph.split(' ').next().unwrap_or_default();
            kind == "glyph" && u32::from_str_radix(code, 16) == Ok(u32::from(only))
        })
}

/// Returns the guessed name of a usable element without a usable name, if its markup gives one.
pub fn guessed_name(node: Node<'_>) -> Option<GuessedName> {
    if !node.is(Flags::USABLE) || node.hidden().is_some() || has_usable_name(node) {
        return None;
    }
    let icon = |source| move |text: String| GuessedName { text: text + ICON, source };
    by_icon(node)
        .or_else(|| by_drawing(node).map(icon(GuessSource::Drawing)))
        .or_else(|| by_glyph(node).map(icon(GuessSource::Glyph)))
        .map(|guess| turned(node, guess))
        .or_else(|| by_tooltip(node))
        .or_else(|| by_icon_word(node).map(|guess| turned(node, guess)))
        .or_else(|| around::label(node, LabelReach::Own).map(guess(GuessSource::Label)))
        .or_else(|| by_markup(node))
        .or_else(|| around::label(node, LabelReach::Heading).map(guess(GuessSource::Label)))
}

/// Returns what an icon that cannot be used says, by its tooltip or by the class of an icon set. It
/// has no clues.
pub(crate) fn icon_name(node: Node<'_>) -> Option<GuessedName> {
    let words = |name: &str| {
        let text = clean(node.attribute(name)?);
        text.chars().any(char::is_alphanumeric).then_some(text)
    };
    let by_tooltip = words("aria-label").or_else(|| words("title")).map(guess(GuessSource::Title));
    let by_class = || {
        let name = icon_class::of_set(node.attribute("class")?)?;
        Some(GuessedName { text: name + ICON, source: GuessSource::IconClass })
    };
    by_tooltip.or_else(by_class)
}

/// Clues that say which icon an element shows.
const ICON_CLUES: [&str; 8] =
    ["ligature", "sprite", "icon", "svg title", "alt", "image", "drawing", "glyph"];

/// Returns what an element without a usable name looks like: its guessed name, and its icons, also
/// those that have no known name.
pub(crate) fn looks(node: Node<'_>) -> (Option<String>, Vec<(&str, &str)>) {
    let icons = node.clues().filter(|(kind, _)| ICON_CLUES.contains(kind)).collect();
    (guessed_name(node).map(|guess| guess.text), icons)
}

fn guess(source: GuessSource) -> impl Fn(String) -> GuessedName {
    move |text| GuessedName { text, source }
}

/// Returns the guess that the markup of an icon gives.
fn by_icon(node: Node<'_>) -> Option<GuessedName> {
    let found = |source, text: Option<String>| {
        Some(GuessedName { text: text? + ICON, source })
            .filter(|guess| guess.text.len() > ICON.len())
    };
    let named = node.clues().find_map(|(kind, text)| match kind {
        "ligature" => found(GuessSource::Ligature, words::whole(text)),
        "sprite" => found(GuessSource::Sprite, words::icon(text)),
        "icon" => found(GuessSource::IconAttribute, words::icon(text)),
        "svg title" | "alt" => found(GuessSource::DrawingTitle, words::icon(text)),
        "class" | "icon class" => found(GuessSource::IconClass, icon_class::of_set(text)),
        _ => None,
    });
    let area = i64::from(node.rect().width) * i64::from(node.rect().height);
    let images = node.clues().filter(|(kind, _)| *kind == "image" && area <= LARGEST_ICON);
    named.or_else(|| {
        let mut files = images.filter_map(|(_, file)| words::file(file));
        found(GuessSource::ImageFile, files.next())
    })
}

/// Returns the guess of an icon with the directions that it has on the screen, if CSS turns it.
fn turned(node: Node<'_>, guess: GuessedName) -> GuessedName {
    let turn = node.clues().find(|(kind, _)| *kind == "turned");
    let Some(turn) = turn.and_then(|(_, steps)| Turn::read(steps)) else { return guess };
    GuessedName { text: turn.applied(&guess.text), ..guess }
}

fn by_drawing(node: Node<'_>) -> Option<String> {
    let mut drawings = node.clues().filter(|(kind, _)| *kind == "drawing");
    drawings.find_map(|(_, hash)| words::whole(icons::by_drawing(hash)?))
}

fn by_glyph(node: Node<'_>) -> Option<String> {
    node.clues().filter(|(kind, _)| *kind == "glyph").find_map(|(_, glyph)| {
        let (code, family) = glyph.split_once(' ')?;
        words::whole(icons::by_glyph(family, u32::from_str_radix(code, 16).ok()?)?)
    })
}

/// Returns what the classes of an icon say that is of no known set. They may say anything.
fn by_icon_word(node: Node<'_>) -> Option<GuessedName> {
    let classes = || node.clues().filter(|(kind, _)| matches!(*kind, "class" | "icon class"));
    // The class of a button says that it has an icon, not which.
    let is_icon = |kind: &str| kind == "icon class" || node.tag() == "i";
    let name = classes()
        .find_map(|(_, text)| icon_class::after_the_word(text))
        .or_else(|| {
            let mut parts = classes().filter(|(kind, _)| is_icon(kind));
            parts.find_map(|(_, text)| icon_class::of_an_icon(text))
        })
        .or_else(|| classes().find_map(|(_, text)| icon_class::before_the_word(text)))?;
    Some(GuessedName { text: name + ICON, source: GuessSource::IconClass })
}

/// Returns the tooltip, the description, or the title of an element that holds only this one.
fn by_tooltip(node: Node<'_>) -> Option<GuessedName> {
    node.clues().find_map(|(kind, text)| {
        let source = match kind {
            "tooltip" | "description" => GuessSource::Tooltip,
            "title" => GuessSource::Title,
            _ => return None,
        };
        let text = clean(text);
        let says = text.chars().any(char::is_alphanumeric) && Some(text.as_str()) != node.value();
        says.then_some(GuessedName { text, source })
    })
}

/// Returns the words of the test id, the name, the id, the class or, for a picture or a link, the
/// address.
fn by_markup(node: Node<'_>) -> Option<GuessedName> {
    let role = node.role().as_str();
    let attribute =
        |name: &str, source| words::identifier(node.attribute(name)?, role).map(guess(source));
    let clue = |wanted: &'static str| {
        node.clues().filter(move |(kind, _)| *kind == wanted).map(|(_, text)| text)
    };
    let is_made_up = node.attribute("id").is_some_and(words::is_numbered);
    let id = || attribute("id", GuessSource::Id);
    CAPTURED_TEST_IDS
        .iter()
        .find_map(|name| attribute(name, GuessSource::TestId))
        .or_else(|| attribute("name", GuessSource::Name))
        .or_else(|| id().filter(|_| !is_made_up))
        .or_else(|| {
            let text = clue("class").find_map(|class| words::class(class, role));
            text.map(guess(GuessSource::Class))
        })
        .or_else(|| id().filter(|_| is_made_up))
        .or_else(|| clue("image").find_map(words::file).map(guess(GuessSource::ImageFile)))
        .or_else(|| {
            // A symbol says more about a link than its address.
            let href = node.attribute("href").filter(|_| clean(node.name()).is_empty())?;
            words::address(href).map(guess(GuessSource::Address))
        })
}
