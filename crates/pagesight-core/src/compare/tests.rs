//! Tests comparisons of pages that are drawn as text: one fault gives one change with the right
//! type, and a page without faults gives none.

use proptest::prelude::*;

use super::*;
use crate::fingerprint::{Fingerprint, FingerprintOptions, extract};
use crate::page::test_page::page;

const SHOP: &str = "header banner @2 block
  nav navigation \"Main\" @3 block
    a link \"Home\" @4 usable href=/
    a link \"Cart (3)\" @5 usable href=/cart
main main @7 block
  h1 heading \"Shop\" @8 level=1
  h2 heading \"Orders (12)\" @9 level=2
  ul list @10 block class=products
    li listitem @11
      'Apple'
      button button \"Add to cart\" @12 usable
    li listitem @13
      'Pear'
      button button \"Add to cart\" @14 usable
    li listitem @15
      'Plum'
      button button \"Add to cart\" @16 usable
  form @20 id=search
    input textbox \"Query\" @21 usable
    input checkbox \"Exact\" @22 usable
    button button \"Search\" @23 usable
  button button \"Save\" @24 usable
  button button \"Delete\" @25 usable
  table table \"Orders\" @30
    tr row @31
      th columnheader \"Id\" @32
    tr row @33
      td cell @34
        'A'
    tr row @35
      td cell @36
        'B'
  img image \"Logo\" @40 src=/logo.png
footer contentinfo @50 block
  a link \"Privacy\" @51 usable href=/privacy";

fn taken(picture: &str) -> Fingerprint {
    extract(&page(picture), &FingerprintOptions::default())
}

fn changes(before: &str, after: &str) -> Vec<Change> {
    compare(&taken(before), &taken(after), &IgnoreRules::default()).changes
}

/// Returns a change in words: `error element_missing button Save`.
fn words(change: &Change) -> String {
    let element = change.element.clone().unwrap_or_default();
    let mut out = format!("{} {}", change.severity.as_str(), change.kind.as_str());
    for part in [element.kind, element.text.or(element.selector)].into_iter().flatten() {
        out.push(' ');
        out.push_str(&part);
    }
    out
}

fn check(after: &str, expected: &[&str]) {
    let found: Vec<String> = changes(SHOP, after).iter().map(words).collect();
    assert_eq!(found, expected);
}

