//! Opens the baselines of pages in a database.

use std::sync::Arc;

use pagesight_check::baseline::PageBaselines;

use crate::cli::store_arguments::StoreArguments;

/// Opens the baselines of pages in the database of `--store`, if one is given.
pub(super) async fn database(store: &StoreArguments) -> anyhow::Result<Option<PageBaselines>> {
    let Some(choice) = store.choice()? else { return Ok(None) };
    let opened = tokio::task::spawn_blocking(move || choice.open()).await??;
    Ok(Some(PageBaselines::in_store(Arc::new(opened))))
}
