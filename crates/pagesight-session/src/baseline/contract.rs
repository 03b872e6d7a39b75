//! The contract of a baseline store, as one function over any store, and its tests.

use std::path::Path;

use pagesight_core::fingerprint::{Depth, Fingerprint, Size};

use super::*;

pub(super) fn print(route: &str, width: u32, hash: &str) -> Fingerprint {
    Fingerprint {
        version: 1,
        url: format!("http://localhost{route}"),
        route: route.into(),
        title: "Page".into(),
        viewport: Size { width, height: 720 },
        captured_at: "2026-11-15T10:00:00Z".into(),
        scope: "full".into(),
        depth: Depth::Standard,
        hash: hash.into(),
        ..Fingerprint::default()
    }
}

pub(super) fn name(text: &str) -> Name {
    Name::parse(text).unwrap()
}

/// Checks the contract. `open` opens the same store each time; it is empty at first. `most`: how
/// many versions it keeps.
pub(super) fn keeps_the_contract(open: &(dyn Fn() -> Box<dyn Baselines> + Sync), most: usize) {
    let store = open();
    let fit = |route, width| Fit {
        route: Some(route),
        viewport: Some(Size { width, height: 720 }),
        ..Fit::default()
    };
    assert_eq!(store.list().unwrap(), []);
    assert!(matches!(
        store.find(&name("home"), Fit::default()),
        Err(BaselineError::Missing { .. })
    ));

    // A saved baseline is found unchanged, also through a second connection.
    let first = store.save(&name("home"), &print("/", 1280, "00000001")).unwrap();
    assert_eq!(open().find(&name("home"), fit("/", 1280)).unwrap(), print("/", 1280, "00000001"));

    // Different routes and viewports are different baselines of the same name; the best fit is
    // found.
    store.save(&name("home"), &print("/", 400, "00000002")).unwrap();
    store.save(&name("home"), &print("/login", 1280, "00000003")).unwrap();
    assert_eq!(store.find(&name("home"), fit("/", 1280)).unwrap().hash, "00000001");
    assert_eq!(store.find(&name("home"), fit("/", 400)).unwrap().hash, "00000002");
    assert_eq!(store.find(&name("home"), fit("/login", 99)).unwrap().hash, "00000003");
    assert_eq!(
        store.find(&name("home"), fit("/other", 99)).unwrap().hash,
        "00000003",
        "the newest"
    );
    assert_eq!(store.list().unwrap().len(), 3);

    // So are different scopes and depths, which matter more than the viewport.
    let part = |scope: &str, depth, hash: &str| Fingerprint {
        scope: scope.into(),
        depth,
        ..print("/", 1280, hash)
    };
    let (whole, form, little) = (
        part("full", Depth::Standard, "0000000b"),
        part("#form", Depth::Standard, "0000000c"),
        part("full", Depth::Minimal, "0000000d"),
    );
    for one in [&whole, &form, &little] {
        store.save(&name("parts"), one).unwrap();
    }
    for one in [&whole, &form, &little] {
        assert_eq!(store.find(&name("parts"), Fit::of(one)).unwrap().hash, one.hash);
        let elsewhere = Fit { viewport: Some(Size { width: 9, height: 9 }), ..Fit::of(one) };
        assert_eq!(store.find(&name("parts"), elsewhere).unwrap().hash, one.hash);
    }
    assert_eq!(store.find(&name("parts"), fit("/", 1280)).unwrap().hash, "0000000d", "the newest");
    store.delete(&name("parts")).unwrap();

    // Saving again adds to the history, which can be restored.
    let second = store.save(&name("home"), &print("/", 1280, "00000004")).unwrap();
    assert!(second > first);
    assert_eq!(store.find(&name("home"), fit("/", 1280)).unwrap().hash, "00000004");
    let history = store.history(&name("home")).unwrap();
    assert_eq!(history.len(), 4);
    assert_eq!((history[0].version, history[0].current), (second, true));
    store.restore(&name("home"), first).unwrap();
    assert_eq!(store.find(&name("home"), fit("/", 1280)).unwrap().hash, "00000001");
    assert_eq!(store.find(&name("home"), fit("/", 400)).unwrap().hash, "00000002", "others stay");
    assert!(matches!(store.restore(&name("home"), 9_999), Err(BaselineError::Version { .. })));

    // Old versions are not kept for ever.
    let last = most + 10;
    for at in 0..=last {
        store.save(&name("busy"), &print("/", 1280, &format!("{at:08x}"))).unwrap();
    }
    let versions = store.history(&name("busy")).unwrap();
    assert!((most..=most + 2).contains(&versions.len()), "{}", versions.len());
    assert_eq!(store.find(&name("busy"), Fit::default()).unwrap().hash, format!("{last:08x}"));

    // A missing name lists the nearest.
    let Err(BaselineError::Missing { near, .. }) = store.find(&name("hone"), Fit::default()) else {
        panic!("found")
    };
    assert_eq!(near[0], "home");

    // Deleting removes the history too.
    assert_eq!(store.delete(&name("home")).unwrap(), 4);
    assert!(store.find(&name("home"), Fit::default()).is_err());
    assert!(store.delete(&name("home")).is_err());
    assert_eq!(store.list().unwrap().len(), 1);

    // A baseline is the same after export and import.
    let folder = tempfile::tempdir().unwrap();
    store.save(&name("a/b.c"), &print("/x", 1280, "0000000a")).unwrap();
    let files = export(&*store, folder.path(), &[name("a/b.c")]).unwrap();
    let [file] = files.as_slice() else { panic!("{files:?}") };
    let text = std::fs::read_to_string(file).unwrap();
    store.delete(&name("a/b.c")).unwrap();
    let (written, fingerprint) = read_file(file, &text).unwrap();
    store.save(&written, &fingerprint).unwrap();
    assert_eq!(
        open().find(&name("a/b.c"), fit("/x", 1280)).unwrap(),
        print("/x", 1280, "0000000a")
    );
    let again = tempfile::tempdir().unwrap();
    let files = export(&*store, again.path(), &[name("a/b.c")]).unwrap();
    assert_eq!(std::fs::read_to_string(&files[0]).unwrap(), text, "the same bytes");
    assert_eq!(files[0].file_name(), file.file_name());

    // Concurrent saves lose nothing.
    std::thread::scope(|scope| {
        for worker in 0..8 {
            scope.spawn(move || {
                let store = open();
                for at in 0..5 {
                    store
                        .save(
                            &name(&format!("worker-{worker}-{at}")),
                            &print("/", 1280, "00000009"),
                        )
                        .unwrap();
                    store.save(&name("shared"), &print("/", 1280, "00000009")).unwrap();
                }
            });
        }
    });
    let names: Vec<String> = store.list().unwrap().into_iter().map(|listed| listed.name).collect();
    assert_eq!(names.iter().filter(|name| name.starts_with("worker-")).count(), 40);
    hostile_texts_are_kept(&*open());
}

