//! The tables of the manual page: exit codes, environment variables and files. The
//! documentation has the same tables; a test compares them.

/// Exit codes and their meanings, as docs/exit-codes.md has them.
pub(crate) const EXIT_CODES: [(&str, &str); 3] = [
    ("0", "done"),
    (
        "1",
        "a result that a script must look at: differences, changes at or above the severity, an action that failed, a number that is stale",
    ),
    (
        "2",
        "nothing could be done: wrong usage, no browser, an address that could not be loaded, a file that could not be read",
    ),
];

/// The environment variables of pagesight, as docs/environment.md has them. That page lists those
/// of other programs, too.
pub(crate) const ENVIRONMENT: [(&str, &str); 8] = [
    ("PAGESIGHT_SESSION", "the name of the session of shell commands, if -s is not given"),
    ("PAGESIGHT_BROWSER", "the path of the Chromium to start"),
    ("PAGESIGHT_FIREFOX", "the path of the Firefox to start"),
    ("PAGESIGHT_BROWSER_ARGS", "more arguments for the browser that is started"),
    ("PAGESIGHT_LOG", "what pagesight logs to standard error, such as debug"),
    (
        "PAGESIGHT_TOKEN",
        "the token of pagesight serve, which agents read that were added with pagesight install --http",
    ),
    (
        "PAGESIGHT_RUN, PAGESIGHT_ATTEMPT",
        "the number of a run of check and of its attempt, where CI sets neither",
    ),
    ("PAGESIGHT_ARTIFACT", "the name of the artifact with the run, for the command in a comment"),
];

/// The files that pagesight keeps or reads, as docs/files.md has them.
pub(crate) const FILES: [(&str, &str); 10] = [
    ("pages.toml", "the pages that check compares; init writes it"),
    ("pages.baselines/", "the baselines of these pages, with their pictures; to be committed"),
    (
        ".pagesight.toml",
        "the settings of a project: ignore rules and values for flags; you write it",
    ),
    (".pagesight/baselines/", "named baselines of fingerprint --save, where .pagesight exists"),
    (".pagesight/run/", "the last run of check, for check accept; not to be committed"),
    ("~/.local/share/pagesight/baselines/", "named baselines of no project"),
    (
        "~/.local/share/pagesight/programs/",
        "the program, if npx pagesight install added it to an agent",
    ),
    (
        "~/.local/state/pagesight/install.json",
        "the text that install replaced in the configuration of each agent, for install --remove",
    ),
    (
        "~/.local/state/pagesight/serve.json",
        "the port and the token of serve, readable only for you",
    ),
    (
        "$XDG_RUNTIME_DIR/pagesight/",
        "the socket of sessions and of serve; pagesight-UID in the temporary folder without the variable",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the first two cells of the rows of a page's tables, without Markdown.
    fn rows(page: &str) -> Vec<(String, String)> {
        let plain = |cell: &str| {
            // A link in parentheses leads to more.
            let text = cell.split(" ([").next().unwrap_or_default();
            text.trim().replace('`', "")
        };
        let cells = page.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
        cells
            .map(|(name, rest)| {
                (plain(name), plain(rest.trim_end_matches(" |").split(" | ").next().unwrap()))
            })
            .collect()
    }

    #[test]
    fn the_documentation_has_the_same_tables() {
        for (file, page, table) in [
            ("exit-codes.md", include_str!("../../../../docs/exit-codes.md"), &EXIT_CODES[..]),
            ("environment.md", include_str!("../../../../docs/environment.md"), &ENVIRONMENT[..]),
            ("files.md", include_str!("../../../../docs/files.md"), &FILES[..]),
        ] {
            let rows = rows(page);
            for (name, meaning) in table {
                let found = rows.iter().find(|(row, _)| row == name);
                assert_eq!(found.map(|(_, cell)| cell.as_str()), Some(*meaning), "{file}: {name}");
            }
        }
    }
}
