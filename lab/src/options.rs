//! The options that several commands share. A command flattens the groups that it needs, so an
//! option has the same name, meaning and help everywhere.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::install::apps::{APPS, App};
use crate::pages::{self, PageState};
use crate::product::Engine;

/// How many apps must run for a whole run with `--apps` to count.
const REQUIRED_APPS: usize = 5;

/// Which program is driven.
#[derive(Args)]
pub struct ProgramArgs {
    /// The pagesight program to drive [default: $PAGESIGHT_PROGRAM, else a release build]
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,
}

impl ProgramArgs {
    /// Returns the program's path; builds the release program if none was named.
    pub fn path(&self) -> anyhow::Result<PathBuf> {
        if let Some(program) = &self.program {
            return Ok(program.clone());
        }
        if let Some(program) = std::env::var_os("PAGESIGHT_PROGRAM") {
            return Ok(program.into());
        }
        let built = std::process::Command::new("cargo")
            .args(["build", "--release", "--locked", "-p", "pagesight"])
            .current_dir(repository())
            .status()?;
        anyhow::ensure!(built.success(), "the release build failed");
        let target = std::env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| repository().join("target"), PathBuf::from);
        Ok(target.join("release/pagesight"))
    }
}

/// A browser, as the program's `--browser` option names it.
#[derive(Clone, Copy, ValueEnum)]
enum BrowserName {
    Chromium,
    Firefox,
}

/// Which browser is driven.
#[derive(Args)]
pub struct BrowserArgs {
    /// The browser to drive
    #[arg(long, value_enum, default_value_t = BrowserName::Chromium)]
    browser: BrowserName,
}

impl BrowserArgs {
    /// Returns the engine.
    pub fn engine(&self) -> Engine {
        match self.browser {
            BrowserName::Chromium => Engine::Chromium,
            BrowserName::Firefox => Engine::Firefox,
        }
    }

    /// Returns the name that the program's `--browser` option takes.
    pub fn name(&self) -> &'static str {
        match self.browser {
            BrowserName::Chromium => "chromium",
            BrowserName::Firefox => "firefox",
        }
    }
}

/// Which items are run.
#[derive(Args)]
pub struct OnlyArgs {
    /// Run only the items whose name contains this text; can be given several times
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
}

impl OnlyArgs {
    /// Returns whether the item of this name is to be run.
    pub fn includes(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|text| name.contains(text.as_str()))
    }

    /// Returns whether one of the texts contains this name, or is in it.
    pub fn names(&self, part: &str) -> bool {
        self.only.iter().any(|text| text.contains(part) || part.contains(text.as_str()))
    }

    /// Returns whether there is any restriction.
    pub fn is_set(&self) -> bool {
        !self.only.is_empty()
    }
}

/// Where random numbers start.
#[derive(Args)]
pub struct SeedArgs {
    /// Seed of the random numbers; the same seed gives the same run
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Where the single results go.
#[derive(Args)]
pub struct DetailsArgs {
    /// Also write every single result or miss to this file
    #[arg(long, value_name = "FILE")]
    details: Option<PathBuf>,
}

impl DetailsArgs {
    /// Writes the file, if one was named.
    pub fn write(&self, text: &str) -> anyhow::Result<()> {
        match &self.details {
            Some(file) => Ok(std::fs::write(file, text)?),
            None => Ok(()),
        }
    }
}

/// Which pages and apps are visited.
#[derive(Args)]
pub struct PagesArgs {
    /// Folders of saved pages, or URLs [default: tests/fixtures; nothing with --apps]
    #[arg(value_name = "FOLDER|URL")]
    places: Vec<String>,
    /// Visit web apps of other projects, which are installed into target/lab-apps
    #[arg(long)]
    apps: bool,
    #[command(flatten)]
    pub only: OnlyArgs,
}

impl PagesArgs {
    /// Returns the folders and addresses that were named.
    pub fn places(&self) -> &[String] {
        &self.places
    }

    /// Serves the folders and returns their pages. Pages with a name in `left_out` are skipped.
    pub async fn pages(&self, left_out: &[&str]) -> anyhow::Result<Vec<PageState>> {
        let mut places = self.places.clone();
        if places.is_empty() && !self.apps {
            places.push(repository().join("tests/fixtures").display().to_string());
        }
        let mut page_states = Vec::new();
        for place in &places {
            page_states.extend(pages::page_states(place).await?);
        }
        page_states.retain(|page_state| {
            self.only.includes(&page_state.name) && !left_out.contains(&page_state.name.as_str())
        });
        Ok(page_states)
    }

    /// Returns whether an app of this name is to be visited.
    fn visits_app(&self, name: &str) -> bool {
        self.apps && self.only.includes(name)
    }

    /// Returns the apps to visit, of these and of further ones.
    pub fn apps(&self, more: &'static [App]) -> Vec<&'static App> {
        APPS.iter().chain(more).filter(|app| self.visits_app(&app.name)).collect()
    }

    /// Visits the saved pages and then the apps, each while it runs. Fails at the end if a whole
    /// run with `--apps` could start too few of them.
    pub async fn visit(
        &self,
        left_out: &[&str],
        more: &'static [App],
        visitor: &mut impl Visitor,
    ) -> anyhow::Result<()> {
        visitor.visit(PageGroup::Saved, self.pages(left_out).await?).await;
        let mut ran = 0;
        for app in self.apps(more) {
            if let Some(mut running) = app.start_or_skip().await {
                visitor.visit(PageGroup::App, std::mem::take(&mut running.page_states)).await;
                running.end().await;
                ran += 1;
            }
        }
        anyhow::ensure!(
            !self.apps || self.only.is_set() || ran >= REQUIRED_APPS,
            "only {ran} apps ran, {REQUIRED_APPS} are needed; the lines above say why apps were \
             skipped"
        );
        Ok(())
    }
}

/// Where a page comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageGroup {
    Saved,
    Generated,
    App,
}

/// The use of the pages and apps that a command visits.
pub trait Visitor {
    /// Visits pages; a state without an address follows the one before it.
    async fn visit(&mut self, group: PageGroup, page_states: Vec<PageState>);
}

/// Returns the root folder of the repository.
pub fn repository() -> PathBuf {
    let lab = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    lab.parent().unwrap_or(std::path::Path::new(".")).to_owned()
}

/// Returns the path of a log or journal of a run, in `target/lab-runs`.
pub fn run_file(name: &str) -> anyhow::Result<PathBuf> {
    let folder = repository().join("target/lab-runs");
    std::fs::create_dir_all(&folder)?;
    Ok(folder.join(name))
}
