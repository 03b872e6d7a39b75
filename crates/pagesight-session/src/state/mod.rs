//! The state of a browser that a user loads and saves: cookies and localStorage, in the format of
//! Playwright's storage state files. Nothing is loaded before the whole file was read and checked.

pub(crate) mod error;

use std::time::Duration;

use pagesight_browser::{Browser, StoredCookie, Viewport};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::Result;
use crate::secrets::WebOrigin;
use error::StateError;

/// How long the empty document of an origin may take.
const VISIT_LIMIT: Duration = Duration::from_secs(10);
/// How many hosts with cookies are visited for their localStorage.
const MOST_HOSTS: usize = 200;

/// Cookies and localStorage. The `Debug` form has no values.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct BrowserState {
    cookies: Vec<StoredCookie>,
    #[serde(default)]
    origins: Vec<StoredOrigin>,
    #[serde(flatten)]
    other: Map<String, Value>,
}

#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredOrigin {
    origin: String,
    #[serde(default)]
    local_storage: Vec<StoredItem>,
    #[serde(flatten)]
    other: Map<String, Value>,
}

#[derive(Clone, Serialize, Deserialize)]
struct StoredItem {
    name: String,
    value: String,
}

impl std::fmt::Debug for BrowserState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BrowserState({})", self.summary())
    }
}

impl BrowserState {
    /// Parses a file and checks all of it. Also returns sentences on what is not loaded. `now` is
    /// in seconds since 1970.
    pub fn parse(
        text: &str,
        now: f64,
    ) -> std::result::Result<(BrowserState, Vec<String>), StateError> {
        let mut state: BrowserState = serde_json::from_str(text).map_err(|error| {
            StateError::NotAState { line: error.line(), column: error.column() }
        })?;
        let mut notes = Vec::new();
        for cookie in &state.cookies {
            check(cookie)?;
        }
        let all = state.cookies.len();
        state.cookies.retain(|cookie| cookie.expires < 0.0 || cookie.expires > now);
        let expired = all - state.cookies.len();
        if expired > 0 {
            let plural = if expired == 1 { " is" } else { "s are" };
            notes.push(format!("{expired} cookie{plural} expired and not loaded"));
        }
        for origin in &mut state.origins {
            let parsed: WebOrigin = origin.origin.parse().map_err(|_| StateError::Origin {
                origin: origin.origin.chars().take(100).collect(),
            })?;
            origin.origin = parsed.as_str().to_owned();
        }
        let members = state.other.keys().chain(state.origins.iter().flat_map(|o| o.other.keys()));
        let cookies = state.cookies.iter().flat_map(|cookie| cookie.other.keys());
        let mut names: Vec<&String> = members.chain(cookies).collect();
        names.sort();
        names.dedup();
        if !names.is_empty() {
            let names: Vec<String> =
                names.iter().take(10).map(|name| format!("{name:?}")).collect();
            notes.push(format!(
                "not loaded, because pagesight does not know it: {}",
                names.join(", ")
            ));
        }
        Ok((state, notes))
    }

