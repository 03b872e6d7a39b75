//! The browser options that a process was started with, in a form that can be compared: a command
//! that wants different ones is refused.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use pagesight_core::text::address::without_values;
use pagesight_session::Engine;

use crate::cli::absolute_path::absolute;
use crate::cli::options::BrowserArguments;

/// The flag with the address of a browser.
pub(crate) const CONNECT: &str = "--connect";

/// A command wants an option that the process does not run with.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{flag}: the running pagesight was started {now}; leave it out, or end the process with pagesight close --all"
)]
pub(crate) struct OptionConflict {
    flag: String,
    /// How it was started.
    now: String,
}

/// The browser options of commands that may start the process, and which of them the user gave: an
/// option that is left out is not compared.
#[derive(Debug)]
pub(crate) struct SharedBrowserArguments {
    /// All options, with their defaults.
    pub(crate) arguments: BrowserArguments,
    /// Those of the process that the user gave, by flag.
    pub(crate) given: BTreeMap<String, String>,
    /// Whether the user gave a size.
    pub(crate) has_viewport: bool,
}

impl SharedBrowserArguments {
    /// Returns the options to start a process with, by flag: those that the user gave, and those of
    /// the project.
    pub(crate) fn to_start(&self) -> BTreeMap<String, String> {
        let mut options = chosen(&self.arguments);
        options.extend(self.given.clone());
        options
    }

    /// Returns the flags that the user gave, those of the session included.
    pub(crate) fn flags(&self) -> impl Iterator<Item = String> {
        let of_session =
            [("--state", self.arguments.state.is_some()), ("--viewport", self.has_viewport)];
        let given = of_session.into_iter().filter_map(|(flag, is_given)| is_given.then_some(flag));
        let given = given.map(str::to_owned).chain(self.arguments.emulation.first_flag());
        self.given.keys().cloned().chain(given)
    }
}

