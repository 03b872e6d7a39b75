//! The arguments that choose a PostgreSQL store, and what they mean.

use anyhow::Context;
use clap::Args;
use pagesight_session::baseline::{Branches, PostgresPages};
use pagesight_session::postgres::StoreAddress;

use crate::project::branch;
use crate::project::config::current_folder;

/// Where baselines are stored.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct StoreArguments {
    /// Keep the baselines in this PostgreSQL database, such as postgres://user@host/database; the
    /// password comes from PGPASSWORD or the pass file
    #[arg(long, value_name = "URL", global = true)]
    pub(crate) store: Option<String>,
    /// With --store: the branch that the baselines belong to; without it, the one of CI or git
    #[arg(long, value_name = "NAME", requires = "store", global = true)]
    pub(crate) branch: Option<String>,
    /// With --store: the branch whose baselines count where the branch has none; without it, the
    /// one of CI or git, else main
    #[arg(long, value_name = "NAME", requires = "store", global = true)]
    pub(crate) base_branch: Option<String>,
    /// With --store: who accepts baselines; without it, the user of CI or of this machine
    #[arg(long, value_name = "WHO", requires = "store", global = true)]
    pub(crate) accepted_by: Option<String>,
}

/// A PostgreSQL store that was chosen.
#[derive(Clone, Debug)]
pub(crate) struct StoreChoice {
    pub(crate) address: StoreAddress,
    pub(crate) branches: Branches,
    pub(crate) accepted_by: String,
}

impl StoreArguments {
    /// Returns the store, if one is given.
    pub(crate) fn choice(&self) -> anyhow::Result<Option<StoreChoice>> {
        let Some(given) = &self.store else { return Ok(None) };
        let environment = |name: &str| std::env::var(name).ok();
        let address = StoreAddress::parse(given, &environment).context("--store")?;
        let folder = current_folder();
        let base = self.base_branch.clone();
        let base = base.unwrap_or_else(|| branch::base(&folder, &environment));
        let branch = self.branch.clone();
        let branch = branch.unwrap_or_else(|| branch::current(&folder, &base, &environment));
        let branches = Branches::new(&branch, &base)?;
        let accepted_by = self.accepted_by.clone().unwrap_or_else(|| branch::user(&environment));
        Ok(Some(StoreChoice { address, branches, accepted_by }))
    }

    /// Returns the store of a command that needs one.
    pub(crate) fn required(&self, command: &str) -> anyhow::Result<StoreChoice> {
        self.choice()?.with_context(|| {
            format!("{command} needs a database; give --store postgres://user@host/database")
        })
    }
}

impl StoreChoice {
    /// Opens the baselines of the pages of a check.
    pub(crate) async fn pages(&self) -> anyhow::Result<PostgresPages> {
        let choice = self.clone();
        let open =
            move || PostgresPages::open(&choice.address, choice.branches, &choice.accepted_by);
        Ok(tokio::task::spawn_blocking(open).await??)
    }
}
