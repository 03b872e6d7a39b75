//! Checks that a run folder is read as it was written, replaced only by a complete run, and that
//! foreign, newer and damaged folders are refused and left alone.

use std::path::Path;

use pagesight_core::compare::Severity;

use super::*;
use crate::plan::shard::Shard;
use crate::result::Verdict;
use crate::result::record::{PageFiles, PageRecord, RECORD_VERSION};
use crate::result::tests::{compared, outcome};

/// A header for this many results.
pub(crate) fn header(checked: usize) -> RunHeader {
    RunHeader {
        version: RECORD_VERSION,
        file: "pages.toml".to_owned(),
        began: "2026-01-23T10:30:45Z".to_owned(),
        took_ms: 10,
        fail_on: Severity::Error,
        plan: "digest".to_owned(),
        jobs: checked,
        checked,
        shard: None,
        in_database: false,
        identity: RunIdentity::default(),
    }
}

/// Writes a run with these jobs.
pub(crate) fn write(folder: &Path, jobs: &[usize], header: &RunHeader) {
    let writer = RunWriter::begin(folder).unwrap();
    for job in jobs {
        let page = outcome(&format!("p{job}"), Verdict::Compared(compared(&[Severity::Error])));
        let files = PageFiles { baseline: Some(format!("{job}")), ..PageFiles::default() };
        let baseline = Some("digest".to_owned());
        writer.add(&PageRecord { baseline, ..PageRecord::of(&page, *job, 1) }, &files);
    }
    writer.complete(header).unwrap();
}

fn entries(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_run_is_replaced_only_by_a_complete_one() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("sub/run");
    write(&at, &[3, 1], &header(2));
    let jobs = || -> Vec<usize> {
        let run = StoredRun::open(&at).unwrap();
        run.records().unwrap().iter().map(|record| record.job).collect()
    };
    assert_eq!(jobs(), [1, 3], "in the order of the plan");
    let writer = RunWriter::begin(&at).unwrap();
    writer.add(&PageRecord::of(&outcome("p", Verdict::Saved), 9, 1), &PageFiles::default());
    drop(writer);
    assert_eq!(jobs(), [1, 3], "an unfinished run changes nothing");
    write(&at, &[5], &header(1));
    assert_eq!(jobs(), [5]);
    let run = StoredRun::open(&at).unwrap();
    let record = &run.records().unwrap()[0];
    assert_eq!(run.files(record).unwrap().baseline.as_deref(), Some("5"));
    assert_eq!(entries(&folder.path().join("sub")), ["run"], "nothing is left over");
    assert_eq!(entries(&at), [".gitignore", "files", "pages.jsonl", "run.json"]);
}

#[test]
fn the_last_record_of_a_job_counts() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("run");
    let writer = RunWriter::begin(&at).unwrap();
    for verdict in [Verdict::Saved, Verdict::Failed { error: "the disk is full".to_owned() }] {
        writer.add(&PageRecord::of(&outcome("p", verdict), 1, 1), &PageFiles::default());
    }
    writer.complete(&header(1)).unwrap();
    let records = StoredRun::open(&at).unwrap().records().unwrap();
    assert!(serde_json::to_string(&records).unwrap().contains("the disk is full"));
}

#[test]
fn foreign_and_newer_folders_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("src");
    std::fs::create_dir(&at).unwrap();
    assert!(RunWriter::begin(&at).is_ok(), "an empty folder is free");
    std::fs::write(at.join("main.rs"), "fn main() {}").unwrap();
    let refused = |says: &str| {
        let error = RunWriter::begin(&at).err().unwrap().to_string();
        assert!(error.contains(says) && error.contains("was not changed"), "{error}");
        assert!(StoredRun::open(&at).is_err());
    };
    refused("is not the folder of a run");
    std::fs::write(at.join("run.json"), "{\"pagesight_run\": 99}").unwrap();
    refused("newer pagesight (version 99)");
    std::fs::write(at.join("run.json"), "{").unwrap();
    refused("is not the folder of a run");
    assert_eq!(entries(&at), ["main.rs", "run.json"]);
    let file = folder.path().join("file");
    std::fs::write(&file, "x").unwrap();
    assert!(RunWriter::begin(&file).is_err());
    assert!(RunWriter::begin(Path::new("/")).is_err());
}

#[test]
fn a_damaged_run_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("run");
    write(&at, &[1, 2], &header(2));
    let text = std::fs::read_to_string(at.join("pages.jsonl")).unwrap();
    let error = |text: &str| {
        std::fs::write(at.join("pages.jsonl"), text).unwrap();
        StoredRun::open(&at).unwrap().records().unwrap_err().to_string()
    };
    assert!(error(text.lines().next().unwrap()).contains("it has 1 of 2 results"));
    assert!(error(&text[..text.len() - 9]).contains("line 2 of pages.jsonl"));
    std::fs::remove_file(at.join("run.json")).unwrap();
    assert!(
        StoredRun::open(&at).unwrap_err().to_string().contains("not the folder of a complete run")
    );
    let missing = StoredRun::open(Path::new("no/such")).unwrap_err();
    assert!(missing.to_string().contains("there is no run"));
}

#[test]
fn a_folder_for_runs_alone_says_so() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join(".pagesight/run"), &[], &header(0));
    assert_eq!(entries(&folder.path().join(".pagesight")), ["only-runs", "run"]);
    let other = tempfile::tempdir().unwrap();
    std::fs::create_dir(other.path().join(".pagesight")).unwrap();
    write(&other.path().join(".pagesight/run"), &[], &header(0));
    assert_eq!(entries(&other.path().join(".pagesight")), ["run"], "the user's own folder");
}

#[test]
fn shards_are_the_same_everywhere_and_about_equal() {
    let shard = |index| Shard { index, of: 5 };
    let of = |name: &str| (1..=5).filter(|index| shard(*index).has(name)).collect::<Vec<_>>();
    // These must never change: shards of different versions would miss pages.
    assert_eq!(
        ["home", "cart", "größe", "a/b"].map(of),
        [[5], [2], [5], [2]].map(|it| it.to_vec())
    );
    let mut counts = [0; 5];
    for number in 0..10_000 {
        counts[of(&format!("page-{number}"))[0] as usize - 1] += 1;
    }
    assert!(counts.iter().all(|count| (1_850..2_150).contains(count)), "{counts:?}");
}

#[test]
fn a_run_of_ci_is_identified() {
    let read = |pairs: &[(&str, &str)]| {
        let pairs: Vec<(String, String)> =
            pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        RunIdentity::read(&|name| pairs.iter().find(|it| it.0 == name).map(|it| it.1.clone()))
    };
    let identity = |run: &str, attempt| RunIdentity { run: Some(run.to_owned()), attempt };
    let github = [("GITHUB_RUN_ID", "7"), ("GITHUB_RUN_ATTEMPT", "2")];
    assert_eq!(read(&github), Ok(identity("7", Some(2))));
    let own = [("PAGESIGHT_RUN", "x"), ("GITHUB_RUN_ID", "7"), ("GITHUB_RUN_ATTEMPT", "2")];
    assert_eq!(read(&own), Ok(identity("x", None)));
    assert_eq!(read(&[]), Ok(RunIdentity::default()));
    assert!(read(&[("PAGESIGHT_RUN", "x"), ("PAGESIGHT_ATTEMPT", "two")]).is_err());
}
