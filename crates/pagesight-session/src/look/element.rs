//! Describes one element completely, with selectors that were tried in the live page.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use pagesight_browser::BrowserError;
use pagesight_core::nameless::{GuessedName, guessed_name};
use pagesight_core::page::selector_candidates::{candidates, playwright};
use pagesight_core::page::{Flags, Hidden, NodeId};
use pagesight_core::refs::{RefError, Reference};
use pagesight_core::render::{Numbers, headline};
use pagesight_core::text::address;
use serde::Serialize;

use crate::error::{Result, SessionError};
use crate::look::Look;
use crate::look::error::LookError;
use crate::look::frame_path::FramePath;
use crate::look::spread_values::hide_parts;
use crate::page_script::Point;
use crate::session::Session;
use crate::tab::record::TabRecord;

const LIMIT: Duration = Duration::from_secs(10);
/// How many selectors are given.
const SELECTORS_SHOWN: usize = 6;

/// Everything about one element. The names of the fields are those that callers see.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Expanded {
    /// Its number.
    #[serde(rename = "elementId")]
    pub element_id: String,
    /// Its number with the snapshot.
    pub uid: String,
    /// ARIA role.
    pub role: String,
    /// Accessible name.
    pub name: String,
    /// The guessed name that lines show; only for elements without a usable name.
    #[serde(rename = "hint", skip_serializing_if = "Option::is_none")]
    pub guessed_name: Option<GuessedName>,
    /// Lower-case tag.
    pub tag: String,
    /// Selectors that match exactly this element in its root, the most stable first.
    pub selectors: Vec<String>,
    /// How many elements each selector matches; null if the selectors could not be tried.
    pub selector_matches: Option<Vec<u32>>,
    /// A Playwright locator.
    pub playwright: String,
    /// The path from the document; null inside shadow roots.
    pub xpath: Option<String>,
    /// All attributes; secrets are `•••`.
    pub attributes: BTreeMap<String, String>,
    /// How many attributes were left out, because there are too many.
    #[serde(skip_serializing_if = "is_zero")]
    pub attributes_left_out: u32,
    /// Its text.
    pub text: String,
    /// Left, top, width and height in CSS pixels of the viewport.
    #[serde(rename = "box")]
    pub rect: Vec<i64>,
    /// Its states.
    pub state: Vec<&'static str>,
    /// The cover that stays wherever it is scrolled to: `[33] dialog: Cookies`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub covered_by: Option<String>,
    /// The value of a field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The frame it is in; null in the top document.
    pub frame: Option<String>,
    /// The hosts of the shadow roots it is in, outermost first.
    pub shadow_path: Vec<String>,
    /// The listeners on it; null if they are not known.
    pub listeners: Option<Vec<String>>,
}

/// The page script's description of one element.
struct DescribedElement {
    expanded: Expanded,
    /// Something of its document covers it wherever it is scrolled to.
    is_covered: bool,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// Returns all states of an element in words. These are more than a line shows, because the caller
/// asked for this element.
pub fn state_words(flags: Flags, hidden: Option<Hidden>) -> Vec<&'static str> {
    let also =
        [(Flags::USABLE, "usable"), (Flags::IN_VIEWPORT, "in_viewport"), (Flags::SECRET, "secret")];
    let mut words: Vec<&'static str> =
        also.iter().filter(|(flag, _)| flags.contains(*flag)).map(|(_, word)| *word).collect();
    words.extend(pagesight_core::render::state_words(flags));
    words.extend(hidden.map(|_| "hidden"));
    words
}

/// Returns attributes without the secrets in their addresses.
fn shown(mut attributes: BTreeMap<String, String>) -> BTreeMap<String, String> {
    for (name, value) in &mut attributes {
        if let Some(hidden) = address::attribute(name, value) {
            *value = hidden;
        }
    }
    attributes
}

impl Session {
    /// Describes the element of a reference.
    pub async fn expand(&self, tab: &Arc<TabRecord>, given: &str) -> Result<Expanded> {
        let _turn = tab.turn().await?;
        self.expand_in_turn(tab, given, true).await
    }

