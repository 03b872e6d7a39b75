//! The contract of a baseline store, as functions over any store. The crate that has the store in
//! PostgreSQL includes this file, too.

use std::sync::Arc;

use pagesight_core::fingerprint::{Depth, Fingerprint, Size};

use super::{BaselineError, Baselines, Fit, Name, PageBaselines, PageKey, export, read_file};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n0123456789";

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

/// Checks the contract of the baselines of pages. `open` opens the same store each time; it is
/// empty at first.
pub(super) fn keeps_the_contract_of_pages(open: &(dyn Fn() -> Arc<dyn Baselines> + Sync)) {
    let key = |scope: &str| PageKey {
        name: "../a.b/Ü".to_owned(),
        browser: "chromium".to_owned(),
        width: 1280,
        height: 720,
        emulation: String::new(),
        scope: scope.to_owned(),
    };
    let taken = |scope: &str, title: &str| Fingerprint {
        scope: if scope.is_empty() { "full".to_owned() } else { scope.to_owned() },
        title: title.to_owned(),
        ..print("/", 1280, "00000001")
    };
    let open = || PageBaselines::in_store(open());
    let hostile = ["", "#a", "#b", "[x='\"; DROP TABLE baseline; --']", "#ü\u{202e}/../..%2F"];
    let store = open();
    for scope in hostile {
        assert_eq!(store.read(&key(scope)).unwrap(), None);
        assert_eq!(store.picture(&key(scope)), None);
    }
    // What is written is read, by everyone, and each scope has its own.
    for (at, scope) in hostile.into_iter().enumerate() {
        let title = format!("{at} \u{0}\u{1}'\"\\ \u{ffff}");
        store.save(&key(scope), &taken(scope, &title), Some(PNG)).unwrap();
    }
    for (at, scope) in hostile.into_iter().enumerate() {
        let (read, _) = open().read(&key(scope)).unwrap().unwrap();
        assert!(read.title.starts_with(&at.to_string()), "{}", read.title);
        assert_eq!(open().picture(&key(scope)).as_deref(), Some(PNG));
    }
    // The picture of an older baseline is not the picture of the new one.
    store.save(&key(""), &taken("", "new"), None).unwrap();
    assert_eq!(open().read(&key("")).unwrap().unwrap().0.title, "new");
    assert_eq!(open().picture(&key("")), None);
    // Writers at the same time leave one whole baseline.
    std::thread::scope(|scope| {
        for worker in 0..4 {
            scope.spawn(move || {
                let (store, title) = (open(), format!("w{worker}"));
                for _ in 0..5 {
                    store.save(&key("#a"), &taken("#a", &title), Some(PNG)).unwrap();
                }
            });
        }
    });
    assert!(open().read(&key("#a")).unwrap().unwrap().0.title.starts_with('w'));
}
