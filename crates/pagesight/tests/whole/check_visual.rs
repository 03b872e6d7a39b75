//! Tests what `pagesight check` sees of a page as people do: its layout, its pictures, its
//! accessibility, and whether it is the same at every load.

use std::path::Path;

use crate::support::has;
use crate::support::shop::{
    Served, check, command, ended, folder_with, result_of, run, said, serve,
};

/// A page with a bar, cards and a form; `style` and `more` are added to it.
fn page(style: &str, more: &str) -> String {
    format!(
        "<!doctype html><title>Shop</title><style>* {{ margin: 0; box-sizing: border-box }}
        body {{ font: 16px/1.5 'DejaVu Sans', sans-serif; width: 1000px }} main {{ padding: 20px }}
        button {{ background: #1976d2; color: white; border: 0; width: 120px; height: 40px }}
        article {{ width: 300px; height: 140px; padding: 10px; margin-bottom: 20px; background: #eee }}
        img {{ width: 40px; height: 40px; display: block }} {style}</style>
        <main><h1>Lamps</h1>{more}
        <article><h2>Desk</h2><p class=note>For every desk in the house</p><button>Buy desk lamp</button></article>
        <article><h2>Floor</h2><p>It stands on its own</p><button>Buy floor lamp</button></article>
        <img alt=Lamp src='data:image/svg+xml,<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 4 4\"><rect width=\"4\" height=\"4\" fill=\"COLOUR\"/></svg>'>
        <p>Seen 12 times</p></main>"
    )
    .replace("COLOUR", "teal")
}

fn show(served: &Served, html: String) {
    served.shop.lock().unwrap().any = html;
}

fn plan(settings: &str) -> String {
    format!("retries = 0\n{settings}\n[[page]]\nname = \"shop\"\nroute = \"/any\"\n")
}

/// Returns the changes as `severity type: sentence`.
async fn changes(folder: &Path) -> Vec<String> {
    let output = check(folder, &["--output", "json"]).await;
    let result = result_of(&output);
    let changes = result["pages"][0]["changes"].as_array().cloned().unwrap_or_default();
    let words = |change: &serde_json::Value| {
        let word = |key: &str| change[key].as_str().unwrap_or_default().to_owned();
        format!("{} {}: {}", word("severity"), word("type"), word("description"))
    };
    changes.iter().map(words).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_layout_of_a_page_is_compared() {
    let served = serve().await;
    let folder = folder_with(&served, &plan("visual = \"layout\""));
    let at = folder.path();
    show(&served, page("", ""));
    ended(0, check(at, &[]).await);
    ended(0, check(at, &["--fail-on", "info"]).await);
    // A counter, and a banner that pushes everything down, are no faults of the layout.
    show(&served, page("", "").replace("Seen 12", "Seen 1,234,567"));
    assert_eq!(changes(at).await, Vec::<String>::new());
    show(&served, page("", "<p>Sale until Friday</p>"));
    assert_eq!(changes(at).await, Vec::<String>::new());
    for (style, expected) in [
        (
            "button { background: #d32f2f }",
            "warning style_changed: All 2 buttons: background is #d32f2f (red) now, not #1976d2 (blue)",
        ),
        (
            "article:nth-of-type(2) button { margin-left: 90px }",
            "warning layout_changed: Button 'Buy floor lamp' moved 90 px right",
        ),
        (
            "article:nth-of-type(1) button { width: 200px }",
            "warning layout_changed: Button 'Buy desk lamp' is 80 px wider (200 px, was 120 px)",
        ),
        (
            ".note { width: 60px; white-space: nowrap; overflow: hidden }",
            "warning layout_changed: Text 'For every desk in the house' is cut off by",
        ),
        (
            "article:nth-of-type(1) button { position: relative; top: -30px }",
            "warning layout_changed: Button 'Buy desk lamp' overlaps text 'For every desk in the house'",
        ),
        ("main { width: 1500px }", "warning layout_changed: The page is "),
        (
            "h1 { font-size: 60px }",
            "warning style_changed: Heading 'Lamps': font size is 60px now, not 32px",
        ),
    ] {
        show(&served, page(style, ""));
        let found = changes(at).await;
        assert!(found.iter().any(|line| line.starts_with(expected)), "{style}: {found:#?}");
        assert!(found.len() <= 3, "{style}: {found:#?}");
    }
    // An older baseline is compared without the layout.
    std::fs::write(
        at.join("pages.toml"),
        std::fs::read_to_string(at.join("pages.toml")).unwrap().replace("\"layout\"", "\"off\""),
    )
    .unwrap();
    ended(0, check(at, &["--update"]).await);
    assert_eq!(changes(at).await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_baseline_is_compared_without_the_layout() {
    let served = serve().await;
    let folder = folder_with(&served, &plan(""));
    let at = folder.path();
    show(&served, page("", ""));
    ended(0, check(at, &[]).await);
    let text = std::fs::read_to_string(at.join("pages.toml")).unwrap();
    std::fs::write(at.join("pages.toml"), format!("visual = \"layout\"\n{text}")).unwrap();
    show(&served, page("button { background: red }", ""));
    let words = said(&ended(0, check(at, &[]).await));
    has(&words, "Compared after the next accept (1 baseline without it): the layout");
    let accept = |arguments: &[&str]| {
        let mut command = command(at, &["accept"]);
        command.args(arguments);
        run(command)
    };
    has(&said(&ended(0, accept(&[]).await)), "1 accepted");
    show(&served, page("button { background: blue }", ""));
    let found = changes(at).await;
    assert!(found.len() == 1 && found[0].contains("All 2 buttons: background"), "{found:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_are_compared_element_by_element() {
    let served = serve().await;
    let settings = "visual = \"pixels\"\nmask = [\"h1\"]";
    let folder = folder_with(&served, &plan(settings));
    let at = folder.path();
    show(&served, page("", ""));
    ended(0, check(at, &[]).await);
    ended(0, check(at, &["--fail-on", "info"]).await);
    show(&served, page("", "").replace("fill=\"teal\"", "fill=\"tomato\""));
    let words =
        "warning picture_changed: Image 'Lamp' looks different: 100 % of its pixels changed";
    assert_eq!(changes(at).await, [words]);
    // A mask, a counter, and what moved.
    let moved = page("h1 { text-shadow: 2px 2px 2px red }", "<p>Sale until Friday</p>");
    show(&served, moved.replace("Seen 12", "Seen 99"));
    assert_eq!(changes(at).await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn only_new_violations_fail_a_check() {
    let served = serve().await;
    let folder = folder_with(&served, &plan("audit = \"serious\"\naudit_ignore = [\"region\"]"));
    let at = folder.path();
    let html = |more: &str| {
        let page = format!(
            "<main><h1>Shop</h1><img src='data:image/gif;base64,R0lGODlhAQABAAAAACw=' width=40 height=40>{more}</main>"
        );
        format!("<!doctype html><html lang=en><title>Shop</title>{page}</html>")
    };
    show(&served, html(""));
    ended(0, check(at, &[]).await);
    ended(0, check(at, &["--fail-on", "info"]).await);
    let more = "<button></button><iframe title=Inner srcdoc='<html lang=en><title>Inner</title><main><input></main></html>'></iframe>";
    show(&served, html(more));
    let found = changes(at).await;
    let is_found = |words: &str| found.iter().any(|line| line.contains(words));
    assert!(
        is_found("error audit_violation: Buttons must have discernible text (button-name)"),
        "{found:#?}"
    );
    assert!(is_found("(label)"), "in the frame: {found:#?}");
    assert!(!is_found("image-alt"), "the baseline has it: {found:#?}");
    let report = std::fs::read_to_string(at.join("pages.baselines/shop@chromium-1280x720.json"));
    has(&report.unwrap(), "\"rule\": \"image-alt\"");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_audit_lists_violations_and_fails() {
    let served = serve().await;
    show(
        &served,
        "<!doctype html><html lang=en><title>Shop</title><main><h1>Shop</h1><button></button>
        <div style='width: 90px; height: 40px; background: teal' onclick='alert()'></div></main></html>"
            .to_owned(),
    );
    let url = format!("http://{}/any", served.address);
    let audit = |arguments: &[&str]| {
        let mut command = crate::support::outside_ci();
        command.arg("audit").arg(&url).args(arguments);
        run(command)
    };
    let words = said(&ended(1, audit(&[]).await));
    for part in [
        "critical  button-name: Buttons must have discernible text",
        "serious  pagesight-nameless: What can be used must have a name",
        "axe-core 4.14.1",
    ] {
        has(&words, part);
    }
    let ignore = "button-name,pagesight-nameless,pagesight-listener,pagesight-small";
    ended(0, audit(&["--ignore", ignore, "--level", "serious"]).await);
    let data = result_of(&ended(1, audit(&["--tags", "wcag2a", "--output", "json"]).await));
    let rules = data["audit"]["violations"].as_array().unwrap().iter();
    assert_eq!(rules.map(|it| it["rule"].as_str().unwrap()).collect::<Vec<_>>(), ["button-name"]);
    for wrong in [["--level", "bad"], ["--tags", "a b"], ["--max-tokens", "10"]] {
        ended(2, audit(&wrong).await);
    }
    for wrong in [["--tags", "wcagxx"], ["--ignore", "nonsense"]] {
        has(&said(&ended(2, audit(&wrong).await)), "axe-core has no rule and no tag");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_that_differ_from_load_to_load_are_found() {
    let served = serve().await;
    let folder = folder_with(&served, &plan(""));
    let at = folder.path();
    show(
        &served,
        "<!doctype html><title>Shop</title><main><h1>Shop</h1><button id=b></button></main>
        <script>b.textContent = 'Visitors: ' + ['one', 'two', 'many'][Math.floor(performance.timeOrigin) % 3] + performance.timeOrigin</script>"
            .to_owned(),
    );
    let words = said(&ended(1, check(at, &["--stability", "3"]).await));
    has(&words, "unstable   shop (chromium 1280x720)  2 of 2 further loads differ");
    has(&words, "add to the page: ignore = [{ text = \"Visitors:");
    assert!(!at.join("pages.baselines").exists(), "no baseline is written");
    let rule = words.lines().find_map(|line| line.split_once("add to the page: ")).unwrap().1;
    std::fs::write(
        at.join("pages.toml"),
        format!("base_url = \"http://{}\"\n{}{rule}\n", served.address, plan("")),
    )
    .unwrap();
    has(&said(&ended(0, check(at, &["--stability", "3"]).await)), "1 page: 1 stable");
    for wrong in [vec!["--stability", "1"], vec!["--stability", "3", "--update"]] {
        ended(2, check(at, &wrong).await);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_accepted_one_by_one() {
    use std::io::Write;
    let served = serve().await;
    let pages =
        "[[page]]\nname = \"a\"\nroute = \"/any\"\n[[page]]\nname = \"b\"\nroute = \"/any\"\n";
    let folder = folder_with(&served, &format!("retries = 0\npictures = false\n{pages}"));
    let at = folder.path();
    show(&served, "<main><h1>Shop</h1><button>Buy</button></main>".to_owned());
    ended(0, check(at, &[]).await);
    show(&served, "<main><h1>Shop</h1></main>".to_owned());
    ended(1, check(at, &[]).await);
    let mut command = command(at, &["accept", "--interactive"]);
    command.stdin(std::process::Stdio::piped());
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"what?\nn\ny\n").unwrap();
    let output = tokio::task::spawn_blocking(|| child.wait_with_output().unwrap()).await.unwrap();
    let words = said(&ended(0, output));
    has(&words, "error    Button 'Buy' is missing.");
    has(&words, "accepted   b (chromium 1280x720)");
    has(&words, "1 accepted, 1 left out");
    let words = said(&ended(1, check(at, &[]).await));
    has(&words, "changed    a (chromium 1280x720)");
    assert!(!words.contains("changed    b"), "{words}");
    // One change of a page.
    show(&served, "<main><h1>Our shop</h1></main>".to_owned());
    ended(1, check(at, &[]).await);
    let accept = |arguments: &[&str]| {
        let mut command = crate::support::shop::command(at, &["accept"]);
        command.args(arguments);
        run(command)
    };
    has(
        &said(&ended(2, accept(&["--only", "a", "--change", "9"]).await)),
        "has no change 9; it has 2",
    );
    ended(2, accept(&["--change", "1"]).await);
    has(&said(&ended(0, accept(&["--only", "a", "--change", "1"]).await)), "accepted   a");
    let words = said(&ended(0, check(at, &[]).await));
    assert!(words.contains("Our shop") && !words.contains("Button 'Buy'"), "{words}");
}