    /// Describes the elements of several references, in their order. A reference that cannot be
    /// used has its own error; any other error ends the call.
    pub async fn expand_all(
        &self,
        tab: &Arc<TabRecord>,
        given: &[String],
    ) -> Result<Vec<std::result::Result<Expanded, RefError>>> {
        let _turn = tab.turn().await?;
        let mut all = Vec::with_capacity(given.len());
        for given in given {
            // One wait is enough for all that are gone.
            let may_wait = all.iter().all(std::result::Result::is_ok);
            all.push(match self.expand_in_turn(tab, given, may_wait).await {
                Ok(expanded) => Ok(expanded),
                Err(SessionError::Reference(error)) => Err(error),
                Err(error) => return Err(error),
            });
        }
        Ok(all)
    }

    async fn expand_in_turn(
        &self,
        tab: &Arc<TabRecord>,
        given: &str,
        may_wait: bool,
    ) -> Result<Expanded> {
        self.check_tab(tab)?;
        let reference = self.resolve(tab, given)?;
        if self.document_token(tab).await? == reference.document {
            let element = (reference.document.as_str(), reference.local);
            match self.describe(tab, &FramePath::default(), element, reference.number).await {
                // The node is gone. A look finds out whether a different node took over the number,
                // and what is nearest if not.
                Err(SessionError::Reference(RefError::Gone { .. })) => {}
                Ok(described) => return Ok(self.with_look(tab, described, &reference).await),
                Err(error) => return Err(error),
            }
        }
        // It is in a frame, or gone: a look finds out.
        let mut look = self.look_in_turn(tab, None, false).await?;
        if may_wait {
            look = self.look_again_for(look, None, false, &[given]).await?;
        }
        let id = self.shared.references().find(&reference, &look.page)?;
        self.describe_node(&look, id, reference.number).await
    }

    /// Adds the guessed name of an element without a name, and what covers it. It takes a look,
    /// because the element does not know the label of its row, nor the number of its cover. Without
    /// a look, both are left out.
    async fn with_look(
        &self,
        tab: &Arc<TabRecord>,
        DescribedElement { mut expanded, is_covered }: DescribedElement,
        reference: &Reference,
    ) -> Expanded {
        let named = expanded.name.chars().any(char::is_alphanumeric)
            && expanded.value.as_ref() != Some(&expanded.name);
        if (named || !expanded.state.contains(&"usable")) && !is_covered {
            return expanded;
        }
        if let Ok(look) = self.look_in_turn(tab, None, false).await
            && let Some(id) = look.page.find(&reference.document, reference.local)
        {
            if !named {
                expanded.guessed_name = guessed_name(look.page.node(id));
            }
            expanded.covered_by = self.cover_words(&look, id);
        }
        expanded
    }

    /// Returns what covers an element of a look, with its number.
    fn cover_words(&self, look: &Look, id: NodeId) -> Option<String> {
        let cover = look.page.node(id).cover()?;
        let number = self.shared.references().numbering(&look.page).number(cover.id());
        Some(format!("[{number}] {}", headline(cover)))
    }

    /// Describes the element that a click at a point of the viewport would hit.
    pub async fn expand_at(&self, tab: &Arc<TabRecord>, x: f64, y: f64) -> Result<Expanded> {
        let _turn = tab.turn().await?;
        let look = self.look_in_turn(tab, None, false).await?;
        let (width, height) = look.page.viewport;
        let inside = (0.0..f64::from(width)).contains(&x) && (0.0..f64::from(height)).contains(&y);
        let hit = if inside { self.at_point(&look, x, y).await? } else { None };
        let Some((token, local)) = hit else {
            return Err(LookError::NothingAt { x, y, width, height }.into());
        };
        let id = look.page.find(&token, local).ok_or(LookError::NotCaptured)?;
        let number = self.shared.references().numbering(&look.page).number(id);
        self.describe_node(&look, id, number).await
    }

    /// Describes the first element that a selector matches.
    pub async fn expand_selector(&self, tab: &Arc<TabRecord>, selector: &str) -> Result<Expanded> {
        let _turn = tab.turn().await?;
        let look = self.look_in_turn(tab, Some(selector), false).await?;
        // A look with a selector either has a scope or is an error.
        let id = look.page.scope.unwrap_or(NodeId::ROOT);
        let number = self.shared.references().numbering(&look.page).number(id);
        self.describe_node(&look, id, number).await
    }