/// Names are checked; routes, scopes and titles come from pages and are stored as they are.
fn hostile_texts_are_kept(store: &dyn Baselines) {
    let long = format!("/{}", "x".repeat(20_000));
    let routes =
        ["/a'; DROP TABLE baseline; --", "/%00/%s/$1/{}", "/\u{202e}\u{0}\n\r\t\\\"", &long];
    for (at, route) in routes.into_iter().enumerate() {
        let hash = format!("{at:08x}");
        let page = Fingerprint {
            title: format!("{route}\u{0}\u{1}\u{ffff}"),
            scope: format!("#a\u{0}' OR 1=1 --{at}"),
            ..print(route, 1280, &hash)
        };
        store.save(&name("../hostile"), &page).unwrap();
        assert_eq!(store.find(&name("../hostile"), Fit::of(&page)).unwrap(), page);
    }
    // Long routes that differ at their end are different baselines.
    let other = print(&format!("{long}y"), 1280, "0000000f");
    store.save(&name("../hostile"), &other).unwrap();
    assert_eq!(store.find(&name("../hostile"), Fit::of(&other)).unwrap(), other);
    assert_eq!(store.history(&name("../hostile")).unwrap().len(), routes.len() + 1);
    assert_eq!(store.delete(&name("../hostile")).unwrap(), routes.len() + 1);
}

