//! The split is compared with the pattern itself, the table and the counts with the crate
//! `tiktoken`. Longer texts are in `tests/tokens.rs`.

use std::sync::LazyLock;

use proptest::prelude::*;
use regex::Regex;

use super::classes::{ASCII, CharClass};
use super::table::{LONGEST, TokenTable};
use super::*;

/// o200k's pattern without its look-ahead, which `expected_pieces` adds.
static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
    let word = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]";
    let contraction = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?";
    let second = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]";
    let pattern = format!(
        r"{word}*{second}+{contraction}|{word}+{second}*{contraction}|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|\s*[\r\n]+|\s+"
    );
    Regex::new(&pattern).expect("the pattern")
});

fn table() -> &'static TokenTable<'static> {
    TABLE.as_ref().expect("the committed table is read")
}

fn pieces(text: &str) -> Vec<&str> {
    Pieces::of(text, table()).map(|(start, end)| &text[start..end]).collect()
}

fn expected_pieces(text: &str) -> Vec<&str> {
    let (mut pieces, mut at) = (Vec::new(), 0);
    while let Some(found) = PATTERN.find_at(text, at) {
        assert_eq!(found.start(), at, "the pattern left something out of {text:?}");
        let mut end = found.end();
        // `\s+(?!\S)` comes before `\s+`.
        let last = found.as_str().chars().next_back().expect("no match is empty");
        let is_white_space = found.as_str().chars().all(char::is_whitespace);
        let is_line_end = matches!(last, '\r' | '\n');
        if is_white_space && !is_line_end && end < text.len() && found.len() > last.len_utf8() {
            end -= last.len_utf8();
        }
        pieces.push(&text[at..end]);
        at = end;
    }
    pieces
}

fn expected_count(text: &str) -> usize {
    tiktoken::get_encoding("o200k_base").expect("the vocabulary is compiled in").count(text)
}

/// Checks the pieces and the count of a text.
fn check(text: &str) {
    assert_eq!(pieces(text), expected_pieces(text), "{text:?}");
    // The crate takes an ASCII word apart from the contraction with a long s. The pattern does not.
    if !text.contains("'ſ") {
        assert_eq!(count(text), expected_count(text), "{text:?}");
    }
}

#[test]
fn the_exact_count_is_o200k() {
    assert_eq!(count("hello world"), 2);
    assert_eq!(count(""), 0);
}

#[test]
fn the_estimate_errs_to_the_large_side_on_page_text() {
    let outline = include_str!("../../../tests/texts/outline.txt");
    let prose = include_str!("../../../tests/texts/prose.txt");
    let mixed = include_str!("../../../tests/texts/mixed.txt");
    for (name, text) in [("outline", outline), ("prose", prose), ("mixed", mixed)] {
        let (exact, guess) = (count(text), estimate(text));
        let ratio = guess as f64 / exact as f64;
        assert!(
            (1.0..1.25).contains(&ratio),
            "{name}: estimate {guess}, exact {exact}, ratio {ratio:.2}"
        );
    }
}

#[test]
fn every_token_is_found_with_its_rank() {
    let encoding = tiktoken::get_encoding("o200k_base").expect("the vocabulary is compiled in");
    assert_eq!(encoding.vocab_size(), 199_998);
    let (mut all, mut places) = (Vec::new(), Vec::new());
    for rank in 0..199_998u32 {
        let token = encoding.decode(&[rank]);
        places.push((all.len(), token.len()));
        all.extend(token);
    }
    for (rank, (start, length)) in (0u32..).zip(places) {
        let expected = (length > 1).then_some(rank);
        assert_eq!(table().rank(&all, start, length), expected, "{start} {length}");
        // At the end of a text, fewer than eight bytes can be read.
        let token = &all[start..start + length];
        assert_eq!(table().rank(token, 0, length), expected, "{token:?}");
    }
}

#[test]
fn what_is_not_a_token_is_not_found() {
    let encoding = tiktoken::get_encoding("o200k_base").expect("the vocabulary is compiled in");
    let mut found = 0;
    for rank in 0..199_998u32 {
        // One bit of a token is changed.
        let mut token = encoding.decode(&[rank]);
        let at = rank as usize % token.len();
        token[at] ^= 1 << (rank % 7);
        if let Some(known) = table().rank(&token, 0, token.len()) {
            assert_eq!(encoding.decode(&[known]), token);
            found += 1;
        }
    }
    assert!((1_000..100_000).contains(&found), "{found}");
    let long = vec![b' '; LONGEST + 1];
    assert_eq!(table().rank(&long, 0, LONGEST + 1), None);
    assert_eq!(table().rank(&long, 0, 0), None);
}

#[test]
fn every_character_has_its_class() {
    let classes = [
        (r"^[\p{Lu}\p{Lt}]$", CharClass::Upper),
        (r"^\p{Ll}$", CharClass::Lower),
        (r"^[\p{Lm}\p{Lo}]$", CharClass::Caseless),
        (r"^\p{M}$", CharClass::Mark),
        (r"^\p{N}$", CharClass::Number),
    ];
    let classes = classes.map(|(pattern, class)| (Regex::new(pattern).expect("a pattern"), class));
    // All of the first planes would take long; every 7th does not repeat a block's pattern.
    for character in ('\0'..'\u{600}').chain(('\u{600}'..=char::MAX).step_by(7)) {
        let text = character.to_string();
        let expected = classes.iter().find(|(pattern, _)| pattern.is_match(&text));
        let expected = match character {
            '\r' | '\n' => CharClass::LineEnd,
            _ if character.is_whitespace() => CharClass::Space,
            _ => expected.map_or(CharClass::Other, |(_, class)| *class),
        };
        assert_eq!(table().class(character), expected, "{character:?}");
        if let Some(class) = ASCII.get(character as usize) {
            assert_eq!(*class, expected, "{character:?}");
        }
    }
}

