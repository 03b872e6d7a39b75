//! Tests outlines of pages that are drawn as text, and properties that hold for any page.

use proptest::prelude::*;

use crate::page::test_page::{page, wire};
use crate::page::{NodeId, Page, Scope};
use crate::render::{Filter, OutlineOptions, SequentialNumbers, outline};
use crate::text::tokens::count;
use crate::wire::decode::decode;

/// Returns the outline of a picture without its first line, the title.
pub(super) fn lines(picture: &str, options: &OutlineOptions) -> String {
    let text = outline(&page(picture), options, &mut SequentialNumbers::default()).text;
    text.split_once('\n').expect("an outline has a title").1.to_owned()
}

pub(super) fn check(picture: &str, expected: &str) {
    let expected: String =
        expected.trim_matches('\n').lines().map(|line| format!("{line}\n")).collect();
    assert_eq!(lines(picture, &OutlineOptions::default()), expected);
}

#[test]
fn wrappers_are_invisible_and_inline_text_is_joined() {
    check(
        "body block\n  div block\n    div block\n      p block\n        'Some '\n        b\n          'bold'\n        ' text'\n      p block\n        'More.'",
        "Some bold text\nMore.",
    );
}

#[test]
fn a_link_is_one_line_and_breaks_the_text_around_it() {
    check(
        "p block\n  'See the '\n  a link \"docs\" usable by-content\n    'docs'\n  ' for more'\n  '.'",
        "See the\n[1] link: docs\nfor more.",
    );
}

#[test]
fn a_field_says_its_label_once() {
    check(
        "p block\n  'Size'\ndiv radiogroup \"Size\" block\n  input radio \"S\" usable\n  input radio \"M\" usable",
        "radiogroup: Size\n  [1] radio: S\n  [2] radio: M",
    );
    check(
        "div block\n  label labels=2\n    'Name'\n    input textbox \"Name\" usable value=Ada required\ndiv block\n  span\n    'City:'\n  input textbox \"City\" usable value=",
        "[1] textbox: Name = \"Ada\" — required\n[2] textbox: City = \"\"",
    );
}

#[test]
fn a_heading_that_is_a_link_says_it_once() {
    check(
        "h2 heading \"News\" level=2 block\n  a link \"News\" usable by-content\n    'News'\nh2 heading \"All the news\" level=2 block\n  'All the '\n  a link \"news\" usable by-content\n    'news'",
        "heading 2\n  [1] link: News\nheading 2: All the news\n  [2] link: news",
    );
}

#[test]
fn what_is_used_in_a_picture_has_a_line() {
    check(
        "div image block\n  button button \"\" usable\ndiv image \"Chart\" block\n  'axis'\n  button button \"Zoom\" usable by-content\n    'Zoom'\nhr separator\n  button button \"Resize\" usable",
        "[1] button\nimage: Chart\n  [2] button: Zoom\n[3] button: Resize",
    );
}

#[test]
fn rows_and_items_carry_their_text() {
    check(
        "ul list \"Todo\" block\n  li listitem block\n    'Milk'\n  li listitem block\n    a link \"Bread\" usable by-content\n      'Bread'\n  li listitem block\n    'Eggs '\n    button button \"Delete\" usable by-content\n      'Delete'",
        "list: Todo (3)\n  Milk\n  [1] link: Bread\n  listitem: Eggs\n    [2] button: Delete",
    );
    check(
        "table table \"Orders\" block\n  tr row block\n    th columnheader \"No\" block\n      'No'\n    th columnheader \"Name, full\" block\n      'Name, full'\n  tr row block\n    td cell block\n      '1042'\n    td cell block\n      'Apollo'",
        "table: Orders (1 row)\n  columns: No, \"Name, full\"\n  row: 1042 Apollo",
    );
}

#[test]
fn what_is_hidden_is_not_shown_and_states_are() {
    check(
        "main main block\n  button button \"A\" usable hidden\n  button button \"B\" usable disabled focused\n  span aria-hidden\n    '•'",
        "main\n  [1] button: B — disabled, focused",
    );
}

#[test]
fn page_text_cannot_pass_for_ours() {
    check(
        "p block\n  '[9] button: Pay'\np block\n  'main'\nbutton button \"x — checked\" usable",
        "\"[9] button: Pay\"\n\"main\"\n[1] button: \"x — checked\"",
    );
}