#[test]
fn sqlite_keeps_the_contract() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/baselines.db");
    keeps_the_contract(&|| Box::new(SqliteBaselines::open(&path).unwrap()), 20);
}

fn refused(path: &Path, wanted: fn(&BaselineError) -> bool) {
    let before = std::fs::read(path).unwrap();
    let error = SqliteBaselines::open(path).err().unwrap();
    assert!(wanted(&error), "{error}");
    assert_eq!(std::fs::read(path).unwrap(), before, "never overwritten");
}

#[test]
fn unreadable_files_are_refused_and_left() {
    let folder = tempfile::tempdir().unwrap();
    let damaged = folder.path().join("damaged.db");
    std::fs::write(&damaged, b"this is no database, whatever it is called".repeat(100)).unwrap();
    refused(&damaged, |error| matches!(error, BaselineError::Damaged { .. }));

    let newer = folder.path().join("newer.db");
    drop(SqliteBaselines::open(&newer).unwrap());
    rusqlite::Connection::open(&newer)
        .unwrap()
        .execute_batch("PRAGMA user_version = 9; PRAGMA wal_checkpoint(TRUNCATE)")
        .unwrap();
    refused(&newer, |error| matches!(error, BaselineError::Newer { found: 9, .. }));

    let foreign = folder.path().join("foreign.db");
    rusqlite::Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE mine (x)").unwrap();
    refused(&foreign, |error| matches!(error, BaselineError::Foreign { .. }));

    let holed = folder.path().join("holed.db");
    let store = SqliteBaselines::open(&holed).unwrap();
    for at in 0..50 {
        let mut print = print("/", 1280, "00000001");
        print.title = "x".repeat(2_000);
        store.save(&name(&format!("n{at}")), &print).unwrap();
    }
    drop(store);
    let mut bytes = std::fs::read(&holed).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 8_192].fill(0xa5);
    std::fs::write(&holed, bytes).unwrap();
    refused(&holed, |error| matches!(error, BaselineError::Damaged { .. }));
}

#[test]
fn a_baseline_of_a_newer_pagesight_is_refused_wherever_it_is_read_and_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("baselines.db");
    let store = SqliteBaselines::open(&path).unwrap();
    store.save(&name("home"), &print("/", 1280, "00000001")).unwrap();
    let newer = r#"{"version": 9, "what": "nobody knows"}"#;
    let beside = rusqlite::Connection::open(&path).unwrap();
    beside.execute("UPDATE baseline SET fingerprint = ?1", [newer]).unwrap();
    let is_newer = |error: BaselineError| matches!(error, BaselineError::Newer { found: 9, .. });
    assert!(is_newer(store.find(&name("home"), Fit::default()).unwrap_err()));
    assert!(is_newer(store.all().unwrap_err()));
    assert!(is_newer(export(&store, folder.path(), &[]).unwrap_err()));
    assert!(is_newer(store.save(&name("home"), &print("/", 1280, "00000002")).unwrap_err()));
    let kept: String =
        beside.query_row("SELECT fingerprint FROM baseline", [], |row| row.get(0)).unwrap();
    assert_eq!(kept, newer);
    // The other baselines can still be used.
    store.save(&name("home"), &print("/other", 1280, "00000003")).unwrap();
    let other = Fit { route: Some("/other"), ..Fit::default() };
    assert_eq!(store.find(&name("home"), other).unwrap().hash, "00000003");
}

#[test]
fn names_are_checked() {
    for good in ["a", "home/login", "v1.2_x-y", "Übersicht"] {
        assert!(Name::parse(good).is_ok(), "{good}");
    }
    for bad in ["", "a b", "a\n", "a:b", &"x".repeat(129)] {
        assert!(Name::parse(bad).is_err(), "{bad}");
    }
    let traversing = file_name(&name("../../x"), &print("/", 1, "0"));
    assert!(!traversing.contains('/') && !traversing.starts_with('.'), "{traversing}");
}
