//! The apps of `cargo lab living`: how each is started, what its first useful answer shows, and
//! which controls are used in it.

use std::path::PathBuf;

use tokio::process::Command;

use crate::install::apps::{self, RunningApp};
use crate::install::{self, pinned};
use crate::pages;
use crate::scale::storybook;

/// Where an app comes from.
enum Source {
    /// A page that `lab/living/build.mjs` bundles, of this name.
    Bundled(&'static str),
    /// An app of `lab/src/install/apps.json` or `living_apps.json` whose name starts like this.
    Installed(&'static str),
    Storybook,
}

/// An app and what is done in it.
pub struct LivingApp {
    pub name: &'static str,
    source: Source,
    path: &'static str,
    /// A text that a useful answer has.
    pub shows: &'static str,
    /// The name of a control, and a text that the page has after a click on it. Where the answers
    /// name no control, there is none.
    pub click: Option<(&'static str, &'static str)>,
    pub dialog: AppDialog,
    /// Whether looks are compared with the floor, because the page consists of components with
    /// shadow roots.
    pub has_floor: bool,
}

/// A dialog, or a menu in apps without one.
pub struct AppDialog {
    pub opener: Control,
    /// A text that only the open dialog has.
    pub shows: &'static str,
    pub closer: Control,
}

/// The step that opens or closes a dialog.
#[derive(Clone, Copy)]
pub enum Control {
    /// A click on the control with this name.
    Named(&'static str),
    Key(&'static str),
}

const fn bundled(name: &'static str, page: &'static str) -> LivingApp {
    LivingApp {
        name,
        source: Source::Bundled(page),
        path: "/",
        shows: "Living room",
        click: COUNT,
        dialog: SETTINGS,
        has_floor: true,
    }
}

/// The names on the lab's own pages.
const COUNT: Option<(&str, &str)> = Some(("Count", "clicked 1"));
const SETTINGS: AppDialog = AppDialog {
    opener: Control::Named("Open settings"),
    shows: "Home settings",
    closer: Control::Named("Done"),
};

/// The apps, in the order of the tables.
pub const LIVING_APPS: [LivingApp; 9] = [
    bundled("Shoelace", "shoelace"),
    bundled("Material Web", "material"),
    bundled("UI5", "ui5"),
    bundled("Vaadin", "vaadin"),
    LivingApp { shows: "General", ..bundled("settings", "settings") },
    LivingApp {
        name: "JupyterLab",
        source: Source::Installed("JupyterLab"),
        path: "/lab/tree/note.ipynb?reset",
        shows: "With a",
        click: Some(("Running Terminals and Kernels", "Open Tabs")),
        dialog: AppDialog {
            opener: Control::Named("Restart the kernel"),
            shows: "Restart Kernel?",
            closer: Control::Key("Escape"),
        },
        has_floor: false,
    },
    LivingApp {
        name: "Node-RED",
        source: Source::Installed("Node-RED"),
        path: "/",
        shows: "Flow 1",
        click: None,
        dialog: AppDialog {
            opener: Control::Key("Control+f"),
            shows: "search your flows",
            closer: Control::Key("Escape"),
        },
        has_floor: false,
    },
    LivingApp {
        name: "NiceGUI",
        source: Source::Installed("NiceGUI, living"),
        path: "/",
        shows: "Light",
        click: COUNT,
        dialog: SETTINGS,
        has_floor: false,
    },
    LivingApp {
        name: "Storybook",
        source: Source::Storybook,
        path: "/?path=/story/forms-button--counting",
        shows: "0 items",
        click: Some(("Add", "1 items")),
        dialog: AppDialog {
            opener: Control::Named("Shortcuts"),
            shows: "About your Storybook",
            closer: Control::Key("Escape"),
        },
        has_floor: false,
    },
];

/// An app that runs.
pub struct StartedApp {
    pub url: String,
    process: Option<RunningApp>,
}

impl LivingApp {
    /// Installs and starts it.
    pub async fn start(&self) -> anyhow::Result<StartedApp> {
        let mut process = None;
        let address = match self.source {
            Source::Bundled(page) => pages::serve(bundle().await?.join(page)).await?,
            Source::Storybook => {
                let book = pinned::install("storybook").await?;
                storybook::build(&book).await?;
                pages::serve(book.join("static")).await?
            }
            Source::Installed(name) => {
                let running = apps::find(name)?.start().await?;
                process.insert(running).address.clone()
            }
        };
        Ok(StartedApp { url: format!("{address}{}", self.path), process })
    }
}

impl StartedApp {
    pub async fn end(mut self) {
        if let Some(process) = &mut self.process {
            process.end().await;
        }
    }
}

/// Installs the libraries of the pages and bundles them; returns the folder of the pages.
async fn bundle() -> anyhow::Result<PathBuf> {
    let folder = pinned::node("living").await?;
    install::run(Command::new("node").arg("build.mjs").current_dir(&folder)).await?;
    Ok(folder.join("static"))
}
