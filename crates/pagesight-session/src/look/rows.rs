//! Reads the rows of a live tab. A full look is needed: only it has spans, depths and classes.

use std::sync::Arc;

use pagesight_core::rows::print::RowsOptions;
use pagesight_core::rows::{RowsRead, RowsRequest, read_page_rows};

use crate::error::Result;
use crate::look::error::LookError;
use crate::look::late_changes;
use crate::look::scope::ScopeChoice;
use crate::session::Session;
use crate::tab::record::TabRecord;

impl Session {
    /// Reads the rows of a tab and prints what was asked for, all in one turn.
    pub async fn rows(
        &self,
        tab: &Arc<TabRecord>,
        scope: &ScopeChoice,
        request: RowsRequest<'_>,
    ) -> Result<RowsRead> {
        let _turn = tab.turn().await?;
        let look = self.look_in_turn(tab, scope.selector(), true).await?;
        let scope = self.scope_in(&look, scope)?;
        let mut references = self.shared.references();
        let mut numbers = references.numbering(&look.page);
        let max_tokens = request.options.max_tokens.saturating_sub(late_changes::tokens_of(tab));
        let options = RowsOptions { wording: self.options.wording, max_tokens, ..request.options };
        let request = RowsRequest { options, ..request };
        let read = read_page_rows(&look.page, scope, request, &mut numbers);
        Ok(read.map_err(LookError::Rows)?)
    }
}