/// A table of rows with a button each, and a button after it.
fn shop(rows: usize) -> String {
    let mut picture = String::from("main main block\n  table table \"Products\" block\n");
    for row in 1..=rows {
        picture.push_str(&format!(
            "    tr row block\n      td cell block\n        'Product {row}'\n      td cell block\n        button button \"Add to cart\" usable by-content\n          'Add to cart'\n"
        ));
    }
    picture.push_str("  button button \"Buy\" usable by-content\n    'Buy'\n");
    picture
}

#[test]
fn a_long_run_is_three_samples_and_a_count() {
    let text = lines(&shop(300), &OutlineOptions::default());
    assert_eq!(
        text,
        "main\n  [1] table: Products (300 rows)\n    row: Product 1\n      [2] button: Add to cart\n    row: Product 2\n      [3] button: Add to cart\n    row: Product 3\n      [4] button: Add to cart\n    … 297 more rows in [1] table: Products — scope [1]\n  [5] button: Buy\n"
    );
    let twelve = lines(&shop(12), &OutlineOptions::default());
    assert!(twelve.contains("Product 12") && !twelve.contains('…'), "{twelve}");
    let thirteen = lines(&shop(13), &OutlineOptions::default());
    assert!(thirteen.contains("… 10 more rows"), "{thirteen}");
    let unfolded = lines(&shop(300), &OutlineOptions { fold: false, ..OutlineOptions::default() });
    assert!(unfolded.contains("Product 300"));
}

#[test]
fn an_opened_region_is_paged_through_to_its_end() {
    let page = page(&shop(300));
    let table = page.nodes().find(|node| node.tag() == "table").expect("it has one").id();
    let mut numbers = SequentialNumbers::default();
    let mut options =
        OutlineOptions { scope: Scope::Node(table), max_tokens: 600, ..OutlineOptions::default() };
    let mut seen: Vec<String> = Vec::new();
    for _ in 0..60 {
        let text = outline(&page, &options, &mut numbers).text;
        assert!(count(&text) <= 600);
        seen.extend(
            text.lines().filter_map(|line| line.split_once("row: ")).map(|(_, row)| row.to_owned()),
        );
        let Some((_, after)) = text.split_once("after [") else { break };
        let number = after.split_once(']').expect("a reference ends").0.parse().expect("a number");
        options.after = numbers.node(number);
    }
    // A row whose button did not fit is shown again above it; no other row is.
    seen.dedup();
    assert_eq!(seen.len(), 300, "every row once, in order");
    assert_eq!(seen.last().map(String::as_str), Some("Product 300"));
}

#[test]
fn a_query_finds_what_is_folded_and_keeps_its_contents() {
    let options = OutlineOptions { query: Some("product 250".into()), ..OutlineOptions::default() };
    assert_eq!(
        lines(&shop(300), &options),
        "main\n  table: Products (300 rows)\n    row: Product 250\n      [1] button: Add to cart\n"
    );
}

#[test]
fn a_form_in_the_main_content_is_folded_last() {
    let mut picture = String::from("main main block\n  ol list \"Path\" block\n");
    for n in 0..9 {
        picture.push_str(&format!(
            "    li listitem block\n      a link \"A long breadcrumb with number {n}\" usable by-content\n      'and more'\n"
        ));
    }
    picture.push_str("  ul list block\n");
    for n in 0..12 {
        picture.push_str(&format!(
            "    li listitem block\n      'Note {n}'\n      input textbox \"Field {n}\" usable\n"
        ));
    }
    picture.push_str("  button button \"Send\" usable\n");
    let text = lines(&picture, &OutlineOptions { max_tokens: 340, ..OutlineOptions::default() });
    for n in 0..12 {
        assert!(text.contains(&format!("textbox: Field {n}")), "{text}");
    }
    assert!(text.contains("button: Send") && !text.contains("number 8"), "{text}");
}

#[test]
fn interactive_only_keeps_the_places() {
    let options = OutlineOptions { filter: Filter::Interactive, ..OutlineOptions::default() };
    let picture = "main main block\n  h1 heading \"Hi\" level=1 block\n    'Hi'\n  p block\n    'Text'\n  button button \"Go\" usable";
    assert_eq!(lines(picture, &options), "main\n  [1] button: Go\n");
}

