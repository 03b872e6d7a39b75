//! `expand_dom_selector`: everything about one element, with selectors that were tried in the live page.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use pagesight_browser::BrowserError;
use pagesight_core::page::{Flags, Hidden};
use pagesight_core::refs::RefError;
use pagesight_core::render::Numbers;
use pagesight_core::selectors::{PathStep, candidates, playwright};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::answer::read;
use crate::error::{Result, SessionError};
use crate::eyes::Eyes;
use crate::look::Look;
use crate::tabs::TabRecord;

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
    /// Lower-case tag.
    pub tag: String,
    /// Selectors that match exactly this element in its root, the most stable first.
    pub selectors: Vec<String>,
    /// How many elements each selector matches; null where it could not be tried.
    pub selector_matches: Option<Vec<u32>>,
    /// A Playwright locator.
    pub playwright: String,
    /// The way down from the document; null inside shadow roots.
    pub xpath: Option<String>,
    /// All attributes; secrets are `•••`.
    pub attributes: BTreeMap<String, String>,
    /// Its text.
    pub text: String,
    /// Left, top, width and height in CSS pixels of the viewport.
    #[serde(rename = "box")]
    pub rect: Vec<i64>,
    /// What is true of it.
    pub state: Vec<&'static str>,
    /// The value of a field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The frame it is in; null in the top one.
    pub frame: Option<String>,
    /// The hosts of the shadow roots it is in, outermost first.
    pub shadow_path: Vec<String>,
    /// Listeners on it; null where they are not known.
    pub listeners: Option<Vec<String>>,
}

/// What the page script says of an element.
#[derive(Deserialize)]
struct Described {
    #[serde(default)]
    error: Option<String>,
    #[serde(default)]
    tag: String,
    #[serde(default)]
    role: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    text: String,
    #[serde(default, rename = "box")]
    rect: Vec<i64>,
    #[serde(default)]
    flags: u32,
    #[serde(default)]
    value: Option<String>,
    #[serde(default)]
    attributes: BTreeMap<String, String>,
    #[serde(default)]
    path: Vec<PathStep>,
    #[serde(default)]
    shadow_path: Vec<String>,
    #[serde(default)]
    xpath: Option<String>,
}

/// Everything that is true of an element, in words: more than a line tells, because here it was asked for.
pub fn state_words(flags: Flags, hidden: Option<Hidden>) -> Vec<&'static str> {
    let also = [(Flags::USABLE, "usable"), (Flags::IN_VIEWPORT, "in_viewport"), (Flags::SECRET, "secret")];
    let mut words: Vec<&'static str> =
        also.iter().filter(|(flag, _)| flags.contains(*flag)).map(|(_, word)| *word).collect();
    words.extend(pagesight_core::render::state_words(flags));
    words.extend(hidden.map(|_| "hidden"));
    words
}

impl Eyes {
    /// Everything about the element of a reference.
    pub async fn expand(&self, tab: &Arc<TabRecord>, given: &str) -> Result<Expanded> {
        let _turn = tab.turn().await?;
        self.check_tab(tab)?;
        let reference = self.resolve(tab, given)?;
        let token = self.document_token(tab).await?;
        if token != reference.document {
            return Err(RefError::Navigated { number: reference.number }.into());
        }
        match self.describe(tab, reference.local, reference.number).await {
            Err(SessionError::Reference(RefError::Gone { .. })) => {
                // The node is gone; a look tells whether another one took the number over, and what is nearest if not.
                let look = self.look_in_turn(tab, None, false).await?;
                let id = self.shared.references().find(&reference, &look.page)?;
                self.describe(tab, look.page.node(id).local(), reference.number).await
            }
            answer => answer,
        }
    }

