//! Formats the help of the commands: a table of all, and a page for each.

use super::page::DocsPage;
use super::program::CommandHelp;

/// Marks the help in a page as a block that is not run.
const HELP: &str = "```text not-run: what --help prints";

/// Returns the list of commands and the page of each. Subcommands are on the page of their command.
pub fn pages(commands: &[CommandHelp]) -> Vec<DocsPage> {
    let mut pages = vec![list(commands)];
    for CommandHelp { name, help } in commands {
        let section = format!("\n{HELP}\n{help}```\n");
        match (name.contains(' '), pages.last_mut()) {
            (true, Some(page)) => page.text.push_str(&format!("\n## pagesight {name}\n{section}")),
            _ => pages.push(DocsPage {
                path: format!("docs/commands/{name}.md"),
                text: format!("# pagesight {name}\n\n[All commands](../commands.md)\n{section}"),
            }),
        }
    }
    pages
}

fn list(commands: &[CommandHelp]) -> DocsPage {
    let rows = commands.iter().filter(|command| !command.name.contains(' ')).map(|command| {
        let about = summary(&command.help).replace('|', "\\|");
        let name = &command.name;
        format!("| [`pagesight {name}`](commands/{name}.md) | {about} |\n")
    });
    let rows: String = rows.collect();
    DocsPage {
        path: "docs/commands.md".to_owned(),
        text: format!(
            "# Commands\n\nEach command has a page with its flags. `--output json` works on every \
             command that prints a\nresult; `init` and `install` write files instead. Exit codes: 0 is \
             success, 1 means that pages\ndiffer or that an action failed, 2 is an error.\n\n\
             | command | what it does |\n|---|---|\n{rows}"
        ),
    }
}

/// Returns the first paragraph of a help text.
fn summary(help: &str) -> String {
    let lines: Vec<&str> = help.lines().take_while(|line| !line.is_empty()).collect();
    lines.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_a_row_and_a_page_with_its_subcommands() {
        let command =
            |name: &str, help: &str| CommandHelp { name: name.to_owned(), help: help.to_owned() };
        let pages = pages(&[
            command("inspect", "Print the page\nas an outline\n\nUsage: pagesight inspect\n"),
            command("inspect deep", "Deep\n"),
            command("watch", "Stay\n"),
        ]);
        let paths: Vec<&str> = pages.iter().map(|page| page.path.as_str()).collect();
        assert_eq!(
            paths,
            ["docs/commands.md", "docs/commands/inspect.md", "docs/commands/watch.md"]
        );
        let row = "| [`pagesight inspect`](commands/inspect.md) | Print the page as an outline |\n";
        assert!(pages[0].text.contains(row), "{}", pages[0].text);
        assert!(!pages[0].text.contains("deep"), "{}", pages[0].text);
        let deep = format!("\n## pagesight inspect deep\n\n{HELP}\nDeep\n```\n");
        assert!(pages[1].text.contains(&deep), "{}", pages[1].text);
    }
}
