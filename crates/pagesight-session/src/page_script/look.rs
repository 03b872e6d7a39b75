//! Functions of the page script that read the page: captures, one element, a point, counts.

use std::collections::BTreeMap;
use std::time::Duration;

use pagesight_browser::Result;
use pagesight_core::fingerprint::{LayoutMeasures, Measure, STYLE_PROPERTIES};
use pagesight_core::page::NodeId;
use pagesight_core::page::selector_candidates::PathStep;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::call::{Function, PageScript};

/// How a document is captured.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct WalkOptions<'a> {
    pub(crate) full: bool,
    /// A selector; its first match is the scope of the page.
    pub(crate) scope: Option<&'a str>,
    /// The key of the capture that the caller has; the answer may contain only what changed since.
    pub(crate) known: Option<&'a str>,
    /// After this many milliseconds the walk stops early.
    pub(crate) limit: u64,
    /// Enter shadow roots and frames.
    pub(crate) pierce: bool,
    /// The capture runs while an action is still settling.
    pub(crate) ahead: bool,
}

/// The description of one element.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Described {
    pub(crate) tag: String,
    pub(crate) role: String,
    pub(crate) name: String,
    pub(crate) text: String,
    #[serde(rename = "box")]
    pub(crate) rect: Vec<i64>,
    pub(crate) flags: u32,
    /// Something of its document covers it wherever it is scrolled to.
    pub(crate) covered: bool,
    pub(crate) value: Option<String>,
    pub(crate) attributes: BTreeMap<String, String>,
    /// How many attributes were left out, because there are too many.
    pub(crate) left_out: u32,
    pub(crate) path: Vec<PathStep>,
    pub(crate) shadow_path: Vec<String>,
    pub(crate) xpath: Option<String>,
    /// The listeners that hooks noted; none where there are no such hooks.
    pub(crate) listeners: Option<Vec<String>>,
}

/// A point to look at.
#[derive(Clone, Copy)]
pub(crate) enum Point {
    /// In CSS pixels of the viewport.
    Pixels(f64, f64),
    /// As shares of the width and height of the viewport.
    Shares(f64, f64),
}

/// The element at a point.
#[derive(Deserialize)]
pub(crate) struct Hit {
    /// The element; 0 for none.
    pub(crate) id: u32,
    /// The point in a frame, as shares of its width and height.
    pub(crate) fx: Option<f64>,
    pub(crate) fy: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Token {
    pub(crate) doc: String,
    pub(crate) title: String,
}

/// The size of the viewport and of the document, in CSS pixels.
#[derive(Deserialize)]
pub(crate) struct Extent {
    /// Width and height of the viewport, and the pixels of the screen per CSS pixel.
    pub(crate) viewport: (f64, f64, f64),
    /// Width and height of the document.
    pub(crate) size: (f64, f64),
    /// Where the document begins: 0, or less if its text runs from right to left.
    #[serde(default)]
    pub(crate) left: f64,
}

/// The elements that a selector matches.
#[derive(Deserialize)]
pub(crate) struct Matched {
    pub(crate) ids: Vec<u32>,
    /// Why the selector is not used.
    pub(crate) refused: Option<String>,
}

/// How elements are drawn.
#[derive(Deserialize)]
pub(crate) struct MeasuredLayout {
    /// The document that was measured.
    pub(crate) doc: String,
    overflow: u32,
    /// For each element its measures; none if it is gone.
    items: Vec<Option<[i32; 9]>>,
    styles: Vec<[String; STYLE_PROPERTIES]>,
    fonts: Vec<(String, u32)>,
}

impl MeasuredLayout {
    /// Returns the measures of these nodes, which were asked for in this order.
    pub(crate) fn of(self, nodes: &[NodeId]) -> LayoutMeasures {
        let measure = |[style, flags, cut, spill, x, y, width, height, icons]: [i32; 9]| Measure {
            style,
            flags: flags as u32,
            cut: cut.max(0) as u32,
            spill: spill.max(0) as u32,
            ink: (x, y, width, height),
            icons: icons.max(0) as u32,
        };
        let elements = nodes.iter().zip(self.items);
        LayoutMeasures {
            overflow: self.overflow,
            fonts: self.fonts,
            styles: self.styles,
            elements: elements.filter_map(|(id, item)| Some((*id, measure(item?)))).collect(),
        }
    }
}

#[derive(Deserialize)]
struct SecretValues {
    values: Vec<String>,
}

#[derive(Deserialize)]
struct HiddenIn {
    #[serde(default)]
    value: Value,
}

#[derive(Deserialize)]
struct Skipped {
    count: u32,
}

#[derive(Deserialize)]
struct FrameCovers {
    covers: Vec<Vec<u32>>,
}

impl PageScript<'_> {
    /// Captures the document; returns the wire format.
    pub(crate) async fn walk(&self, options: &WalkOptions<'_>) -> Result<String> {
        self.captured(json!([options])).await
    }

