//! Checks that baseline files are found, written atomically and cleaned up.

use super::*;
use crate::commands::check::plan::Overrides;

fn plan(folder: &Path, text: &str) -> Plan {
    Plan::read(&folder.join("pages.toml"), text, &Overrides::default(), &|_| None).unwrap()
}

fn taken() -> Fingerprint {
    Fingerprint { version: 1, route: "/".into(), scope: "full".into(), ..Fingerprint::default() }
}

const TWO: &str = "base_url = \"http://a\"\n[[page]]\nroute = \"/\"\n[[page]]\nname = \"../up/x\"\nroute = \"/b\"\nscopes = [\"main\", \"main > a\"]";

#[test]
fn a_baseline_is_kept_and_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(folder.path(), TWO);
    let files = BaselineFiles::of(&plan);
    for job in &plan.jobs {
        assert_eq!(files.read(job), Ok(None));
        files.write(job, &taken(), Some(b"\x89PNG\r\n\x1a\n")).unwrap();
        assert!(files.read(job).unwrap().is_some());
        assert!(files.picture(job).is_some());
        assert_eq!(files.path(job).parent(), Some(folder.path().join("pages.baselines").as_path()));
    }
    assert_eq!(files.entries().len(), 6, "no name leads elsewhere, and no two are the same");
    assert_eq!(files.orphans(&plan), Vec::<PathBuf>::new());
    files.write(&plan.jobs[0], &taken(), None).unwrap();
    assert!(files.picture(&plan.jobs[0]).is_none(), "an old picture does not stay");
}

#[test]
fn a_damaged_or_newer_file_is_refused_with_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(folder.path(), TWO);
    let (files, job) = (BaselineFiles::of(&plan), &plan.jobs[0]);
    files.write(job, &taken(), None).unwrap();
    let text = std::fs::read_to_string(files.path(job)).unwrap();
    for (bad, says) in [
        (text[..text.len() / 2].to_owned(), "was not changed"),
        (
            text.replace("\"pagesight_check\": 1", "\"pagesight_check\": 9"),
            "newer pagesight (version 9)",
        ),
    ] {
        std::fs::write(files.path(job), &bad).unwrap();
        let error = files.read(job).unwrap_err();
        assert!(error.contains(says) && error.contains("home@chromium-1280x720.json"), "{error}");
    }
}

#[test]
fn unused_files_are_listed_and_unfinished_ones_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(folder.path(), TWO);
    let files = BaselineFiles::of(&plan);
    files.write(&plan.jobs[0], &taken(), None).unwrap();
    let at = |name: &str| folder.path().join("pages.baselines").join(name);
    std::fs::write(at("gone@chromium-1280x720.json"), "{}").unwrap();
    std::fs::write(at("README.md"), "").unwrap();
    assert_eq!(files.orphans(&plan), [at("gone@chromium-1280x720.json")]);
    let (old, new) = (at(".a.json.1.tmp"), at(".b.json.1.tmp"));
    for path in [&old, &new] {
        std::fs::write(path, "").unwrap();
    }
    let long_ago = std::time::SystemTime::now() - WRITTEN_WITHIN * 2;
    std::fs::File::options().write(true).open(&old).unwrap().set_modified(long_ago).unwrap();
    BaselineFiles::of(&plan);
    assert!(!old.exists() && new.exists());
}
