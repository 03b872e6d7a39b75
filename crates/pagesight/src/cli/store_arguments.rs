//! The arguments that choose a PostgreSQL store, and what they mean.

use std::path::Path;

use clap::Args;
use pagesight_check::settings::flag_defaults;

use crate::team::StoreChoice;

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

#[cfg(feature = "team")]
impl StoreArguments {
    /// Returns the store, if one is given.
    pub(crate) fn choice(&self) -> anyhow::Result<Option<StoreChoice>> {
        self.choice_in(&pagesight_check::settings::current_folder())
    }

    /// Returns the store, if one is given or the project of a folder has one.
    pub(crate) fn choice_in(&self, folder: &Path) -> anyhow::Result<Option<StoreChoice>> {
        use anyhow::Context;
        use pagesight_check::baseline::{Branches, environment};
        use pagesight_team::postgres::StoreAddress;

        let (given, by) = match &self.store {
            Some(given) => (Some(given.clone()), "--store"),
            None => (flag_defaults(folder)?.store, "store in .pagesight.toml"),
        };
        let Some(given) = given else { return Ok(None) };
        let variable = |name: &str| std::env::var(name).ok();
        let address = StoreAddress::parse(&given, &variable).context(by)?;
        let base = self.base_branch.clone();
        let base = base.unwrap_or_else(|| environment::base(folder, &variable));
        let branch = match &self.branch {
            Some(branch) => branch.clone(),
            None => environment::current(folder, &base, &variable)?,
        };
        let branches = Branches::new(&branch, &base)?;
        let accepted_by = self.accepted_by.clone().unwrap_or_else(|| environment::user(&variable));
        Ok(Some(StoreChoice { address, branches, accepted_by }))
    }

    /// Returns the store of a command that needs one.
    pub(crate) fn required(&self, command: &str) -> anyhow::Result<StoreChoice> {
        use anyhow::Context;

        self.choice()?.with_context(|| {
            format!("{command} needs a database; give --store postgres://user@host/database")
        })
    }
}

#[cfg(not(feature = "team"))]
impl StoreArguments {
    /// Refuses a store.
    pub(crate) fn choice(&self) -> anyhow::Result<Option<StoreChoice>> {
        self.choice_in(&pagesight_check::settings::current_folder())
    }

    /// Refuses a store.
    pub(crate) fn choice_in(&self, folder: &Path) -> anyhow::Result<Option<StoreChoice>> {
        match self.store.is_some() || flag_defaults(folder)?.store.is_some() {
            true => Err(crate::team::missing("--store")),
            false => Ok(None),
        }
    }
}
