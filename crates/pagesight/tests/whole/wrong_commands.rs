//! Tests that every wrong input of a command is one sentence with exit code 2, which says what to
//! do. None of them starts a browser or a process.

use std::path::Path;

use crate::shell::run;
use crate::support::has;

/// Runs commands that are wrong in a folder.
async fn refused(folder: &Path, commands: &[(&[&str], &str)]) {
    for (arguments, says) in commands {
        let (code, out, error) = run(folder, arguments).await;
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}: {error}");
        has(&error, says);
        assert_eq!(error.trim_end().lines().count(), 1, "{arguments:?}: {error}");
    }
    assert!(!folder.join("pagesight").exists(), "a process was started");
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses() {
    let place = tempfile::tempdir().unwrap();
    refused(
        place.path(),
        &[
            (&["open", "/orders"], "/orders: there is no such file; for a page of a server give its address, such as http://localhost:3000/orders"),
            (&["open", "./index.html"], "./index.html: there is no such file"),
            (&["open", "."], ". is a folder; give a file in it, such as ./index.html"),
            (&["open", "missing.html"], "missing.html: there is no such file"),
            (&["watch", "/orders", "--against", "home"], "/orders: there is no such file"),
            (&["init", "/orders"], "/orders: there is no such file"),
        ],
    )
    .await;
    std::fs::write(place.path().join("index.html"), "<h1>Here</h1>").unwrap();
    let shown = place.path().join("index.html").display().to_string();
    let says = format!("\"file://{shown}\" cannot be opened: file: is off; add --allow-file");
    refused(place.path(), &[(&["watch", "./index.html", "--against", "home"], &says)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions() {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("broken.json"), "{").unwrap();
    refused(
        place.path(),
        &[
            (
                &["open", "localhost:1", "--upload-root", "none"],
                "--upload-root: none is not a directory",
            ),
            (
                &["open", "localhost:1", "--secret", "WORD"],
                "--secret: the secret WORD has no origin",
            ),
            (
                &["open", "localhost:1", "--secret-file", "none"],
                "--secret-file: none is not used; add --secret",
            ),
            (&["open", "localhost:1", "--state", "none.json"], "--state: cannot read none.json"),
            (
                &["open", "localhost:1", "--state", "broken.json"],
                "--state: broken.json cannot be used",
            ),
            (&["look", "--state", "broken.json"], "--state: broken.json cannot be used"),
            (&["act", "click 1", "--viewport", "9x9"], "--viewport"),
            (
                &["act", "click 1", "--viewport", "390x844"],
                "--viewport: only open changes the size",
            ),
            (&["act", "fill 1"], "\"fill 1\": fill needs a text; write fill N|NAME TEXT"),
            (&["act", "clik 1"], "clik is not an action; did you mean click?"),
            (&["open", "localhost:1", "-s", "a b"], "-s: \"a b\" is not a valid name"),
            (
                &["state", "save", "a.json"],
                "a new browser has no state; give -s NAME, --connect URL or --profile DIR",
            ),
            (
                &["state", "save", "a.json", "-s", "none"],
                "-s: there is no session none; pagesight sessions lists the open ones",
            ),
            (&["state", "save", "a.json", "-s", "a", "--origin", "x"], "--origin"),
            (
                &["state", "save", "a.json", "--profile", "none"],
                "--profile: there is no folder none",
            ),
        ],
    )
    .await;
}
