//! Says what is wrong with a command line in one sentence. The parser's own errors have several
//! lines and words such as `1..=64`.

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Returns the sentence of an error; `None` if it is the help or the version.
pub(crate) fn sentence(error: &Error) -> Option<String> {
    if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return None;
    }
    Some(worded(error).unwrap_or_else(|| first_line(error)))
}

/// Returns the sentence for the kinds of errors that are frequent.
fn worded(error: &Error) -> Option<String> {
    let text = |kind: ContextKind| match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => Some(texts.join(", ")),
        ContextValue::StyledStr(text) => Some(text.to_string()),
        ContextValue::StyledStrs(texts) => {
            Some(texts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
        }
        _ => None,
    };
    let argument = || text(ContextKind::InvalidArg).map(|shown| name_of(&shown).to_owned());
    Some(match error.kind() {
        ErrorKind::InvalidValue => {
            let (name, given) = (argument()?, text(ContextKind::InvalidValue)?);
            let choices = match error.get(ContextKind::ValidValue) {
                Some(ContextValue::Strings(choices)) => either(choices),
                _ => None,
            };
            match (given.is_empty(), choices) {
                (_, Some(choices)) if given.is_empty() => {
                    format!("{name} needs a value: {choices}")
                }
                (true, _) => format!("{name} needs a value"),
                (false, Some(choices)) => format!("{name} must be {choices}, not {given:?}"),
                (false, None) => return None,
            }
        }
        ErrorKind::ValueValidation => {
            let (name, given) = (argument()?, text(ContextKind::InvalidValue)?);
            let reason = std::error::Error::source(error)?.to_string();
            match (range(&reason), reason.as_str()) {
                (Some(range), _) => format!("{name} must be {range}, not {given}"),
                (
                    None,
                    "invalid digit found in string" | "cannot parse integer from empty string",
                ) => {
                    format!("{name} must be a whole number, not {given:?}")
                }
                (None, "number too large to fit in target type") => {
                    format!("{name} must be smaller than {given}")
                }
                (None, "provided string was not `true` or `false`") => {
                    format!("{name} must be true or false, not {given:?}")
                }
                (None, "invalid socket address syntax") => {
                    format!(
                        "{name} must be an address and a port such as 127.0.0.1:4100, not {given:?}"
                    )
                }
                (None, reason) => format!("{name}: {given:?} cannot be used; {reason}"),
            }
        }
        ErrorKind::UnknownArgument => {
            let given = text(ContextKind::InvalidArg)?;
            if given.parse::<f64>().is_ok_and(|number| number < 0.0) {
                return Some(format!("{given} is negative; give a number from 0 up"));
            }
            let kind = if given.starts_with('-') { "flag" } else { "argument" };
            match text(ContextKind::SuggestedArg).map(|meant| name_of(&meant).to_owned()) {
                _ if given == "--json" => {
                    format!("there is no flag {given} here; did you mean --output json?")
                }
                None if is_before_command(error, &given) => {
                    format!("{given} belongs after the command: pagesight COMMAND {given}")
                }
                Some(meant) => format!("there is no {kind} {given} here; did you mean {meant}?"),
                None => format!("there is no {kind} {given} here; --help lists them"),
            }
        }
        ErrorKind::InvalidSubcommand => {
            let given = text(ContextKind::InvalidSubcommand)?;
            match text(ContextKind::SuggestedSubcommand) {
                Some(meant) => format!("there is no command {given}; did you mean {meant}?"),
                None => {
                    let command = command_of(error);
                    let below = command.trim_start_matches("pagesight").trim_start();
                    let whole = format!("{below} {given}");
                    format!("there is no command {}; {command} --help lists them", whole.trim())
                }
            }
        }
        ErrorKind::MissingSubcommand => {
            let command = command_of(error);
            format!("{command} needs a command; {command} --help lists them")
        }
        ErrorKind::MissingRequiredArgument => {
            let missing = text(ContextKind::InvalidArg)?;
            let usage = text(ContextKind::Usage).unwrap_or_default();
            let usage = usage.trim().trim_start_matches("Usage: ").to_owned();
            format!("{missing} is missing; write {usage}")
        }
        ErrorKind::ArgumentConflict => {
            let (one, other) = (argument()?, text(ContextKind::PriorArg)?);
            let other = name_of(&other).to_owned();
            match one == other {
                true => format!("{one} is given twice; leave one of them out"),
                false => {
                    format!("{one} cannot be used with {other}; leave one of them out")
                }
            }
        }
        _ => return None,
    })
}

/// Returns the words of the usage before its arguments: `pagesight state`.
fn command_of(error: &Error) -> String {
    let usage = match error.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(text)) => text.to_string(),
        _ => String::new(),
    };
    let words = usage.trim().trim_start_matches("Usage: ").split_whitespace();
    let words: Vec<&str> = words.take_while(|word| !word.starts_with(['[', '<', '-'])).collect();
    if words.is_empty() { "pagesight".to_owned() } else { words.join(" ") }
}