    /// Describes a node of a look.
    async fn describe_node(&self, look: &Look, id: NodeId, number: u32) -> Result<Expanded> {
        let node = look.page.node(id);
        let path = FramePath::of(&look.page, &node.document().token).unwrap_or_default();
        let element = (node.document().token.as_str(), node.local());
        let described = self.describe(&look.tab, &path, element, number).await?;
        let mut expanded = described.expanded;
        expanded.guessed_name = guessed_name(node);
        expanded.covered_by = self.cover_words(look, id);
        if path.frame.is_some() {
            // The frame's document only knows its own viewport.
            let rect = node.rect();
            expanded.rect = [rect.x, rect.y, rect.width, rect.height].map(i64::from).to_vec();
        }
        Ok(expanded)
    }

    /// Describes an element, given by its document and its local id.
    async fn describe(
        &self,
        tab: &Arc<TabRecord>,
        path: &FramePath,
        (document, local): (&str, u32),
        number: u32,
    ) -> Result<DescribedElement> {
        let frame = path.frame.as_deref();
        // An element that was removed in between is reported as gone.
        let gone =
            || RefError::Gone { number, was: "the element".to_owned(), nearest: String::new() };
        let mut described = tab.script(frame, LIMIT).describe(local).await?.ok_or_else(gone)?;
        let captured = match tab.hidden.is_empty() {
            true => tab.memory().last(),
            // All attributes are in a full look only.
            false => Some(self.look_in_turn(tab, None, true).await?.page),
        };
        if let Some(page) = captured
            && let Some(id) = page.find(document, local)
        {
            hide_parts(&mut described, page.node(id), &tab.hidden);
        }
        let tried = candidates(&described.path);
        let counts = tab.script(frame, LIMIT).match_counts(local, &tried).await?;
        let counts = counts.ok_or_else(gone)?;
        let (selectors, selector_matches): (Vec<String>, Vec<u32>) = tried
            .into_iter()
            .zip(counts)
            .filter(|(_, (count, first))| *count == 1 && *first)
            .map(|(selector, (count, _))| (selector, count as u32))
            .take(SELECTORS_SHOWN)
            .unzip();
        let uid = self.shared.references().uid(number).unwrap_or_default();
        let reported = tab.tab.listeners(frame, local, LIMIT).await.ok().flatten();
        let expanded = Expanded {
            element_id: number.to_string(),
            uid,
            playwright: playwright(&described.role, &described.name, &described.path),
            selector_matches: Some(selector_matches),
            selectors,
            role: described.role,
            name: described.name,
            guessed_name: None,
            tag: described.tag,
            xpath: described.xpath,
            attributes: shown(described.attributes),
            attributes_left_out: described.left_out,
            text: described.text,
            rect: described.rect,
            state: state_words(
                Flags::from_bits_truncate(described.flags),
                Hidden::from_bits(described.flags),
            ),
            covered_by: None,
            value: described.value,
            frame: path.words(),
            shadow_path: described.shadow_path,
            listeners: reported.or(described.listeners),
        };
        Ok(DescribedElement { expanded, is_covered: described.covered })
    }

    /// Returns what a click at this point of the viewport would hit, through frames: the token of
    /// its document and its local id.
    pub(crate) async fn at_point(
        &self,
        look: &Look,
        x: f64,
        y: f64,
    ) -> Result<Option<(String, u32)>> {
        let Some(mut document) = look.page.documents.first() else { return Ok(None) };
        let mut point = Point::Pixels(x, y);
        loop {
            let hit = look.tab.script(document.frame.as_deref(), LIMIT).at(point).await?;
            let shown = look.page.find(&document.token, hit.id).map(|id| look.page.node(id));
            match (hit.fx, hit.fy, shown.and_then(|node| node.shown_document())) {
                (Some(fx), Some(fy), Some(inner)) => {
                    document = inner;
                    point = Point::Shares(fx, fy);
                }
                _ => return Ok((hit.id != 0).then(|| (document.token.clone(), hit.id))),
            }
        }
    }

    /// Returns the token of the top document.
    async fn document_token(&self, tab: &TabRecord) -> Result<String> {
        let mut tries = 0;
        loop {
            match tab.script(None, LIMIT).token().await {
                Err(BrowserError::Navigated) if tries < 3 => tries += 1,
                answer => return Ok(answer?.doc),
            }
        }
    }
}
