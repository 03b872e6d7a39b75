//! Opens the dialogs of UI libraries over a page with 300 controls, in both browsers. The reply to
//! the click must list all controls of the dialog with numbers, in few tokens, with at most one
//! line about the page behind it.

use anyhow::Context;
use serde_json::json;

use super::CompatArgs;
use crate::install::bundle::bundle;
use crate::mcp::McpClient;
use crate::pages;
use crate::product::count_tokens;
use crate::report;

/// How many tokens a reply may have.
const MOST_TOKENS: usize = 400;
/// How many lines may be about the page behind.
const MOST_LINES_BEHIND: usize = 1;

const BROWSERS: [&str; 2] = ["chromium", "firefox"];

/// The libraries, as tables and as addresses call them.
const LIBRARIES: [(&str, &str); 8] = [
    ("native `dialog`", "native"),
    ("MUI", "mui"),
    ("Ant Design", "ant"),
    ("Radix", "radix"),
    ("Headless UI", "headless"),
    ("Shoelace", "shoelace"),
    ("Vaadin", "vaadin"),
    ("jQuery UI", "jquery"),
];

/// The controls and texts of each dialog.
const CONTROLS: [&str; 6] =
    ["Display name", "Email", "Country", "Notify me", "Cancel", "Save profile"];
const TEXTS: [&str; 2] = ["Your profile", "Changes are visible to your team."];

const PACKAGES: [&str; 17] = [
    "jquery@3",
    "jquery-ui@1",
    "react@19",
    "react-dom@19",
    "@mui/material@7",
    "@emotion/react@11",
    "@emotion/styled@11",
    "antd@5",
    "@headlessui/react@2",
    "@radix-ui/react-dialog@1",
    "@shoelace-style/shoelace@2",
    "@vaadin/dialog@24",
    "@vaadin/text-field@24",
    "@vaadin/checkbox@24",
    "@vaadin/button@24",
    "@vaadin/select@24",
    "esbuild@0.25",
];
const BUNDLES: [(&str, &str); 4] = [
    ("native.js", "native-bundle.js"),
    ("jquery.js", "jquery-bundle.js"),
    ("react.jsx", "react-bundle.js"),
    ("components.js", "components-bundle.js"),
];

/// The reply to the click that opens a dialog.
#[derive(Debug, Default, PartialEq)]
struct DialogReply {
    tokens: usize,
    /// The controls and texts of the dialog that the reply does not show.
    missing: Vec<&'static str>,
    /// Lines that are about the page behind.
    behind: usize,
}

/// Returns the items of `--only`: each library in each browser.
pub fn items() -> Vec<String> {
    let in_browser = |browser| LIBRARIES.iter().map(move |(name, _)| format!("{browser}: {name}"));
    BROWSERS.into_iter().flat_map(in_browser).collect()
}

/// Opens the dialogs and prints the table; what a reply lacks is a miss.
pub async fn run(args: &CompatArgs, chosen: &[&str]) -> anyhow::Result<Vec<String>> {
    let site = pages::serve(bundle("compat/dialogs/page", &PACKAGES, &BUNDLES).await?).await?;
    let program = args.program()?;
    let mut misses = Vec::new();
    report::table("dialog | controls | texts | lines about the page behind | tokens");
    for browser in BROWSERS {
        let client = McpClient::start(&program, &["--browser", browser]).await?;
        for (library, kind) in LIBRARIES {
            let name = format!("{browser}: {library}");
            if !chosen.contains(&name.as_str()) {
                continue;
            }
            match open(&client, &format!("{site}/index.html?library={kind}")).await {
                Ok(reply) => {
                    let judged = judge(&reply);
                    println!("{}", judged.row(&name));
                    misses.extend(judged.fault().map(|why| format!("{name}: {why}\n{reply}")));
                }
                Err(error) => misses.push(format!("{name}: {error:#}")),
            }
        }
        client.close().await?;
    }
    Ok(misses)
}

/// Opens the dialog of a page, and returns the reply to the click.
async fn open(client: &McpClient, url: &str) -> anyhow::Result<String> {
    client.open(url).await?;
    let look = client.look().await?;
    let opener = look.lines.iter().find(|line| line.name == "Edit profile");
    let opener = opener.context("the page has no opener")?.number()?;
    let click = json!([{ "type": "click", "element": opener }]);
    Ok(client.act(click).await?.0)
}

/// Judges a reply. Every line is of the dialog, of the page behind, or of the action.
fn judge(reply: &str) -> DialogReply {
    let lines: Vec<&str> = reply.lines().skip(1).collect();
    let is_numbered = |line: &str| {
        let number = line.split_once('[').and_then(|(_, rest)| rest.split_once("] "));
        number.is_some_and(|(number, _)| number.parse::<u32>().is_ok())
    };
    // MUI prints the names of its buttons in capitals.
    let has_control = |name: &&&str| {
        let said = format!(": {name}").to_lowercase();
        lines.iter().any(|line| is_numbered(line) && line.to_lowercase().contains(&said))
    };
    let has_text = |text: &&&str| lines.iter().any(|line| line.contains(**text));
    let controls = CONTROLS.iter().filter(|name| !has_control(name));
    let texts = TEXTS.iter().filter(|text| !has_text(text));
    let is_behind = |line: &&&str| {
        let line = line.to_lowercase();
        let words = ["behind", "inert", "limit", "active", "remove", "account", "edit profile"];
        let words = words.iter().any(|word| line.contains(word));
        words || line.starts_with('~')
    };
    DialogReply {
        tokens: count_tokens(reply),
        missing: controls.chain(texts).copied().collect(),
        behind: lines.iter().filter(is_behind).count(),
    }
}

impl DialogReply {
    fn row(&self, name: &str) -> String {
        let there = |all: &[&str]| {
            let missing = self.missing.iter().filter(|name| all.contains(name)).count();
            format!("{} / {}", all.len() - missing, all.len())
        };
        let (controls, texts) = (there(&CONTROLS), there(&TEXTS));
        format!("| {name} | {controls} | {texts} | {} | {} |", self.behind, self.tokens)
    }

    fn fault(&self) -> Option<String> {
        let mut faults = Vec::new();
        if !self.missing.is_empty() {
            faults.push(format!("the reply does not show {}", self.missing.join(", ")));
        }
        if self.behind > MOST_LINES_BEHIND {
            faults.push(format!("{} lines are about the page behind", self.behind));
        }
        if self.tokens > MOST_TOKENS {
            faults.push(format!("the reply has {} tokens", self.tokens));
        }
        (!faults.is_empty()).then(|| faults.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "clicked [1] button: Edit profile
changes:
+ [9] dialog: Your profile
    Changes are visible to your team.
    [2] textbox: Display name = \"Ann\"
    [3] textbox: Email = \"\"
    [4] combobox: Country = \"Norway\"
    [5] checkbox: Notify me
    [6] button: Cancel
    [7] button: Save profile
the page behind is inert";

    #[test]
    fn a_reply_has_all_controls_and_one_line_about_the_rest() {
        let judged = judge(GOOD);
        assert_eq!((judged.behind, judged.missing.len(), judged.fault()), (1, 0, None));
        let unnumbered = judge(&GOOD.replace("[6] button", "button"));
        assert_eq!(unnumbered.missing, ["Cancel"]);
        let flooded = format!("{GOOD}\n~ 79 buttons — now disabled");
        assert_eq!(judge(&flooded).behind, 2);
        assert!(judge(&flooded).fault().is_some());
        let long = format!("{GOOD}\n+ {}", "word ".repeat(400));
        assert!(judge(&long).fault().is_some());
    }
}