#[test]
fn under_a_small_budget_text_goes_before_controls_and_everything_is_counted() {
    let mut picture = String::from("main main block\n");
    for n in 0..40 {
        picture.push_str(&format!(
            "  p block\n    'Paragraph {n} explains the matter at some length, as paragraphs do.'\n"
        ));
    }
    picture.push_str("  button button \"Buy\" usable\nfooter contentinfo block\n");
    for n in 0..10 {
        picture.push_str(&format!(
            "  a link \"Imprint {n}\" usable by-content\n    'Imprint {n}'\n  p block\n    'x{n}'\n"
        ));
    }
    let text = lines(&picture, &OutlineOptions { max_tokens: 200, ..OutlineOptions::default() });
    assert!(text.contains("button: Buy"), "{text}");
    assert!(text.contains("40 texts"), "{text}");
    assert!(text.contains("contentinfo") && text.contains("10 links"), "{text}");
}

#[test]
fn a_very_deep_and_a_very_wide_page_are_no_problem() {
    let mut deep = String::new();
    for depth in 0..2_000 {
        deep.push_str(&format!("{}div block\n", " ".repeat(depth)));
    }
    deep.push_str(&format!("{}button button \"Deep\" usable\n", " ".repeat(2_000)));
    assert_eq!(lines(&deep, &OutlineOptions::default()), "[1] button: Deep\n");
    let wide: String = (0..20_000).map(|n| format!("p block\n  'Text {n} of many'\n")).collect();
    let text = lines(&wide, &OutlineOptions::default());
    assert!(text.contains("texts") && count(&text) <= 8_000, "{}", &text[text.len() - 200..]);
}

/// Words that pages are made of, ordinary and nasty.
fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z]{1,9}( [a-z]{1,9}){0,12}",
        1 => "[A-Za-z0-9_/+=]{20,80}",
        1 => "[\\PC]{1,40}",
        1 => "([ϢϣϤϥϦϧԖԗԘԙҨӁƣȢȣƔƟǶǷȜɎ]{1,12} ?){1,12}",
        1 => "[\"\\\\]{1,60}",
        1 => Just("ﷺ𓀀🏳️‍🌈 — [9] = \"x\"".to_owned()),
        1 => "([ァ-ヶ一-龠]{1,20} ?){1,5}",
    ]
}

/// A random page as a picture.
fn pictures() -> impl Strategy<Value = String> {
    let node = (0usize..6, 0usize..12, words(), any::<bool>());
    proptest::collection::vec(node, 1..160).prop_map(|nodes| {
        let mut depth = 0usize;
        let mut picture = String::new();
        for (step, kind, text, flag) in nodes {
            depth = if step < 2 { depth + 1 } else { depth.saturating_sub(step - 2) };
            let text = text.replace(['"', '\n', '\r'], " ");
            let pad = " ".repeat(depth);
            let usable = if flag { "usable" } else { "" };
            let line = match kind {
                0 => format!("main main \"{text}\" block"),
                1 => format!("nav navigation \"{text}\" block"),
                2 => "ul list block".to_owned(),
                3 => "li listitem block".to_owned(),
                4 => format!("button button \"{text}\" usable"),
                5 => format!("a link \"{text}\" usable by-content"),
                6 => format!("input textbox \"{text}\" usable value=x"),
                7 => format!("h2 heading \"{text}\" level=2 block"),
                8 => format!("table table \"{text}\" block"),
                9 => "tr row block".to_owned(),
                10 => format!("div block {usable}"),
                _ => format!("'{text}'"),
            };
            picture.push_str(&format!("{pad}{line}\n"));
            if kind == 11 {
                depth = depth.saturating_sub(1);
            }
        }
        picture
    })
}

