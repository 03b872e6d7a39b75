//! Tests `--store` and the queue through the whole program, with a real PostgreSQL. Without one
//! these tests are skipped.

#[path = "../../../../pagesight-team/src/postgres/test_server.rs"]
mod test_server;

use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use crate::support::shop::{PAGES, baselines, ended, names, project, result_of, run, said, serve};
use crate::support::{has, lacks, outside_ci};
use test_server::{PASSWORD, TestServer, server};

fn command(folder: &Path, arguments: &[&str], server: &TestServer, schema: &str) -> Command {
    let mut command = outside_ci();
    command.args(arguments).current_dir(folder);
    command.args(["--store", &server.address(schema)]).env("PGPASSWORD", PASSWORD);
    command
}

async fn pagesight(folder: &Path, arguments: &[&str], server: &TestServer, schema: &str) -> Output {
    run(command(folder, arguments, server, schema)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn baselines_in_a_database_have_branches_and_leave_no_files() {
    let Some(server) = server("--store through the whole program") else { return };
    let served = serve().await;
    let folder = project(&served, "");
    let at = folder.path();
    let check = async |arguments: &[&str]| {
        let arguments = [&["check", "--output", "json"], arguments].concat();
        pagesight(at, &arguments, server, "branches").await
    };
    let first = ended(0, check(&[]).await);
    assert_eq!(result_of(&first)["counts"]["saved"], PAGES);
    assert!(baselines(at).is_empty(), "no files");
    served.shop.lock().unwrap().broken = [(1, 0)].into();
    let changed = ended(1, check(&["--branch", "topic"]).await);
    assert_eq!(names(&result_of(&changed), "changed"), ["p-1".to_owned()].into());
    ended(0, check(&["--branch", "topic", "--update"]).await);
    assert_eq!(result_of(&check(&["--branch", "topic"]).await)["counts"]["unchanged"], PAGES);
    assert_eq!(check(&[]).await.status.code(), Some(1), "main is as it was");

    // A stored run is accepted into the branch, unless its baseline changed meanwhile.
    assert_eq!(check(&["--branch", "second"]).await.status.code(), Some(1));
    let mut files = outside_ci();
    files.args(["check", "accept"]).current_dir(at);
    let files = ended(2, run(files).await);
    has(&said(&files), "--store");
    let accept = ["check", "accept", "--output", "json", "--branch"];
    let accept = async |branch: &str| {
        pagesight(at, &[&accept[..], &[branch]].concat(), server, "branches").await
    };
    let written = ended(0, accept("second").await);
    assert_eq!(result_of(&written)["accepted"][0]["name"], "p-1", "{}", said(&written));
    let again = accept("second").await;
    assert_eq!(result_of(&again)["already_accepted"][0]["name"], "p-1", "{}", said(&again));
    assert_eq!(result_of(&check(&["--branch", "second"]).await)["counts"]["unchanged"], PAGES);
    assert_eq!(check(&[]).await.status.code(), Some(1), "main is still as it was");
    assert_eq!(check(&["--branch", "third"]).await.status.code(), Some(1));
    served.shop.lock().unwrap().broken = [(1, 1)].into();
    ended(0, check(&["--branch", "third", "--update", "--run", "other"]).await);
    let refused = ended(1, accept("third").await);
    assert_eq!(result_of(&refused)["not_accepted"][0]["name"], "p-1", "{}", said(&refused));
    assert!(baselines(at).is_empty(), "no files");
    let by = server.psql(
        "SELECT count(*), bool_and(accepted_by LIKE '%@%') FROM branches.baseline
         WHERE branch = 'topic' AND picture IS NOT NULL",
    );
    assert_eq!(by, "1|t");

    // The other commands use the same database, and no command prints the password.
    let page = format!("http://{}/p/2", served.address);
    let saved = ["fingerprint", &page, "--save", "home"];
    ended(0, pagesight(at, &saved, server, "branches").await);
    let compared = ["compare", &page, "--against", "home", "--branch", "topic"];
    ended(0, pagesight(at, &compared, server, "branches").await);
    let listed = pagesight(at, &["baselines", "list"], server, "branches").await;
    has(&said(&listed), "home");
    lacks(&said(&listed), PASSWORD);
    assert!(!at.join(".pagesight").join("baselines").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_queue_is_worked_off_by_several_workers() {
    let Some(server) = server("the queue through the whole program") else { return };
    let served = serve().await;
    let folder = project(&served, "");
    let at = folder.path();
    let base = format!("http://{}", served.address);
    let call = async |arguments: &[&str]| pagesight(at, arguments, server, "queue").await;
    let work = ["check", "work", "--base-url", &base];
    ended(2, call(&["check", "status"]).await);
    ended(0, call(&work).await);

    let added = call(&["check", "enqueue", "--output", "json"]).await;
    assert_eq!(result_of(&added)["pages"], PAGES, "{}", said(&added));
    // A worker is killed in the middle; its pages wait until its leases have ended.
    let slow = [&work[..], &["--jobs", "2", "--lease", "3"]].concat();
    let mut killed = command(at, &slow, server, "queue").spawn().unwrap();
    while server.psql("SELECT count(*) FROM queue.result").parse::<usize>().unwrap() < 2 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    let (one, two) = tokio::join!(call(&slow), call(&slow));
    for worker in [&one, &two] {
        assert_eq!(worker.status.code(), Some(0), "{}", said(worker));
    }
    let done = ended(0, call(&["check", "status", "--wait", "--output", "json"]).await);
    let done = result_of(&done);
    assert_eq!((&done["state"], &done["results"]["saved"]), (&"done".into(), &PAGES.into()));
    let once = "SELECT count(*), count(DISTINCT number) FROM queue.result";
    assert_eq!(server.psql(once), format!("{PAGES}|{PAGES}"));
    let baselines = "SELECT count(*), count(DISTINCT key) FROM queue.baseline";
    assert_eq!(server.psql(baselines), format!("{PAGES}|{PAGES}"), "one each, not one per try");

    // A change is found, reported and, with --update, accepted.
    served.shop.lock().unwrap().broken = [(3, 0)].into();
    call(&["check", "enqueue"]).await;
    let worked = call(&[&work[..], &["--jobs", "4"]].concat()).await;
    assert!(said(&worked).contains("p-3 (chromium"), "{}", said(&worked));
    let changed =
        ended(1, call(&["check", "status", "--junit", "j.xml", "--report", "r.html"]).await);
    assert!(said(&changed).contains("p-3") && !said(&changed).contains("p-4"));
    let junit = std::fs::read_to_string(at.join("j.xml")).unwrap();
    has(&junit, "tests=\"8\" failures=\"1\"");
    let report = std::fs::read_to_string(at.join("r.html")).unwrap();
    assert_eq!(report.matches("data:image/png;base64,").count(), 2, "before and after");
    call(&["check", "enqueue", "--update"]).await;
    call(&work).await;
    assert_eq!(call(&["check", "status"]).await.status.code(), Some(0), "accepted");

    call(&["check", "enqueue"]).await;
    ended(0, call(&["check", "stop"]).await);
    assert_eq!(call(&["check", "status", "--wait"]).await.status.code(), Some(2));
    let idle = call(&work).await;
    has(&said(&idle), "checked 0 pages");
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_check_the_pages_that_a_source_listed() {
    let Some(server) = server("sources in the queue") else { return };
    let served = serve().await;
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let text = "base_url = \"http://${HOST}\"\ncommand = \"cat listed\"\n";
    std::fs::write(at.join("pages.toml"), text).unwrap();
    std::fs::write(at.join("listed"), "/p/1\n/p/2\tsecond\n").unwrap();
    let call = async |arguments: &[&str]| {
        let mut command = command(at, arguments, server, "listed");
        command.env("HOST", served.address.to_string());
        run(command).await
    };
    let added = call(&["check", "enqueue", "--output", "json"]).await;
    assert_eq!(result_of(&added)["pages"], 2, "{}", said(&added));
    let leaked = format!("SELECT count(*) FROM listed.job WHERE page LIKE '%{}%'", served.address);
    assert_eq!(server.psql(&leaked), "0", "the base URL is the worker's");
    // Workers do not list again.
    std::fs::remove_file(at.join("listed")).unwrap();
    let origin = format!("http://{}", served.address);
    ended(0, call(&["check", "work", "--origin", &origin, "--env", "HOST"]).await);
    ended(0, call(&["check", "status", "--comment", "c.md"]).await);
    let names = "SELECT string_agg(name, ' ' ORDER BY name) FROM listed.baseline";
    assert_eq!(server.psql(names), "p-1 second");
    assert!(std::fs::read_to_string(at.join("c.md")).unwrap().contains("2 pages passed"));
    ended(2, call(&["check", "enqueue"]).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_gets_no_more_than_its_worker_allows() {
    let Some(server) = server("rows of the queue that ask for more") else { return };
    let (served, other) = (serve().await, serve().await);
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let base = format!("http://{}", served.address);
    let elsewhere = format!("http://{}/p/1", other.address);
    std::fs::write(at.join(".env"), "TOKEN=hunter22").unwrap();
    let text = format!(
        r#"
base_url = "{base}"
[[page]]
name = "fine"
route = "/p/1"
[[page]]
name = "variable"
route = "/p/2?key=${{AWS_SECRET_ACCESS_KEY}}"
[[page]]
name = "file"
route = "/p/3"
actions = [{{ type = "upload", element = "input", paths = [".env"] }}]
[[page]]
name = "elsewhere"
url = "{elsewhere}"
"#
    );
    std::fs::write(at.join("pages.toml"), text).unwrap();
    let call = async |arguments: &[&str]| {
        let mut command = command(at, arguments, server, "bounds");
        command.env("AWS_SECRET_ACCESS_KEY", "AKIA-hunter22");
        run(command).await
    };
    ended(0, call(&["check", "enqueue"]).await);
    ended(0, call(&["check", "work", "--base-url", &base]).await);
    let status = ended(2, call(&["check", "status"]).await);
    for says in ["--env AWS_SECRET_ACCESS_KEY", "--upload-root", "--origin http://"] {
        has(&said(&status), says);
    }
    lacks(&said(&status), "hunter22");
    assert!(other.shop.lock().unwrap().visits.is_empty());
    let saved = "SELECT string_agg(name, ' ') FROM bounds.baseline";
    assert_eq!(server.psql(saved), "fine");
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_stores_are_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("pages.toml"), "[[page]]\nurl = \"http://127.0.0.1:1/\"\n")
        .unwrap();
    for (arguments, says) in [
        (vec!["check", "--store", "mysql://x/y"], "postgres://"),
        (vec!["check", "--store", "postgres://u:s3cret@h/d"], "password"),
        (vec!["baselines", "list", "--store", "postgres://h/d?sslmode=x"], "sslmode"),
        (vec!["check", "--branch", "x"], "--store"),
        (vec!["check", "enqueue"], "--store"),
        (vec!["check", "status", "--store", ""], "postgres://"),
        (vec!["check", "work", "--store", "postgres://me@h/d", "--branch", "x"], "enqueue"),
        (vec!["check", "work", "--store", "a", "--store", "b"], "--store"),
        (vec!["check", "work", "--store", "postgres://me@h/d"], "--base-url"),
        (vec!["check", "merge", "a", "--store", "postgres://me@h/d"], "leave it out"),
        (vec!["check", "enqueue", "--state", "s", "--store", "postgres://me@h/d"], "check work"),
        (vec!["check", "--connect", "auto"], "http://grid:4444"),
        (vec!["check", "--connect", "http://a", "--connect", "http://a"], "twice"),
        (vec!["mcp", "--shared", "--store", "postgres://me@h/d"], "--store"),
    ] {
        let mut command = outside_ci();
        command.args(&arguments).current_dir(folder.path()).env("USER", "me");
        let output = run(command).await;
        let said = said(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(says) && !said.contains("s3cret"), "{arguments:?}: {said}");
    }
}
