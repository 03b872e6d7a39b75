//! Checks the store in PostgreSQL: the contract of every store, branches, pictures, migrations,
//! TLS and passwords. Without PostgreSQL these tests are skipped.

use std::sync::Arc;

use pagesight_check::baseline::{PageBaselines, export, read_file};

use super::*;
use crate::postgres::PostgresError;
use crate::postgres::test_server::{PASSWORD, TestServer, server};
use contract::{keeps_the_contract, keeps_the_contract_of_pages, name, print};

#[path = "../../../pagesight-check/src/baseline/contract.rs"]
mod contract;

fn with_password(password: &'static str) -> impl Fn(&str) -> Option<String> {
    move |name| (name == "PGPASSWORD").then(|| password.to_owned())
}

fn address(server: &TestServer, schema: &str) -> StoreAddress {
    StoreAddress::parse(&server.address(schema), &with_password(PASSWORD)).unwrap()
}

fn open(server: &TestServer, schema: &str, branch: &str) -> PostgresBaselines {
    let branches = Branches::new(branch, "main").unwrap();
    PostgresBaselines::open(&address(server, schema), branches, "ann@desk").unwrap()
}

#[test]
fn postgres_keeps_the_contract() {
    let Some(server) = server("the contract of baselines in PostgreSQL") else { return };
    keeps_the_contract(&|| Box::new(open(server, "contract", "main")), 50);
    keeps_the_contract_of_pages(&|| Arc::new(open(server, "contract", "main")));
}

#[test]
fn a_branch_falls_back_to_its_base_and_changes_nothing_there() {
    let Some(server) = server("branches of baselines in PostgreSQL") else { return };
    let (main, topic) = (open(server, "branches", "main"), open(server, "branches", "topic"));
    let hash = |store: &PostgresBaselines, route: &str| {
        let fit = Fit { route: Some(route), ..Fit::default() };
        store.find(&name("home"), fit).map(|found| found.hash)
    };
    let first = main.save(&name("home"), &print("/", 1280, "00000001")).unwrap();
    main.save(&name("home"), &print("/b", 1280, "00000002")).unwrap();
    assert_eq!(hash(&topic, "/").unwrap(), "00000001", "from the base");
    assert_eq!(topic.list().unwrap().len(), 2);
    let on_base = topic.delete(&name("home")).unwrap_err();
    assert!(matches!(on_base, BaselineError::OnBase { .. }), "{on_base}");

    topic.save(&name("home"), &print("/", 1280, "00000003")).unwrap();
    assert_eq!(hash(&topic, "/").unwrap(), "00000003");
    assert_eq!(hash(&topic, "/b").unwrap(), "00000002", "still from the base");
    assert_eq!(hash(&main, "/").unwrap(), "00000001");
    assert_eq!((topic.list().unwrap().len(), topic.all().unwrap().len()), (2, 2));
    let other = open(server, "branches", "a'b\"; --/ü\u{202e}");
    assert_eq!(hash(&other, "/").unwrap(), "00000001", "an unrelated branch");

    // History names branches and people; an old version of the base is copied, not moved.
    let history = topic.history(&name("home")).unwrap();
    assert_eq!(history.len(), 3);
    assert_eq!(history[0].branch.as_deref(), Some("topic"));
    assert_eq!(history[0].accepted_by.as_deref(), Some("ann@desk"));
    topic.restore(&name("home"), first).unwrap();
    assert_eq!((hash(&topic, "/").unwrap(), hash(&main, "/").unwrap()).0, "00000001");
    assert_eq!(main.history(&name("home")).unwrap().len(), 2, "the base is unchanged");
    assert_eq!(topic.delete(&name("home")).unwrap(), 2);
    assert_eq!(hash(&topic, "/").unwrap(), "00000001", "the base again");

    for bad in ["", "a\nb", "\0", &"x".repeat(256)] {
        assert!(matches!(Branches::new(bad, "main"), Err(BaselineError::Branch(_))), "{bad:?}");
    }
}

#[test]
fn pages_of_a_check_are_kept_with_their_pictures() {
    let Some(server) = server("pages of a check in PostgreSQL") else { return };
    let pages = |branch: &str| open(server, "pages", branch);
    let text = |store: &PostgresBaselines, key: &PageKey| {
        store.page_text(key).unwrap().map(|found| found.text)
    };
    let key = |scope: &str| PageKey {
        name: "home".to_owned(),
        browser: "chromium".to_owned(),
        width: 1280,
        height: 720,
        emulation: String::new(),
        scope: scope.to_owned(),
    };
    let page = |text: &str, picture: Option<Vec<u8>>| StoredPage {
        text: text.to_owned(),
        picture,
        ..StoredPage::default()
    };
    let (main, topic) = (pages("main"), pages("topic"));
    assert_eq!(text(&main, &key("")), None);
    let largest = vec![7; MOST_PICTURE_BYTES];
    main.save_page(&key(""), &page("{}\n", Some(largest.clone()))).unwrap();
    assert_eq!(text(&topic, &key("")).as_deref(), Some("{}\n"));
    assert!(topic.page_picture(&key("")).unwrap() == Some(largest), "all of its bytes");
    assert_eq!(text(&topic, &key("#\u{0}a")), None, "a different scope");
    topic.save_page(&key(""), &page("{ }\n", None)).unwrap();
    assert_eq!(topic.page_picture(&key("")).unwrap(), None, "not the picture of the base");
    assert_eq!(text(&main, &key("")).as_deref(), Some("{}\n"));
    let too_large = main.save_page(&key(""), &page("{}", Some(vec![7; MOST_PICTURE_BYTES + 1])));
    assert!(matches!(too_large, Err(BaselineError::Picture { .. })));
}