/// Returns the picture without the lines that contain this text.
fn without(what: &str) -> String {
    SHOP.lines().filter(|line| !line.contains(what)).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_page_is_as_itself() {
    let comparison = compare(&taken(SHOP), &taken(SHOP), &IgnoreRules::default());
    assert_eq!(comparison.changes, []);
    assert_eq!(comparison.status, Status::Unchanged);
    assert!(comparison.unchanged.iter().any(|part| part == "header"));
}

#[test]
fn one_fault_is_one_change() {
    check(&without("\"Save\""), &["error element_missing button Save"]);
    check(&without("@14 "), &["error element_missing button Add to cart"]);
    check(&without("\"Query\""), &["error field_missing input Query"]);
    check(&without("\"Exact\""), &["error field_missing checkbox Exact"]);
    check(&without("\"Home\""), &["error element_missing link Home"]);
    check(&without("\"Shop\""), &["error heading_missing heading Shop"]);
    check(&without("\"Logo\""), &["warning element_missing image Logo"]);
    check(
        &without("'B'").replace("    tr row @35\n      td cell @36\n", ""),
        &["warning table_changed table Orders"],
    );
    check(&SHOP.replace("\"Save\"", "\"Store\""), &["warning element_renamed button Store"]);
    check(&SHOP.replace("\"Shop\"", "\"Store\""), &["warning heading_changed heading Store"]);
    check(
        &SHOP.replace("@24 usable", "@24 usable disabled"),
        &["warning element_disabled button Save"],
    );
    check(&SHOP.replace("href=/privacy", "href=/imprint"), &["warning link_changed link Privacy"]);
    check(
        &SHOP.replace("src=/logo.png", "src=/logo.png pagesight:fault=broken"),
        &["warning image_broken image Logo"],
    );
    check(&SHOP.replace("\"Id\"", "\"Number\""), &["warning table_changed table Orders"]);
    check(&SHOP.replace("Cart (3)", "Cart (NaN)"), &["error element_renamed link Cart (NaN)"]);
}

#[test]
fn faults_of_style_alone() {
    check(&SHOP.replace("@24 usable", "@24 usable hidden"), &["error element_hidden button Save"]);
    check(
        &SHOP.replace("@24 usable", "@24 usable pagesight:fault=transparent"),
        &["error element_hidden button Save"],
    );
    check(
        &SHOP.replace("@24 usable", "@24 usable disabled pagesight:fault=unclickable"),
        &["error element_hidden button Save"],
    );
    check(
        &SHOP.replace("@24 usable", "@24 usable under=1"),
        &["error element_covered button Save"],
    );
    check(
        &SHOP.replace("@9 level=2", "@9 level=2 hidden"),
        &["warning element_hidden heading Orders (12)"],
    );
}

#[test]
fn a_lost_landmark_is_reported_once() {
    let without_nav = SHOP
        .lines()
        .filter(|line| {
            !line.contains("navigation") && !line.contains("\"Home\"") && !line.contains("Cart (3)")
        })
        .collect::<Vec<_>>()
        .join("\n");
    check(&without_nav, &["error landmark_missing nav nav"]);
    let hidden = SHOP
        .replace("@3 block", "@3 block hidden")
        .replace("@4 usable", "@4 usable hidden")
        .replace("@5 usable", "@5 usable hidden");
    check(&hidden, &["error element_hidden nav nav"]);
}

#[test]
fn lists_are_not_compared_by_position() {
    let inserted = SHOP.replace(
        "  ul list @10",
        "  ul list @60 block class=filters\n    li listitem @61\n      'Red'\n  ul list @10",
    );
    check(&inserted, &["info element_added list .filters"]);
    let reordered =
        SHOP.replace("'Apple'", "'x'").replace("'Pear'", "'Apple'").replace("'x'", "'Pear'");
    check(&reordered, &["info element_moved list .products"]);
    let emptied = SHOP
        .lines()
        .filter(|line| {
            !["listitem", "Apple", "Pear", "Plum", "Add to cart"]
                .iter()
                .any(|word| line.contains(word))
        })
        .collect::<Vec<_>>()
        .join("\n");
    let found: Vec<String> = changes(SHOP, &emptied).iter().map(words).collect();
    assert!(found.contains(&"warning list_empty list .products".to_owned()), "{found:?}");
}

#[test]
fn volatile_content_is_not_a_change() {
    for (what, after) in [
        ("a counter", SHOP.replace("Cart (3)", "Cart (4)")),
        (
            "wrappers",
            SHOP.replace("  button button \"Save\"", "  div @70\n    button button \"Save\""),
        ),
        ("ids and classes", SHOP.replace("@24 usable", "@24 usable id=a class=b data-testid=c")),
        ("a class of a list", SHOP.replace("class=products", "class=things")),
        ("numbers of elements", SHOP.replace("@2", "@92")),
    ] {
        let found: Vec<String> = changes(SHOP, &after).iter().map(words).collect();
        assert_eq!(found, Vec::<String>::new(), "{what}");
    }
    check(
        &SHOP.replace("Orders (12)", "Orders (13)"),
        &["info heading_changed heading Orders (13)"],
    );
    check(&SHOP.replace("Cart (3)", "Cart (0)"), &["info element_renamed link Cart (0)"]);
}

#[test]
fn states_come_and_go() {
    let alert = format!("{SHOP}\ndiv alert @80\n  'Failed to load'");
    check(&alert, &["error error_appeared Failed to load"]);
    let found: Vec<String> = changes(&alert, SHOP).iter().map(words).collect();
    assert_eq!(found, ["info error_resolved Failed to load"]);
    let covered = SHOP.replace("@24 usable", "@24 usable under=14");
    for blocks in ["modal", "box=0,0,1280,720"] {
        let dialog = format!("{covered}\ndiv dialog \"Edit\" @80 {blocks}");
        check(&dialog, &["warning modal_opened Edit"]);
    }
    // What a banner covers works no more, though the rest of the page does.
    check(
        &format!("{covered}\ndiv dialog \"Cookies\" @80 box=0,520,1280,200"),
        &["error element_covered button Save", "warning modal_opened Cookies"],
    );
}

#[test]
fn a_further_indicator_is_stuck_though_there_was_one() {
    let one = format!("{SHOP}\ndiv progressbar @80 id=top");
    let two = format!("{one}\ndiv progressbar @81 id=list");
    let found: Vec<String> = changes(&one, &two).iter().map(words).collect();
    assert_eq!(found, ["warning loading_stuck #list"]);
    assert_eq!(changes(&two, &one), []);
}

#[test]
fn a_picture_that_is_still_to_come_is_no_alarm() {
    const LINKED: &str = "main main @2 block
  header banner @3 block box=0,0,800,40
    a link \"Home\" @4 usable href=/ box=0,0,90,30
      img image \"Home\" @5 src=/home.png box=0,0,90,30
  ul list @6 block box=0,50,800,90
    li listitem @7 block box=0,50,800,90
      img image \"Apple\" @8 src=/apple.png box=0,50,90,90
  img image \"Chart\" @9 src=/chart.png box=0,200,90,90
  img @10 src=/line.png box=0,300,90,9";
    // While their images are pending, the link, the header around it and the list have no size.
    let pending = LINKED
        .replace("src=", "pagesight:fault=pending src=")
        .replace("@3 block box=0,0,800,40", "@3 block clipped")
        .replace("@4 usable href=/ box=0,0,90,30", "@4 usable href=/ clipped")
        .replace("src=/home.png box=0,0,90,30", "src=/home.png clipped")
        .replace("@6 block box=0,50,800,90", "@6 block clipped")
        .replace("    li listitem @7 block box=0,50,800,90\n      img", "    img")
        .replace("src=/apple.png box=0,50,90,90", "src=/apple.png clipped")
        .replace("src=/line.png box=0,300,90,9", "src=/line.png clipped");
    let broken = LINKED
        .replace("src=/chart.png", "pagesight:fault=broken src=/chart.png")
        .replace("src=/line.png box=0,300,90,9", "pagesight:fault=broken src=/line.png clipped");
    // The image is broken, and the link around it has no size.
    let empty = LINKED
        .replace("@4 usable href=/ box=0,0,90,30", "@4 usable href=/ clipped")
        .replace("src=/home.png box=0,0,90,30", "pagesight:fault=broken src=/home.png clipped");
    for (before, after) in [
        (LINKED, &*pending),
        (&*pending, LINKED),
        (&*pending, &*broken),
        (&*broken, &*pending),
        (&*pending, &*empty),
        (&*empty, &*pending),
    ] {
        let comparison = compare(&taken(before), &taken(after), &IgnoreRules::default());
        let found: Vec<String> = comparison.changes.iter().map(words).collect();
        assert_eq!(comparison.at_least(Severity::Warning), 0, "{found:?}");
    }
    // Images that are not pending are reported as usual.
    let found: Vec<String> = changes(LINKED, &broken).iter().map(words).collect();
    assert_eq!(found[0], "warning image_broken image Chart");
    let clipped = LINKED.replace("@4 usable href=/ box=0,0,90,30", "@4 usable href=/ clipped");
    let found: Vec<String> = changes(LINKED, &clipped).iter().map(words).collect();
    assert_eq!(found, ["error element_hidden link Home"]);
}

#[test]
fn a_region_with_another_number_in_its_name_is_the_same() {
    const BELL: &str = "section region \"Notifications (3)\" @2 block
  h2 heading \"New\" @3 level=2
  button button \"Open\" @4 usable
  a link \"Anna wrote\" @5 usable href=/1
  ul list @6 block
    li listitem @7
      'One'
section region \"Tasks (3)\" @12 block
  h2 heading \"New\" @13 level=2
  button button \"Open\" @14 usable
  ul list @16 block
    li listitem @17
      'One'";
    let found: Vec<String> = changes(BELL, &BELL.replace("(3)", "(4)")).iter().map(words).collect();
    assert_eq!(found, Vec::<String>::new());
    // The missing button is reported in the right one of the two, although its name changed
    // meanwhile.
    let without = BELL
        .replace("Notifications (3)", "Notifications (4)")
        .replace("  button button \"Open\" @4 usable\n", "");
    let found = changes(BELL, &without);
    assert_eq!(found.iter().map(words).collect::<Vec<_>>(), ["error element_missing button Open"]);
    assert_eq!(found[0].location, "section:Notifications (3)");
    let renamed = changes(BELL, &BELL.replace("Notifications (3)", "Messages"));
    assert_eq!(
        renamed.iter().map(words).collect::<Vec<_>>(),
        ["info element_renamed section section:Messages"]
    );
}

#[test]
fn what_stayed_did_not_go_with_its_landmark() {
    let unwrapped = SHOP.replace("nav navigation \"Main\" @3 block", "div @3 block");
    let found = changes(SHOP, &unwrapped);
    assert_eq!(found[0].description, "Landmark 'nav' is no longer there");
    let without = unwrapped.replace("    a link \"Home\" @4 usable href=/\n", "");
    let found = changes(SHOP, &without);
    assert_eq!(
        found[0].description,
        "Landmark 'nav' is no longer there, with the one thing in it that could be used"
    );
}

#[test]
fn another_route_is_said() {
    let mut other = taken(SHOP);
    other.route = "/login".to_owned();
    let comparison = compare(&taken(SHOP), &other, &IgnoreRules::default());
    assert_eq!(comparison.status, Status::RouteChanged);
    assert_eq!(comparison.changes[0].kind, ChangeType::RouteChanged);
}

#[test]
fn what_a_look_that_was_cut_short_did_not_see_is_no_alarm() {
    let mut after = taken(&without("\"Save\""));
    after.truncated = true;
    let found = compare(&taken(SHOP), &after, &IgnoreRules::default()).changes;
    assert_eq!(found.iter().map(words).collect::<Vec<_>>(), ["info element_missing button Save"]);
}

#[test]
fn rules_ignore_and_count() {
    let rules = IgnoreRules(vec![IgnoreRule::Change { text: Some("Sav*".into()), kind: None }]);
    let comparison = compare(&taken(SHOP), &taken(&without("\"Save\"")), &rules);
    assert_eq!((comparison.changes.len(), comparison.ignored), (0, 1));
    let rules = IgnoreRules(vec![IgnoreRule::Change {
        text: None,
        kind: Some(ChangeType::HeadingMissing),
    }]);
    let comparison = compare(&taken(SHOP), &taken(&without("\"Shop\"")), &rules);
    assert_eq!((comparison.changes.len(), comparison.ignored), (0, 1));
    // By selector: entries that are marked, on either side.
    let before = taken(SHOP);
    let mut after = taken(&SHOP.replace("\"Save\"", "\"Store\""));
    for element in after.structure.interactive.iter_mut().filter(|element| element.text == "Store")
    {
        element.ignored = true;
    }
    let comparison = compare(&before, &after, &IgnoreRules::default());
    assert_eq!((comparison.changes.len(), comparison.ignored), (0, 1));
}

#[test]
fn the_answer_is_the_seeds() {
    let comparison = compare(&taken(SHOP), &taken(&without("\"Save\"")), &IgnoreRules::default());
    let answer = answer(&comparison, Severity::Warning);
    assert_eq!(answer["status"], "changed");
    assert_eq!(answer["severity"], "error");
    assert_eq!(
        answer["changes"][0]["element"],
        serde_json::json!({"type": "button", "text": "Save"})
    );
    assert_eq!(answer["changes"][0]["location"], "main");
    assert_eq!(answer["changes"][0]["description"], "Interactive button 'Save' is no longer there");
    assert_eq!(answer["summary"], "1 error change detected");
    let below = super::answer(
        &compare(
            &taken(SHOP),
            &taken(&SHOP.replace("Cart (3)", "Cart (0)")),
            &IgnoreRules::default(),
        ),
        Severity::Warning,
    );
    assert_eq!(below["summary"], "1 info change detected (1 below the threshold)");
    assert_eq!(below["changes"], serde_json::json!([]));
}

#[test]
fn equal_elements_are_matched_by_their_surroundings() {
    let row = |at: usize| {
        format!(
            "  a link \"Thing {at}\" @{} usable href=/things/{at}\n  button button \"Add to cart\" @{} usable\n",
            at * 2 + 10,
            at * 2 + 11
        )
    };
    let picture = |from: usize, to: usize| {
        (from..to).fold("main main @2 block\n".to_owned(), |all, at| all + &row(at))
    };
    let (before, after) = (taken(&picture(0, 3_000)), taken(&picture(5, 3_005)));
    let comparison = compare(&before, &after, &IgnoreRules::default());
    assert!(
        comparison.changes.len() < 20,
        "{:?}",
        comparison.changes.iter().take(20).map(words).collect::<Vec<_>>()
    );
}

/// A random page: some of the lines of the shop, some renamed.
fn random_page() -> impl Strategy<Value = String> {
    let lines = SHOP.lines().count();
    (proptest::collection::vec(0u8..10, lines), 0u32..50).prop_map(|(fates, number)| {
        let mut kept = Vec::new();
        for (line, fate) in SHOP.lines().zip(fates) {
            match fate {
                0 if line.contains("usable") || line.contains("heading") => {}
                1 if line.contains("usable") => kept.push(format!("{line} disabled")),
                2 if line.contains("usable") => kept.push(format!("{line} hidden")),
                3 => kept
                    .push(line.replace("(3)", &format!("({number})")).replace("Delete", "Remove")),
                _ => kept.push(line.to_owned()),
            }
        }
        kept.join("\n")
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn compared_with_itself_nothing_changed(picture in random_page()) {
        let one = taken(&picture);
        prop_assert_eq!(compare(&one, &one, &IgnoreRules::default()).changes, vec![]);
    }

    #[test]
    fn the_mirror_shows_the_same(before in random_page(), after in random_page()) {
        let there = compare(&taken(&before), &taken(&after), &IgnoreRules::default()).changes;
        let back = compare(&taken(&after), &taken(&before), &IgnoreRules::default()).changes;
        let count = |changes: &[Change], kinds: &[ChangeType]| changes.iter().filter(|change| kinds.contains(&change.kind)).count();
        use ChangeType::*;
        for (one, other) in [
            (&[ElementMissing, FieldMissing, HeadingMissing, ElementHidden][..], &[ElementAdded, FieldAdded][..]),
            (&[ElementDisabled][..], &[ElementEnabled][..]),
            (&[ElementRenamed][..], &[ElementRenamed][..]),
            (&[HeadingChanged][..], &[HeadingChanged][..]),
        ] {
            prop_assert_eq!(count(&there, one), count(&back, other), "{:?} / {:?}", there.iter().map(words).collect::<Vec<_>>(), back.iter().map(words).collect::<Vec<_>>());
        }
    }

    #[test]
    fn churn_is_no_change(picture in random_page(), class in "[a-z]{3,8}", number in 0u32..99) {
        let churned: String = picture
            .lines()
            .map(|line| {
                let pad = &line[..line.len() - line.trim_start().len()];
                let line = if line.contains("Cart (3)") { line.replace("Cart (3)", &format!("Cart ({})", number + 1)) } else { line.to_owned() };
                if line.contains('\'') { format!("{line}\n") } else { format!("{line} data-x={class}\n{pad} span @99999 class={class}\n") }
            })
            .collect();
        let found = compare(&taken(&picture), &taken(&churned), &IgnoreRules::default()).changes;
        prop_assert!(found.is_empty(), "{:?}", found.iter().map(words).collect::<Vec<_>>());
    }
}

#[test]
fn listeners_raise_no_alarm_where_the_engine_does_not_report_them() {
    let clickable = format!("{SHOP}\ndiv clickable \"Card\" @60 usable");
    let (mut was, now) = (taken(&clickable), taken(&format!("{SHOP}\ndiv @60\n  'Card'")));
    let changes = |was: &Fingerprint, now: &Fingerprint| -> Vec<String> {
        compare(was, now, &IgnoreRules::default()).changes.iter().map(words).collect()
    };
    assert_eq!(changes(&was, &now), ["warning element_missing clickable Card"]);
    was.deaf = true;
    assert_eq!(changes(&was, &now), ["info element_missing clickable Card"]);
}

#[test]
fn a_name_that_was_not_there_is_no_alarm() {
    let nameless = SHOP.replace("button \"Save\"", "button");
    let named: Vec<String> = changes(&nameless, SHOP).iter().map(words).collect();
    assert_eq!(named, ["info element_renamed button Save"]);
    let lost: Vec<String> = changes(SHOP, &nameless).iter().map(words).collect();
    assert!(lost.iter().all(|change| change.starts_with("warning element_renamed")), "{lost:?}");
}

#[test]
fn items_that_hold_nothing_are_no_items() {
    let more = SHOP
        .replace("    li listitem @15", "    li listitem @17\n      div @18\n    li listitem @15");
    check(&more, &[]);
    let drawn = SHOP.replace(
        "    li listitem @15",
        "    li listitem @17\n      svg image @18\n    li listitem @15",
    );
    assert!(!changes(SHOP, &drawn).is_empty());
}

#[test]
fn sentences_about_elements_without_a_name_have_hints() {
    let before = "main main block\n  button button usable clue:icon=trash\n  button button usable clue:icon=star";
    let sentence = |changes: Vec<Change>| {
        changes.into_iter().map(|change| change.description).collect::<Vec<_>>().join("; ")
    };
    let gone = before.replace("  button button usable clue:icon=trash\n", "");
    assert_eq!(
        sentence(changes(before, &gone)),
        "Interactive button (trash icon) is no longer there"
    );
    // A stored baseline has no guesses, so the live element is named.
    let stored = serde_json::to_string(&taken(before)).unwrap();
    assert!(!stored.contains("trash"));
    let stored: Fingerprint = serde_json::from_str(&stored).unwrap();
    let now = taken(&before.replace("clue:icon=star", "disabled clue:icon=star"));
    let changes = compare(&stored, &now, &IgnoreRules::default()).changes;
    assert_eq!(sentence(changes), "Button (star icon) is now disabled");
}
