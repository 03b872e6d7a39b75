//! The state of a browser that a user loads and saves: cookies and localStorage, in the format of
//! Playwright's storage state files. Nothing is loaded before the whole file was read and checked.

pub(crate) mod error;

use std::collections::BTreeSet;
use std::time::Duration;

use pagesight_browser::{Browser, StoredCookie, Viewport};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::error::{Result, SessionError};
use error::StateError;
use pagesight_core::web_origin::WebOrigin;

/// How long the empty document of an origin may take.
const VISIT_LIMIT: Duration = Duration::from_secs(10);
/// How many origins are visited for their localStorage because they have cookies.
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

    /// Reads the state of a browser: its cookies, and the localStorage of the `given` origins and
    /// of the hosts that have cookies. Keeps what it does not know from `loaded`, the state that
    /// the browser started with. Also returns sentences on what is missing.
    pub(crate) async fn save(
        browser: &dyn Browser,
        mut given: Vec<WebOrigin>,
        loaded: Option<&BrowserState>,
        stop: &CancellationToken,
    ) -> Result<(BrowserState, Vec<String>)> {
        let cookies = browser.cookies().await?;
        given.extend(loaded.iter().flat_map(|loaded| loaded.known_origins()));
        let given: BTreeSet<WebOrigin> = given.into_iter().collect();
        let hosts: BTreeSet<WebOrigin> = cookies.iter().flat_map(origins_of).collect();
        let hosts: Vec<WebOrigin> = hosts.difference(&given).cloned().collect();
        let left_out = hosts.len().saturating_sub(MOST_HOSTS);
        let mut state = BrowserState { cookies, ..BrowserState::default() };
        let mut unread = 0;
        let hosts = hosts.into_iter().take(MOST_HOSTS).map(|origin| (origin, false));
        for (origin, is_given) in given.into_iter().map(|origin| (origin, true)).chain(hosts) {
            if stop.is_cancelled() {
                return Err(SessionError::Cancelled);
            }
            match storage_of(browser, &origin).await {
                Ok(Some(stored)) => state.origins.push(stored),
                Ok(None) => {}
                // A host may not allow it; what the user asked for must be there.
                Err(_) if !is_given && browser.is_alive() => unread += 1,
                Err(error) => return Err(error),
            }
        }
        if let Some(loaded) = loaded {
            state.keep_unknown(loaded);
        }
        state.origins.sort_by(|one, other| one.origin.cmp(&other.origin));
        let mut notes = Vec::new();
        if left_out > 0 {
            notes.push(format!(
                "the localStorage of {left_out} more origins with cookies was not saved; name those that you need with --origin"
            ));
        }
        if unread > 0 {
            notes.push(format!("the localStorage of {unread} origins could not be read"));
        }
        Ok((state, notes))
    }

    /// Returns the origins whose localStorage it has.
    fn known_origins(&self) -> impl Iterator<Item = WebOrigin> {
        self.origins.iter().filter_map(|stored| stored.origin.parse().ok())
    }

    /// Takes over the members of `loaded` that pagesight does not know.
    fn keep_unknown(&mut self, loaded: &BrowserState) {
        self.other = loaded.other.clone();
        for kept in loaded.origins.iter().filter(|kept| !kept.other.is_empty()) {
            match self.origins.iter_mut().find(|stored| stored.origin == kept.origin) {
                Some(stored) => stored.other = kept.other.clone(),
                None => self.origins.push(StoredOrigin {
                    origin: kept.origin.clone(),
                    local_storage: Vec::new(),
                    other: kept.other.clone(),
                }),
            }
        }
    }
}

/// Returns the origins that a cookie is sent to, on their usual ports.
fn origins_of(cookie: &StoredCookie) -> impl Iterator<Item = WebOrigin> {
    let host = cookie.domain.trim_start_matches('.');
    let plain = (!cookie.secure).then(|| format!("http://{host}"));
    let both = [Some(format!("https://{host}")), plain];
    both.into_iter().flatten().filter_map(|origin| origin.parse().ok())
}

/// Reads the localStorage of an origin, if it has any.
async fn storage_of(browser: &dyn Browser, origin: &WebOrigin) -> Result<Option<StoredOrigin>> {
    let script = "({ origin: location.origin, items: Object.entries(localStorage) })";
    let answer = visit(browser, origin.as_str(), script).await?;
    let items: Vec<(String, String)> =
        serde_json::from_value(answer["items"].clone()).unwrap_or_default();
    // A browser may load an address of http over https.
    if items.is_empty() || answer["origin"] != origin.as_str() {
        return Ok(None);
    }
    let local_storage = items.into_iter().map(|(name, value)| StoredItem { name, value }).collect();
    Ok(Some(StoredOrigin {
        origin: origin.as_str().to_owned(),
        local_storage,
        ..StoredOrigin::default()
    }))
}

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
    fn unknown_members_are_kept() {
        let (loaded, _) = BrowserState::parse(FILE, 10.0).unwrap();
        let mut saved = BrowserState::default();
        saved.keep_unknown(&loaded);
        assert!(saved.to_json().contains("indexedDB"), "{saved:?}");
        assert!(!saved.to_json().contains("hunter22"), "localStorage is read from the browser");
        let known: Vec<WebOrigin> = loaded.known_origins().collect();
        assert_eq!(known.len(), 1);
        assert_eq!(known[0].as_str(), "https://a.example");
    }

    #[test]
    fn cookies_lead_to_origins() {
        let (state, _) = BrowserState::parse(FILE, 1.0).unwrap();
        let of = |at: usize| -> Vec<String> {
            origins_of(&state.cookies[at]).map(|origin| origin.as_str().to_owned()).collect()
        };
        assert_eq!(of(0), ["https://a.example"], "only over https");
        assert_eq!(of(1), ["https://a.example", "http://a.example"]);
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
