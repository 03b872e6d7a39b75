//! Reads the file that lists the pages, as the arguments say, and writes files of results.

use std::path::Path;

use anyhow::{Context, bail};
use pagesight_session::private_files;

use super::plan::{Overrides, Plan};
use crate::cli::check_arguments::PlanArguments;

/// Reports whether this runs in CI, where no missing baseline is saved.
pub(crate) fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true" || value == "1")
}

/// Reads the file that lists the pages.
pub(crate) fn read(arguments: &PlanArguments) -> anyhow::Result<Plan> {
    let path = &arguments.file;
    let text = std::fs::read_to_string(path).with_context(|| {
        format!(
            "cannot read {}; write one with pagesight init http://localhost:3000",
            path.display()
        )
    })?;
    let overrides = Overrides {
        base_url: arguments.base_url.clone(),
        fail_on: arguments.fail_on.map(Into::into),
        browsers: arguments.browser.clone(),
    };
    Plan::read(path, &text, &overrides, &|name| std::env::var(name).ok())
        .map_err(anyhow::Error::msg)
}

/// Returns the indices of the jobs to run.
pub(crate) fn chosen(plan: &Plan, only: &[String]) -> anyhow::Result<Vec<usize>> {
    if let Some(unknown) = only.iter().find(|name| plan.jobs.iter().all(|job| job.name != **name)) {
        let mut names: Vec<&str> = plan.jobs.iter().map(|job| job.name.as_str()).collect();
        names.dedup();
        names.truncate(20);
        bail!("there is no page named {unknown:?}; the pages are {}", names.join(", "));
    }
    let wanted = |name: &String| only.is_empty() || only.contains(name);
    Ok((0..plan.jobs.len()).filter(|at| wanted(&plan.jobs[*at].name)).collect())
}

/// Writes a file of results.
pub(crate) fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    private_files::replace(file, text.as_bytes())
        .with_context(|| format!("cannot write {}", file.display()))
}
