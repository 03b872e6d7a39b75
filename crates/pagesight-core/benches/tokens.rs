//! Measures the time and the allocations of a count beside those of the crate `tiktoken`, whose
//! counts are the same: `cargo bench -p pagesight-core --bench tokens`. The crate's vocabulary is
//! loaded before.

#![allow(clippy::unwrap_used, missing_docs)]

use divan::{AllocProfiler, Bencher, black_box};
use pagesight_core::text::tokens::count;

#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

const OUTLINE: &str = include_str!("../tests/texts/outline.txt");
const PROSE: &str = include_str!("../tests/texts/prose.txt");
const MIXED: &str = include_str!("../tests/texts/mixed.txt");

const TEXTS: [&str; 13] = [
    "outline 1 kB",
    "outline 100 kB",
    "outline 1 MB",
    "prose 1 kB",
    "prose 100 kB",
    "prose 1 MB",
    "mixed 1 kB",
    "mixed 100 kB",
    "mixed 1 MB",
    "letters 1 MB",
    "base64 1 MB",
    "aaaa 1 MB",
    "numbers 1 MB",
];

fn main() {
    the_crate("");
    divan::main();
}

fn the_crate(text: &str) -> usize {
    tiktoken::get_encoding("o200k_base").unwrap().count(text)
}

/// Returns the text with this name.
fn text(name: &str) -> String {
    let (kind, size) = name.split_once(' ').unwrap();
    let size = match size {
        "1 kB" => 1_000,
        "100 kB" => 100_000,
        _ => 1_000_000,
    };
    let repeated = |text: &str| {
        let mut text = text.repeat(size / text.len() + 1);
        let end = (0..=size).rev().find(|at| text.is_char_boundary(*at)).unwrap();
        text.truncate(end);
        text
    };
    match kind {
        "outline" => repeated(OUTLINE),
        "prose" => repeated(PROSE),
        "mixed" => repeated(MIXED),
        "aaaa" => repeated("a"),
        "letters" => run(b"abcdefghijklmnopqrstuvwxyz", size),
        "base64" => run(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", size),
        _ => (0..size / 12).map(|number| format!("{}, ", number * 7_919_993)).collect(),
    }
}

/// Returns a run of random letters.
fn run(alphabet: &[u8], size: usize) -> String {
    let mut state = 42u64;
    let letters = (0..size).map(|_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888);
        char::from(alphabet[(state >> 33) as usize % alphabet.len()])
    });
    letters.collect()
}

#[divan::bench(args = TEXTS, sample_count = 15)]
fn ours(bencher: Bencher<'_, '_>, name: &str) {
    let text = text(name);
    bencher.bench(|| count(black_box(&text)));
}

#[divan::bench(args = TEXTS, sample_count = 15)]
fn tiktoken_crate(bencher: Bencher<'_, '_>, name: &str) {
    let text = text(name);
    bencher.bench(|| the_crate(black_box(&text)));
}