/// Whether an unknown flag is one of a command, and was given before the command.
fn is_before_command(error: &Error, flag: &str) -> bool {
    let is_this = |argument: &clap::Arg| {
        argument.get_long().is_some_and(|long| flag.strip_prefix("--") == Some(long))
    };
    command_of(error) == "pagesight"
        && super::help::command()
            .get_subcommands()
            .any(|command| command.get_arguments().any(is_this))
}

/// Returns the name of an argument without its value: `--jobs` of `--jobs <N>`.
fn name_of(shown: &str) -> &str {
    match shown.starts_with('-') {
        true => shown.split([' ', '=', '[']).next().unwrap_or(shown),
        false => shown,
    }
}

/// Returns `a, b or c`.
fn either(choices: &[String]) -> Option<String> {
    let (last, rest) = choices.split_last()?;
    Some(match rest {
        [] => last.clone(),
        rest => format!("{} or {last}", rest.join(", ")),
    })
}

/// Returns the range in an error of the parser, `0 is not in 1..=64`, as `1 to 64`.
fn range(reason: &str) -> Option<String> {
    let (from, to) = reason.split_once(" is not in ")?.1.split_once("..=")?;
    Some(format!("{from} to {to}"))
}

/// Returns the first line of what the parser would print.
fn first_line(error: &Error) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    line.trim_start_matches("error: ").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::help::command;

    #[test]
    fn every_wrong_argument_is_one_sentence() {
        let mut wrong = Vec::new();
        for (line, says) in [
            ("check --jobs 0", "--jobs must be 1 to 64, not 0"),
            ("check --jobs 65", "--jobs must be 1 to 64, not 65"),
            ("check --jobs x", "--jobs must be a whole number, not \"x\""),
            ("check --jobs 99999999", "--jobs must be "),
            ("check --jobs", "--jobs needs a value"),
            ("demo --serve --port 99999", "--port must be 0 to 65535, not 99999"),
            ("check --fail-on bad", "--fail-on must be info, warning or error, not \"bad\""),
            ("check --fail-on", "--fail-on needs a value"),
            ("look --filter some", "--filter must be all or interactive, not \"some\""),
            ("look --fold maybe", "--fold must be true or false, not \"maybe\""),
            ("look --output xml", "--output must be text or json, not \"xml\""),
            ("look --max-tokens -1", "-1 is negative; give a number from 0 up"),
            ("open a --viewport 9x9", "--viewport: \"9x9\" cannot be used; give width and height"),
            ("open a --browser safari", "--browser must be chromium or firefox, not \"safari\""),
            ("open a --connect chrom", "--connect: \"chrom\" cannot be used; give one of"),
            ("resize 390", "<WxH|DEVICE>: \"390\" cannot be used; give width and height"),
            ("resize", "<WxH|DEVICE> is missing; write pagesight resize <WxH|DEVICE>"),
            ("eval", "<EXPRESSION> is missing; write pagesight eval"),
            ("open", "<URL> is missing; write pagesight open"),
            ("compare", "--against <NAME> is missing; write pagesight compare"),
            ("log --since today", "--since must be navigation, last or start, not \"today\""),
            ("log --level fatal", "--level must be error, warning, info or debug, not \"fatal\""),
            ("log --since last --request r1", "--since cannot be used with --request"),
            ("log --kind all --kind all", "--kind is given twice; leave one of them out"),
            ("serve --idle 0s", "--idle: \"0s\" cannot be used; give a time from 1s to 24h"),
            (
                "serve --listen 4100",
                "--listen must be an address and a port such as 127.0.0.1:4100",
            ),
            ("close --all -s a", "--all cannot be used with --session"),
            ("close --headed", "there is no flag --headed here; --help lists them"),
            ("close --upload-root a", "there is no flag --upload-root here"),
            ("sessions -s a", "there is no flag -s here"),
            ("back 2", "there is no argument 2 here"),
            ("chek", "there is no command chek; did you mean check?"),
            ("zzz", "there is no command zzz; pagesight --help lists them"),
            ("state load a", "there is no command state load; pagesight state --help lists them"),
            ("--verbose", "pagesight needs a command; pagesight --help lists them"),
            ("look --json", "there is no flag --json here; did you mean --output json?"),
            ("--nonsense look", "there is no flag --nonsense here; --help lists them"),
            (
                "--viewport 390x844 look",
                "--viewport belongs after the command: pagesight COMMAND --viewport",
            ),
            ("state save", "<FILE> is missing; write pagesight state save"),
            ("state save a -s b --profile c", "--session cannot be used with --profile"),
            ("completions tcsh", "<SHELL> must be bash, "),
            ("demo --fault x --serve", "--fault must be "),
            ("demo --port 80", "--serve is missing; write"),
        ] {
            let words = std::iter::once("pagesight").chain(line.split(' '));
            let error = command().try_get_matches_from(words).unwrap_err();
            let said = sentence(&error).unwrap_or_default();
            if !said.starts_with(says) || said.contains('\n') || said.contains("..=") {
                wrong.push(format!("{line}: {said}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        for help in ["--help", "look --help", "--version"] {
            let words = std::iter::once("pagesight").chain(help.split(' '));
            assert_eq!(sentence(&command().try_get_matches_from(words).unwrap_err()), None);
        }
    }
}
