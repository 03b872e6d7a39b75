//! Lists everything that the lab uses from the product's crates, and the fixed texts of its replies
//! that the lab parses. When the product moves or renames something, this file changes and the
//! commands of the lab do not.

pub use pagesight_browser::discover::find as find_browser;
pub use pagesight_browser::{Engine, LaunchOptions, OpenedTab, Tab, TabEvent, Viewport, launch};
pub use pagesight_core::compare::{Change, Comparison, IgnoreRules, Severity, Subject, compare};
#[cfg(test)]
pub use pagesight_core::compare::{ChangeType, Facts};
pub use pagesight_core::fingerprint::{Fingerprint, answer as fingerprint_answer};
#[cfg(test)]
pub use pagesight_core::icons::IconTable;
pub use pagesight_core::icons::TABLE_VERSION;
pub use pagesight_core::nameless::{GuessSource, guessed_name};
pub use pagesight_core::page::role::Role;
pub use pagesight_core::page::{Flags, Node, NodeId, Page};
pub use pagesight_core::pipeline::{
    CompactionMetrics, NodeFate, PipelineConfig, PipelineRule, view,
};
pub use pagesight_core::render::{
    Outline, OutlineOptions, SequentialNumbers, SnapshotOptions, measured,
};
pub use pagesight_core::text::tokens::count as count_tokens;
pub use pagesight_session::{
    Action, Feature, FingerprintRequest, LookOptions, Options as SessionOptions, ScopeChoice,
    Session, ShotOptions, TabRecord, Target,
};
pub use pagesight_team::postgres::StoreAddress;
pub use pagesight_team::queue::{Delivered, Delivery, LeasedPage, NewRun, Queue};

/// Starts the line, before all others, that lists changes after the previous answer.
pub const LATE_CHANGES: &str = "since the last answer: ";
/// Starts the line of a diff that lists parts which change without an action.
pub const UNPROMPTED_CHANGES: &str = "in the background: ";
/// Starts the line of a diff that lists new references of re-rendered elements.
pub const NEW_REFERENCES: &str = "re-rendered: ";
/// The states of a line that heads a region, which is shown as it is now.
pub const REGION_STATES: [&str; 2] = ["re-rendered", "filled"];
/// Follows the number of microseconds in the line that the server logs for each answered action.
pub const LOGGED_MICROSECONDS: &str = " µs after it had settled";
/// Begins the error of a call while the person has not answered whether pagesight may connect.
pub const AWAITS_CONSENT: &str = "waiting for you to press Allow in Chromium";
/// Begins the error of a call after the person refused the connection.
pub const CONSENT_REFUSED: &str = "Chromium refused the connection: Allow was not pressed";

/// Whether a line of a reply heads a diff: `changes:`, `changes (12 elements more):`.
pub fn begins_changes(line: &str) -> bool {
    line.starts_with("changes:") || line.starts_with("changes (")
}