    /// Describes an element; none if it is gone.
    pub(crate) async fn describe(&self, local: u32) -> Result<Option<Described>> {
        self.ask_of_element(Function::Describe, json!([local])).await
    }

    /// Returns the elements of the document that a selector matches, also in shadow roots.
    pub(crate) async fn all_matches(&self, selector: &str) -> Result<Matched> {
        self.ask(Function::AllMatches, json!([selector])).await
    }

    /// Returns how many elements each selector matches, and whether the element is the first; none
    /// if it is gone.
    pub(crate) async fn match_counts(
        &self,
        local: u32,
        selectors: &[String],
    ) -> Result<Option<Vec<(i64, bool)>>> {
        self.ask_of_element(Function::MatchCounts, json!([local, selectors])).await
    }

    /// Returns what a click at a point would hit.
    pub(crate) async fn at(&self, point: Point) -> Result<Hit> {
        let arguments = match point {
            Point::Pixels(x, y) => json!([x, y]),
            Point::Shares(x, y) => json!([x, y, true]),
        };
        self.ask(Function::At, arguments).await
    }

    /// Returns counts of the page.
    pub(crate) async fn page_info<T: DeserializeOwned>(&self) -> Result<T> {
        self.ask(Function::PageInfo, json!([])).await
    }

    /// Returns the size of the viewport and of the document.
    pub(crate) async fn page_extent(&self) -> Result<Extent> {
        self.ask(Function::PageExtent, json!([])).await
    }

    /// Measures how elements of the document are drawn.
    pub(crate) async fn measure_layout(&self, locals: &[u32]) -> Result<MeasuredLayout> {
        self.ask(Function::MeasureLayout, json!([locals])).await
    }

    /// Returns the values of secret fields that are known.
    pub(crate) async fn secret_values(&self) -> Result<Vec<String>> {
        Ok(self.ask::<SecretValues>(Function::SecretValues, json!([])).await?.values)
    }

    /// Hides the values of secret fields in a value.
    pub(crate) async fn hide_secrets(&self, value: &Value) -> Result<Value> {
        Ok(self.ask::<HiddenIn>(Function::HideSecrets, json!([value])).await?.value)
    }

    /// Returns the current document.
    pub(crate) async fn token(&self) -> Result<Token> {
        self.ask(Function::Token, json!([])).await
    }

    /// Returns what covers boxes inside a frame element: for each box the covers, the nearest
    /// first. Eight numbers per box: its rectangle, and how far it can be scrolled in the frame. If
    /// the page does not answer, it does not count as hung.
    pub(crate) async fn covers_over_frame(
        &self,
        owner: u32,
        boxes: &[i32],
    ) -> Result<Vec<Vec<u32>>> {
        Ok(self
            .ask_aside::<FrameCovers>(Function::CoversOverFrame, json!([owner, boxes]))
            .await?
            .covers)
    }

    /// Has the parts of the page drawn that the browser skips because they are far from the
    /// viewport, for at most this long. Returns whether there are any.
    pub(crate) async fn show_skipped(&self, limit: Duration) -> Result<bool> {
        let arguments = json!([limit.as_millis() as u64]);
        Ok(self.ask::<Skipped>(Function::ShowSkipped, arguments).await?.count > 0)
    }

    /// Lets the browser skip them again.
    pub(crate) async fn hide_skipped(&self) -> Result<()> {
        self.run(Function::HideSkipped, json!([])).await
    }

    /// Waits until the images in view have loaded, for at most this many milliseconds.
    pub(crate) async fn wait_for_images(&self, milliseconds: u64) -> Result<()> {
        self.run(Function::WaitForImages, json!([milliseconds])).await
    }
}
