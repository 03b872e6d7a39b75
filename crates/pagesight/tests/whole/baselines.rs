//! Tests fingerprints, baselines and comparisons through the whole program: tools, command line,
//! exit codes, ignore rules, and a store that many processes use at once.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::{Client, Site, has, outside_ci};
use pagesight_core::text::tokens::count;
use serde_json::{Value, json};

pub(crate) fn capture(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/captures");
    folder.join(format!("{name}.page.json")).display().to_string()
}

pub(crate) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = outside_ci();
    command
        .args(arguments)
        .current_dir(folder)
        .env("XDG_DATA_HOME", folder.join("data"))
        .env("HOME", folder);
    command
}

pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().unwrap()
}

pub(crate) fn result_of(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

#[test]
fn the_command_line_keeps_compares_and_ends_with_the_right_code() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::create_dir(at.join(".pagesight")).unwrap();
    let (dashboard, shop) = (capture("dashboard"), capture("shop"));

    let missing = run(at, &["compare", &dashboard, "--against", "home"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&missing.stderr).contains("there is no baseline \"home\""),
        "{missing:?}"
    );
    assert!(!at.join(".pagesight/baselines").exists(), "asking makes no file");

    let saved = run(at, &["fingerprint", &dashboard, "--save", "home", "--output", "json"]);
    assert_eq!(saved.status.code(), Some(0), "{saved:?}");
    let saved = result_of(&saved);
    assert_eq!(saved["saved"]["name"], "home");
    let kept = || std::fs::read_dir(at.join(".pagesight/baselines")).unwrap().flatten();
    let file = kept().map(|entry| entry.path()).find(|path| path.is_file()).unwrap();

    let same = run(at, &["compare", &dashboard, "--against", "home", "--output", "json"]);
    assert_eq!(same.status.code(), Some(0), "{same:?}");
    assert_eq!(result_of(&same)["status"], "unchanged");

    let other = run(at, &["compare", &shop, "--against", "home", "--junit", "junit.xml"]);
    assert_eq!(other.status.code(), Some(1), "{other:?}");
    let junit = std::fs::read_to_string(at.join("junit.xml")).unwrap();
    has(&junit, "tests=\"1\" failures=\"1\" errors=\"0\"");
    let text = String::from_utf8_lossy(&other.stdout).into_owned();
    assert!(text.contains("error") && text.contains("is missing."), "{text}");

    let near = run(at, &["compare", &dashboard, "--against", "hone"]);
    assert!(String::from_utf8_lossy(&near.stderr).contains("the nearest are home"), "{near:?}");

    let list = result_of(&run(at, &["baselines", "list", "--output", "json"]));
    assert_eq!(list["baselines"][0]["name"], "home");
    run(at, &["baselines", "export", "kept"]);
    let files: Vec<PathBuf> =
        std::fs::read_dir(at.join("kept")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 1);
    assert_eq!(run(at, &["baselines", "delete", "home"]).status.code(), Some(0));
    assert_eq!(run(at, &["compare", &dashboard, "--against", "home"]).status.code(), Some(2));
    assert_eq!(run(at, &["baselines", "import", "kept"]).status.code(), Some(0));
    assert_eq!(run(at, &["compare", &dashboard, "--against", "home"]).status.code(), Some(0));

    std::fs::write(&file, "<<<<<<< not a baseline").unwrap();
    let damaged = run(at, &["baselines", "list"]);
    assert_eq!(damaged.status.code(), Some(2));
    let why = String::from_utf8_lossy(&damaged.stderr).into_owned();
    assert!(why.contains("is not a baseline file") && why.contains("home@"), "{why}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "<<<<<<< not a baseline");
}

#[test]
fn rules_of_the_project_are_kept_to() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (dashboard, shop) = (capture("dashboard"), capture("shop"));
    run(at, &["fingerprint", &dashboard, "--save", "home"]);
    assert!(
        at.join("data/pagesight/baselines").exists(),
        "without a project folder it is the user's"
    );
    let all = result_of(&run(
        at,
        &["compare", &shop, "--against", "home", "--fail-on", "info", "--output", "json"],
    ));
    std::fs::write(at.join(".pagesight.toml"), "[[ignore]]\ntype = \"element_missing\"\n").unwrap();
    let fewer = result_of(&run(
        at,
        &["compare", &shop, "--against", "home", "--fail-on", "info", "--output", "json"],
    ));
    assert!(fewer["ignored"].as_u64().unwrap() > 0, "{fewer}");
    assert!(fewer["changes"].as_array().unwrap().len() < all["changes"].as_array().unwrap().len());
    // The file that is used is named, also if it is in a folder above. Above the repository it is
    // not used.
    let deep = at.join("repository/deep");
    std::fs::create_dir_all(&deep).unwrap();
    let named = |from: &Path| {
        let mut compare = command(from, &["compare", &shop, "--against", "home"]);
        let reported =
            compare.env("HOME", at).env("XDG_DATA_HOME", at.join("data")).output().unwrap();
        String::from_utf8_lossy(&reported.stderr).lines().next().unwrap_or_default().to_owned()
    };
    let used = at.canonicalize().unwrap().join(".pagesight.toml");
    assert_eq!(named(&deep), format!("using {}", used.display()));
    std::fs::create_dir(at.join("repository/.git")).unwrap();
    assert_eq!(named(&deep), "");
    std::fs::write(at.join(".pagesight.toml"), "[[ignore]]\ntype = \"no_such\"\n").unwrap();
    let wrong = run(at, &["compare", &shop, "--against", "home"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("no_such"), "{wrong:?}");
}

/// Page content is written so that only the user can read it; an existing file keeps its mode.
#[cfg(unix)]
#[test]
fn files_with_page_content_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let mode = |path: &str| {
        let data =
            std::fs::metadata(at.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        format!("{path} {:o}", data.permissions().mode() & 0o777)
    };
    let (dashboard, shop) = (capture("dashboard"), capture("shop"));
    run(at, &["fingerprint", &dashboard, "--save", "home"]);
    run(at, &["baselines", "export", "kept/deep"]);
    std::fs::write(at.join("old.xml"), "").unwrap();
    std::fs::set_permissions(at.join("old.xml"), PermissionsExt::from_mode(0o644)).unwrap();
    run(at, &["look", &shop, "--save-page", "copy.page.json"]);
    let files = ["--report", "report.html", "--junit", "old.xml"];
    run(at, &[&["compare", &shop, "--against", "home"], &files[..]].concat());
    let exported = std::fs::read_dir(at.join("kept/deep")).unwrap().next().unwrap().unwrap();
    let exported = exported.file_name().to_string_lossy().into_owned();
    let kept = format!("data/pagesight/baselines/{exported}");
    let exported = format!("kept/deep/{exported}");
    for (path, wanted) in [
        ("data/pagesight", "700"),
        ("data/pagesight/baselines", "700"),
        (&kept, "600"),
        ("kept", "700"),
        ("kept/deep", "700"),
        (&exported, "600"),
        ("copy.page.json", "600"),
        ("report.html", "600"),
        ("old.xml", "644"),
    ] {
        assert_eq!(mode(path), format!("{path} {wanted}"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_checks_its_edit() {
    let (site, folder) = (Site::start().await, tempfile::tempdir().unwrap());
    let client = Client::start_in(folder.path(), &["--allow-evaluate"]).await;
    client.ok("browser_navigate", json!({ "url": site.url("regressions.html") })).await;

    let error = client.fails("compare_dom_fingerprint", json!({ "against": "last" })).await;
    has(&error, "get_dom_fingerprint first");
    let first = client.ok("get_dom_fingerprint", json!({ "save_as": "home" })).await;
    let answer = first.json();
    let (real, reported) = (count(&first.text), answer["token_count"].as_u64().unwrap() as usize);
    assert!(real.abs_diff(reported) * 50 <= real, "{reported} reported, {real} counted");
    assert_eq!(answer["status"], "ready", "{answer:#}");
    assert_eq!(answer["structure"]["landmarks"]["header"]["contains"], json!(["nav"]));
    assert_eq!(
        answer["structure"]["content"]["lists"][0],
        json!({"selector": ".project-list", "items": 5, "type": "ul"})
    );
    assert_eq!(
        answer["structure"]["content"]["images"],
        json!({"count": 1, "with_alt": 1, "broken": 0})
    );

    let again = client.ok("get_dom_fingerprint", json!({})).await.json();
    assert_eq!(again["hash"], answer["hash"]);
    let unchanged = client
        .ok("compare_dom_fingerprint", json!({ "against": "last", "severity_threshold": "info" }))
        .await
        .json();
    assert_eq!(unchanged["status"], "unchanged", "{unchanged:#}");

    client
        .ok("browser_evaluate", json!({ "expression": "document.querySelector('#save').remove()" }))
        .await;
    for against in [json!("home"), answer["hash"].clone(), json!("last")] {
        let compared =
            client.ok("compare_dom_fingerprint", json!({ "against": against })).await.json();
        if against == "last" {
            // By now the last fingerprint is that of the broken page.
            assert_eq!(compared["status"], "unchanged", "{compared:#}");
        } else {
            assert_eq!(compared["status"], "changed", "{compared:#}");
            assert_eq!(
                compared["changes"][0]["element"],
                json!({"type": "button", "text": "Save"})
            );
            assert_eq!(compared["changes"][0]["location"], "main");
            assert_eq!(compared["summary"], "1 error change detected");
        }
    }
    let both = client.ok("get_dom_fingerprint", json!({ "baseline_name": "home" })).await.json();
    assert_eq!(both["comparison"]["changes"][0]["type"], "element_missing");

    let minimal = client.ok("get_dom_fingerprint", json!({ "depth": "minimal" })).await.json();
    assert!(minimal["structure"].get("interactive").is_none());
    let part = client.ok("get_dom_fingerprint", json!({ "scope": "#invite" })).await.json();
    assert_eq!(part["structure"]["interactive"].as_array().unwrap().len(), 4, "{part:#}");

    let list = client.ok("dom_baselines", json!({ "action": "list" })).await.json();
    assert_eq!(list["baselines"][0]["name"], "home");
    client.ok("dom_baselines", json!({ "action": "delete", "name": "home" })).await;
    let error = client.fails("compare_dom_fingerprint", json!({ "against": "home" })).await;
    has(&error, "there is no baseline \"home\"");
    client.fails("get_dom_fingerprint", json!({ "save_as": "no name" })).await;
    client.close().await;
}

/// People read sentences, also about the items of a list that was stored; programs get the
/// descriptions that they know.
#[tokio::test(flavor = "multi_thread")]
async fn people_read_sentences_and_programs_descriptions() {
    let (site, folder) = (Site::start().await, tempfile::tempdir().unwrap());
    let at = folder.path().to_owned();
    let page = |search: &str, ben: &str, save: &str| {
        site.page(&format!(
            "<title>Team</title><style>.off {{ display: none }}</style><body>\
             <header><a href=/>Home</a><form role=search {search}><input aria-label=Find></form></header>\
             <main><h1>Team</h1><ul aria-label=Team><li>Ann<li>{ben}</ul>{save}</main>"
        ))
    };
    let was = page("", "Ben, smith", "<button>Save</button>");
    let now = page("class=off", "Ben, blacksmith", "");
    let done = tokio::task::spawn_blocking(move || {
        run(&at, &["fingerprint", &was, "--save", "team"]);
        let same = run(&at, &["compare", &was, "--against", "team"]);
        assert_eq!(String::from_utf8_lossy(&same.stdout), "No changes.\n");
        let warned = run(&at, &["compare", &now, "--against", "team"]);
        assert_eq!(
            String::from_utf8_lossy(&warned.stdout),
            "3 changes (2 errors, 1 info).\n\
             error    element_hidden        The search area is hidden (display: none); 1 control is \
             out of reach.  (header > search)\n\
             error    element_missing       Button 'Save' is missing.  (main)\n\
             info     not listed: 1 list_changed\n"
        );
        let all = run(&at, &["compare", &now, "--against", "team", "--fail-on", "info"]);
        let list = "info     list_changed          List 'Team': 'Ben, smith' is now 'Ben, \
                    blacksmith'.  (main)\n";
        has(&String::from_utf8_lossy(&all.stdout), list);
        let json =
            result_of(&run(&at, &["compare", &now, "--against", "team", "--output", "json"]));
        assert_eq!(json["summary"], "2 errors, 1 info changes detected (1 below the threshold)");
        let said = &json["changes"][1]["description"];
        assert_eq!(*said, "Interactive button 'Save' is no longer there", "{json:#}");
        assert!(!json.to_string().contains("facts"), "{json:#}");
    });
    done.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_is_written_with_the_picture() {
    let (site, folder) = (Site::start().await, tempfile::tempdir().unwrap());
    let at = folder.path().to_owned();
    let was = site.page(
        "<title>Shop</title><main><h1>Shop</h1><button>Buy</button><button>Save</button></main>",
    );
    let now = site.page("<title>Shop</title><main><h1>Basket</h1><button>Save</button></main>");
    let done = tokio::task::spawn_blocking(move || {
        run(&at, &["fingerprint", &was, "--save", "shop"]);
        let compared = run(&at, &["compare", &now, "--against", "shop", "--report", "report.html"]);
        assert_eq!(compared.status.code(), Some(1), "{compared:?}");
        let live = std::fs::read_to_string(at.join("report.html")).unwrap();
        for part in [
            "The page failed",
            "'Buy' is missing.",
            "data:image/png;base64,",
            "The baseline has no picture",
        ] {
            assert!(live.contains(part), "{part}");
        }
        assert_eq!(
            live.matches("class=\"mark ").count(),
            1,
            "the heading is boxed, what is gone cannot be"
        );
        // A page file has no picture.
        run(&at, &["fingerprint", &capture("dashboard"), "--save", "home"]);
        let of_file =
            run(&at, &["compare", &capture("shop"), "--against", "home", "--report", "file.html"]);
        assert_eq!(of_file.status.code(), Some(1), "{of_file:?}");
        assert!(
            std::fs::read_to_string(at.join("file.html"))
                .unwrap()
                .contains("There are no pictures")
        );
        let nowhere = run(
            &at,
            &["compare", &capture("shop"), "--against", "home", "--report", "no/such/folder.html"],
        );
        assert_eq!(nowhere.status.code(), Some(2), "{nowhere:?}");
        assert!(
            String::from_utf8_lossy(&nowhere.stderr).contains("there is no folder no/such"),
            "{nowhere:?}"
        );
    });
    done.await.unwrap();
}
