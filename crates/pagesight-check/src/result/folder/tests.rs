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
        let files =
            PageFiles { baseline: Some(format!("{{\"job\":{job}}}")), ..PageFiles::default() };
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
    assert_eq!(run.files(record).unwrap().baseline.as_deref(), Some("{\"job\":5}"));
    assert_eq!(entries(&folder.path().join("sub")), ["run"], "nothing is left over");
    assert_eq!(entries(&at), [".gitignore", "files", "pages.jsonl", "run.json"]);
}

#[test]
fn what_a_killed_run_left_beside_its_place_is_restored_or_removed() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("run");
    let old = folder.path().join(".run.0123456789abcdef.old");
    let others = [
        ".run.0123.old",
        ".run.0123456789abcdef.older",
        ".run.fedcba9876543210.old",
        ".walk.0123456789abcdef.old",
    ];
    for other in others {
        std::fs::create_dir(folder.path().join(other)).unwrap();
    }
    let left = || {
        let mut left = entries(folder.path());
        left.retain(|name| !others.contains(&name.as_str()));
        left
    };
    // Killed after the earlier run was moved away.
    write(&at, &[1], &header(1));
    std::fs::rename(&at, &old).unwrap();
    drop(RunWriter::begin(&at).unwrap());
    assert_eq!(left(), ["run"]);
    assert_eq!(StoredRun::open(&at).unwrap().records().unwrap()[0].job, 1);
    // Killed after the new run was moved to its place.
    std::fs::rename(&at, &old).unwrap();
    write(&folder.path().join("new"), &[2], &header(1));
    std::fs::rename(folder.path().join("new"), &at).unwrap();
    drop(RunWriter::begin(&at).unwrap());
    assert_eq!(left(), ["run"]);
    assert_eq!(StoredRun::open(&at).unwrap().records().unwrap()[0].job, 2);
    assert_eq!(entries(folder.path()).len(), others.len() + 1, "others are left alone");
}

#[cfg(target_os = "linux")]
#[test]
fn no_file_is_open_when_a_run_is_in_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let open = || {
        let files = std::fs::read_dir("/proc/self/fd").unwrap().flatten();
        let files = files.filter_map(|file| std::fs::read_link(file.path()).ok());
        files.filter(|file| file.starts_with(folder.path())).count()
    };
    let writer = RunWriter::begin(&folder.path().join("run")).unwrap();
    assert_eq!(open(), 1);
    writer.complete(&header(0)).unwrap();
    assert_eq!(open(), 0, "Windows moves no folder with an open file");
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

#[cfg(unix)]
#[test]
fn links_and_foreign_files_of_a_run_are_not_read() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let at = |path: &str| folder.path().join(path);
    std::fs::write(at("secret.json"), "{\"token\": \"hunter22\"}").unwrap();
    std::fs::write(at("secret"), "hunter22").unwrap();
    let fresh = || {
        let _ = std::fs::remove_dir_all(at("run"));
        write(&at("run"), &[1], &header(1));
    };
    /// Reads a run as accept and merge do, and returns why that failed.
    fn refused(folder: &Path) -> String {
        let run = match StoredRun::open(folder) {
            Ok(run) => run,
            Err(error) => return error.to_string(),
        };
        let files = run.records().and_then(|records| run.files(&records[0]));
        files.err().map_or(String::new(), |error| error.to_string())
    }
    fresh();
    assert_eq!(refused(&at("run")), "");
    // Each part of the folder, as a link to a file or folder that fits.
    for part in ["files/1.json", "pages.jsonl", "run.json", "files"] {
        fresh();
        let moved = at("moved");
        let _ = std::fs::remove_dir_all(&moved).or_else(|_| std::fs::remove_file(&moved));
        std::fs::rename(at("run").join(part), &moved).unwrap();
        symlink(&moved, at("run").join(part)).unwrap();
        let why = refused(&at("run"));
        assert!(why.contains("link") || why.contains("not the folder"), "{part}: {why}");
    }
    fresh();
    symlink(at("run"), at("linked")).unwrap();
    for name in ["linked", "linked/", "linked//", "linked/."] {
        assert!(refused(&at(name)).contains("is a link"), "{name}");
    }
    // A dangling link is not a missing file.
    std::fs::remove_file(at("run/files/1.json")).unwrap();
    symlink(at("nothing"), at("run/files/1.json")).unwrap();
    assert!(refused(&at("run")).contains("is a link"));
    // Files of other kinds.
    for (bytes, says) in [("hunter22", "not a JSON file"), ("", "not a JSON file")] {
        fresh();
        std::fs::write(at("run/files/1.json"), bytes).unwrap();
        let why = refused(&at("run"));
        assert!(why.contains(says) && !why.contains("hunter22"), "{why}");
    }
    fresh();
    std::fs::remove_file(at("run/files/1.json")).unwrap();
    std::fs::create_dir(at("run/files/1.json")).unwrap();
    assert!(refused(&at("run")).contains("not a regular file"));
    // A pipe would never end.
    std::fs::remove_dir(at("run/files/1.json")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(at("run/files/1.json")).status();
    if made.is_ok_and(|status| status.success()) {
        assert!(refused(&at("run")).contains("not a regular file"));
    }
}

