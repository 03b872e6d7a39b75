//! A tab of the user's browser that the caller has not chosen. Nothing is done with it: it is
//! listed with its title and origin, and attached to when the caller chooses it.

use std::sync::Mutex;

use pagesight_browser::FoundTab;
use pagesight_browser::lock;
use pagesight_core::web_origin::WebOrigin;
use tokio::sync::Mutex as AsyncMutex;

use crate::tab::info::TabInfo;

/// A tab that was not chosen.
pub(crate) struct UnchosenTab {
    /// A number that no other tab of the session has or had.
    pub(crate) key: u32,
    /// Its id for callers: `t1`.
    pub(crate) id: String,
    pub(crate) engine_id: String,
    tab: Mutex<FoundTab>,
    /// Held while it is attached to, so that two calls do not attach twice.
    pub(crate) choosing: AsyncMutex<()>,
}

impl UnchosenTab {
    /// Makes the record of a tab that was found.
    pub(crate) fn new(key: u32, tab: FoundTab) -> UnchosenTab {
        UnchosenTab {
            key,
            id: format!("t{key}"),
            engine_id: tab.id.clone(),
            tab: Mutex::new(tab),
            choosing: AsyncMutex::new(()),
        }
    }

    /// Notes its new title and address.
    pub(crate) fn update(&self, tab: FoundTab) {
        *lock(&self.tab) = tab;
    }

    /// Whether its page crashed.
    pub(crate) fn is_crashed(&self) -> bool {
        lock(&self.tab).crashed
    }

    /// Whether it shows a page of the web and not one of the browser itself, such as its settings
    /// or an extension, which are never opened.
    pub(crate) fn is_of_the_web(&self) -> bool {
        let tab = lock(&self.tab);
        let scheme = tab.url.split(':').next().unwrap_or_default();
        matches!(scheme, "http" | "https" | "file" | "data" | "blob" | "")
            || tab.url.starts_with("about:blank")
    }

    /// Returns it as it is listed.
    pub(crate) fn info(&self) -> TabInfo {
        let tab = lock(&self.tab);
        TabInfo {
            id: self.id.clone(),
            name: None,
            url: origin(&tab.url),
            unchosen: Some(tab.title.clone()),
            active: false,
        }
    }
}

/// Returns the origin of an address, without user name and password; of an address without a host
/// only the scheme.
fn origin(url: &str) -> String {
    let Some((scheme, _)) = url.split_once(':') else { return String::new() };
    match WebOrigin::of_address(url) {
        Some(origin) => origin.to_string(),
        None if url.starts_with("about:blank") => "about:blank".to_owned(),
        None => format!("{scheme}:"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tab_is_listed_with_its_origin_only() {
        for (url, listed) in [
            ("https://shop.example/cart?token=abc#x", "https://shop.example"),
            ("http://ada:secret@127.0.0.1:8080/a", "http://127.0.0.1:8080"),
            ("https://a.example?next=1", "https://a.example"),
            ("data:text/html,secret", "data:"),
            ("file:///home/ada/letter.html", "file:"),
            ("about:blank#secret", "about:blank"),
            ("", ""),
        ] {
            assert_eq!(origin(url), listed, "{url}");
        }
    }

    #[test]
    fn pages_of_the_browser_are_left_out() {
        let found = |url: &str| {
            let tab = FoundTab { url: url.to_owned(), ..FoundTab::default() };
            UnchosenTab::new(1, tab).is_of_the_web()
        };
        assert!(found("https://a.example/") && found("about:blank") && found(""));
        for url in ["chrome://settings/", "chrome-extension://x/a.html", "about:config", "edge://x"]
        {
            assert!(!found(url), "{url}");
        }
    }
}