/// A random page of few words and boxes, so that elements are nested, labelled and nameless.
fn nested_pictures() -> impl Strategy<Value = String> {
    let node = (0usize..6, 0usize..9, 0usize..3, 0usize..2);
    proptest::collection::vec(node, 1..60).prop_map(|nodes| {
        let mut depth = 0usize;
        let mut picture = String::new();
        for (step, kind, word, size) in nodes {
            depth = if step < 3 { depth + 1 } else { depth.saturating_sub(step - 3) };
            let (name, side) = (["", "Apollo", "Zeus"][word], [90, 900][size]);
            let line = match kind {
                0 => "li listitem block".to_owned(),
                1 => format!("li listitem \"{name}\" usable block box=0,0,{side},30"),
                2 => "div block".to_owned(),
                3 => format!("button button \"{name}\" usable box=0,0,{side},30"),
                4 => format!("a link \"{name}\" usable by-content box=0,0,{side},30"),
                5 => format!("div clickable \"{name}\" usable block box=0,0,{side},30"),
                6 => format!("input checkbox \"{name}\" usable box=0,0,{side},30"),
                7 => format!("div option \"{name}\" usable selected box=0,0,{side},30"),
                _ => format!("'{name} text'"),
            };
            picture.push_str(&format!("{}{line}\n", " ".repeat(depth)));
            if kind == 8 {
                depth = depth.saturating_sub(1);
            }
        }
        picture
    })
}

fn random_page(picture: &str) -> Page {
    decode(&wire("doc", picture)).expect("a picture decodes")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_outline_is_larger_than_its_budget(
        picture in pictures(), budget in 200usize..3_000, fold: bool,
        title in words(), scope in any::<Option<prop::sample::Index>>(), after in any::<Option<prop::sample::Index>>(),
        query in proptest::option::of("[a-e]")
    ) {
        let mut page = random_page(&picture);
        page.title = title.repeat(8);
        page.documents[0].url = format!("http://localhost/{}", title.repeat(20));
        let pick = |index: prop::sample::Index| NodeId(index.index(page.len()) as u32);
        let scope = scope.map_or(Scope::Full, |index| Scope::Node(pick(index)));
        let options = OutlineOptions { max_tokens: budget, fold, scope, after: after.map(pick), query, ..OutlineOptions::default() };
        let text = outline(&page, &options, &mut SequentialNumbers::default()).text;
        prop_assert!(count(&text) <= budget, "{} tokens of {budget}:\n{text}", count(&text));
    }

    #[test]
    fn every_usable_element_is_shown_once(picture in pictures()) {
        let page = random_page(&picture);
        let options = OutlineOptions { max_tokens: 1_000_000, fold: false, ..OutlineOptions::default() };
        let shown = outline(&page, &options, &mut SequentialNumbers::default()).shown;
        let mut nodes: Vec<NodeId> = shown.iter().map(|(node, _)| *node).collect();
        nodes.sort_unstable();
        let usable: Vec<NodeId> = page.nodes()
            .filter(|node| node.is(crate::page::Flags::USABLE) && node.hidden().is_none())
            .map(|node| node.id()).collect();
        prop_assert_eq!(nodes, usable);
    }

    #[test]
    fn merging_and_counting_lose_no_usable_element(picture in nested_pictures()) {
        let page = random_page(&picture);
        let usable: Vec<NodeId> = page.nodes()
            .filter(|node| node.is(crate::page::Flags::USABLE) && node.hidden().is_none())
            .map(|node| node.id()).collect();
        let items = super::lines(&page);
        let mut stood_for: Vec<NodeId> = items.iter().filter(|item| item.numbered)
            .flat_map(|item| super::stands_for(&page, item).map(|node| node.id())).collect();
        stood_for.sort_unstable();
        prop_assert_eq!(&stood_for, &usable);
        let items = super::targets::fold(super::labels::join(&page, items), None);
        let counted: usize = items.iter().filter(|item| item.numbered)
            .map(|item| 1 + item.also.len() + item.counted.len()).sum();
        prop_assert_eq!(counted, usable.len());
    }

    #[test]
    fn the_same_page_gives_the_same_bytes(picture in pictures()) {
        let page = random_page(&picture);
        let once = outline(&page, &OutlineOptions::default(), &mut SequentialNumbers::default());
        let twice = outline(&page, &OutlineOptions::default(), &mut SequentialNumbers::default());
        prop_assert_eq!(once, twice);
    }
}

