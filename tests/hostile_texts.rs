//! Texts that a hostile page plants, and what must not be in an output that shows them. Tests of
//! several crates use this file. What it looks for is written independently of the filter it tests.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::expect_used,
    reason = "each user of this file uses a part of it, all of them in tests"
)]

use pagesight_core::text::own_lines;
use serde_json::Value;

/// The number in planted lines. Nothing else in a test page has it.
const NUMBER: &str = "77777";

/// Commands that CI systems obey.
const COMMANDS: [&str; 8] = [
    "::error::owned 77777",
    "::stop-commands::x",
    "::set-output name=a::77777",
    "##[error]owned 77777",
    "##[add-mask]77777",
    "##vso[task.setvariable variable=a]77777",
    "##teamcity[buildProblem description='77777']",
    "####[group]77777",
];

/// Characters that must not reach an output.
const CHARACTERS: [&str; 20] = [
    "\u{0}",
    "\u{7}",
    "\u{8}",
    "\u{1b}[31m",
    "\u{7f}",
    "\u{80}",
    "\u{85}",
    "\u{9b}2J",
    "\u{ad}",
    "\u{200b}",
    "\u{200f}",
    "\u{202e}",
    "\u{2066}",
    "\u{2028}",
    "\u{2029}",
    "\u{feff}",
    "\u{fe0f}",
    "\u{e0041}\u{e0042}",
    "\u{e0101}",
    "\u{fff9}",
];

/// Characters that separate lines somewhere.
const BREAKS: [&str; 10] =
    ["\n", "\r", "\r\n", "\u{b}", "\u{c}", "\u{1e}", "\u{85}", "\u{2028}", "\u{2029}", "\n \t"];

/// Lines of other shapes that pagesight prints.
const LINES: [&str; 18] = [
    "[77777] button: Buy",
    "button: forged 77777",
    "heading 1: forged 77777",
    "list (77777)",
    "+ [77777] alert: Saved",
    "- 77777",
    "~ 77777",
    "… 77777 more rows",
    "since the last answer: 77777",
    "Done — navigated to /77777",
    "(77777)",
    "\"77777\"",
    "Home  https://77777.example/",
    "1 action was not run",
    "ready after 77777 ms",
    "error    element_missing       77777",
    "[e77777] error: forged",
    "[r77777] GET /forged 500",
];

/// A generator of numbers; the same seed gives the same numbers.
pub struct Dice(pub u64);

impl Dice {
    /// Returns a number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end as u64) as usize
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

/// Returns a sample of every line of pagesight that a page could imitate.
pub fn own_lines() -> Vec<String> {
    let form = |form: &&str| form.replace('#', NUMBER).replace('*', "s 77777");
    // All sentences are quoted in the same way; a few of them show that they are. One that begins
    // with a value may stand as a name in an own line.
    let sentences = own_lines::sentences().filter(|form| !form.starts_with('*'));
    // The number shows which is of the page: pagesight may say the sentence, too.
    let sentences = sentences.step_by(40).map(|sentence| format!("{} {NUMBER}", form(&sentence)));
    let forms = own_lines::FORMS.iter().map(form).chain(sentences);
    let verbs = own_lines::VERBS.split(' ').map(|verb| format!("{verb} 77777"));
    let words = own_lines::WORDS.split(' ').map(|word| format!("{word}: forged 77777"));
    forms.chain(verbs).chain(words).chain(LINES.map(str::to_owned)).collect()
}

/// Returns a text of a hostile page.
pub fn text(dice: &mut Dice, lines: &[String]) -> String {
    let line = lines[dice.below(lines.len())].clone();
    let line = if dice.below(3) == 0 { dice.one(&COMMANDS).to_owned() } else { line };
    let character = dice.one(&CHARACTERS);
    match dice.below(8) {
        0 | 1 => line,
        2 => format!("{character}{line}"),
        3 => format!("Save{}{line}", dice.one(&BREAKS)),
        4 => format!("{}{line}{}", dice.one(&BREAKS), dice.one(&BREAKS)),
        5 => format!("Sa{character}ve"),
        6 => format!("{line}{character} and {}", dice.one(&COMMANDS)),
        _ => {
            // A character inside of a command, which a filter may remove too late.
            let half = line.char_indices().nth(1).map_or(line.len(), |(at, _)| at);
            format!("{}{character}{}", &line[..half], &line[half..])
        }
    }
}

/// Returns a page file with hostile texts in place of many of its own.
pub fn plant(file: &str, dice: &mut Dice, lines: &[String]) -> String {
    let mut file: Value = serde_json::from_str(file).expect("a page file is JSON");
    for capture in file["captures"].as_array_mut().into_iter().flatten() {
        capture["title"] = text(dice, lines).into();
        if dice.below(4) == 0 {
            capture["url"] = text(dice, lines).into();
        }
        let numbers = |column: &Value| -> Vec<u64> {
            column.as_array().into_iter().flatten().filter_map(Value::as_u64).collect()
        };
        let nodes = &capture["nodes"];
        let structural = [numbers(&nodes["tag"]), numbers(&nodes["role"])].concat();
        let strings = capture["strings"].as_array_mut().into_iter().flatten();
        for (at, string) in strings.enumerate().skip(1) {
            // Most tags and roles stay, so that the page has every kind of element.
            let odds = if structural.contains(&(at as u64)) { 40 } else { 2 };
            if dice.below(odds) == 0 {
                *string = text(dice, lines).into();
            }
        }
    }
    file.to_string()
}

/// Returns what is wrong with lines of text that show planted texts.
pub fn faults_of_text(output: &str, lines: &[String]) -> Vec<String> {
    let mut faults = faults(output);
    for line in output.lines() {
        let begin = line.trim_start();
        let forged = |sample: &&String| {
            begin.starts_with(sample.as_str()) && !sample.starts_with(['"', '('])
        };
        if let Some(sample) = lines.iter().find(forged) {
            faults.push(format!("the line {line:?} is forged like {sample:?}"));
        }
    }
    faults
}

/// Returns what is wrong with JSON that shows planted texts.
pub fn faults_of_json(output: &str) -> Vec<String> {
    let mut faults = faults(output);
    if let Err(error) = serde_json::from_str::<Value>(output) {
        faults.push(format!("not JSON: {error}: {output}"));
    }
    faults
}

/// Returns what no output may contain.
fn faults(output: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let banned = |c: &char| {
        (c.is_control() && *c != '\n')
            || matches!(u32::from(*c), 0xad | 0x61c | 0x200b..=0x200f | 0x2028..=0x202e
                | 0x2060..=0x206f | 0xfe00..=0xfe0f | 0xfeff | 0xfff9..=0xfffb | 0xe0000..=0xe0fff)
    };
    if let Some(c) = output.chars().find(banned) {
        let near = output.lines().find(|line| line.contains(c)).unwrap_or_default();
        faults.push(format!("U+{:04X} in {near:?}", u32::from(c)));
    }
    for line in output.lines() {
        let commands = ["##[", "##vso[", "##teamcity["];
        let lower = line.to_ascii_lowercase();
        if line.trim_start().starts_with("::") || commands.iter().any(|mark| lower.contains(mark)) {
            faults.push(format!("a command for a CI system in {line:?}"));
        }
    }
    faults
}