#[test]
fn a_picture_is_read_only_if_it_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("run");
    let writer = RunWriter::begin(&at).unwrap();
    let page = outcome("p", Verdict::Compared(compared(&[Severity::Error])));
    let record = PageRecord { keeps_picture: true, ..PageRecord::of(&page, 1, 1) };
    let files = PageFiles { after: Some(b"\x89PNG\r\n\x1a\n".to_vec()), ..PageFiles::default() };
    writer.add(&record, &files);
    writer.complete(&header(1)).unwrap();
    let run = StoredRun::open(&at).unwrap();
    assert_eq!(run.files(&record), Ok(files));
    std::fs::write(at.join("files/1.png"), "ssh-rsa hunter22").unwrap();
    let why = run.files(&record).unwrap_err().to_string();
    assert!(why.contains("not a PNG file") && !why.contains("hunter22"), "{why}");
}

#[test]
fn lines_and_counts_of_a_run_are_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("run");
    write(&at, &[1], &header(1));
    let line = std::fs::read_to_string(at.join("pages.jsonl")).unwrap();
    let why = |lines: &str| {
        std::fs::write(at.join("pages.jsonl"), lines).unwrap();
        StoredRun::open(&at).unwrap().records().map_err(|error| error.to_string())
    };
    assert!(why(&line.repeat(2)).is_ok());
    assert!(why(&line.repeat(3)).unwrap_err().contains("more lines"));
    let far = line.replace("\"job\":1,", "\"job\":18446744073709551615,");
    assert!(why(&far).unwrap_err().contains("out of range"));
    // A hole in a file is as long as its size says, and needs no disk.
    std::fs::write(at.join("pages.jsonl"), "{").unwrap();
    let long = std::fs::OpenOptions::new().write(true).open(at.join("pages.jsonl")).unwrap();
    long.set_len(80 << 20).unwrap();
    let long = StoredRun::open(&at).unwrap().records().unwrap_err().to_string();
    assert!(long.contains("line 1 of pages.jsonl is longer than 64 MiB"), "{long}");

    for wrong in [
        RunHeader { jobs: usize::MAX, ..header(1) },
        RunHeader { jobs: 1, checked: 2, ..header(1) },
        RunHeader { shard: Some((1, u32::MAX)), ..header(1) },
        RunHeader { shard: Some((0, 2)), ..header(1) },
    ] {
        let text = serde_json::to_string(&wrong).unwrap();
        std::fs::write(at.join("run.json"), text).unwrap();
        let why = StoredRun::open(&at).unwrap_err().to_string();
        assert!(why.contains("is damaged"), "{why}");
    }
}

#[test]
fn a_folder_for_runs_alone_says_so() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join(".pagesight/run"), &[], &header(0));
    assert_eq!(entries(&folder.path().join(".pagesight")), [".gitignore", "only-runs", "run"]);
    let ignored = std::fs::read_to_string(folder.path().join(".pagesight/.gitignore")).unwrap();
    let rules: Vec<&str> = ignored.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(rules, ["/run/", "/only-runs"]);
    let other = tempfile::tempdir().unwrap();
    std::fs::create_dir(other.path().join(".pagesight")).unwrap();
    std::fs::write(other.path().join(".pagesight/.gitignore"), "mine").unwrap();
    write(&other.path().join(".pagesight/run"), &[], &header(0));
    let there = [".gitignore", "run"];
    assert_eq!(entries(&other.path().join(".pagesight")), there, "the user's own folder");
    let kept = std::fs::read_to_string(other.path().join(".pagesight/.gitignore")).unwrap();
    assert_eq!(kept, "mine");
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
