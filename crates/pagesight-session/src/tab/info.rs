//! A tab as it is listed.

/// A tab as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TabInfo {
    /// Its id for callers: `t1`.
    pub id: String,
    /// The name that the caller gave it.
    pub name: Option<String>,
    /// Its URL; only the origin if it was not chosen.
    pub url: String,
    /// Its title, if it is a tab of the user that was not chosen.
    pub unchosen: Option<String>,
    /// Whether calls without a tab go to it.
    pub active: bool,
}