#[test]
fn paragraphs_are_paged_through_with_the_numbers_of_a_session() {
    let mut picture = String::from("main main block\n  'Bare text first'\n");
    for n in 1..=60 {
        picture.push_str(&format!("  p block\n    'Paragraph {n} has a few words.'\n"));
    }
    let page = page(&picture);
    let mut references = crate::refs::References::default();
    references.observe(1, &std::sync::Arc::new(page.clone()));
    let main = page.nodes().find(|node| node.tag() == "main").expect("it has one").id();
    let mut options =
        OutlineOptions { scope: Scope::Node(main), max_tokens: 250, ..OutlineOptions::default() };
    let mut seen = Vec::new();
    for _ in 0..40 {
        let text = outline(&page, &options, &mut references.numbering(&page)).text;
        seen.extend(
            text.match_indices("Paragraph ")
                .map(|(at, _)| text[at + 10..].split(' ').next().unwrap_or("").to_owned()),
        );
        let Some((_, after)) = text.split_once("after [") else { break };
        let given = after.split_once(']').expect("a reference ends").0;
        let reference = references.resolve(1, given, |_| None).expect("it was just given");
        options.after = Some(references.find(&reference, &page).expect("it is still there"));
    }
    assert_eq!(seen, (1..=60).map(|n| n.to_string()).collect::<Vec<_>>(), "each once, in order");
}

#[test]
fn going_on_inside_a_row_does_not_fold_the_table_again() {
    let page = page(&shop(40));
    let mut numbers = SequentialNumbers::default();
    let button =
        page.nodes().filter(|node| node.tag() == "button").nth(1).expect("the second row's").id();
    let options = OutlineOptions {
        after: Some(button),
        filter: Filter::Interactive,
        ..OutlineOptions::default()
    };
    let text = outline(&page, &options, &mut numbers).text;
    assert!(text.contains("Product 40") && !text.contains("more rows"), "{text}");
    assert!(!text.contains("Product 2\n"), "{text}");
}

#[test]
fn what_is_left_out_is_counted_also_when_it_is_only_text() {
    let rows: String = (0..300)
        .map(|n| format!("  tr row block\n    td cell block\n      'Row number {n}'\n"))
        .collect();
    let page = page(&format!("table table \"T\" block\n{rows}"));
    let table = page.nodes().find(|node| node.tag() == "table").expect("it has one").id();
    let options =
        OutlineOptions { scope: Scope::Node(table), max_tokens: 250, ..OutlineOptions::default() };
    let text = outline(&page, &options, &mut SequentialNumbers::default()).text;
    let (_, more) = text.split_once("more: ").expect("something is left out");
    let left: usize =
        more.split(' ').next().and_then(|number| number.parse().ok()).expect("it is counted");
    assert_eq!(left + text.matches("row: ").count(), 300, "{text}");
}

#[test]
fn a_name_cannot_be_broken_by_our_own_words() {
    let items: String = (0..20).map(|n| format!("  li listitem block\n    'item {n}'\n")).collect();
    let text = lines(
        &format!("ul list \"Name (300) — in [3]\" block\n{items}"),
        &OutlineOptions::default(),
    );
    assert!(text.contains("[1] list: \"Name (300) — in [3]\" (20)\n"), "{text}");
    assert!(
        text.contains("… 17 more items in [1] list: \"Name (300) — in [3]\" — scope [1]"),
        "{text}"
    );
}

#[test]
fn symbols_that_mean_something_stay_and_decoration_goes() {
    check(
        "p block\n  '★★★☆☆'\np block\n  '✅'\np block\n  '•'\np block\n  '→ |'\np block\n  span aria-hidden\n    '$12.99'\n  span aria-hidden\n    '★'",
        "★★★☆☆\n✅\n$12.99",
    );
}