impl FromArgMatches for SharedBrowserArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<SharedBrowserArguments, clap::Error> {
        let arguments = BrowserArguments::from_arg_matches(matches)?;
        let mut given = running(&arguments);
        let is_given = |flag: &str| {
            let id = flag.trim_start_matches('-').replace('-', "_");
            matches.value_source(&id) == Some(ValueSource::CommandLine)
        };
        given.retain(|flag, _| is_given(flag));
        Ok(SharedBrowserArguments { arguments, given, has_viewport: is_given("--viewport") })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = SharedBrowserArguments::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for SharedBrowserArguments {
    fn augment_args(command: Command) -> Command {
        BrowserArguments::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        BrowserArguments::augment_args_for_update(command)
    }
}

/// Returns the options that a process runs with, by flag.
pub(crate) fn running(arguments: &BrowserArguments) -> BTreeMap<String, String> {
    let path = |given: &Option<PathBuf>| Some(absolute(given.as_ref()?).display().to_string());
    let variables = &arguments.environment.browser_env;
    let options = [
        ("--browser", Some(arguments.browser.id().to_owned())),
        ("--browser-env", Some(variables.join(",")).filter(|names| !names.is_empty())),
        (CONNECT, arguments.connect.clone()),
        ("--headed", arguments.headed.then(String::new)),
        ("--profile", path(&arguments.profile)),
        ("--allow-file", arguments.allow_file.then(String::new)),
        ("--no-hooks", arguments.environment.no_hooks.then(String::new)),
        ("--no-pierce", arguments.no_pierce.then(String::new)),
    ];
    let set = options.into_iter().filter_map(|(flag, value)| Some((flag.to_owned(), value?)));
    let connections = arguments.environment.connections.given();
    set.chain(connections.into_iter().map(|(flag, value)| (flag.to_owned(), value))).collect()
}

/// Returns the options of a command that differ from the defaults, by flag.
pub(crate) fn chosen(arguments: &BrowserArguments) -> BTreeMap<String, String> {
    let mut chosen = running(arguments);
    chosen.retain(|flag, value| {
        (flag.as_str(), value.as_str()) != ("--browser", Engine::default().id())
    });
    chosen
}

/// Returns the options as arguments of a command line.
pub(crate) fn as_arguments(given: &BTreeMap<String, String>) -> Vec<String> {
    let pair = |(flag, value): (&String, &String)| match value.as_str() {
        "" => vec![flag.clone()],
        // A flag with several values has one per line.
        values => values.lines().flat_map(|value| [flag.clone(), value.to_owned()]).collect(),
    };
    given.iter().flat_map(pair).collect()
}

/// Checks that a process runs with the options that a command gives.
pub(crate) fn check(
    given: &BTreeMap<String, String>,
    running: &BTreeMap<String, String>,
) -> Result<(), OptionConflict> {
    for (flag, value) in given {
        let now = running.get(flag);
        if now == Some(value) {
            continue;
        }
        let now = match now.map(String::as_str) {
            None => format!("without {flag}"),
            Some("") => format!("with {flag}"),
            // It may have a secret.
            Some(_) if flag == "--header" => format!("with a different {flag}"),
            // An address may have a token.
            Some(now) if flag == CONNECT => format!("with {flag} {}", without_values(now)),
            Some(now) => format!("with {flag} {now}"),
        };
        return Err(OptionConflict { flag: flag.clone(), now });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        browser: SharedBrowserArguments,
    }

    fn read(words: &[&str]) -> SharedBrowserArguments {
        Line::try_parse_from(["pagesight"].iter().chain(words)).unwrap().browser
    }

    #[test]
    fn different_options_are_refused() {
        let running = running(&read(&["--browser", "firefox", "--headed"]).arguments);
        for same in [vec!["--headed"], vec![], vec!["--browser", "firefox"]] {
            assert_eq!(check(&read(&same).given, &running), Ok(()), "{same:?}");
        }
        // A default that is given is compared, too.
        let refused = check(&read(&["--browser", "chromium"]).given, &running).unwrap_err();
        assert!(refused.now.contains("with --browser firefox"), "{refused}");
        let refused = check(&read(&["--allow-file"]).given, &running).unwrap_err();
        assert!(refused.now.contains("without --allow-file"), "{refused}");
    }

    #[test]
    fn a_conflict_does_not_print_the_token_of_an_address() {
        let address = |token: &str| format!("ws://me:word@grid:3000/a?token={token}#{token}");
        let running = running(&read(&["--connect", &address("one")]).arguments);
        let given = read(&["--connect", &address("two")]).given;
        assert_eq!(
            check(&given, &running).unwrap_err().to_string(),
            "--connect: the running pagesight was started with --connect ws://grid:3000/a?token=…; \
             leave it out, or end the process with pagesight close --all"
        );
    }

    #[test]
    fn options_start_the_process_as_they_were_given() {
        let words = ["--browser", "firefox", "--headed"];
        assert_eq!(as_arguments(&read(&words).given), words);
        let all = [
            "--allow-file",
            "--browser-arg",
            "--a",
            "--browser-arg",
            "--b",
            "--browser-env",
            "A,B",
            "--connect",
            "auto",
            "--ignore-https-errors",
            "--no-hooks",
            "--no-pierce",
            "--profile",
            "/p",
        ];
        assert_eq!(as_arguments(&read(&all).given), all);
        // These are of the session, not of the process.
        let of_session = read(&["--state", "/s", "--viewport", "1280x720", "--cpu", "2"]);
        assert_eq!(of_session.given, BTreeMap::new());
        assert_eq!(of_session.flags().collect::<Vec<_>>(), ["--state", "--viewport", "--cpu"]);
        assert_eq!(chosen(&read(&["--browser", "chromium"]).arguments), BTreeMap::new());
        let relative = read(&["--profile", "p"]).given;
        assert!(relative["--profile"].starts_with('/'), "{relative:?}");
    }
}
