//! The help of the program: commands in groups with an example each, and an example at the end of
//! the help of each command.

use clap::{Command, CommandFactory};

use super::arguments::Cli;
use crate::commands::shell::action_forms;

/// The help of the program itself: its commands are in groups, which clap does not know.
const TEMPLATE: &str =
    "{about-with-newline}\n{usage-heading} {usage}{after-help}\n\nOptions:\n{options}";

/// Commands that belong together.
struct Group {
    heading: &'static str,
    commands: &'static [&'static str],
    example: &'static str,
}

const GROUPS: [Group; 5] = [
    Group {
        heading: "Look at the session's page, a URL or a page file",
        commands: &["look", "element", "shot", "snapshot", "rows", "info", "log"],
        example: "pagesight look https://example.com",
    },
    Group {
        heading: "Act in the session's page",
        commands: &[
            "open", "act", "back", "forward", "reload", "tabs", "resize", "emulate", "eval",
        ],
        example: "pagesight open https://example.com && pagesight act 'click 1'",
    },
    Group {
        heading: "Sessions and logins",
        commands: &["sessions", "close", "login", "state"],
        example: "pagesight sessions",
    },
    Group {
        heading: "Check pages against how they were",
        commands: &[
            "fingerprint",
            "compare",
            "diff",
            "watch",
            "check",
            "audit",
            "init",
            "baselines",
        ],
        example: "pagesight fingerprint http://localhost:3000 --save home",
    },
    Group {
        heading: "Set-up and servers",
        commands: &["install", "doctor", "demo", "mcp", "serve", "completions", "man"],
        example: "pagesight install claude",
    },
];

/// An example of each command.
const EXAMPLES: &[(&str, &str)] = &[
    ("look", "pagesight look https://example.com more information"),
    ("element", "pagesight element https://example.com 'a'"),
    ("shot", "pagesight shot https://example.com example.png --full-page"),
    ("snapshot", "pagesight snapshot https://example.com --scope main"),
    ("rows", "pagesight rows https://example.com --where 'State = failed' --to failed.csv"),
    ("info", "pagesight info https://example.com --output json"),
    ("log", "pagesight log --level error"),
    ("open", "pagesight open http://localhost:3000"),
    ("act", "pagesight act 'fill 13 \"Ada\"' 'press Enter'"),
    ("back", "pagesight back"),
    ("forward", "pagesight forward"),
    ("reload", "pagesight reload"),
    ("resize", "pagesight resize 390x844"),
    ("emulate", "pagesight emulate --color-scheme dark --locale de-DE"),
    ("eval", "pagesight eval 'document.links.length'"),
    ("tabs", "pagesight tabs new https://example.com"),
    ("sessions", "pagesight sessions"),
    ("close", "pagesight close --all"),
    ("login", "pagesight login https://example.com --state login.json"),
    ("state", "pagesight state save login.json --profile profile"),
    ("state save", "pagesight state save login.json -s shop"),
    ("fingerprint", "pagesight fingerprint http://localhost:3000 --save home"),
    ("compare", "pagesight compare http://localhost:3000 --against home"),
    ("audit", "pagesight audit http://localhost:3000 --level serious"),
    ("diff", "pagesight diff before.page.json http://localhost:3000"),
    ("watch", "pagesight watch http://localhost:3000 --against home"),
    ("check", "pagesight check --report report.html"),
    ("check accept", "pagesight check accept --only home"),
    ("check merge", "pagesight check merge run-1 run-2 --report report.html"),
    ("check enqueue", "pagesight check enqueue --store postgres://ci@db/pagesight"),
    (
        "check work",
        "pagesight check work --store postgres://ci@db/pagesight --base-url http://localhost:3000",
    ),
    ("check status", "pagesight check status --wait --store postgres://ci@db/pagesight"),
    ("check stop", "pagesight check stop --store postgres://ci@db/pagesight"),
    ("init", "pagesight init http://localhost:3000"),
    ("baselines", "pagesight baselines list"),
    ("baselines list", "pagesight baselines list --output json"),
    ("baselines show", "pagesight baselines show home"),
    ("baselines history", "pagesight baselines history home"),
    ("baselines restore", "pagesight baselines restore home 3"),
    ("baselines delete", "pagesight baselines delete home"),
    ("baselines export", "pagesight baselines export baselines home"),
    ("baselines import", "pagesight baselines import baselines"),
    ("install", "pagesight install claude --dry-run"),
    ("doctor", "pagesight doctor"),
    ("demo", "pagesight demo"),
    ("mcp", "pagesight mcp --browser firefox"),
    ("serve", "pagesight serve --idle 2h"),
    ("serve token", "pagesight serve token"),
    (
        "completions",
        "pagesight completions bash > ~/.local/share/bash-completion/completions/pagesight",
    ),
    ("man", "pagesight man | man -l -"),
];

/// Where each shell looks for completions.
const COMPLETIONS: &str = "Where to put it:
  bash        ~/.local/share/bash-completion/completions/pagesight
  zsh         _pagesight in a folder of $fpath, such as ~/.zfunc with fpath+=(~/.zfunc) before compinit
  fish        ~/.config/fish/completions/pagesight.fish
  elvish      at the end of ~/.config/elvish/rc.elv
  powershell  at the end of the file that $PROFILE names\n\n";

