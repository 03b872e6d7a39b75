//! Tests what a session in the shell can be asked for besides looking and acting: its size, its
//! history, expressions, the titles of its tabs, and options of its own.

use serde_json::Value;

use crate::shell::{ended, run};
use crate::support::{Site, command, has, lacks};

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_resized_evaluated_and_gone_back_in() {
    let (site, place) = (Site::start().await, tempfile::tempdir().unwrap());
    let folder = place.path();
    let ok = async |arguments: &[&str]| {
        let (code, out, error) = run(folder, arguments).await;
        assert_eq!(code, 0, "{arguments:?}: {out}{error}");
        out
    };
    let page = |title: &str, html: &str| site.page(&format!("<title>{title}</title>{html}"));
    let first =
        page("First", "<h1>First</h1><button onclick='console.error(\"late\")'>Log in</button>");
    // A host without a scheme is completed.
    has(&ok(&["open", first.trim_start_matches("http://")]).await, "heading 1: First");
    assert_eq!(ok(&["eval", "[innerWidth, innerHeight]"]).await, "1280\n720\n");
    has(&ok(&["resize", "390x844"]).await, "tab t1 is now 390x844");
    assert_eq!(ok(&["eval", "innerWidth"]).await, "390\n");
    // The words of a name need no quotes.
    has(&ok(&["act", "click Log in"]).await, "clicked [1] button: Log in");
    has(&ok(&["log"]).await, "late");
    lacks(&ok(&["log", "--since", "last"]).await, "late");
    has(&ok(&["log", "--since", "start"]).await, "late");
    let second = page("Second", "<h1>Second</h1>");
    has(&ok(&["open", &second, "--viewport", "800x600"]).await, "heading 1: Second");
    assert_eq!(ok(&["eval", "innerWidth"]).await, "800\n");
    has(&ok(&["tabs"]).await, "t1 \"Second\" http://");
    let listed: Value = serde_json::from_str(&ok(&["tabs", "--output", "json"]).await).unwrap();
    assert_eq!(listed["tabs"][0]["title"], "Second", "{listed}");
    has(&ok(&["back"]).await, "First");
    has(&ok(&["forward"]).await, "Second");
    has(&ok(&["reload"]).await, "Second");
    // Wrong input changes nothing and is one sentence.
    for (wrong, code, says) in [
        (&["eval", "document.title = 'x'"][..], 2, ""),
        (
            &["look", "--viewport", "390x844"],
            2,
            "only open changes the size of the session's tab; run pagesight resize 390x844",
        ),
        (&["open", "x", "--viewport", "390x844"], 2, "it has no scheme; give a URL"),
        (&["act", "click Save all"], 1, ""),
        (&["log", "--since", "last", "--request", "e1"], 2, ""),
    ] {
        let (ended, out, error) = run(folder, wrong).await;
        assert_eq!(ended, code, "{wrong:?}: {out}{error}");
        has(&error, says);
    }
    assert_eq!(ok(&["eval", "[innerWidth, document.title]"]).await, "800\nSecond\n");
    assert_eq!(run(folder, &["close", "--all"]).await.0, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_has_options_of_its_own() {
    let (site, place) = (Site::start().await, tempfile::tempdir().unwrap());
    let folder = place.path();
    let files = folder.join("files");
    std::fs::create_dir(&files).unwrap();
    std::fs::write(files.join("a.txt"), "a").unwrap();
    let page = site.page(
        "<title>Form</title><input type=file aria-label=File><input aria-label=Word>\
         <script>document.cookie = 'seen=1'; localStorage.setItem('theme', 'dark')</script>",
    );
    let origin = url_origin(&site.url(""));
    let secret = format!("SHOP_WORD={origin}");
    let roots = files.display().to_string();
    let open = ["open", &page, "-s", "one", "--upload-root", &roots, "--secret", &secret];
    let (code, out, error) =
        ended(command(folder).env("SHOP_WORD", "hunter22-long").args(open)).await;
    assert_eq!(code, 0, "{out}{error}");
    let upload = format!("upload File {}", files.join("a.txt").display());
    let (code, out, error) =
        run(folder, &["act", "-s", "one", &upload, "fill Word ${SHOP_WORD}"]).await;
    assert_eq!(code, 0, "{out}{error}");
    lacks(&out, "hunter22");
    has(&out, "filled [2] textbox: Word");

    // A second session of the same process has none of it, and keeps what it was opened with.
    assert_eq!(run(folder, &["open", &page, "-s", "two"]).await.0, 0);
    let (code, out, _) = run(folder, &["act", "-s", "two", &upload]).await;
    assert_eq!(code, 1, "{out}");
    let refused = ["open", &page, "-s", "two", "--upload-root", &roots];
    let (code, _, error) = run(folder, &refused).await;
    assert_eq!(code, 2, "{error}");
    has(
        &error,
        "--upload-root: the session was opened with different values; end it with pagesight close",
    );

    // Its state is saved, and a new session has it.
    let state = folder.join("state.json").display().to_string();
    let (code, out, error) = run(folder, &["state", "save", &state, "-s", "one"]).await;
    assert_eq!(code, 0, "{out}{error}");
    has(&error, "wrote 1 cookie and the localStorage of 1 origin to ");
    let done = site.url("done.html");
    assert_eq!(run(folder, &["open", &done, "-s", "three", "--state", &state]).await.0, 0);
    let acted = run(folder, &["act", "-s", "three", "wait 1"]).await;
    assert_eq!(acted.0, 0, "{acted:?}");
    let cookies = site.url("cookies");
    has(&run(folder, &["open", &cookies, "-s", "three"]).await.1, "heading 1: seen");
    let (code, _, error) = run(folder, &["eval", "1", "-s", "three"]).await;
    assert_eq!(code, 2, "{error}");
    has(&error, "expressions are off, because the browser may hold something of the user's");
    has(&error, "pagesight serve --allow-evaluate=read");
    assert_eq!(run(folder, &["eval", "1", "-s", "two"]).await.1, "1\n", "it holds nothing");
    assert_eq!(run(folder, &["close", "--all"]).await.0, 0);
}

/// Returns the origin of a URL.
fn url_origin(url: &str) -> String {
    url.split('/').take(3).collect::<Vec<_>>().join("/")
}
