//! Checks that the baselines of pages are files with safe names, and are cleaned up.

use super::*;
use crate::baseline::PageBaselines;
use pagesight_core::fingerprint::Fingerprint;

fn key(name: &str, scope: &str) -> PageKey {
    PageKey {
        name: name.to_owned(),
        browser: "chromium".to_owned(),
        width: 1280,
        height: 720,
        emulation: String::new(),
        scope: scope.to_owned(),
    }
}

fn taken() -> Fingerprint {
    Fingerprint { version: 1, route: "/".into(), scope: "full".into(), ..Fingerprint::default() }
}

fn pages() -> [PageKey; 3] {
    [key("home", ""), key("../up/x", "main"), key("../up/x", "main > a")]
}

#[test]
fn no_name_leads_elsewhere_and_no_two_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("pages.baselines");
    let files = PageBaselines::in_folder(&at);
    for key in &pages() {
        assert_eq!(files.read(key).unwrap(), None);
        files.save(key, &taken(), Some(b"\x89PNG\r\n\x1a\n")).unwrap();
        assert!(files.read(key).unwrap().is_some() && files.picture(key).is_some());
    }
    assert_eq!(entries(&at).len(), 6);
    assert_eq!(entries(folder.path()), std::slice::from_ref(&at));
    assert_eq!(unused(&at, pages().into_iter()), Vec::<PathBuf>::new());
    files.save(&pages()[0], &taken(), None).unwrap();
    assert!(files.picture(&pages()[0]).is_none(), "an old picture does not stay");
}

#[test]
fn a_damaged_or_newer_file_is_refused_with_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let (files, key) = (PageBaselines::in_folder(folder.path()), &pages()[0]);
    files.save(key, &taken(), None).unwrap();
    let at = path(folder.path(), key, "json");
    let text = std::fs::read_to_string(&at).unwrap();
    for (bad, says) in [
        (text[..text.len() / 2].to_owned(), "was not changed"),
        (
            text.replace("\"pagesight_check\": 1", "\"pagesight_check\": 9"),
            "newer pagesight (version 9)",
        ),
    ] {
        std::fs::write(&at, &bad).unwrap();
        let error = files.read(key).unwrap_err().to_string();
        assert!(error.contains(says) && error.contains("home@chromium-1280x720.json"), "{error}");
    }
}

#[test]
fn unused_files_are_listed_and_unfinished_ones_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let files = PageBaselines::in_folder(folder.path());
    files.save(&pages()[0], &taken(), None).unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("gone@chromium-1280x720.json"), "{}").unwrap();
    std::fs::write(at("README.md"), "").unwrap();
    let gone = [at("gone@chromium-1280x720.json")];
    assert_eq!(unused(folder.path(), pages().into_iter()), gone);
    let (old, new) = (at(".a.json.1.tmp"), at(".b.json.1.tmp"));
    for path in [&old, &new] {
        std::fs::write(path, "").unwrap();
    }
    let long_ago = std::time::SystemTime::now() - WRITTEN_WITHIN * 2;
    std::fs::File::options().write(true).open(&old).unwrap().set_modified(long_ago).unwrap();
    PageBaselines::in_folder(folder.path());
    assert!(!old.exists() && new.exists());
}
