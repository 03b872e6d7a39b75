//! Checks the store of files: its contract, files that cannot be read, and what happens beside it.

use std::sync::Arc;

use pagesight_core::fingerprint::Size;

use super::*;
use crate::baseline::contract::{keeps_the_contract, keeps_the_contract_of_pages, name, print};
use crate::baseline::export;

fn store(folder: &Path) -> FileBaselines {
    FileBaselines::new(&folder.join("deep/baselines"), "me@here")
}

fn hash(store: &FileBaselines, of: &str) -> String {
    store.find(&name(of), Fit::default()).unwrap().hash
}

#[test]
fn files_keep_the_contract() {
    let folder = tempfile::tempdir().unwrap();
    keeps_the_contract(&|| Box::new(store(folder.path())), 20);
    keeps_the_contract_of_pages(&|| Arc::new(store(folder.path())));
}

#[test]
fn nothing_is_created_before_a_baseline_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    assert_eq!(store.list().unwrap(), []);
    let missing = |error| matches!(error, BaselineError::Missing { .. });
    assert!(missing(store.find(&name("a"), Fit::default()).unwrap_err()));
    assert!(missing(store.restore(&name("a"), 1).unwrap_err()));
    assert!(missing(store.delete(&name("a")).unwrap_err()));
    assert!(!store.folder().exists());
}

#[test]
fn a_current_file_is_as_it_is_exported_and_git_ignores_the_history() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    for hash in ["00000001", "00000002"] {
        store.save(&name("a/b"), &print("/", 1280, hash)).unwrap();
    }
    let exported = export(&store, &folder.path().join("out"), &[]).unwrap();
    let file = store.folder().join(exported[0].file_name().unwrap());
    assert_eq!(std::fs::read(&file).unwrap(), std::fs::read(&exported[0]).unwrap());
    assert_eq!(names_in(store.folder()).unwrap().len(), 2, "the file and the history");
    assert_eq!(std::fs::read(store.folder().join("history/.gitignore")).unwrap(), b"*\n");
    let [newest, older] = &store.history(&name("a/b")).unwrap()[..] else { panic!() };
    assert!(newest.current && !older.current && newest.version > older.version);
    for version in [newest, older] {
        assert_eq!(version.accepted_by.as_deref(), Some("me@here"));
        assert!(version.saved_at.as_ref().is_some_and(|at| at.ends_with('Z')), "{version:?}");
    }
}

#[test]
fn names_that_differ_in_case_or_at_their_end_are_different() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    let long = |end: char| format!("{}{end}", "ü".repeat(127));
    let all = ["home", "Home", "HOME", &long('a'), &long('b'), "home/x", "home-x", "../../x"];
    for (at, of) in all.iter().enumerate() {
        store.save(&name(of), &print("/", 1280, &format!("{at:08x}"))).unwrap();
    }
    let mut files = names_in(store.folder()).unwrap();
    files.iter_mut().for_each(|file| *file = file.to_lowercase());
    files.sort();
    files.dedup();
    assert_eq!(files.len(), all.len() + 1, "on a disk that ignores case, with the history");
    assert!(files.iter().all(|file| file.len() < 240 && !file.contains('/')));
    for (at, of) in all.iter().enumerate() {
        assert_eq!(hash(&store, of), format!("{at:08x}"));
        assert_eq!(store.history(&name(of)).unwrap().len(), 1);
    }
}

#[test]
fn a_file_that_cannot_be_read_is_refused_and_left() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    store.save(&name("home"), &print("/", 1280, "00000001")).unwrap();
    let file = store.folder().join(file_name(&name("home"), &print("/", 1280, "")));
    let text = std::fs::read_to_string(&file).unwrap();
    let newer_form = text.replace("\"pagesight_baseline\": 1", "\"pagesight_baseline\": 9");
    let newer_print = text.replace("\"version\": 1", "\"version\": 9");
    // A newer form may have a different shape.
    let newer_shape = r#"{"pagesight_baseline": 9, "pages": []}"#;
    let newer_parts = r#"{"pagesight_baseline": 1, "fingerprint": {"version": 9, "parts": {}}}"#;
    for (bad, is_newer) in [
        ("{ half", false),
        (&newer_form, true),
        (&newer_print, true),
        (newer_shape, true),
        (newer_parts, true),
    ] {
        std::fs::write(&file, bad).unwrap();
        for error in [
            store.find(&name("home"), Fit::default()).unwrap_err(),
            store.all().map(drop).unwrap_err(),
            export(&store, folder.path(), &[]).map(drop).unwrap_err(),
            store.save(&name("home"), &print("/", 1280, "00000002")).map(drop).unwrap_err(),
        ] {
            let expected = match &error {
                BaselineError::Newer { found: 9, .. } => is_newer,
                BaselineError::File { .. } => !is_newer,
                _ => false,
            };
            assert!(expected, "{error}");
        }
        assert_eq!(std::fs::read_to_string(&file).unwrap(), bad, "never overwritten");
    }
    // The other baselines can still be used.
    store.save(&name("other"), &print("/other", 1280, "00000003")).unwrap();
    assert_eq!(hash(&store, "other"), "00000003");
}

