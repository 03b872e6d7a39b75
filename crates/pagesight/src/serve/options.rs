//! The browser options that a process was started with, in a form that can be compared: a command
//! that wants different ones is refused.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use pagesight_session::{Engine, Viewport};

use crate::cli::options::{BrowserArguments, endpoint, engine, viewport};

/// The browser options of commands that may start the process. An option that is left out is not
/// compared.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct SharedBrowserArguments {
    /// The browser to start
    #[arg(long, value_parser = engine())]
    pub(crate) browser: Option<Engine>,
    /// Use a running browser: your own (auto, chrome, edge, brave, chromium), or one at an address
    #[arg(long, value_name = "URL|NAME", value_parser = endpoint)]
    pub(crate) connect: Option<String>,
    /// Show the browser's window
    #[arg(long)]
    pub(crate) headed: bool,
    /// Keep the browser's profile in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) profile: Option<PathBuf>,
    /// Start each workspace with the cookies and localStorage of this file
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    /// Width and height of new tabs in CSS pixels
    #[arg(long, value_name = "WxH", value_parser = viewport)]
    pub(crate) viewport: Option<Viewport>,
    /// Allow file: URLs
    #[arg(long)]
    pub(crate) allow_file: bool,
    /// Do not enter shadow roots and frames; this lowers the confidence of diffs
    #[arg(long)]
    pub(crate) no_pierce: bool,
}

/// Returns a path that means the same in every folder.
fn absolute(path: &PathBuf) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.clone()).display().to_string()
}

impl SharedBrowserArguments {
    /// Returns the arguments for a browser of its own.
    pub(crate) fn into_arguments(self) -> BrowserArguments {
        BrowserArguments {
            browser: self.browser.unwrap_or_default(),
            connect: self.connect,
            headed: self.headed,
            profile: self.profile,
            state: self.state,
            viewport: self.viewport.unwrap_or_default(),
            allow_file: self.allow_file,
            no_pierce: self.no_pierce,
        }
    }

    /// Returns the options that were given, by flag.
    pub(crate) fn given(&self) -> BTreeMap<String, String> {
        let mut given = BTreeMap::new();
        let mut add = |flag: &str, value: Option<String>| {
            if let Some(value) = value {
                given.insert(flag.to_owned(), value);
            }
        };
        add("--browser", self.browser.map(|engine| engine.id().to_owned()));
        add("--connect", self.connect.clone());
        add("--headed", self.headed.then(String::new));
        add("--profile", self.profile.as_ref().map(absolute));
        add("--state", self.state.as_ref().map(absolute));
        add("--viewport", self.viewport.map(|size| format!("{}x{}", size.width, size.height)));
        add("--allow-file", self.allow_file.then(String::new));
        add("--no-pierce", self.no_pierce.then(String::new));
        given
    }
}

/// Returns the options that a process runs with, by flag.
pub(crate) fn running(arguments: &BrowserArguments) -> BTreeMap<String, String> {
    SharedBrowserArguments {
        browser: Some(arguments.browser),
        connect: arguments.connect.clone(),
        headed: arguments.headed,
        profile: arguments.profile.clone(),
        state: arguments.state.clone(),
        viewport: Some(arguments.viewport),
        allow_file: arguments.allow_file,
        no_pierce: arguments.no_pierce,
    }
    .given()
}

/// Returns the options of a command that differ from the defaults, by flag.
pub(crate) fn chosen(arguments: &BrowserArguments) -> BTreeMap<String, String> {
    let (browser, viewport) = (Engine::default(), Viewport::default());
    let defaults = SharedBrowserArguments {
        browser: Some(browser),
        viewport: Some(viewport),
        ..SharedBrowserArguments::default()
    }
    .given();
    let mut chosen = running(arguments);
    chosen.retain(|flag, value| defaults.get(flag) != Some(value));
    chosen
}

/// Returns the options as arguments of a command line.
pub(crate) fn as_arguments(given: &BTreeMap<String, String>) -> Vec<String> {
    let pair = |(flag, value): (&String, &String)| match value.as_str() {
        "" => vec![flag.clone()],
        value => vec![flag.clone(), value.to_owned()],
    };
    given.iter().flat_map(pair).collect()
}

/// Checks that a process runs with the options that a command gives.
pub(crate) fn check(
    given: &BTreeMap<String, String>,
    running: &BTreeMap<String, String>,
) -> Result<(), String> {
    for (flag, value) in given {
        let now = running.get(flag);
        if now == Some(value) {
            continue;
        }
        let now = match now.map(String::as_str) {
            None => format!("without {flag}"),
            Some("") => format!("with {flag}"),
            Some(now) => format!("with {flag} {now}"),
        };
        return Err(format!(
            "{flag}: the running pagesight was started {now}; leave it out, or end the process with pagesight close --all"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_options_are_refused() {
        let running = SharedBrowserArguments {
            browser: Some(Engine::Firefox),
            headed: true,
            ..SharedBrowserArguments::default()
        }
        .given();
        let same = SharedBrowserArguments { headed: true, ..Default::default() }.given();
        assert_eq!(check(&same, &running), Ok(()));
        assert_eq!(check(&BTreeMap::new(), &running), Ok(()));
        let other =
            SharedBrowserArguments { browser: Some(Engine::Chromium), ..Default::default() };
        let refused = check(&other.given(), &running).unwrap_err();
        assert!(refused.contains("with --browser firefox"), "{refused}");
        let more = SharedBrowserArguments { allow_file: true, ..Default::default() }.given();
        assert!(check(&more, &running).unwrap_err().contains("without --allow-file"));
        assert_eq!(as_arguments(&running), ["--browser", "firefox", "--headed"]);
    }
}
