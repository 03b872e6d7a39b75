//! How browsers are started: with more environment variables (`--browser-env`), without hooks
//! (`--no-hooks`), with connections of their own, and the note on a browser without a sandbox.

use std::sync::Once;

use anyhow::bail;
use clap::Args;
use pagesight_browser::{NoSandbox, is_passed_to_browsers};
use pagesight_session::LaunchOptions;

use super::connection_arguments::{ConnectionArguments, Lookup};
use super::print;

/// The environment of the browsers that are started.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct BrowserEnvironment {
    /// Give this environment variable to the browser, which gets only those that browsers need; may
    /// be given several times
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) browser_env: Vec<String>,
    /// Do not observe which timers and frames the scripts of pages schedule. Waits then take longer
    #[arg(long)]
    pub(crate) no_hooks: bool,
    #[command(flatten)]
    pub(crate) connections: ConnectionArguments,
}

impl BrowserEnvironment {
    /// Returns how browsers are started with these variables. `elsewhere`: nothing is started,
    /// because the browsers are at an address.
    pub(crate) fn launch(&self, elsewhere: bool) -> anyhow::Result<LaunchOptions> {
        self.launch_with(elsewhere, &|name| std::env::var(name).ok())
    }

    /// Returns how browsers are started, with values that `lookup` finds.
    pub(crate) fn launch_with(
        &self,
        elsewhere: bool,
        lookup: Lookup<'_>,
    ) -> anyhow::Result<LaunchOptions> {
        if elsewhere && !self.browser_env.is_empty() {
            bail!(
                "--browser-env: the browser at --connect has an environment of its own; leave one of them out"
            );
        }
        if elsewhere && self.no_hooks {
            bail!("--no-hooks: there are no hooks in the browser at --connect; leave it out");
        }
        if let Some((flag, _)) = self.connections.given().first().filter(|_| elsewhere) {
            bail!(
                "{flag}: the browser at --connect has connections of its own; leave one of them out"
            );
        }
        check(&self.browser_env, &|name| std::env::var_os(name).is_some())?;
        Ok(LaunchOptions {
            variables: self.browser_env.clone(),
            no_hooks: self.no_hooks,
            args: self.connections.browser_arguments()?,
            connections: self.connections.connections(lookup)?,
            no_sandbox: Some(report_no_sandbox),
            ..LaunchOptions::default()
        })
    }
}

/// Checks the names of variables.
fn check(names: &[String], is_set: &dyn Fn(&str) -> bool) -> anyhow::Result<()> {
    for (at, name) in names.iter().enumerate() {
        if name.is_empty() || name.contains(['=', '\0', ' ']) {
            bail!(
                "--browser-env: {name:?} is not the name of an environment variable; give a name such as MOZ_LOG"
            );
        }
        if names[at + 1..].contains(name) {
            bail!("--browser-env: {name} is given twice; leave one of them out");
        }
        if is_passed_to_browsers(name) {
            bail!("--browser-env: every browser gets {name}; leave it out");
        }
        if !is_set(name) {
            bail!("--browser-env: {name} is not set; set it, or leave it out");
        }
    }
    Ok(())
}

/// Prints that a browser is started without its sandbox, once per process.
pub(crate) fn report_no_sandbox(why: NoSandbox) {
    static ONCE: Once = Once::new();
    let sentence = match why {
        NoSandbox::Root => {
            "Chromium runs without its sandbox, because pagesight runs as root; run it as a different user"
        }
        NoSandbox::Argument => {
            "Chromium runs without its sandbox, because of --no-sandbox in PAGESIGHT_BROWSER_ARGS; leave it out where you can"
        }
    };
    ONCE.call_once(|| print::note(sentence));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wrong_name_is_one_sentence() {
        let set = |name: &str| name != "NONE";
        let error = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            check(&names, &set).map_err(|error| error.to_string())
        };
        assert_eq!(error(&["MOZ_LOG", "GITHUB_TOKEN"]), Ok(()));
        for (names, says) in [
            (&[""][..], "\"\" is not the name of an environment variable"),
            (&["A=b"], "\"A=b\" is not the name of an environment variable; give a name such as"),
            (&["A", "B", "A"], "A is given twice; leave one of them out"),
            (&["HOME"], "every browser gets HOME; leave it out"),
            (&["LC_ALL"], "every browser gets LC_ALL"),
            (&["NONE"], "NONE is not set; set it, or leave it out"),
        ] {
            let error = error(names).unwrap_err();
            assert!(error.starts_with("--browser-env: ") && error.contains(says), "{error}");
        }
        let variables =
            BrowserEnvironment { browser_env: vec!["A".to_owned()], ..Default::default() };
        let hooks = BrowserEnvironment { no_hooks: true, ..Default::default() };
        for (useless, says) in [
            (variables, "--browser-env: the browser at --connect has an environment of its own"),
            (hooks, "--no-hooks: there are no hooks in the browser at --connect"),
        ] {
            let error = useless.launch(true).unwrap_err().to_string();
            assert!(error.starts_with(says), "{error}");
        }
        assert!(BrowserEnvironment::default().launch(true).is_ok());
    }
}
