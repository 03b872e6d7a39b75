//! The log of a page: what its scripts wrote to the console, and its requests. [`PageLog`] keeps
//! the newest entries within bounds, `select` chooses and folds them, `render` writes them within a
//! token budget, and `detail` writes one request. `mask` leaves secrets out before anything is
//! kept. `source_map` finds the original place of a position in a bundle.

mod detail;
mod json_outline;
pub mod mask;
mod model;
mod render;
mod select;
pub mod source_map;
mod store;

pub use detail::{BodyContent, ConsoleDetail, RequestDetail};
pub use model::{
    CodePosition, ConsoleEntry, LogEntry, LogId, LogLevel, LogRecord, RequestEntry, RequestOutcome,
    RequestRedirect, RequestTiming,
};
pub use render::{LogLayout, lay_out};
pub use select::{LineContent, LogKind, LogLine, LogQuery, LogSelection, LogSince};
pub use store::{LOG_BYTES, PageLog};

#[cfg(test)]
mod tests;
