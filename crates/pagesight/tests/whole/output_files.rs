//! Tests answers that are written to files below `--output-root`.

use serde_json::{Value, json};

use crate::support::{Client, Site, has};

#[tokio::test(flavor = "multi_thread")]
async fn answers_are_written_below_the_folder_only() {
    let site = Site::start().await;
    let base = tempfile::tempdir().unwrap();
    let root = base.path().join("out");
    std::fs::create_dir(&root).unwrap();
    let client = Client::start(&["--output-root", root.to_str().unwrap()]).await;
    client.ok("browser_navigate", json!({ "url": site.url("dashboard.html") })).await;
    let read = |path: &str| std::fs::read(root.join(path)).unwrap();

    let outline = client.ok("inspect_tab", json!({})).await.text;
    let wrote = client.ok("inspect_tab", json!({ "path": "a/outline.txt" })).await.text;
    assert_eq!(
        String::from_utf8(read("a/outline.txt")).unwrap(),
        outline.trim_end().to_owned() + "\n"
    );
    let path = root.canonicalize().unwrap().join("a/outline.txt");
    let size = read("a/outline.txt").len();
    let start =
        format!("wrote {} ({size} bytes): outline of Dashboard - MyApp  http", path.display());
    assert!(wrote.starts_with(&start) && wrote.trim_end().lines().count() == 1, "{wrote}");
    client.ok("take_snapshot", json!({ "path": "s.json", "format": "json" })).await;
    let snapshot: Value = serde_json::from_slice(&read("s.json")).unwrap();
    assert!(snapshot.is_object());
    for (path, start) in [("p.png", &b"\x89PNG"[..]), ("p.jpg", b"\xff\xd8"), ("p.webp", b"RIFF")] {
        let reply = client.ok("take_screenshot", json!({ "path": path })).await;
        assert!(reply.image.is_none() && reply.text.contains("1280x720 pixels"), "{}", reply.text);
        assert!(read(path).starts_with(start), "{path}");
    }

    for (arguments, words) in [
        (json!({ "path": "p.txt" }), "p.txt is not the name of a picture; use .png, .jpg"),
        (json!({ "path": "q.png", "format": "jpeg" }), "q.png is a PNG by its name, not a JPEG"),
        (json!({ "path": "q.webp", "annotate": true }), "cannot be a WebP; use .png or .jpg"),
    ] {
        has(&client.fails("take_screenshot", arguments).await, words);
    }
    assert!(!root.join("p.txt").exists() && !root.join("q.png").exists());

    let kept = client.fails("take_screenshot", json!({ "path": "p.png" })).await;
    has(&kept, "p.png exists and was kept; set overwrite");
    assert!(read("s.json").starts_with(b"{"));
    client.ok("take_snapshot", json!({ "path": "s.json", "overwrite": true })).await;
    assert!(read("s.json").starts_with(b"uid="));
    for (arguments, words) in [
        (json!({ "path": "../x.txt" }), "is not a file below"),
        (json!({ "path": "/etc/x.txt" }), "is not a file below"),
        (json!({ "path": "" }), "is not a file below"),
        (json!({ "overwrite": true }), "overwrite needs path"),
        (json!({ "path": "p.png/x.txt" }), "is not a folder"),
        (json!({ "path": ".envrc" }), "begins with a dot, and hidden files are not written"),
        (json!({ "path": "run.sh" }), "has no ending that can be written; use one of .txt, .md"),
        (json!({ "path": "CLAUDE.md" }), "would be read by agents as instructions"),
    ] {
        let refused = client.fails("inspect_tab", arguments).await;
        has(&refused, words);
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(base.path(), root.join("link")).unwrap();
        let refused = client.fails("inspect_tab", json!({ "path": "link/x.txt" })).await;
        has(&refused, "is a link, and links are not followed");
    }
    assert_eq!(std::fs::read_dir(base.path()).unwrap().count(), 1, "nothing is outside");
    client.close().await;

    let client = Client::shared(&[]).await;
    let refused = client.fails("take_screenshot", json!({ "path": "x.png" })).await;
    has(&refused, "start pagesight with --output-root DIR");
    client.close().await;
}
