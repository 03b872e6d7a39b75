//! The layout of a page as it is stored and compared, and what the page script measures for it.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::selector::bounded;
use crate::page::NodeId;
use crate::text::escape::stored;

/// The version of the stored form of a layout that this build writes and reads.
pub const LAYOUT_VERSION: u32 = 1;

/// How a page is drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Layout {
    /// The version of this form.
    pub version: u32,
    /// Width and height of the page in CSS pixels.
    pub size: [u32; 2],
    /// How many pixels the page is wider than its window.
    #[serde(skip_serializing_if = "is_zero")]
    pub overflow: u32,
    /// How wide a sample is in each font, in tenths of a pixel, by the first name of its stack.
    pub fonts: BTreeMap<String, u32>,
    /// Areas that change all the time, or that comparisons ignore: x, y, width and height.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub masks: Vec<[i32; 4]>,
    /// Its elements.
    pub boxes: Vec<LayoutBox>,
}

/// How one element is drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LayoutBox {
    /// `button`, `heading`, `image`, `text`; of a region `main`, `section`, …
    pub kind: String,
    /// Its name without volatile parts.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// x, y, width and height in CSS pixels of the page.
    #[serde(rename = "box")]
    pub rect: [i32; 4],
    /// How it is styled; none while a person uses it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub style: Option<Style>,
    /// It makes a region of the page.
    #[serde(skip_serializing_if = "is_false")]
    pub region: bool,
    /// It stays where it is when the page scrolls.
    #[serde(skip_serializing_if = "is_false")]
    pub fixed: bool,
    /// An animation runs on it.
    #[serde(skip_serializing_if = "is_false")]
    pub moving: bool,
    /// Something else is drawn over its middle.
    #[serde(skip_serializing_if = "is_false")]
    pub under: bool,
    /// How many pixels of its text are cut off.
    #[serde(skip_serializing_if = "is_zero")]
    pub cut: u32,
    /// How many pixels its content is wider than itself.
    #[serde(skip_serializing_if = "is_zero")]
    pub spill: u32,
    /// How many icons a control has.
    #[serde(skip_serializing_if = "is_zero")]
    pub icons: u32,
    /// The file of an image.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// The elements that it overlaps.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub overlaps: Vec<Overlap>,
    /// The index of the region around it, or of its own.
    pub place: u32,
    /// Comparisons ignore it.
    #[serde(skip_serializing_if = "is_false")]
    pub ignored: bool,
}

/// An element that overlaps a different one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overlap {
    /// The other element: `text 'Delivery'`.
    pub with: String,
    /// How much of the smaller one is overlapped, in hundredths.
    pub share: u32,
}

/// How an element is styled, as far as a person sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Style {
    /// The colour of its text.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub color: String,
    /// The colour or image of the nearest background.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub background: String,
    /// The first name of its font stack.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub font: String,
    /// The size of its font.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub size: String,
    /// The weight of its font.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub weight: String,
    /// Italics, lines and letter case.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub decoration: String,
    /// Its border.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub border: String,
    /// The radius of its corners.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub radius: String,
    /// Its opacity, with that of everything around it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub opacity: String,
    /// Its shadow.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub shadow: String,
}

/// How many properties the page script reads.
pub const STYLE_PROPERTIES: usize = 10;

impl Style {
    /// Makes a style of the values that the page script reads.
    pub(super) fn of(values: &[String; STYLE_PROPERTIES]) -> Style {
        let [color, background, font, size, weight, decoration, border, radius, opacity, shadow] =
            values.each_ref().map(|value| bounded(&stored(value), 160));
        let opacity = if opacity == "1" { String::new() } else { opacity };
        Style { color, background, font, size, weight, decoration, border, radius, opacity, shadow }
    }

    /// Returns the properties with the words for them.
    pub fn properties(&self) -> [(&'static str, &str); STYLE_PROPERTIES] {
        [
            ("text colour", &self.color),
            ("background", &self.background),
            ("font", &self.font),
            ("font size", &self.size),
            ("font weight", &self.weight),
            ("text decoration", &self.decoration),
            ("border", &self.border),
            ("corner radius", &self.radius),
            ("opacity", &self.opacity),
            ("shadow", &self.shadow),
        ]
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn is_false(value: &bool) -> bool {
    !*value
}

/// How the page script measured one element.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measure {
    /// The index of its style; less than 0 for none.
    pub style: i32,
    /// How it is drawn, as bits.
    pub flags: u32,
    /// See [`LayoutBox::cut`].
    pub cut: u32,
    /// See [`LayoutBox::spill`].
    pub spill: u32,
    /// The box of its text, in CSS pixels of the viewport.
    pub ink: (i32, i32, i32, i32),
    /// See [`LayoutBox::icons`].
    pub icons: u32,
}

/// Measures of the page script.
#[derive(Clone, Debug, Default)]
pub struct LayoutMeasures {
    /// See [`Layout::overflow`].
    pub overflow: u32,
    /// See [`Layout::fonts`].
    pub fonts: Vec<(String, u32)>,
    /// The styles that elements have.
    pub styles: Vec<[String; STYLE_PROPERTIES]>,
    /// The measures of elements.
    pub elements: HashMap<NodeId, Measure>,
}