/// Returns the command line with the help that users read.
pub(crate) fn command() -> Command {
    let command = Cli::command();
    let groups = groups(&command, Examples::Shown);
    with_examples(command.help_template(TEMPLATE).after_help(groups), "")
}

/// Whether the list of commands has the example of each group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Examples {
    Shown,
    LeftOut,
}

/// Returns the heading and the example of each group of commands.
pub(crate) fn group_examples() -> impl Iterator<Item = (&'static str, &'static str)> {
    GROUPS.iter().map(|group| (group.heading, group.example))
}

/// Returns the list of commands, in groups.
pub(crate) fn groups(command: &Command, examples: Examples) -> String {
    let longest = command.get_subcommands().map(|command| command.get_name().len()).max();
    let width = longest.unwrap_or_default();
    let mut text = String::new();
    for Group { heading, commands, example } in GROUPS {
        text.push_str(&format!("{heading}:\n"));
        for command in commands.iter().filter_map(|name| command.find_subcommand(name)) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            text.push_str(&format!("  {:<width$}  {about}\n", command.get_name()));
        }
        if examples == Examples::Shown {
            text.push_str(&format!("  $ {example}\n"));
        }
        text.push('\n');
    }
    text.trim_end().to_owned()
}

/// Adds an example to each command below a command.
fn with_examples(command: Command, above: &str) -> Command {
    command.mut_subcommands(|command| {
        let name = format!("{above} {}", command.get_name()).trim_start().to_owned();
        let before = match name.as_str() {
            "act" => actions(),
            "completions" => COMPLETIONS.to_owned(),
            _ => String::new(),
        };
        let example = EXAMPLES.iter().find(|(command, _)| *command == name);
        let command = match example {
            Some((_, example)) => command.after_help(format!("{before}Example:\n  $ {example}")),
            None => command,
        };
        with_examples(command, &name)
    })
}

/// Returns the forms of the actions of `pagesight act`.
fn actions() -> String {
    let lines: String =
        action_forms::all().iter().map(|forms| format!("  {}\n", forms.join(" or "))).collect();
    format!(
        "Actions:\n{lines}\nN is a number that pagesight look printed, NAME a name or css=SELECTOR, which \
         'in N' or 'in NAME' limits, X,Y a point in the viewport. \
         Quote NAME, KEY and VALUE that have spaces. An action may also be JSON, such as \
         {{\"type\": \"click\", \"element\": 12}}.\n\n"
    )
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches;

    use super::*;

    /// Calls a function with each command that help lists, and its whole name.
    fn each(command: &Command, above: &str, visit: &mut dyn FnMut(&str, &Command)) {
        for command in command.get_subcommands() {
            if command.is_hide_set() || command.get_name() == "help" {
                continue;
            }
            let name = format!("{above} {}", command.get_name()).trim_start().to_owned();
            visit(&name, command);
            each(command, &name, visit);
        }
    }

    #[test]
    fn every_command_is_in_one_group_and_has_an_example() {
        let mut top = Vec::new();
        let mut all = Vec::new();
        each(&command(), "", &mut |name, command| {
            let help = command.clone().render_long_help().to_string();
            assert!(
                help.trim_end().lines().last().is_some_and(|line| line.starts_with("  $ ")),
                "{help}"
            );
            all.push(name.to_owned());
            if !name.contains(' ') {
                top.push(name.to_owned());
            }
        });
        let mut grouped: Vec<&str> =
            GROUPS.iter().flat_map(|group| group.commands.iter().copied()).collect();
        grouped.sort_unstable();
        top.sort_unstable();
        assert_eq!(grouped, top);
        for (name, _) in EXAMPLES {
            assert!(all.iter().any(|command| command == name), "{name} is not a command");
        }
    }

    #[test]
    fn examples_can_be_run() {
        let grouped = GROUPS.iter().flat_map(|group| group.example.split(" && "));
        for example in EXAMPLES.iter().map(|(_, example)| *example).chain(grouped) {
            let mut words = vec![String::new()];
            let mut quoted = false;
            // The rest is for the shell.
            let example = example.split(" > ").next().unwrap().split(" | ").next().unwrap();
            for c in example.chars() {
                match c {
                    '\'' => quoted = !quoted,
                    ' ' if !quoted => words.push(String::new()),
                    c => words.last_mut().unwrap().push(c),
                }
            }
            let read = command().try_get_matches_from(words);
            let read = read.and_then(|matches| Cli::from_arg_matches(&matches));
            assert!(read.is_ok(), "{example}: {:?}", read.err());
        }
    }

    #[test]
    fn help_lists_groups_and_actions() {
        let mut command = command();
        let help = command.render_long_help().to_string();
        assert!(!help.contains("Commands:"), "{help}");
        for Group { heading, example, .. } in GROUPS {
            assert!(help.contains(&format!("\n{heading}:\n  ")), "{heading}: {help}");
            assert!(help.contains(&format!("\n  $ {example}\n")), "{example}: {help}");
        }
        let act = command.find_subcommand_mut("act").unwrap().render_long_help().to_string();
        assert!(act.contains("\n  wait MS or wait text TEXT or "), "{act}");
    }
}
