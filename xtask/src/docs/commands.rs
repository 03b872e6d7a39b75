//! Formats the help of the commands as a table for README.md and as docs/commands.md.

use super::program::CommandHelp;

/// Returns a table with one row per command.
pub fn table(commands: &[CommandHelp]) -> String {
    let rows = commands.iter().filter(|command| !command.name.contains(' ')).map(|command| {
        let about = summary(&command.help).replace('|', "\\|");
        format!("| `pagesight {}` | {about} |\n", command.name)
    });
    format!("| command | what it does |\n|---|---|\n{}", rows.collect::<String>())
}

/// Returns a page with the help of every command.
pub fn page(commands: &[CommandHelp]) -> String {
    let mut page = "# Commands\n\nThe help of every command of `pagesight`.\n".to_owned();
    for CommandHelp { name, help } in commands {
        page.push_str(&format!("\n## pagesight {name}\n\n```\n{help}```\n"));
    }
    page
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
    fn a_command_is_a_row_and_a_section() {
        let help = "Print the page\nas an outline\n\nUsage: pagesight inspect\n".to_owned();
        let below = CommandHelp { name: "inspect deep".to_owned(), help: "Deep\n".to_owned() };
        let commands = [CommandHelp { name: "inspect".to_owned(), help }, below];
        assert_eq!(
            table(&commands),
            "| command | what it does |\n|---|---|\n\
             | `pagesight inspect` | Print the page as an outline |\n"
        );
        assert!(page(&commands).contains("## pagesight inspect deep\n\n```\nDeep\n```\n"));
    }
}
