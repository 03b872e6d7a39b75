//! Compares the counts of real texts, and of long runs without spaces, with the crate `tiktoken`.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pagesight_core::text::tokens::count;

/// Returns every file below a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// Checks a text, and what is left of it if it is cut at other places than its lines.
fn check(name: &str, text: &str) {
    let encoding = tiktoken::get_encoding("o200k_base").unwrap();
    assert_eq!(count(text), encoding.count(text), "{name}");
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).step_by(997).collect();
    for pair in places.windows(2) {
        let part = &text[pair[0]..pair[1]];
        assert_eq!(count(part), encoding.count(part), "{name} from byte {}", pair[0]);
    }
}

#[test]
fn real_texts_have_the_count_of_the_crate() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut checked = 0;
    for folder in ["tests/texts", "../../tests/fixtures", "../../docs", "src/text", "../../fuzz"] {
        for file in files(&root.join(folder)) {
            let bytes = std::fs::read(&file).unwrap();
            // Files that are not text are read as text with replacement characters.
            let text = String::from_utf8_lossy(&bytes[..bytes.len().min(100_000)]).into_owned();
            check(&file.display().to_string(), &text);
            checked += 1;
        }
    }
    assert!(checked > 60, "{checked} files");
}

/// A run of random characters, without spaces.
fn run(alphabet: &str, length: usize) -> String {
    let letters: Vec<char> = alphabet.chars().collect();
    let mut state = 42u64;
    (0..length)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888);
            letters[(state >> 33) as usize % letters.len()]
        })
        .collect()
}

#[test]
fn long_runs_take_linear_time_and_have_the_count_of_the_crate() {
    let encoding = tiktoken::get_encoding("o200k_base").unwrap();
    let base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for text in [
        run("abcdefghijklmnopqrstuvwxyz", 100_000),
        run("etaoinshrdlu", 100_000),
        run("ab", 100_000),
        run(base64, 100_000),
        run("!#$%&()*+-", 100_000),
        run("中文字符測試日本語", 30_000),
        run("\u{301}\u{302}A", 30_000),
        "a".repeat(300_000),
        " ".repeat(300_000),
        "\n".repeat(300_000),
        "\n ".repeat(100_000),
    ] {
        let start = Instant::now();
        let counted = count(&text);
        // Quadratic merging of 100,000 letters takes minutes without optimization.
        assert!(start.elapsed() < Duration::from_secs(20), "{:.20} {:?}", text, start.elapsed());
        assert_eq!(counted, encoding.count(&text), "{text:.20}");
    }
}