    /// Returns the state as a file.
    pub fn to_json(&self) -> String {
        // Strings, numbers and maps with string keys can always be written.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Returns how much it is: `3 cookies and the localStorage of 1 origin`.
    pub fn summary(&self) -> String {
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let (cookies, origins) = (self.cookies.len(), self.origins.len());
        format!(
            "{cookies} cookie{} and the localStorage of {origins} origin{}",
            plural(cookies),
            plural(origins)
        )
    }

    /// Loads the state into a browser that has just started.
    pub(crate) async fn load(&self, browser: &dyn Browser) -> Result<()> {
        for stored in self.origins.iter().filter(|stored| !stored.local_storage.is_empty()) {
            let items: Vec<(&str, &str)> = stored
                .local_storage
                .iter()
                .map(|item| (item.name.as_str(), item.value.as_str()))
                .collect();
            let items = serde_json::to_string(&items).unwrap_or_default();
            let script = format!(
                "{{ for (const [name, value] of {items}) localStorage.setItem(name, value); location.origin }}"
            );
            let answer = visit(browser, &stored.origin, &script).await?;
            if answer != stored.origin.as_str() {
                return Err(StateError::Storage { origin: stored.origin.clone() }.into());
            }
        }
        // Chromium forgets session cookies when its last tab closes, so they come last.
        for cookie in &self.cookies {
            let refused = |_| StateError::Refused {
                name: cookie.name.clone(),
                domain: cookie.domain.clone(),
            };
            browser.set_cookie(cookie).await.map_err(refused)?;
        }
        Ok(())
    }

    /// Reads the state of a browser.
    pub(crate) async fn save(
        browser: &dyn Browser,
        origins: Vec<WebOrigin>,
    ) -> Result<BrowserState> {
        let cookies = browser.cookies().await?;
        let hosts = cookies.iter().take(MOST_HOSTS).flat_map(|cookie| {
            let host = cookie.domain.trim_start_matches('.');
            let plain = (!cookie.secure).then(|| format!("http://{host}"));
            [Some(format!("https://{host}")), plain].into_iter().flatten()
        });
        let mut wanted: Vec<WebOrigin> = hosts.filter_map(|origin| origin.parse().ok()).collect();
        wanted.extend(origins);
        wanted.sort();
        wanted.dedup();
        let mut state = BrowserState { cookies, ..BrowserState::default() };
        for origin in wanted {
            let script = "({ origin: location.origin, items: Object.entries(localStorage) })";
            let answer = visit(browser, origin.as_str(), script).await?;
            // A browser may load an address of http over https.
            if answer["origin"] != origin.as_str() {
                continue;
            }
            let items: Vec<(String, String)> =
                serde_json::from_value(answer["items"].clone()).unwrap_or_default();
            let local_storage: Vec<StoredItem> =
                items.into_iter().map(|(name, value)| StoredItem { name, value }).collect();
            if !local_storage.is_empty() {
                let origin = origin.as_str().to_owned();
                state.origins.push(StoredOrigin { origin, local_storage, ..Default::default() });
            }
        }
        Ok(state)
    }
}

/// Checks a cookie.
fn check(cookie: &StoredCookie) -> std::result::Result<(), StateError> {
    let what = if cookie.name.is_empty() && cookie.value.is_empty() {
        "it is empty"
    } else if cookie.domain.trim_start_matches('.').is_empty() {
        "it has no domain"
    } else if !cookie.path.starts_with('/') {
        "its path does not begin with /"
    } else if !cookie.expires.is_finite() {
        "it has no time"
    } else if cookie.same_site.as_deref().is_some_and(|s| !["Strict", "Lax", "None"].contains(&s)) {
        "its sameSite is not Strict, Lax or None"
    } else {
        return Ok(());
    };
    let short = |text: &str| text.chars().take(100).collect();
    Err(StateError::Cookie { name: short(&cookie.name), domain: short(&cookie.domain), what })
}

/// Evaluates an expression in an empty document of an origin. Nothing is requested from the
/// network.
async fn visit(browser: &dyn Browser, origin: &str, expression: &str) -> Result<Value> {
    let opened = browser.open_tab(Viewport::default()).await?;
    let done = async {
        opened.tab.answer_empty().await?;
        opened.tab.navigate(&format!("{origin}/"), VISIT_LIMIT).await?;
        opened.tab.evaluate(expression, VISIT_LIMIT).await
    };
    let failed = || StateError::Storage { origin: origin.to_owned() };
    let done = done.await.map_err(|_| failed());
    let closed = opened.tab.close().await;
    let answer = serde_json::from_str(&done?).map_err(|_| failed())?;
    closed?;
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"{"cookies":[
        {"name":"sid","value":"hunter22","domain":"a.example","path":"/","expires":-1,"httpOnly":true,"secure":true,"sameSite":"Lax"},
        {"name":"old","value":"hunter22","domain":".a.example","path":"/","expires":5,"httpOnly":false,"secure":false,"sameSite":"None","partitionKey":"x"}],
        "origins":[{"origin":"https://A.example","localStorage":[{"name":"k","value":"hunter22"}],"indexedDB":[]}]}"#;

    #[test]
    fn expired_and_unknown_parts_are_named() {
        let (state, notes) = BrowserState::parse(FILE, 10.0).unwrap();
        assert_eq!(state.summary(), "1 cookie and the localStorage of 1 origin");
        assert_eq!(
            notes,
            [
                "1 cookie is expired and not loaded",
                "not loaded, because pagesight does not know it: \"indexedDB\""
            ]
        );
        assert!(!format!("{state:?}{notes:?}").contains("hunter22"));
        let again = BrowserState::parse(&state.to_json(), 10.0).unwrap().0;
        assert!(again.to_json() == state.to_json() && again.to_json().contains("indexedDB"));
    }

    #[test]
    fn wrong_files_are_refused_as_a_whole_without_their_values() {
        for (from, to, says) in [
            ("\"cookies\":[", "\"cookies\":", "not a storage state file (line"),
            ("\"value\":\"hunter22\",\"domain\":\"a", "\"domain\":\"a", "not a storage state file"),
            ("\"path\":\"/\"", "\"path\":\"x\"", "path does not begin with /"),
            ("\"a.example\"", "\".\"", "has no domain"),
            ("\"Lax\"", "\"hunter22\"", "sameSite"),
            ("https://A.example", "file:///x", "\"file:///x\" in it is not an origin"),
        ] {
            assert!(FILE.contains(from), "{from}");
            let error = BrowserState::parse(&FILE.replacen(from, to, 1), 10.0).unwrap_err();
            let error = error.to_string();
            assert!(error.contains(says) && !error.contains("hunter22"), "{error}");
        }
    }
}
