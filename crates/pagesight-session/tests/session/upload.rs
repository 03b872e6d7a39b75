//! Tests uploads: which files may be given, and what the field takes.

use pagesight_session::{Action, Options};

use crate::case::on;

const FIELDS: &str = "<label>Photo<input type=file></label><label>Many<input type=file multiple></label>\
    <button>Plain</button>";

fn upload(element: &str, paths: &[&str]) -> Action {
    let paths = paths.iter().map(|path| (*path).to_owned()).collect();
    Action::Upload { element: element.into(), paths }
}

/// Makes a folder with two files.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("one.txt"), "1").unwrap();
    std::fs::write(folder.path().join("two.txt"), "2").unwrap();
    folder
}

#[test]
fn files_under_the_root_are_uploaded() {
    let folder = folder();
    let options = Options { upload_roots: vec![folder.path().to_owned()], ..Options::default() };
    on("upload", FIELDS).options(options).run(async |case, tab| {
        let photo = case.find(tab, "Photo").await;
        let line = case.line(tab, upload(&photo, &["one.txt"])).await;
        assert!(line.starts_with(&format!("uploaded \"one.txt\" to [{photo}]")), "{line}");
        let many = case.find(tab, "Many").await;
        let line = case.line(tab, upload(&many, &["one.txt", "two.txt"])).await;
        assert!(line.starts_with("uploaded \"one.txt\", \"two.txt\" to ["), "{line}");
    });
}

#[test]
fn everything_else_is_refused() {
    let folder = folder();
    let root = folder.path().canonicalize().unwrap();
    let options = Options { upload_roots: vec![folder.path().to_owned()], ..Options::default() };
    on("upload_refused", FIELDS).options(options).run(async |case, tab| {
        let (photo, plain) = (case.find(tab, "Photo").await, case.find(tab, "Plain").await);
        for (element, paths, words) in [
            (&photo, &["/etc/passwd"][..], "is not a file under"),
            (&photo, &["../one.txt"], "is not a file under"),
            (&photo, &["one.txt", "two.txt"], "takes one file only; give one path"),
            (&photo, &[], "upload takes 1 to 100 paths, not 0"),
            (&photo, &["missing.txt"], root.to_str().unwrap()),
            (&plain, &["one.txt"], "is not a file field and does not belong to one"),
        ] {
            let line = case.refusal(tab, upload(element, paths)).await;
            assert!(line.contains(words), "{line}");
        }
    });
}

#[test]
fn without_a_root_nothing_is_uploaded() {
    on("upload_off", FIELDS).run(async |case, tab| {
        let photo = case.find(tab, "Photo").await;
        let line = case.refusal(tab, upload(&photo, &["one.txt"])).await;
        assert!(line.starts_with("failed: uploads are not allowed"), "{line}");
    });
}
