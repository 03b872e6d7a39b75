//! Hints for usable elements without a usable name: `button (trash icon)`. People read the icon,
//! the tooltip or the label next to a control; the page script collects these facts (clues), and
//! this module chooses the best one and words it. A hint is never a name: it is not in hashes,
//! baselines or locators.

mod around;
mod icon_class;
mod turn;
mod words;

#[cfg(test)]
mod tests;

use self::around::LabelReach;
use self::turn::Turn;
use self::words::ICON;
use crate::icons;
use crate::page::{CAPTURED_TEST_IDS, Flags, Node};
use crate::text::escape::{self, clean, safe};

/// The longest hint that is page text.
const TEXT_LIMIT: usize = 60;
/// Above this area an image is a picture, not an icon.
const LARGEST_ICON: i64 = 96 * 96;

/// Where a hint was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HintSource {
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

impl HintSource {
    /// Returns the source in words.
    pub fn as_str(self) -> &'static str {
        match self {
            HintSource::Ligature => "icon ligature",
            HintSource::Sprite => "icon sprite",
            HintSource::IconClass => "icon class",
            HintSource::IconAttribute => "icon attribute",
            HintSource::DrawingTitle => "drawing title",
            HintSource::ImageFile => "image file",
            HintSource::Drawing => "drawing",
            HintSource::Glyph => "icon glyph",
            HintSource::Label => "label",
            HintSource::Tooltip => "tooltip",
            HintSource::Title => "title around it",
            HintSource::TestId => "test id",
            HintSource::Name => "name attribute",
            HintSource::Id => "id",
            HintSource::Class => "class",
            HintSource::Address => "address",
        }
    }

    /// Whether the hint is text of the page, not words of its markup.
    fn is_page_text(self) -> bool {
        matches!(self, HintSource::Label | HintSource::Tooltip | HintSource::Title)
    }

    /// Whether the hint says what the element looks like.
    pub(crate) fn is_icon(self) -> bool {
        matches!(
            self,
            HintSource::Ligature
                | HintSource::Sprite
                | HintSource::IconClass
                | HintSource::IconAttribute
                | HintSource::DrawingTitle
                | HintSource::ImageFile
                | HintSource::Drawing
                | HintSource::Glyph
        )
    }
}

/// What stands in the place of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementHint {
    /// The hint. Page text if its source is a label, a tooltip or a title.
    pub text: String,
    /// Where it was found.
    pub source: HintSource,
}

impl ElementHint {
    pub(crate) fn label(text: &str) -> ElementHint {
        ElementHint { text: text.to_owned(), source: HintSource::Label }
    }

    /// Returns the hint as it is printed between parentheses.
    pub fn printed(&self) -> String {
        // A bracket of the page must not end the hint, and a page cannot number its elements.
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

/// Returns the hint of a usable element without a usable name, if something hints at its use.
pub fn hint(node: Node<'_>) -> Option<ElementHint> {
    if !node.is(Flags::USABLE) || node.hidden().is_some() || has_usable_name(node) {
        return None;
    }
    let icon = |source| move |text: String| ElementHint { text: text + ICON, source };
    let plain = |source| move |text: String| ElementHint { text, source };
    by_icon(node)
        .or_else(|| by_drawing(node).map(icon(HintSource::Drawing)))
        .or_else(|| by_glyph(node).map(icon(HintSource::Glyph)))
        .map(|hint| turned(node, hint))
        .or_else(|| by_tooltip(node))
        .or_else(|| by_icon_word(node).map(|hint| turned(node, hint)))
        .or_else(|| around::label(node, LabelReach::Own).map(plain(HintSource::Label)))
        .or_else(|| by_markup(node))
        .or_else(|| around::label(node, LabelReach::Heading).map(plain(HintSource::Label)))
}

/// Returns the hint that the markup of an icon gives.
fn by_icon(node: Node<'_>) -> Option<ElementHint> {
    let found = |source, text: Option<String>| {
        Some(ElementHint { text: text? + ICON, source }).filter(|hint| hint.text.len() > ICON.len())
    };
    let named = node.clues().find_map(|(kind, text)| match kind {
        "ligature" => found(HintSource::Ligature, words::whole(text)),
        "sprite" => found(HintSource::Sprite, words::icon(text)),
        "icon" => found(HintSource::IconAttribute, words::icon(text)),
        "svg title" | "alt" => found(HintSource::DrawingTitle, words::icon(text)),
        "class" | "icon class" => found(HintSource::IconClass, icon_class::of_set(text)),
        _ => None,
    });
    let area = i64::from(node.rect().width) * i64::from(node.rect().height);
    let images = node.clues().filter(|(kind, _)| *kind == "image" && area <= LARGEST_ICON);
    named.or_else(|| {
        let mut files = images.filter_map(|(_, file)| words::file(file));
        found(HintSource::ImageFile, files.next())
    })
}

/// Returns the hint of an icon with the directions that it has on the screen, if CSS turns it.
fn turned(node: Node<'_>, hint: ElementHint) -> ElementHint {
    let turn = node.clues().find(|(kind, _)| *kind == "turned");
    let Some(turn) = turn.and_then(|(_, steps)| Turn::read(steps)) else { return hint };
    ElementHint { text: turn.applied(&hint.text), ..hint }
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
fn by_icon_word(node: Node<'_>) -> Option<ElementHint> {
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
    Some(ElementHint { text: name + ICON, source: HintSource::IconClass })
}

/// Returns the tooltip, the description, or the title of an element that holds only this one.
fn by_tooltip(node: Node<'_>) -> Option<ElementHint> {
    node.clues().find_map(|(kind, text)| {
        let source = match kind {
            "tooltip" | "description" => HintSource::Tooltip,
            "title" => HintSource::Title,
            _ => return None,
        };
        let text = clean(text);
        let says = text.chars().any(char::is_alphanumeric) && Some(text.as_str()) != node.value();
        says.then_some(ElementHint { text, source })
    })
}

/// Returns the words of the test id, the name, the id, the class or, for a picture or a link, the
/// address.
fn by_markup(node: Node<'_>) -> Option<ElementHint> {
    let role = node.role().as_str();
    let attribute = |name: &str, source| {
        let text = words::identifier(node.attribute(name)?, role)?;
        Some(ElementHint { text, source })
    };
    let clue = |wanted: &'static str| {
        node.clues().filter(move |(kind, _)| *kind == wanted).map(|(_, text)| text)
    };
    CAPTURED_TEST_IDS
        .iter()
        .find_map(|name| attribute(name, HintSource::TestId))
        .or_else(|| attribute("name", HintSource::Name))
        .or_else(|| attribute("id", HintSource::Id))
        .or_else(|| {
            let text = clue("class").find_map(|class| words::class(class, role))?;
            Some(ElementHint { text, source: HintSource::Class })
        })
        .or_else(|| {
            let text = clue("image").find_map(words::file)?;
            Some(ElementHint { text, source: HintSource::ImageFile })
        })
        .or_else(|| {
            // A symbol says more about a link than its address.
            let href = node.attribute("href").filter(|_| clean(node.name()).is_empty())?;
            let text = words::address(href)?;
            Some(ElementHint { text, source: HintSource::Address })
        })
}
