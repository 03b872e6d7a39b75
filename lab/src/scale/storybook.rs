//! A real static Storybook of React components: a dozen stories, one that fails and one with a play
//! function. One component changes, and exactly its story must be reported.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::ensure;
use tokio::process::Command;

use super::check::Checker;
use crate::install;
use crate::report;

/// The stories that are rendered; `forms-login--broken` fails.
const RENDERED: [&str; 11] = [
    "data-list--loaded",
    "data-list--long",
    "data-list--many",
    "data-list--nothing",
    "data-list--one",
    "forms-button--counting",
    "forms-button--disabled",
    "forms-button--primary",
    "forms-button--secondary",
    "forms-login--empty",
    "forms-login--welcomed",
];
const BROKEN: &str = "forms-login--broken";

/// Builds the static Storybook of a folder, in `static` in it.
pub async fn build(folder: &Path) -> anyhow::Result<()> {
    let mut build = Command::new("npx");
    build.args(["storybook", "build", "--quiet", "-o", "static"]).current_dir(folder);
    install::run(build.env("STORYBOOK_DISABLE_TELEMETRY", "1")).await
}

/// Checks the Storybook: saved, unchanged, one story changed.
pub async fn run(checker: &Checker) -> anyhow::Result<()> {
    let book = install::pinned::install("storybook").await?;
    build(&book).await?;
    let address = crate::pages::serve(book.join("static")).await?;
    let folder = tempfile::tempdir()?;
    let at = folder.path();
    let text = format!("[[source]]\nstorybook = {address:?}\nskip_tags = [\"manual\"]\n");
    std::fs::write(at.join("pages.toml"), text)?;
    let expected: BTreeSet<String> = RENDERED.map(str::to_owned).into();
    let broken = BTreeSet::from([BROKEN.to_owned()]);

    report::table("part | result | seconds | most memory");
    let first = checker.check(at, &[]).await?;
    first.row(
        "Storybook",
        &format!(
            "{} stories saved, failed {:?}",
            first.names("saved").len(),
            first.names("failed")
        ),
    );
    ensure!(
        first.names("saved") == expected && first.names("failed") == broken,
        "{} {}",
        first.reported,
        first.errors
    );
    let why = first.reported.to_string();
    ensure!(why.contains("the login service is not configured"), "the error is not named: {why}");
    let played = std::fs::read_to_string(
        at.join("pages.baselines/forms-login--welcomed@chromium-1280x720.json"),
    )?;
    ensure!(played.contains("Welcome, Ada"), "read before its play function ended: {played}");

    let second = checker.check(at, &[]).await?;
    second.row("Storybook again", &format!("{} unchanged", second.names("unchanged").len()));
    ensure!(second.names("unchanged") == expected, "{}", second.reported);

    let stories = book.join("stories/Button.stories.jsx");
    let text = std::fs::read_to_string(&stories)?;
    std::fs::write(&stories, text.replace("\"Cancel\"", "\"Dismiss\""))?;
    build(&book).await?;
    let third = checker.check(at, &[]).await?;
    let changed = third.names("changed");
    third.row(
        "one story changed",
        &format!("changed {changed:?}, {} unchanged", third.names("unchanged").len()),
    );
    third.require_changed(&BTreeSet::from(["forms-button--secondary".to_owned()]))
}
