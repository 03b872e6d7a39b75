//! Checks which runs can be merged: all shards of one check, each once, or again as a retry.

use super::*;
use crate::result::folder::RunIdentity;
use crate::result::folder::tests::{header, write};

/// Shards 1 to 3, with one job each.
struct Shards(tempfile::TempDir);

impl Shards {
    fn new() -> Shards {
        Shards(tempfile::tempdir().unwrap())
    }

    /// Writes a run of a shard and opens it.
    fn run(&self, name: &str, index: u32, change: impl Fn(&mut RunHeader)) -> StoredRun {
        let mut header = RunHeader { jobs: 3, shard: Some((index, 3)), ..header(1) };
        header.identity = RunIdentity { run: Some("7".to_owned()), attempt: Some(1) };
        change(&mut header);
        let folder = self.0.path().join(name);
        write(&folder, &[index as usize - 1], &header);
        StoredRun::open(&folder).unwrap()
    }

    fn plain(&self, index: u32) -> StoredRun {
        self.run(&format!("shard-{index}"), index, |_| {})
    }
}

fn attempt(number: Option<u64>) -> impl Fn(&mut RunHeader) {
    move |header| header.identity.attempt = number
}

fn names(runs: &[StoredRun]) -> Vec<String> {
    let name = |run: &StoredRun| run.folder.file_name().unwrap().to_string_lossy().into_owned();
    runs.iter().map(name).collect()
}

#[test]
fn all_shards_in_any_order() {
    let shards = Shards::new();
    let (runs, notes) = complete(vec![shards.plain(3), shards.plain(1), shards.plain(2)]).unwrap();
    assert_eq!(names(&runs), ["shard-1", "shard-2", "shard-3"]);
    assert!(notes.is_empty());
    assert_eq!(merged(&runs).unwrap().checked, 3);
}

#[test]
fn a_retry_replaces_its_first_try_in_any_order() {
    let shards = Shards::new();
    for retry_first in [false, true] {
        let mut two = vec![shards.plain(2), shards.run("retry", 2, attempt(Some(2)))];
        if retry_first {
            two.reverse();
        }
        two.extend([shards.plain(1), shards.plain(3)]);
        let (runs, notes) = complete(two).unwrap();
        assert_eq!(names(&runs), ["shard-1", "retry", "shard-3"]);
        assert!(notes[0].contains("retry is a retry and replaces"), "{notes:?}");
    }
}

#[test]
fn what_does_not_belong_together_is_an_error() {
    let shards = Shards::new();
    let all = || vec![shards.plain(1), shards.plain(2), shards.plain(3)];
    let with = |extra: StoredRun| complete(all().into_iter().chain([extra]).collect());
    for (result, says) in [
        (complete(vec![shards.plain(1), shards.plain(3)]), "shard 2/3 is missing"),
        (complete(vec![shards.plain(2)]), "shards 1/3, 3/3 are missing"),
        (with(shards.run("again", 2, |_| {})), "shard 2/3 is there twice"),
        (with(shards.run("unnumbered", 2, attempt(None))), "is there twice"),
        (with(shards.run("whole", 2, |header| header.shard = None)), "is not a shard"),
        (with(shards.run("four", 2, |header| header.shard = Some((2, 4)))), "is one of 3 shards"),
        (
            with(shards.run("pages", 2, |header| header.plan = "x".into())),
            "different list of pages",
        ),
        (with(shards.run("run", 2, |header| header.identity.run = None)), "of a different run"),
        (with(shards.run("store", 2, |header| header.in_database = true)), "differs in --store"),
    ] {
        let error = result.err().unwrap().to_string();
        assert!(error.contains(says), "{says}: {error}");
    }
    // Without the name of a run nothing is known of retries.
    let unnamed = |name: &str, number| {
        shards.run(name, 1, |header| {
            header.identity = RunIdentity { run: None, attempt: Some(number) };
        })
    };
    let error = complete(vec![unnamed("a", 1), unnamed("b", 2)]).err().unwrap().to_string();
    assert!(error.contains("is there twice"), "{error}");
}
