//! Property tests for the diff of any two pages: a page does not differ from itself, the changes
//! turn one page into the other, both directions mirror each other, and no budget is exceeded.

use proptest::prelude::*;

use super::tests::printed;
use super::*;
use crate::page::test_page::{page, page_in};
use crate::render::{OutlineOptions, SequentialNumbers, outline};

/// A random page: headings, texts, fields and buttons in sections, as a list of (section, id, sort,
/// word, flag).
type Thing = (u8, u8, u8, bool);

fn drawn(things: &[(u32, Thing)]) -> String {
    let mut out = String::new();
    for section in 0..3u8 {
        out.push_str(&format!("section region \"S{section}\" @{} block\n", section + 2));
        for (id, (_, sort, word, flag)) in things.iter().filter(|(_, thing)| thing.0 == section) {
            let state = if *flag { " disabled" } else { "" };
            out.push_str(&match sort {
                0 => format!("  p @{id} block\n    'text {word}'\n"),
                1 => format!("  h2 heading \"head {word}\" @{id} block level=2\n"),
                2 => format!("  input textbox \"field {id}\" @{id} usable value=v{word}{state}\n"),
                _ => format!("  button button \"press {word}\" @{id} usable{state}\n"),
            });
        }
    }
    out
}

fn things() -> impl Strategy<Value = Vec<(u32, Thing)>> {
    proptest::collection::vec((0..3u8, 0..4u8, 0..6u8, any::<bool>()), 0..25).prop_map(|things| {
        things.into_iter().enumerate().map(|(at, thing)| (at as u32 + 10, thing)).collect()
    })
}

/// Two pages, the second made from the first: some things in a different order, some changed, some
/// new.
fn pages() -> impl Strategy<Value = (String, String)> {
    (
        things(),
        any::<u64>(),
        proptest::collection::vec((0..3u8, 0..4u8, 0..6u8, any::<bool>()), 0..6),
    )
        .prop_map(|(before, seed, new)| {
            let mut after: Vec<(u32, Thing)> = before
                .iter()
                .enumerate()
                .filter(|(at, _)| (seed >> (at % 60)) & 7 != 3)
                .map(|(at, (id, thing))| {
                    let mut thing = *thing;
                    if (seed >> ((at * 7) % 60)) & 7 == 5 {
                        thing.2 = (thing.2 + 1) % 6;
                        thing.3 = !thing.3;
                    }
                    (*id, thing)
                })
                .collect();
            if seed & 1 == 1 && after.len() > 3 {
                let last = after.len() - 1;
                after.swap(0, last);
            }
            after.extend(new.into_iter().enumerate().map(|(at, thing)| (at as u32 + 100, thing)));
            (drawn(&before), drawn(&after))
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_page_does_not_differ_from_itself(things in things()) {
        let picture = drawn(&things);
        let (before, after) = (page(&picture), page_in("other", &picture));
        prop_assert!(diff(&before, &before).is_empty());
        prop_assert!(diff(&before, &after).is_empty(), "{}", printed(&diff(&before, &after), 1_000));
    }

    #[test]
    fn the_changes_make_the_one_page_the_other((before, after) in pages()) {
        let (before, after) = (page(&before), page(&after));
        let diff = diff(&before, &after);
        prop_assert_eq!(applied(&diff), outlined(&after));
    }

    #[test]
    fn there_and_back_mirror_each_other((before, after) in pages()) {
        let (mut before, mut after) = (page(&before), page(&after));
        // Without this, every element would count as known and hidden in the opposite direction,
        // because of its number.
        for page in [&mut before, &mut after] {
            page.documents.iter_mut().for_each(|document| document.newest = 0);
        }
        let (there, back) = (diff(&before, &after), diff(&after, &before));
        prop_assert_eq!(summary(&there, false), summary(&back, true));
    }

    #[test]
    fn no_diff_exceeds_its_budget((before, after) in pages(), limit in 40usize..400) {
        let (before, after) = (page(&before), page(&after));
        let text = printed(&diff(&before, &after), limit);
        prop_assert!(crate::text::tokens::count(&text) <= limit, "{text}");
    }
}

fn outlined(page: &Page) -> Vec<String> {
    let options =
        OutlineOptions { fold: false, max_tokens: 1_000_000, ..OutlineOptions::default() };
    let text = outline(page, &options, &mut SequentialNumbers::default()).text;
    let mut lines: Vec<String> =
        text.lines().skip(1).map(|line| without_number(line.trim())).collect();
    lines.sort();
    lines
}

fn without_number(line: &str) -> String {
    match line.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((_, rest)) => rest.to_owned(),
        None => line.to_owned(),
    }
}

/// Applies the listed changes to the lines of the page before.
fn applied(diff: &Diff<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    let says = |lines: &Lines<'_>, at: usize| {
        let item = lines.item(at);
        let states = if item.states.is_empty() {
            String::new()
        } else {
            format!(" — {}", item.states.join(", "))
        };
        format!("{}{}{}{states}", item.body, item.count, item.value)
    };
    let mut at = 0;
    while at < diff.old.lines.len() {
        let change = diff.changes.iter().find(|change| change.old == Some(at));
        match change.map(|change| change.fate) {
            Some(LineFate::Disappeared | LineFate::Hidden) => {
                at = diff.old.lines[at].end;
                continue;
            }
            _ => lines.push((change, says(&diff.old, at))),
        }
        at += 1;
    }
    let mut out: Vec<String> = lines
        .into_iter()
        .map(|(change, mut line)| {
            for detail in change.map(|change| &change.details[..]).unwrap_or_default() {
                line = match detail {
                    Detail::Name(was, now) => line.replacen(was.as_str(), now, 1),
                    Detail::Value(was, now) => {
                        let quoted = |value: &Option<String>| {
                            format!("= {:?}", value.as_deref().unwrap_or_default())
                        };
                        line.replacen(&quoted(was), &quoted(now), 1)
                    }
                    Detail::State(word, true) => format!("{line} — {word}"),
                    Detail::State(word, false) => line.replacen(&format!(" — {word}"), "", 1),
                    _ => line,
                };
            }
            line
        })
        .collect();
    for change in diff
        .changes
        .iter()
        .filter(|change| change.fate == LineFate::Appeared || change.fate == LineFate::Revealed)
    {
        let first = change.new.expect("what appeared has a line");
        out.extend((first..diff.new.lines[first].end).map(|line| says(&diff.new, line)));
    }
    out.sort();
    out
}

/// Summarises a diff, so that it can be compared with the diff in the opposite direction.
fn summary(diff: &Diff<'_>, mirrored: bool) -> Vec<String> {
    let mut out: Vec<String> = diff
        .changes
        .iter()
        .filter_map(|change| {
            let (before, after) = if mirrored {
                (change.after, change.before)
            } else {
                (change.before, change.after)
            };
            let moved_only = matches!(change.details[..], [Detail::Moved(_)]);
            let fate = match (change.fate, mirrored) {
                // Of two lines that swapped places, either may be reported as moved.
                _ if moved_only => return None,
                (LineFate::Changed, _) => "~",
                (LineFate::Appeared | LineFate::Revealed, false)
                | (LineFate::Disappeared | LineFate::Hidden, true) => "+",
                _ => "-",
            };
            Some(format!("{fate} {before:?} {after:?}"))
        })
        .collect();
    out.push(format!(
        "{} moved",
        diff.changes
            .iter()
            .filter(|change| change.details.iter().any(|d| matches!(d, Detail::Moved(_))))
            .count()
    ));
    out.sort();
    out
}
