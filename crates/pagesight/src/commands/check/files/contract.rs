//! The contract of the baselines of a check, as one function over files and a database.

#[path = "../../../../../pagesight-session/src/postgres/test_server.rs"]
mod test_server;

use std::path::Path;

use pagesight_core::fingerprint::Size;
use pagesight_session::baseline::{Branches, PostgresPages};
use pagesight_session::postgres::StoreAddress;

use super::*;
use crate::commands::check::plan::Overrides;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n0123456789";

/// A plan with one page of each of these scopes.
fn plan(folder: &Path, name: &str, scopes: &[&str]) -> Plan {
    let scopes = serde_json::to_string(scopes).unwrap();
    let text = format!(
        "base_url = \"http://a\"\n[[page]]\nroute = \"/\"\nname = {name:?}\nscopes = {scopes}\n"
    );
    let file = folder.join("pages.toml");
    Plan::read(&file, &text, &Overrides::default(), &|_| None).unwrap()
}

fn taken(job: &Job, title: &str) -> Fingerprint {
    Fingerprint {
        version: 1,
        route: "/".to_owned(),
        title: title.to_owned(),
        viewport: Size { width: job.viewport.width, height: job.viewport.height },
        scope: if job.scope.is_empty() { "full".to_owned() } else { job.scope.clone() },
        ..Fingerprint::default()
    }
}

/// Checks the contract. `open` opens the same store each time; it is empty at first.
fn keeps_the_contract(open: &(dyn Fn(&Plan) -> BaselineFiles + Sync), folder: &Path) {
    let hostile = ["", "#a", "#b", "[x='\"; DROP TABLE baseline; --']", "#ü\u{202e}/../..%2F"];
    let plan = plan(folder, "../a.b/Ü", &hostile);
    assert_eq!(plan.jobs.len(), hostile.len());
    let store = open(&plan);
    for job in &plan.jobs {
        assert_eq!(store.read(job).unwrap(), None);
        assert_eq!(store.picture(job), None);
    }
    // What is written is read, by everyone, and each scope has its own.
    for (at, job) in plan.jobs.iter().enumerate() {
        let title = format!("{at} \u{0}\u{1}'\"\\ \u{ffff}");
        store.write(job, &taken(job, &title), Some(PNG)).unwrap();
    }
    for (at, job) in plan.jobs.iter().enumerate() {
        let (read, digest) = open(&plan).read(job).unwrap().unwrap();
        let text = open(&plan).text(&key(job)).unwrap().unwrap();
        assert_eq!(digest, super::digest(&text), "of the text that is stored");
        assert!(read.title.starts_with(&at.to_string()), "{}", read.title);
        assert_eq!(open(&plan).picture(job).as_deref(), Some(PNG));
    }
    // The picture of an older baseline is not the picture of the new one.
    let job = &plan.jobs[0];
    store.write(job, &taken(job, "new"), None).unwrap();
    assert_eq!(open(&plan).read(job).unwrap().unwrap().0.title, "new");
    assert_eq!(open(&plan).picture(job), None);
    // Writers at the same time leave one whole baseline.
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let (open, plan) = (&open, &plan);
            scope.spawn(move || {
                let (store, job) = (open(plan), &plan.jobs[1]);
                for _ in 0..5 {
                    store.write(job, &taken(job, &format!("w{worker}")), Some(PNG)).unwrap();
                }
            });
        }
    });
    assert!(open(&plan).read(&plan.jobs[1]).unwrap().unwrap().0.title.starts_with('w'));
}

#[test]
fn files_keep_the_contract() {
    let folder = tempfile::tempdir().unwrap();
    keeps_the_contract(&BaselineFiles::of, folder.path());
}

#[test]
fn a_database_keeps_the_contract() {
    let Some(server) = test_server::server("baselines of a check in PostgreSQL") else { return };
    let folder = tempfile::tempdir().unwrap();
    let password = |name: &str| (name == "PGPASSWORD").then(|| test_server::PASSWORD.to_owned());
    let address = StoreAddress::parse(&server.address("files"), &password).unwrap();
    let open = |_: &Plan| {
        let branches = Branches::new("main", "main").unwrap();
        let pages = PostgresPages::open(&address, branches, "me").unwrap();
        BaselineFiles::in_database(PageDatabase::new(pages))
    };
    keeps_the_contract(&open, folder.path());
    let plan = plan(folder.path(), "later", &[""]);
    let branches = Branches::new("main", "main").unwrap();
    let pages = PostgresPages::open(&address, branches, "me").unwrap();
    let later = BaselineFiles::in_database(PageDatabase::later(pages));
    later.write(&plan.jobs[0], &taken(&plan.jobs[0], "later"), None).unwrap();
    assert_eq!(open(&plan).read(&plan.jobs[0]).unwrap(), None, "not written yet");
    assert!(later.database().unwrap().take(&plan.jobs[0]).is_some());
}
