//! Reads the plan of a check, lists the pages of its sources, and chooses those to check.

use std::io::ErrorKind;

use anyhow::{anyhow, bail};
use pagesight_check::plan::shard::Shard;
use pagesight_check::plan::since::{Touched, touched};
use pagesight_check::plan::{Overrides, Plan};
use pagesight_check::settings::{current_folder, ignore_rules, settings_file};
use pagesight_check::sources;

use crate::cli::check_arguments::PlanArguments;
use crate::cli::{log, print, signals, state_file};
use crate::team;

/// Where the pages are checked.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PagesPlace<'a> {
    /// By this command, in browsers of a Grid at these addresses if there are some.
    Here(&'a [String]),
    /// By workers. Only sources need a browser here.
    #[cfg_attr(not(feature = "team"), allow(dead_code, reason = "only the queue has workers"))]
    Workers,
}

/// A plan, and the jobs to run.
pub(crate) struct PreparedCheck {
    /// The plan, with the pages of its sources.
    pub(crate) plan: Plan,
    /// The indices of the jobs that `--only` and `--since` choose, of all shards.
    pub(crate) chosen: Vec<usize>,
    /// The digest of the chosen jobs.
    pub(crate) digest: String,
}

/// Reads the plan and chooses the jobs.
pub(crate) async fn prepare(
    arguments: &PlanArguments,
    place: PagesPlace<'_>,
) -> anyhow::Result<PreparedCheck> {
    let grid = match place {
        PagesPlace::Here(grid) => grid,
        PagesPlace::Workers => &[],
    };
    let launch = arguments.environment.launch(!grid.is_empty())?;
    let mut plan = read(arguments)?;
    log::hide(plan.secrets.values());
    let is_used = matches!(place, PagesPlace::Here(_)) || plan.has_sources();
    if !is_used && !launch.variables.is_empty() {
        bail!("check enqueue: --browser-env is used only to list sources; give it to check work");
    }
    plan.loaded = match (&arguments.state, &plan.state) {
        (Some(_), _) if !is_used => {
            bail!("check enqueue: --state is used only to list sources; give it to check work")
        }
        (_, _) if !is_used => None,
        (Some(file), _) => Some(state_file::read(file, "--state")?),
        (None, Some(file)) => Some(state_file::read(file, "state")?),
        (None, None) => None,
    };
    let project = ignore_rules(&current_folder())?;
    print::settings(settings_file(&current_folder())?.as_deref());
    plan.add_rules(&project);
    if plan.has_sources() {
        let browsers = team::browsers(&plan, &launch, grid, 1)?;
        let stop = signals::ended_by_signal();
        let notes = sources::add_pages(&mut plan, browsers, stop).await?;
        notes.iter().for_each(|note| print::note(note));
    }
    let mut chosen = plan.named(&arguments.only)?;
    if let Some(reference) = &arguments.since {
        match touched(&plan, reference)? {
            Touched::All(why) => print::note(&why),
            Touched::Pages(names) => {
                chosen.retain(|at| names.contains(&plan.jobs[*at].name));
                print::note(&format!(
                    "the changes since {reference} touch {} of {} pages",
                    names.len(),
                    plan.page_count()
                ));
            }
        }
    }
    let digest = plan.digest_of(chosen.iter().map(|at| &plan.jobs[*at]));
    Ok(PreparedCheck { plan, chosen, digest })
}

impl PreparedCheck {
    /// Returns the chosen jobs of a shard.
    pub(crate) fn in_shard(&self, shard: Option<Shard>) -> Vec<usize> {
        let wanted = |at: &&usize| shard.is_none_or(|shard| shard.has(&self.plan.jobs[**at].name));
        self.chosen.iter().filter(wanted).copied().collect()
    }
}

/// Reports whether this runs in CI, where no missing baseline is saved.
pub(crate) fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true" || value == "1")
}

/// Reads the file that lists the pages.
fn read(arguments: &PlanArguments) -> anyhow::Result<Plan> {
    let path = &arguments.file;
    let text = std::fs::read_to_string(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => {
            anyhow!("There is no {} here. Create one: pagesight init URL", path.display())
        }
        _ => anyhow!("cannot read {}: {error}", path.display()),
    })?;
    let overrides = Overrides {
        base_url: arguments.base_url.clone(),
        fail_on: arguments.fail_on,
        browsers: arguments.browser.clone(),
    };
    Ok(Plan::read(path, &text, &overrides, &|name| std::env::var(name).ok())?)
}