#[test]
fn a_damaged_or_newer_table_is_refused() {
    assert!(TokenTable::read(BYTES).is_some());
    assert!(TokenTable::read(&BYTES[..BYTES.len() - 1]).is_none());
    assert!(TokenTable::read(&[]).is_none());
    let mut longer = BYTES.to_vec();
    longer.push(0);
    assert!(TokenTable::read(&longer).is_none());
    let mut newer = BYTES.to_vec();
    newer[8] += 1;
    assert!(TokenTable::read(&newer).is_none());
}

#[test]
fn words_are_split_as_the_pattern_says() {
    for text in [
        "It's I'M we'RE you'Ve he'LL she'd 'tis rock'n'roll o'clock's''s",
        "it'ſ été'ſ",
        "camelCase XMLHttpRequest ABC aBC ABCd HTTPServer2Go iPhone15Pro",
        "ǅ ǆ Ǆ ʰa aʰ Aʰ ʰA ªº ⅫⅫⅫⅫ ½¾¼⅓ ١٢٣٤ १२३४",
        "\u{301}A \u{301}a \u{301}\u{301}A! \u{301}'s \u{301}A's \u{301}1 x\u{301}X\u{301}X y\u{301}Y",
        "中文。中文A文B 日本語テキスト、カタカナー 한국어 문장입니다",
        "हिन्दी में लिखा हुआ पाठ क्षत्रिय",
        "النص العربي مع تَشْكِيل وأرقام ٣٤٥",
        "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 ❤️‍🔥 🇩🇪 e\u{301}\u{327}",
        "a/b//c/\n/d ///\r\n//x !?!?\n\n\n... .\n/",
        "\u{feff}\u{fffd}\u{fffe}\u{e000}\u{10ffff}\u{0}\u{7f}\u{200b}a\u{ad}b",
    ] {
        check(text);
    }
}

#[test]
fn white_space_is_split_as_the_pattern_says() {
    let spaces = [
        " ", "\t", "\n", "\r", "\r\n", "\u{b}", "\u{c}", "\u{85}", "\u{a0}", "\u{1680}",
        "\u{2003}", "\u{2028}", "\u{2029}", "\u{202f}", "\u{205f}", "\u{3000}",
    ];
    for first in spaces {
        for second in spaces {
            for third in ["", " ", "\n", "\u{3000}"] {
                for after in ["", "a", "A", "1", "!", "中", "\u{301}", "'s"] {
                    check(&format!("{first}{second}{third}{after}"));
                    check(&format!("x{first}{second}{third}{after}"));
                }
            }
        }
    }
}

#[test]
fn long_runs_have_the_count_of_the_crate() {
    for run in ["a", " ", "=", "ab", "xyzzy", "Qx7", "\n", "é", "中", "\u{301}", "1", "aaab", "Zz"]
    {
        for length in [31, 39, 40, 41, 42, 100, 127, 128, 129, 1_000, 5_000] {
            let text = run.repeat(length);
            assert_eq!(count(&text), expected_count(&text), "{run:?} {length}");
        }
    }
}

#[test]
fn both_ways_of_merging_give_the_same_count() {
    let text = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamter".as_bytes();
    for length in 3..=bpe::LONGEST_SCANNED {
        for start in 0..text.len() - length {
            let scanned = bpe::scan(table(), text, start, length);
            assert_eq!(scanned, bpe::queue(table(), text, start, length), "{start} {length}");
        }
    }
}

/// Parts that are hard to split, separated by bars.
const HARD: &str = "'|'s|'S|'re|'LL|'ſ|ſ| |  |\t|\n|\r\n|\r|\u{a0}|\u{3000}|\u{2028}|\u{85}|/|//|!|\
    ...|-|_|A|B|a|b|the|The|ing|É|é|ß|ǅ|ʰ|ª|中|文|の|ア|ー|한|\u{301}|\u{20dd}|\u{200d}|\u{fe0f}|\
    👩|👍🏽|1|23|456|٣|½|Ⅻ|न|\u{94d}|ا|\u{64e}|\u{0}|\u{fffd}|\u{10ffff}|<div>|\":{\"|==";

/// Texts of parts that are hard to split, and of any characters.
fn texts() -> impl Strategy<Value = String> {
    let hard: Vec<&str> = HARD.split('|').collect();
    let hard = prop::sample::select(hard);
    let part = prop_oneof![
        6 => hard.prop_map(str::to_owned),
        2 => any::<char>().prop_map(String::from),
        1 => "[a-zA-Z]{1,60}",
        1 => "[ -~]{1,30}",
        1 => "\\PC{1,10}",
    ];
    prop::collection::vec(part, 0..30).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn every_text_has_the_pieces_of_the_pattern_and_the_count_of_the_crate(text in texts()) {
        check(&text);
    }
}
