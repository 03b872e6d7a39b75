//! Checks pages against their baselines. This library never prints; the program does.
//!
//! `plan` reads `pages.toml`, `baseline` stores what pages looked like, `visit` opens a page and
//! takes its fingerprint, `sources` lists further pages, `run` checks all pages with retries,
//! `result` keeps what was found, and `report` formats it. `stability` finds pages that differ from
//! load to load.
//!
//! ```no_run
//! use std::path::Path;
//! use std::sync::Arc;
//! use std::time::Duration;
//!
//! use pagesight_check::baseline::PageBaselines;
//! use pagesight_check::plan::{Overrides, Plan};
//! use pagesight_check::report::text;
//! use pagesight_check::result::CheckResult;
//! use pagesight_check::run::{NoProgress, RunOptions, RunParts, run};
//! use pagesight_check::visit::{BrowserVisitor, OwnBrowsers};
//! use pagesight_session::LaunchOptions;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let text = std::fs::read_to_string("pages.toml")?;
//! let environment = |name: &str| std::env::var(name).ok();
//! let plan = Plan::read(Path::new("pages.toml"), &text, &Overrides::default(), &environment)?;
//! let plan = Arc::new(plan);
//! let browsers = Box::new(OwnBrowsers::new(&plan, &LaunchOptions::default()));
//! let parts = RunParts {
//!     baselines: PageBaselines::in_folder(&plan.folder()),
//!     visitor: Arc::new(BrowserVisitor::new(plan.clone(), browsers, Duration::ZERO)),
//!     stored: None,
//!     options: RunOptions { jobs: 4, update: false, may_save: true, pictures: false },
//!     plan: plan.clone(),
//! };
//! let all = plan.named(&[])?;
//! let ended = run(parts, all, Arc::new(NoProgress), std::future::pending()).await;
//! let result = CheckResult {
//!     subject: "pages.toml".to_owned(),
//!     began: pagesight_check::clock::timestamp(),
//!     took: Duration::ZERO,
//!     fail_on: plan.fail_on,
//!     outcomes: ended.outcomes,
//! };
//! println!("{}", text::total(&result, "pagesight check --update"));
//! # Ok(())
//! # }
//! ```

pub mod baseline;
pub mod clock;
pub mod plan;
#[cfg(test)]
mod planted;
pub mod report;
pub mod result;
pub mod run;
pub mod settings;
pub mod sources;
pub mod stability;
pub mod toml_errors;
pub mod visit;
pub mod wording;
