//! Run folders: the result of a check on disk, so that it can be accepted and merged later, also on
//! a different machine. `header` is its first file, `writer` makes a folder, `reader` reads one,
//! and `opened` opens its files.
//!
//! ```text
//! .pagesight/run/run.json        the header: version, pages file, shard, digest of the plan
//!                pages.jsonl     one `PageRecord` per line; the last one of a job counts
//!                files/12.json   the new baseline of job 12, if there is one to accept
//!                files/12.png    its picture, and files/12.before.png that of the old baseline
//! ```

mod header;
mod opened;
mod reader;
#[cfg(test)]
pub(crate) mod tests;
mod writer;

pub use header::{RunHeader, RunIdentity};
pub use reader::StoredRun;
pub use writer::RunWriter;
