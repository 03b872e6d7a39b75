//! Replays the corpus of the fuzzer (`fuzz/corpus`) without a nightly compiler.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

#[path = "../../../fuzz/bodies.rs"]
mod bodies;

fn replayed(target: &str, body: fn(&[u8])) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    for file in files {
        body(&std::fs::read(&file).unwrap());
    }
}

#[test]
fn what_the_decoder_was_tried_with() {
    replayed("decode", bodies::decode);
}

#[test]
fn what_the_pipeline_was_tried_with() {
    replayed("pipeline", bodies::pipeline);
}
