//! `pagesight completions` and `pagesight man`: texts for the shell and for man, made from the
//! command line's own description so that they are never out of date.

use clap_complete::Shell;
use clap_mangen::roff::{Roff, bold, roman};

use crate::cli::{help, print, reference};

/// Prints a completion script.
pub(crate) fn completions(shell: Shell) -> anyhow::Result<()> {
    print::generated(&completion_script(shell))?;
    Ok(())
}

/// Prints the manual page: all commands with their arguments in one page.
pub(crate) fn man() -> anyhow::Result<()> {
    print::generated(&manual_page()?)?;
    Ok(())
}

fn completion_script(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut help::command(), "pagesight", &mut script);
    script
}

fn manual_page() -> std::io::Result<Vec<u8>> {
    let mut command = help::command().disable_help_subcommand(true);
    command.build();
    let mut page = Vec::new();
    let man = clap_mangen::Man::new(command.clone());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_options_section(&mut page)?;
    let mut roff = Roff::new();
    roff.control("SH", ["COMMANDS"]);
    as_written(&mut roff, &help::groups(&command, help::Examples::LeftOut));
    roff.control("SH", ["EXAMPLES"]);
    for (what, example) in help::group_examples() {
        roff.control("PP", []);
        roff.text([roman(format!("{what}:"))]);
        as_written(&mut roff, &format!("    $ {example}"));
    }
    table(&mut roff, "EXIT STATUS", &reference::EXIT_CODES);
    table(&mut roff, "ENVIRONMENT", &reference::ENVIRONMENT);
    table(&mut roff, "FILES", &reference::FILES);
    roff.to_writer(&mut page)?;
    write_subcommands(&command, "PAGESIGHT", &mut page)?;
    man.render_version_section(&mut page)?;
    Ok(page)
}

/// Writes a section with a meaning for each of some words.
fn table(roff: &mut Roff, heading: &str, rows: &[(&str, &str)]) {
    roff.control("SH", [heading]);
    for (name, meaning) in rows {
        roff.control("TP", []);
        roff.text([bold(*name)]);
        roff.text([roman(*meaning)]);
    }
}

/// Writes a text with its line breaks.
fn as_written(roff: &mut Roff, text: &str) {
    roff.control("nf", []);
    for line in text.lines() {
        roff.text([roman(line)]);
    }
    roff.control("fi", []);
}

/// Writes a section for each command below `command`, and for those below it.
fn write_subcommands(
    command: &clap::Command,
    above: &str,
    page: &mut Vec<u8>,
) -> std::io::Result<()> {
    for subcommand in shown_subcommands(command) {
        let name = format!("{above} {}", subcommand.get_name().to_uppercase());
        let man = clap_mangen::Man::new(subcommand.clone());
        page.extend_from_slice(format!(".SH \"{name}\"\n").as_bytes());
        let mut body = Vec::new();
        man.render_description_section(&mut body)?;
        man.render_synopsis_section(&mut body)?;
        man.render_options_section(&mut body)?;
        page.extend_from_slice(String::from_utf8_lossy(&body).replace(".SH ", ".SS ").as_bytes());
        if let Some(after) = subcommand.get_after_help() {
            let mut roff = Roff::new();
            roff.control("SS", ["EXAMPLE"]);
            as_written(&mut roff, after.to_string().trim_start_matches("Example:\n"));
            roff.to_writer(page)?;
        }
        write_subcommands(subcommand, &name, page)?;
    }
    Ok(())
}

/// Returns the commands below a command that help lists, without clap's own `help`.
fn shown_subcommands(command: &clap::Command) -> impl Iterator<Item = &clap::Command> {
    command
        .get_subcommands()
        .filter(|command| !command.is_hide_set() && command.get_name() != "help")
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn every_shell_completes_every_command() {
        for shell in Shell::value_variants() {
            let script = String::from_utf8(completion_script(*shell)).unwrap();
            for word in ["fingerprint", "dry-run"] {
                assert!(script.contains(word), "{shell}: {word}");
            }
        }
        let bash = String::from_utf8(completion_script(Shell::Bash)).unwrap();
        assert!(bash.contains("claude-desktop"), "values are completed, too");
    }

    #[test]
    fn the_manual_has_every_command() {
        let page = String::from_utf8(manual_page().unwrap()).unwrap();
        assert!(page.contains(".TH pagesight 1"), "{}", &page[..200]);
        let mut command = help::command();
        command.build();
        let mut open: Vec<(String, &clap::Command)> = vec![("PAGESIGHT".to_owned(), &command)];
        let mut nested = 0;
        while let Some((above, command)) = open.pop() {
            for command in shown_subcommands(command) {
                let name = format!("{above} {}", command.get_name().to_uppercase());
                let heading = format!(".SH \"{name}\"\n");
                assert_eq!(page.matches(&heading).count(), 1, "{heading}");
                nested += usize::from(above != "PAGESIGHT");
                open.push((name, command));
            }
        }
        assert!(nested > 0, "commands below commands");
        let section = page.split(".SH \"PAGESIGHT STATE SAVE\"\n").nth(1).unwrap();
        let section = section.split("\n.SH ").next().unwrap();
        assert!(section.contains(r"\-\-origin"), "{section}");
    }

    #[test]
    fn the_manual_has_examples_exit_codes_variables_and_files() {
        let page = String::from_utf8(manual_page().unwrap()).unwrap();
        let section = |name: &str| {
            let rest = page.split(&format!(".SH {name}\n")).nth(1).unwrap_or_default();
            let text = rest.split("\n.SH ").next().unwrap();
            text.replace("\\-", "-").replace("\\*(Aq", "'")
        };
        for (name, has) in [
            ("COMMANDS", "\n  look "),
            ("EXAMPLES", "\n    $ pagesight look https://example.com\n"),
            ("\"EXIT STATUS\"", "\\fB2\\fR\nnothing could be done: wrong usage"),
            ("ENVIRONMENT", "\\fBPAGESIGHT_SESSION\\fR\n"),
            ("FILES", "\\fB.pagesight.toml\\fR\nthe settings of a project"),
            ("\"PAGESIGHT ACT\"", "\n  $ pagesight act 'fill 13"),
        ] {
            let text = section(name);
            assert!(text.contains(has), "{name}: {text}");
        }
        assert!(!section("COMMANDS").contains("$ "), "examples have a section of their own");
    }
}