    /// Everything about whatever a click at a point of the viewport would hit.
    pub async fn expand_at(&self, tab: &Arc<TabRecord>, x: f64, y: f64) -> Result<Expanded> {
        let _turn = tab.turn().await?;
        let look = self.look_in_turn(tab, None, false).await?;
        let (width, height) = look.page.viewport;
        let inside = (0.0..f64::from(width)).contains(&x) && (0.0..f64::from(height)).contains(&y);
        let hit = if inside { self.at_point(tab, x, y).await? } else { None };
        let Some(local) = hit else {
            let text = format!("nothing is at {x},{y}; the viewport is {width}x{height} pixels");
            return Err(SessionError::Input(text));
        };
        let number = self.number_for(&look, local)?;
        self.describe(tab, local, number).await
    }

    /// Everything about the first element that a selector matches.
    pub async fn expand_selector(&self, tab: &Arc<TabRecord>, selector: &str) -> Result<Expanded> {
        let _turn = tab.turn().await?;
        let look = self.look_in_turn(tab, Some(selector), false).await?;
        // A look with a selector either has a scope or was an error.
        let local = look.page.scope.map(|id| look.page.node(id).local()).unwrap_or_default();
        let number = self.number_for(&look, local)?;
        self.describe(tab, local, number).await
    }

    fn number_for(&self, look: &Look, local: u32) -> Result<u32> {
        let token = look.page.documents.first().map(|document| document.token.clone()).unwrap_or_default();
        let id = look.page.find(&token, local).ok_or_else(|| {
            SessionError::Input(
                "what is there is not part of the captured page; call inspect_tab and use a reference"
                    .to_owned(),
            )
        })?;
        Ok(self.shared.references().numbering(&look.page).number(id))
    }

    async fn describe(&self, tab: &TabRecord, local: u32, number: u32) -> Result<Expanded> {
        let answer = tab.script("describe", &json!([local]).to_string(), LIMIT).await?;
        let described: Described = read(&answer)?;
        if described.error.is_some() {
            let was = "the element".to_owned();
            return Err(RefError::Gone { number, was, nearest: String::new() }.into());
        }
        let tried = candidates(&described.path);
        let answer = tab.script("matches", &json!([local, tried]).to_string(), LIMIT).await?;
        // Gone in between: it is as if it had been gone before.
        let gone = |_| RefError::Gone { number, was: "the element".to_owned(), nearest: String::new() };
        let counts: Vec<(i64, bool)> = read(&answer).map_err(gone)?;
        let (selectors, selector_matches): (Vec<String>, Vec<u32>) = tried
            .into_iter()
            .zip(counts)
            .filter(|(_, (count, first))| *count == 1 && *first)
            .map(|(selector, (count, _))| (selector, count as u32))
            .take(SELECTORS_SHOWN)
            .unzip();
        let uid = self.shared.references().uid(number).unwrap_or_default();
        Ok(Expanded {
            element_id: number.to_string(),
            uid,
            playwright: playwright(&described.role, &described.name, &described.path),
            selector_matches: Some(selector_matches),
            selectors,
            role: described.role,
            name: described.name,
            tag: described.tag,
            xpath: described.xpath,
            attributes: described.attributes,
            text: described.text,
            rect: described.rect,
            state: state_words(
                Flags::from_bits_truncate(described.flags),
                Hidden::from_bits(described.flags),
            ),
            value: described.value,
            frame: None,
            shadow_path: described.shadow_path,
            listeners: None,
        })
    }

    /// The local id of what a click at this point would hit.
    pub(crate) async fn at_point(&self, tab: &TabRecord, x: f64, y: f64) -> Result<Option<u32>> {
        #[derive(Deserialize)]
        struct Hit {
            id: u32,
        }
        let answer = tab.script("at", &json!([x, y]).to_string(), LIMIT).await?;
        Ok(Some(read::<Hit>(&answer)?.id).filter(|id| *id != 0))
    }

    /// The token of the top document.
    async fn document_token(&self, tab: &TabRecord) -> Result<String> {
        #[derive(Deserialize)]
        struct Token {
            #[serde(default)]
            doc: String,
        }
        let mut tries = 0;
        loop {
            match tab.script("token", "[]", LIMIT).await {
                Err(BrowserError::Navigated) if tries < 3 => tries += 1,
                answer => return Ok(read::<Token>(&answer?)?.doc),
            }
        }
    }
}
