//! Formats the help of the commands: a table of all, and a page for each.

use std::collections::BTreeMap;

use super::example;
use super::program::CommandHelp;
use super::text::wrapped;

/// Marks the help in a page as a block that is not run.
const HELP: &str = "```text not-run: what --help prints";

/// Returns the list of commands and the page of each. Subcommands are on the page of their command.
pub fn pages(commands: &[CommandHelp]) -> BTreeMap<String, String> {
    let mut pages: BTreeMap<String, String> = BTreeMap::new();
    let mut rows = String::new();
    for CommandHelp { name, help } in commands {
        let command = name.split(' ').next().unwrap_or_default();
        let page = pages.entry(format!("docs/commands/{command}.md")).or_default();
        if command == name {
            let about = summary(help).replace('|', "\\|");
            rows.push_str(&format!("| [`pagesight {name}`](commands/{name}.md) | {about} |\n"));
            page.push_str(&format!("# pagesight {name}\n\n{}\n", wrapped(&summary(help))));
            page.push_str("[All commands](../commands.md)\n\n");
            page.push_str(example::HEADING);
            page.push_str("## Help\n");
        } else {
            page.push_str(&format!("\n## pagesight {name}\n"));
        }
        page.push_str(&format!("\n{HELP}\n{help}```\n"));
    }
    let list = format!(
        "# Commands\n\nEach command has a page with its flags. `--output json` works on every \
         command that prints a\nresult; `init` and `install` write files instead. [Exit \
         codes](exit-codes.md),\n[environment variables](environment.md) and \
         [files](files.md) have a page each.\n\
         [One thing, three names](README.md#one-thing-three-names) says which tool does the \
         same.\n\n\
         | command | what it does |\n|---|---|\n{rows}"
    );
    pages.insert("docs/commands.md".to_owned(), list);
    pages
}

/// Returns the first paragraph of a help text.
fn summary(help: &str) -> String {
    let lines: Vec<&str> = help.lines().take_while(|line| !line.is_empty()).collect();
    lines.join(" ")
}
