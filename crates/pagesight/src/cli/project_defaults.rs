//! Gives flags the values that `.pagesight.toml` has for them. A flag that is given wins.

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use pagesight_check::settings::{FlagDefaults, SettingsError, current_folder, flag_defaults};

/// The flags with a value of their own if the project has none. The store is read where it is
/// opened.
const FLAGS: [&str; 3] = ["browser", "viewport", "jobs"];

/// Returns the command line with the values of the project, if the command has such a flag and the
/// user left it out.
pub(crate) fn with_project_defaults(
    command: Command,
    matches: &ArgMatches,
) -> Result<Option<Command>, SettingsError> {
    if !leaves_out(matches) {
        return Ok(None);
    }
    let defaults = flag_defaults(&current_folder())?;
    Ok((defaults != FlagDefaults::default()).then(|| with(command, &defaults)))
}

fn leaves_out(matches: &ArgMatches) -> bool {
    if let Some((_, inner)) = matches.subcommand() {
        return leaves_out(inner);
    }
    let is_default = |flag: &&str| {
        matches.try_contains_id(flag).is_ok()
            && matches.value_source(flag) == Some(ValueSource::DefaultValue)
    };
    FLAGS.iter().any(is_default)
}

fn with(command: Command, defaults: &FlagDefaults) -> Command {
    command
        .mut_args(|argument| with_default(argument, defaults))
        .mut_subcommands(|command| with(command, defaults))
}

fn with_default(argument: Arg, defaults: &FlagDefaults) -> Arg {
    let viewport = |it: pagesight_session::Viewport| format!("{}x{}", it.width, it.height);
    let value = match argument.get_id().as_str() {
        "browser" => defaults.browser.map(|engine| engine.id().to_owned()),
        "viewport" => defaults.viewport.map(viewport),
        "jobs" => defaults.jobs.map(|jobs| jobs.to_string()),
        _ => None,
    };
    match value.filter(|_| !argument.get_default_values().is_empty()) {
        // The parser keeps defaults for as long as the program runs.
        Some(value) => argument.default_value(&*value.leak()),
        None => argument,
    }
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches;
    use pagesight_session::{Engine, Viewport};

    use super::*;
    use crate::cli::arguments::{Cli, Command as Parsed};
    use crate::cli::help::command;
    use crate::cli::shell_arguments::ShellCommand;

    #[test]
    fn flags_that_are_left_out_have_the_values_of_the_project() {
        let defaults = FlagDefaults {
            browser: Some(Engine::Firefox),
            viewport: Some(Viewport { width: 390, height: 844 }),
            jobs: Some(8),
            store: None,
        };
        let read = |line: &[&str]| {
            let words = ["pagesight"].iter().chain(line);
            let matches = with(command(), &defaults).try_get_matches_from(words).unwrap();
            Cli::from_arg_matches(&matches).unwrap().command
        };
        let Parsed::Check(check) = read(&["check"]) else { panic!("it is check") };
        assert_eq!((check.jobs, check.plan.browser.len()), (8, 0), "pages.toml has the browsers");
        let Parsed::Check(check) = read(&["check", "--jobs", "2"]) else { panic!("it is check") };
        assert_eq!(check.jobs, 2);
        let opened = read(&["open", "localhost", "--viewport", "800x600"]);
        let Parsed::Shell(ShellCommand::Open { shared, .. }) = opened else { panic!("it is open") };
        assert_eq!(shared.browser.arguments.browser, Engine::Firefox);
        assert_eq!(shared.browser.arguments.viewport.width, 800);
        // The process starts with it, but one that runs with something else is used.
        assert!(shared.browser.given.is_empty());
        assert_eq!(shared.browser.to_start()["--browser"], "firefox");
    }
}
