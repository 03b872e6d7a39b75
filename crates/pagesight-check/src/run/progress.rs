//! The progress of a run, for whoever shows it.

/// Shows the progress of a run.
pub trait RunProgress: Send + Sync {
    /// A page of the queue is being checked.
    fn begin(&self, page: usize, name: &str);

    /// A page is done; `is_bad` says whether it fails the check.
    fn done(&self, page: usize, is_bad: bool);

    /// The run is over.
    fn end(&self);
}

/// Shows nothing.
pub struct NoProgress;

impl RunProgress for NoProgress {
    fn begin(&self, _: usize, _: &str) {}

    fn done(&self, _: usize, _: bool) {}

    fn end(&self) {}
}