#[test]
fn one_of_many_creates_the_tables_and_newer_or_foreign_ones_are_refused() {
    let Some(server) = server("migrations in PostgreSQL") else { return };
    std::thread::scope(|scope| {
        let all: Vec<_> =
            (0..12).map(|_| scope.spawn(|| drop(open(server, "winner", "main")))).collect();
        assert!(all.into_iter().all(|one| one.join().is_ok()));
    });
    assert_eq!(server.psql("SELECT count(*) FROM winner.pagesight_schema"), "1");

    let refused = |schema: &str| {
        let branches = Branches::new("main", "main").unwrap();
        PostgresBaselines::open(&address(server, schema), branches, "me").err().unwrap()
    };
    server.psql("UPDATE winner.pagesight_schema SET version = 9");
    let newer = refused("winner");
    assert!(newer.to_string().contains("made by a newer pagesight (version 9"), "{newer}");
    assert_eq!(server.psql("SELECT version FROM winner.pagesight_schema"), "9", "left alone");
    server.psql("CREATE SCHEMA theirs; CREATE TABLE theirs.mine (x int)");
    let foreign = refused("theirs");
    assert!(foreign.to_string().contains("has tables that are not pagesight's"), "{foreign}");
}

#[test]
fn a_baseline_of_a_newer_pagesight_is_not_replaced() {
    let Some(server) = server("newer baselines in PostgreSQL") else { return };
    let store = open(server, "newer", "main");
    store.save(&name("home"), &print("/", 1280, "00000001")).unwrap();
    server.psql("UPDATE newer.baseline SET written_as = 9, fingerprint = '{\"version\": 9}'");
    let is_newer = |error: BaselineError| matches!(error, BaselineError::Newer { found: 9, .. });
    assert!(is_newer(store.find(&name("home"), Fit::default()).unwrap_err()));
    assert!(is_newer(store.all().unwrap_err()));
    assert!(is_newer(store.save(&name("home"), &print("/", 1280, "00000002")).unwrap_err()));
    assert_eq!(server.psql("SELECT count(*) FROM newer.baseline"), "1");
}

#[test]
fn connections_are_encrypted_and_passwords_are_not_printed() {
    let Some(server) = server("TLS to PostgreSQL") else { return };
    let try_open = |url: &str, password: &'static str| {
        let address = StoreAddress::parse(url, &with_password(password)).unwrap();
        let branches = Branches::new("main", "main").unwrap();
        PostgresBaselines::open(&address, branches, "me").map(drop)
    };
    let wrong = try_open(&server.address("tls"), "not the s3cret").unwrap_err().to_string();
    assert!(wrong.contains("refused") && !wrong.contains("s3cret"), "{wrong}");
    let socket = format!(
        "postgres://postgres@/postgres?host={}&port={}&schema=tls",
        server.folder.display(),
        server.port
    );
    try_open(&socket, PASSWORD).unwrap();
    let Some(certificate) = &server.certificate else { return };
    let url = |host: &str, more: &str| {
        format!("postgres://postgres@{host}:{}/postgres?schema=tls&{more}", server.port)
    };
    let roots = format!("sslmode=verify-full&sslrootcert={}", certificate.display());
    try_open(&url("127.0.0.1", "sslmode=require&application_name=tls_yes"), PASSWORD).unwrap();
    try_open(&url("127.0.0.1", "sslmode=disable"), PASSWORD).unwrap();
    try_open(&url("localhost", &roots), PASSWORD).unwrap();
    for unverified in [url("127.0.0.1", &roots), url("localhost", "sslmode=verify-full")] {
        let error = try_open(&unverified, PASSWORD).unwrap_err().to_string();
        assert!(error.contains("certificate"), "{error}");
    }
    let open = StoreAddress::parse(
        &url("127.0.0.1", "sslmode=require&application_name=tls_yes"),
        &with_password(PASSWORD),
    );
    let branches = Branches::new("main", "main").unwrap();
    let _store = PostgresBaselines::open(&open.unwrap(), branches, "me").unwrap();
    let encrypted = "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
         WHERE application_name = 'tls_yes'";
    assert_eq!(server.psql(encrypted), "t");
}

#[test]
fn a_database_that_does_not_answer_is_one_sentence() {
    let address =
        StoreAddress::parse("postgres://me@127.0.0.1:9/x", &with_password("s3cret")).unwrap();
    // The patience of a store is 15 s; the address of no server is known at once.
    let database = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let failed = database.block_on(crate::postgres::Database::open(&address)).err().unwrap();
    assert!(matches!(failed, PostgresError::Unreachable { .. }), "{failed}");
    let said = failed.to_string();
    assert!(!said.contains("s3cret") && said.contains("127.0.0.1:9/x"), "{said}");
}
