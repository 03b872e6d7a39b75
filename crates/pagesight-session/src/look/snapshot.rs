//! Takes a snapshot of a live tab: a full look, the pipeline over it, and references for the
//! elements that it shows. A full look also has all attributes, hidden elements, `head`, comments
//! and covered elements. It is cached: a second snapshot of an unchanged page walks nothing.

use std::sync::Arc;
use std::time::Instant;

use pagesight_core::pipeline::PipelineConfig;
use pagesight_core::render::{Measured, SnapshotOptions, measured};

use crate::error::Result;
use crate::look::error::LookError;
use crate::look::scope::ScopeChoice;
use crate::session::Session;
use crate::tab::record::TabRecord;

/// The options of a snapshot.
#[derive(Clone, Copy, Debug)]
pub struct SnapshotRequest<'a> {
    /// The part of the page; it replaces the scope of `options`.
    pub scope: &'a ScopeChoice,
    /// The configuration of the pipeline.
    pub config: &'a PipelineConfig,
    /// The format and the budget.
    pub options: SnapshotOptions,
    /// Measure what each rule saved.
    pub metrics: bool,
}

impl Session {
    /// Looks at a tab and takes a snapshot of it, all in one turn.
    pub async fn snapshot(
        &self,
        tab: &Arc<TabRecord>,
        request: SnapshotRequest<'_>,
    ) -> Result<Measured> {
        let SnapshotRequest { scope, config, options, metrics } = request;
        let _turn = tab.turn().await?;
        // A full look is needed: the pipeline decides about hidden elements, and the metrics are
        // about the whole page.
        let look = self.look_in_turn(tab, scope.selector(), true).await?;
        let reference = scope.reference();
        let look = self.look_again_for(look, None, true, reference.as_slice()).await?;
        let scope = self.scope_in(&look, scope)?;
        let mut references = self.shared.references();
        let mut numbers = references.numbering(&look.page);
        let begun = Instant::now();
        let options = SnapshotOptions { scope, wording: self.options.wording, ..options };
        let taken =
            measured(&look.page, config, &options, metrics, &mut numbers, || begun.elapsed());
        Ok(taken.map_err(LookError::Snapshot)?)
    }
}