#[test]
fn an_export_replaces_only_baselines_that_it_can_read() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    for (at, of) in ["a", "b"].iter().enumerate() {
        store.save(&name(of), &print("/", 1280, &format!("0000000{at}"))).unwrap();
    }
    let out = folder.path().join("out");
    let files = export(&store, &out, &[]).unwrap();
    let [first, second] = &files[..] else { panic!("{files:?}") };
    let newer = r#"{"pagesight_baseline": 9, "pages": []}"#;
    for (bad, says) in [(newer, "newer pagesight (version 9)"), ("{ half", "not a baseline file")] {
        let _ = std::fs::remove_file(first);
        std::fs::write(second, bad).unwrap();
        let error = export(&store, &out, &[]).unwrap_err().to_string();
        assert!(error.contains(says) && error.contains("was not changed"), "{error}");
        assert_eq!(std::fs::read_to_string(second).unwrap(), bad);
        assert!(!first.exists(), "nothing is written then");
    }
    std::fs::write(second, write_file(&name("b"), &print("/", 1280, "0000000f")).unwrap()).unwrap();
    assert_eq!(export(&store, &out, &[]).unwrap(), files);
    assert!(std::fs::read_to_string(second).unwrap().contains("00000001"));
    assert_eq!(names_in(&out).unwrap().len(), 2, "nothing is left over");
}

#[test]
fn a_newer_history_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    store.save(&name("home"), &print("/", 1280, "00000001")).unwrap();
    let file = file_name(&name("home"), &print("/", 1280, ""));
    let index = store.history_of(file.strip_suffix(".json").unwrap()).join(INDEX);
    std::fs::write(&index, r#"{"pagesight_history": 9, "what": 1}"#).unwrap();
    let error = store.save(&name("home"), &print("/", 1280, "00000002")).unwrap_err();
    assert!(matches!(error, BaselineError::Newer { found: 9, .. }), "{error}");
    assert!(std::fs::read_to_string(&index).unwrap().contains("what"));
}

#[test]
fn a_file_that_git_brought_is_the_current_one_and_is_not_lost() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    let first = store.save(&name("home"), &print("/", 1280, "00000001")).unwrap();
    let file = store.folder().join(file_name(&name("home"), &print("/", 1280, "")));
    let theirs = write_file(&name("home"), &print("/", 1280, "0000000f")).unwrap();
    std::fs::write(&file, &theirs).unwrap();
    assert_eq!(hash(&store, "home"), "0000000f");
    assert_eq!(store.list().unwrap()[0].version, 0, "not saved by this store");
    let second = store.save(&name("home"), &print("/", 1280, "00000002")).unwrap();
    let hashes: Vec<String> =
        store.history(&name("home")).unwrap().into_iter().map(|version| version.hash).collect();
    assert_eq!(hashes, ["00000002", "0000000f", "00000001"]);
    assert!(second > first);
    // A deleted file can be restored from its history.
    std::fs::remove_file(&file).unwrap();
    assert!(store.find(&name("home"), Fit::default()).is_err());
    store.restore(&name("home"), first).unwrap();
    assert_eq!(hash(&store, "home"), "00000001");
}

#[test]
fn a_lost_counter_repeats_no_number() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    let last = (1..=3)
        .map(|at| store.save(&name("home"), &print("/", 1280, &format!("{at:08x}"))).unwrap());
    let last = last.max().unwrap();
    for counter in ["", "x", "-4"] {
        std::fs::write(store.folder().join("history/next"), counter).unwrap();
        let next = store.save(&name("other"), &print("/", 1280, "00000004")).unwrap();
        assert!(next > last, "{counter:?}");
    }
}

#[test]
fn the_database_of_an_earlier_version_is_left_alone_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    let old = store.folder().with_file_name(OLD_STORE);
    std::fs::create_dir_all(old.parent().unwrap()).unwrap();
    std::fs::write(&old, "SQLite format 3").unwrap();
    for error in [
        store.list().map(drop).unwrap_err(),
        store.find(&name("home"), Fit::default()).map(drop).unwrap_err(),
        store.history(&name("home")).map(drop).unwrap_err(),
        store.delete(&name("home")).map(drop).unwrap_err(),
    ] {
        assert!(error.to_string().contains("export its baselines with that version"), "{error}");
    }
    store.save(&name("home"), &print("/", 1280, "00000001")).unwrap();
    assert_eq!(store.list().unwrap().len(), 1);
    let other = store.find(&name("other"), Fit::default()).unwrap_err().to_string();
    assert!(other.starts_with("there is no baseline \"other\"; "), "{other}");
    assert_eq!(std::fs::read_to_string(&old).unwrap(), "SQLite format 3");
}

#[test]
fn the_best_fit_is_the_newest_of_equal_ones() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    for (width, hash) in [(400, "00000001"), (800, "00000002"), (400, "00000003")] {
        store.save(&name("home"), &print("/", width, hash)).unwrap();
    }
    let viewport = Some(Size { width: 800, height: 720 });
    let wanted = Fit { viewport, ..Fit::default() };
    assert_eq!(store.find(&name("home"), wanted).unwrap().hash, "00000002");
    assert_eq!(hash(&store, "home"), "00000003");
}
