//! Cookies of a browser, in the form of Playwright's storage state files.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A cookie. Its `Debug` form does not contain the value.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredCookie {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Its host; with a leading dot it is also sent to sub-domains.
    pub domain: String,
    /// Its path.
    pub path: String,
    /// When it expires, in seconds since 1970; -1 for a session cookie.
    pub expires: f64,
    /// Whether scripts cannot read it.
    pub http_only: bool,
    /// Whether it is sent over HTTPS only.
    pub secure: bool,
    /// `Strict`, `Lax` or `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_site: Option<String>,
    /// The site of the top page in which it is sent, for a partitioned cookie.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition_key: Option<String>,
    /// Whether a partitioned cookie belongs to frames of other sites in that page.
    #[serde(rename = "_crHasCrossSiteAncestor", default, skip_serializing_if = "Option::is_none")]
    pub has_cross_site_ancestor: Option<bool>,
    /// Members that pagesight does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl std::fmt::Debug for StoredCookie {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "StoredCookie({} of {})", self.name, self.domain)
    }
}