#[test]
fn paging_moves_on_whatever_is_around() {
    let mut picture = String::new();
    for depth in 0..6 {
        let name = format!(
            "Region {depth} with a long name that takes a good many tokens of the budget away from what is inside it"
        );
        picture.push_str(&format!("{}section region \"{name}\" block\n", " ".repeat(depth)));
    }
    for n in 1..=30 {
        picture.push_str(&format!("{}button button \"Button {n}\" usable\n", " ".repeat(6)));
    }
    let page = page(&picture);
    let mut numbers = SequentialNumbers::default();
    let mut options = OutlineOptions { max_tokens: 200, ..OutlineOptions::default() };
    options.scope =
        Scope::Node(page.nodes().find(|node| node.tag() == "section").expect("it has one").id());
    let mut seen = Vec::new();
    for _ in 0..60 {
        let text = outline(&page, &options, &mut numbers).text;
        seen.extend(
            text.lines()
                .filter_map(|line| line.split_once("button: "))
                .map(|(_, name)| name.to_owned()),
        );
        let Some((_, after)) = text.split_once("after [") else { break };
        options.after = numbers
            .node(after.split_once(']').expect("a reference ends").0.parse().expect("a number"));
    }
    assert_eq!(seen, (1..=30).map(|n| format!("Button {n}")).collect::<Vec<_>>());
}

#[test]
fn a_title_of_quotes_ends() {
    let mut page = page("button button \"Go\" usable");
    page.title = "\"".repeat(200);
    let options = OutlineOptions { max_tokens: 200, ..OutlineOptions::default() };
    let text = outline(&page, &options, &mut SequentialNumbers::default()).text;
    assert!(text.contains("button: Go") && count(&text) <= 200, "{text}");
}

#[test]
fn what_is_covered_says_by_what() {
    check(
        "main main block\n  button button \"Buy\" usable disabled under=2\ndiv dialog \"Cookies\" block\n  div block\n    p block\n      'We use them.'\n    button button \"Accept\" usable",
        "main\n  [1] button: Buy — disabled, covered by [2]\n[2] dialog: Cookies\n  We use them.\n  [3] button: Accept",
    );
}

#[test]
fn what_scrolls_is_called_the_same_everywhere() {
    let picture = "div block\n  div \"Slides\" block scrolls @7\n    'One'\nspan @9";
    check(picture, "[1] scrollable: Slides\n  One");
    let page = page(picture);
    let called = |local: u32| page.find("doc", local).map(|id| super::headline(page.node(id)));
    assert_eq!(called(7).as_deref(), Some("scrollable: Slides"));
    assert_eq!(called(9).as_deref(), Some("span"));
}

#[test]
fn a_label_in_a_row_is_said_by_its_field_only() {
    check(
        "table table \"T\" block\n  tr row block\n    td cell block\n      'Apollo'\n    td cell block\n      label labels=2\n        'Amount'\n        input textbox \"Amount\" usable value=3",
        "table: T (1 row)\n  row: Apollo\n    [1] textbox: Amount = \"3\"",
    );
}

#[test]
fn long_texts_are_shortened_before_anything_is_folded() {
    let long = "many words about it ".repeat(40);
    let picture = format!(
        "main main block\n  p block\n    '{long}'\n  p block\n    '{long}'\n  button button \"Go\" usable"
    );
    let text = lines(&picture, &OutlineOptions { max_tokens: 200, ..OutlineOptions::default() });
    assert_eq!(text.matches("… (+").count(), 2, "{text}");
    assert!(text.contains("button: Go") && !text.contains("texts"), "{text}");
}

#[test]
fn a_menu_item_leads_its_submenu() {
    check(
        "ul list block\n  li listitem block\n    a link \"News\" usable by-content\n      'News'\n    ul list block\n      li listitem block\n        a link \"Cloud\" usable by-content\n          'Cloud'\n      li listitem block\n        a link \"Careers\" usable by-content\n          'Careers'\n  li listitem block\n    a link \"Join\" usable by-content\n      'Join'",
        "list (2)\n  [1] link: News\n    list (2)\n      [2] link: Cloud\n      [3] link: Careers\n  [4] link: Join",
    );
}

#[test]
fn what_lies_below_a_cover_is_counted_when_the_budget_is_short() {
    let buttons: String = (10..60)
        .map(|id| format!("  button button \"Part number {id}\" @{id} usable under={}\n", 60 - id))
        .collect();
    let picture = format!(
        "main main @2\n{buttons}dialog dialog \"Cookies\" @90 block\n  button button \"Accept\" @91 usable"
    );
    let options = OutlineOptions { max_tokens: 300, fold: false, ..OutlineOptions::default() };
    let text = lines(&picture, &options);
    assert_eq!(
        text,
        "main\n  … 50 buttons — covered by [1]\n[1] dialog: Cookies\n  [2] button: Accept\n"
    );
}
