//! Plants hostile texts in page files and reads everything that the commands print of them, also in
//! the log of a GitHub action. Needs no browser.

use std::path::Path;

use crate::support::outside_ci;

#[path = "../../../../tests/hostile_texts.rs"]
mod hostile_texts;

use hostile_texts::{Dice, faults_of_json, faults_of_text, own_lines, plant};

const CAPTURES: [&str; 2] = [
    include_str!("../../../../tests/captures/forms.page.json"),
    include_str!("../../../../tests/captures/dashboard.page.json"),
];

/// Runs the program in a folder and returns what it printed to both outputs.
fn printed(folder: &Path, arguments: &[&str], on_github: bool) -> (String, String) {
    let mut command = outside_ci();
    command.current_dir(folder).args(arguments).env_remove("GITHUB_ACTIONS");
    if on_github {
        command.env("GITHUB_ACTIONS", "true");
    }
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

#[test]
fn no_command_lets_a_page_act_or_speak_for_pagesight() {
    let own = own_lines();
    for (seed, capture) in CAPTURES.iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        let dice = &mut Dice(seed as u64);
        for name in ["a.page.json", "b.page.json"] {
            std::fs::write(at.join(name), plant(capture, dice, &own)).unwrap();
        }
        // The project of the test is not the repository that it runs in.
        std::fs::create_dir(at.join(".git")).unwrap();
        let saved = printed(at, &["fingerprint", "a.page.json", "--save", "home"], false);
        assert!(saved.0.contains("\nsaved:\n  name: home\n"), "{saved:?}");
        for (arguments, as_json) in [
            (&["look", "b.page.json"][..], false),
            (&["look", "b.page.json", "save"], false),
            (&["element", "b.page.json", "3"], false),
            (&["fingerprint", "b.page.json", "--depth", "detailed"], false),
            (&["snapshot", "b.page.json"], false),
            (&["diff", "a.page.json", "b.page.json"], false),
            (&["compare", "b.page.json", "--against", "home", "--fail-on", "info"], false),
            (&["snapshot", "b.page.json", "--json"], true),
            (&["look", "b.page.json", "--output", "json"], true),
            (&["element", "b.page.json", "3", "--output", "json"], true),
            (&["fingerprint", "b.page.json", "--depth", "detailed", "--output", "json"], true),
            (&["diff", "a.page.json", "b.page.json", "--output", "json"], true),
            (&["compare", "b.page.json", "--against", "home", "--output", "json"], true),
        ] {
            let (out, error) = printed(at, arguments, false);
            assert!(!out.is_empty(), "{arguments:?}: {error}");
            let faults = match as_json {
                true => faults_of_json(&out),
                false => faults_of_text(&out, &own),
            };
            assert_eq!(faults, Vec::<String>::new(), "{arguments:?}");
            assert_eq!(faults_of_text(&error, &own), Vec::<String>::new(), "{arguments:?}");
        }

        let compare = ["compare", "b.page.json", "--against", "home", "--fail-on", "info"];
        let (plain, _) = printed(at, &compare, false);
        let (wrapped, _) = printed(at, &compare, true);
        let (first, rest) = wrapped.split_once('\n').unwrap();
        let word = first.strip_prefix("::stop-commands::").expect(&wrapped);
        assert_eq!(rest, format!("{plain}::{word}::\n"));
        let (again, _) = printed(at, &compare, true);
        assert!(!again.contains(word), "the word is a new one each time");
        let (json, _) =
            printed(at, &["compare", "b.page.json", "--against", "home", "--output", "json"], true);
        assert_eq!(faults_of_json(&json), Vec::<String>::new(), "JSON is not wrapped");
    }
}
