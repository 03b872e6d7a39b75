//! The texts of the files that `init` writes, for people to read and change.

use pagesight_check::sources::crawl::FoundPage;

/// Returns the text of `pages.toml`.
pub(super) fn pages(origin: &str, found: &[FoundPage]) -> String {
    let mut out = format!(
        r##"# The pages of `pagesight check`. Baselines are in pages.baselines beside this file: commit both.
#   pagesight check            compare with the baselines; missing ones are saved (in CI they fail)
#   pagesight check --update   print the changes, and accept them

base_url = {origin}

# Defaults for all pages; a page may override them.
viewports = ["1280x720"]         # add "390x844" for a phone
visual = "layout"                # boxes and styles, too; "pixels" also compares pictures
# browsers = ["chromium"]        # or "firefox", or both
# fail_on = "error"              # or "warning", "info"
# timeout_s = 30                 # for one visit to a page
# retries = 1                    # a page that differs or fails is tried again; the report says so
# audit = "serious"              # new violations of accessibility rules, from this level on
# pictures = true                # a picture beside each baseline, for reports
# ignore = [{{ selector = ".clock" }}, {{ text = "Cart*", type = "element_renamed" }}]

# [severity]                     # the severity of a type of change in this project
# title_changed = "warning"

# Runs once in each browser before the pages; cookies are kept. Secrets come from the environment.
# [setup]
# route = "/login"
# actions = [
#   {{ type = "fill", element = {{ role = "textbox", name = "Email" }}, text = "ci@example.com" }},
#   {{ type = "fill", element = "#password", text = "${{PASSWORD}}" }},
#   {{ type = "click", element = {{ role = "button", name = "Sign in" }} }},
# ]
"##,
        origin = quoted(origin)
    );
    for page in found {
        let title: String = page.title.chars().filter(|c| !c.is_control()).take(80).collect();
        let comment = if title.is_empty() { String::new() } else { format!("    # {title}") };
        out.push_str(&format!(
            "\n[[page]]{comment}\nname = {}\nroute = {}\n",
            quoted(&page.name),
            // A page must not make its visitor send a variable of the environment.
            quoted(&page.route.replace("${", "$${"))
        ));
    }
    out.push_str(
        "# actions = [{ type = \"click\", element = { role = \"button\", name = \"Accept all\" } }]   # before this page is read\n",
    );
    out
}

/// Returns a text as a TOML string.
fn quoted(text: &str) -> String {
    toml_edit::Value::from(text).to_string().trim().to_owned()
}

/// Returns the workflow file for GitHub Actions.
pub(super) fn workflow() -> String {
    format!(
        r#"# Checks the pages of pages.toml for every change. Failing pages are annotated; the summary is on the run's page.
name: pagesight
on:
  pull_request:
  push:
    branches: [main]
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0
        with:
          persist-credentials: false
      - name: Start the app
        run: |
          # Start your app here, in the background, and wait until it answers. For example:
          #   npm ci && npm run build
          #   npm start &
          #   curl --retry 30 --retry-connrefused --retry-delay 1 --silent --output /dev/null http://localhost:3000/
          echo "start the app here" && exit 1
      - name: Check the pages
        uses: pagesight/pagesight/action@v{version}
        with:
          file: pages.toml
          # A comment on the pull request needs the permission pull-requests for this job.
          comment: "false"
          arguments: |
            --report=pagesight.html
            --junit=pagesight.xml
        # One variable for each secret that pages.toml uses:
        # env:
        #   PASSWORD: ${{{{ secrets.PASSWORD }}}}
      # The action stores the run as pagesight-run. To accept its changes:
      #   gh run download RUN --name pagesight-run --dir .pagesight/run && pagesight check accept
      - uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2
        if: always()
        with:
          name: pagesight-report
          path: |
            pagesight.html
            pagesight.xml
"#,
        version = env!("CARGO_PKG_VERSION")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use pagesight_check::plan::{Overrides, Plan};
    use std::path::Path;

    #[test]
    fn what_is_written_can_be_read_whatever_pages_say() {
        let hostile = "A \"title\"\n[[page]]\nroute = \"/evil\"";
        let found = [
            FoundPage { name: "home".into(), route: "/".into(), title: hostile.into() },
            FoundPage { name: "a".into(), route: "/a?q=\"x\"&b=\\".into(), title: String::new() },
            FoundPage {
                name: "b".into(),
                route: "/b?${HOME}&$${A}${".into(),
                title: "${A}".into(),
            },
        ];
        let text = pages("http://localhost:3000", &found);
        let plan =
            Plan::read(Path::new("pages.toml"), &text, &Overrides::default(), &|_| None).unwrap();
        let urls: Vec<&str> = plan.jobs.iter().map(|job| job.url.as_str()).collect();
        assert_eq!(
            urls,
            [
                "http://localhost:3000/",
                "http://localhost:3000/a?q=\"x\"&b=\\",
                "http://localhost:3000/b?${HOME}&$${A}${"
            ]
        );
        // The examples in the comments have to be valid, too.
        let taught: String = text.lines().map(|line| format!("{}\n", teaches(line))).collect();
        let plan = Plan::read(Path::new("pages.toml"), &taught, &Overrides::default(), &|_| {
            Some("secret".into())
        });
        assert!(plan.unwrap_or_else(|error| panic!("{error}\n{taught}")).has_setup());
    }

    /// Returns a line with its example uncommented.
    fn teaches(line: &str) -> &str {
        let example = line.strip_prefix("# ").filter(|rest| {
            let word = rest.split([' ', '=']).next().unwrap_or_default();
            rest.starts_with(['[', ']', ' '])
                || (rest.contains(" = ")
                    && word.chars().all(|c| c.is_ascii_lowercase() || c == '_'))
        });
        example.filter(|example| !example.trim_start().starts_with("pagesight")).unwrap_or(line)
    }

    #[test]
    fn the_workflow_runs_the_check() {
        let text = workflow();
        assert!(
            text.contains("file: pages.toml") && text.contains("${{ secrets.PASSWORD }}"),
            "{text}"
        );
    }

    #[test]
    fn the_workflow_runs_only_what_was_pinned_and_may_only_read() {
        let text = workflow();
        let own = format!("pagesight/pagesight/action@v{}", env!("CARGO_PKG_VERSION"));
        let used = text.lines().filter_map(|line| line.split_once("uses: "));
        for (_, action) in used.filter(|(_, action)| *action != own) {
            let commit = action.split(['@', ' ']).nth(1).unwrap_or_default();
            let is_commit = commit.len() == 40 && commit.bytes().all(|it| it.is_ascii_hexdigit());
            assert!(is_commit, "{action}");
        }
        assert!(text.contains(&format!("uses: {own}\n")), "{text}");
        assert!(
            text.contains("\npermissions:\n  contents: read\n") && !text.contains(": write"),
            "{text}"
        );
    }
}
