//! Tests each rule with a page before and after, and cases that went wrong once. Pages are drawn as
//! in `test_page.rs`; the expected text is the snapshot without numbers.

use crate::page::test_page::page;
use crate::page::{NodeId, Page, Scope};
use crate::pipeline::metrics::estimate_tokens;
use crate::pipeline::{
    CompactionMetrics, Emitted, NodeFate, PipelineConfig, PipelineRule, Sizes, Stage, Times, View,
    view,
};
use crate::render::{SequentialNumbers, SnapshotFormat, SnapshotOptions, measured, snapshot};

const OFF: PipelineConfig = PipelineConfig::OFF;
const ON: PipelineConfig = PipelineConfig::DEFAULT;

/// Returns the snapshot below the root, without the numbers.
fn printed(page: &Page, config: PipelineConfig) -> String {
    let view = view(page, &config);
    let text = snapshot(&view, &SnapshotOptions::WHOLE, &mut SequentialNumbers::default()).text;
    let lines = text.lines().skip(1).map(|line| {
        let rest = line.trim_start();
        let depth = (line.len() - rest.len()).saturating_sub(2);
        let rest = if rest.starts_with("uid=") {
            rest.split_once(' ').map_or("", |(_, rest)| rest)
        } else {
            rest
        };
        format!("{}{rest}\n", " ".repeat(depth))
    });
    lines.collect()
}

#[track_caller]
fn check(config: PipelineConfig, picture: &str, expected: &str) {
    let expected: String =
        expected.trim_matches('\n').lines().map(|line| format!("{line}\n")).collect();
    assert_eq!(printed(&page(picture), config), expected);
}

// F1

const F1: PipelineConfig = PipelineConfig { enable_visibility_filter: true, ..OFF };

#[test]
fn hidden_things_go_and_everything_else_stays() {
    let picture = "div block\n  p block hidden\n    'Gone'\n  p block\n    'Here'";
    check(F1, picture, "div node_id=1001\n  p node_id=1004 text=\"Here\"");
}

#[test]
fn what_is_visible_inside_hidden_stays() {
    let picture = "div block hidden\n  button button \"Go\" usable\n    'Go'";
    check(ON, picture, "button text=\"Go\"");
}

#[test]
fn wrappers_of_no_size_give_way_to_their_visible_children() {
    let picture = "div block hidden\n  div block hidden\n    a link \"Seen\" usable by-content href=/x\n      'Seen'";
    check(ON, picture, "a href=\"/x\" text=\"Seen\"");
}

#[test]
fn removal_does_not_cascade_until_the_page_is_empty() {
    let picture = "body block hidden\n  div block hidden\n    main main block\n      p block\n        'Still here'";
    check(ON, picture, "main\n  p text=\"Still here\"");
}

#[test]
fn aria_hidden_takes_only_decoration_and_nothing_of_a_dialog() {
    let picture = "p block\n  span aria-hidden\n    '•'\n  span aria-hidden\n    'Read me'";
    check(F1, picture, "p node_id=1001\n  span node_id=1002\n  span node_id=1004 text=\"Read me\"");
    let picture = "div dialog block aria-hidden\n  p block aria-hidden\n    '•'\n  button button \"OK\" usable aria-hidden\n    'OK'";
    check(
        F1,
        picture,
        "div role=\"dialog\" node_id=1001\n  p node_id=1002 text=\"•\"\n  button role=\"button\" name=\"OK\" node_id=1004 text=\"OK\"",
    );
}

#[test]
fn what_is_hidden_and_usable_is_counted() {
    let shown = printed(
        &page(
            "main main block\n  button button \"A\" usable hidden\n  button button \"B\" usable\n    'B'",
        ),
        ON,
    );
    assert!(shown.contains("1 hidden usable element left out"), "{shown}");
}

// F2

const F2: PipelineConfig = PipelineConfig { enable_text_node_filter: true, ..OFF };

#[test]
fn single_letters_digits_and_symbols_with_a_meaning_stay() {
    let picture = "ul block\n  li block\n    '3'\n  li block\n    'x'\n  li block\n    '★'\n  li block\n    '|'";
    check(
        F2,
        picture,
        "ul node_id=1001\n  li node_id=1002 text=\"3\"\n  li node_id=1004 text=\"x\"\n  li node_id=1006 text=\"★\"\n  li node_id=1008",
    );
}

#[test]
fn the_sign_of_a_button_and_the_dash_of_a_cell_stay() {
    let picture = "button button usable\n  span\n    '×'\ntd cell block\n  '–'";
    check(
        F2,
        picture,
        "button role=\"button\" node_id=1001\n  span node_id=1002 text=\"×\"\ntd role=\"cell\" node_id=1004 text=\"–\"",
    );
}

#[test]
fn marks_that_belong_to_words_stay_and_bars_between_links_go() {
    let picture = "p block\n  b\n    'Hello'\n  ','\n  ' '\n  b\n    'world'\n  '!'";
    assert_eq!(printed(&page(picture), ON), "p text=\"Hello, world!\"\n");
    let links = "nav block\n  a link \"A\" usable\n    'A'\n  '|'\n  a link \"B\" usable\n    'B'";
    assert_eq!(printed(&page(links), ON), "nav\n  a text=\"A\"\n  a text=\"B\"\n");
}

#[test]
fn the_brackets_of_code_are_no_decoration() {
    let picture = "pre block\n  span\n    'max'\n  span\n    '('\n  span\n    'n'\n  span\n    ')'\n  span\n    ';'\np block\n  span\n    '|'";
    assert_eq!(printed(&page(picture), ON), "pre text=\"max(n);\"\n");
}

#[test]
fn longer_texts_can_be_asked_to_be_tiny_but_never_words() {
    let picture = "p block\n  '--'\np block\n  'ok'";
    let config = PipelineConfig { min_text_length: 3, ..ON };
    assert_eq!(printed(&page(picture), ON), "p text=\"--\"\np text=\"ok\"\n");
    assert_eq!(printed(&page(picture), config), "p text=\"ok\"\n");
    assert_eq!(
        printed(&page(picture), PipelineConfig { min_text_length: 0, ..ON }),
        "p text=\"--\"\np text=\"ok\"\n"
    );
}

// F3

#[test]
fn noise_goes_with_what_is_in_it_and_only_by_its_own_rule() {
    let picture =
        "head hidden\n  title hidden\n    'T'\nscript hidden\n  'code()'\np block\n  'Text'";
    check(ON, picture, "p text=\"Text\"");
    let config = PipelineConfig { enable_noise_filter: false, ..ON };
    check(
        config,
        picture,
        "head hidden\n  title hidden text=\"T\"\nscript hidden text=\"code()\"\np text=\"Text\"",
    );
    let page = page(picture);
    let nodes: Vec<NodeId> = page.nodes().map(|node| node.id()).collect();
    assert_eq!(view(&page, &ON).removed(&nodes).get(&PipelineRule::Noise), Some(&5));
}

// F4

#[test]
fn containers_that_carry_text_stay_without_any_control() {
    let picture = "article article block\n  p block\n    'News'\ntable table block\n  tr row block\n    td cell block\n      '1'\ndiv alert block\n  'Failed'\nsection block\n  div block";
    check(
        ON,
        picture,
        "article\n  p text=\"News\"\ntable\n  tr\n    td text=\"1\"\ndiv role=\"alert\" text=\"Failed\"",
    );
}

#[test]
fn an_empty_cell_keeps_its_column() {
    let picture = "table table block\n  tr row block\n    td cell block\n    td cell block\n      '7'\n  tr row block\n    td cell block";
    check(ON, picture, "table\n  tr\n    td\n    td text=\"7\"");
}

#[test]
fn live_regions_names_pictures_and_players_stay_though_empty() {
    let picture = "div status live block\nimg image src=/a.png\nimg src=/decoration.png\nvideo\nsection region \"Named\" block\ndiv block";
    check(ON, picture, "div role=\"status\"\nimg src=\"/a.png\"\nvideo\nsection name=\"Named\"");
}

// F5

#[test]
fn what_is_obscured_goes_alone_and_is_counted() {
    let picture = "div block\n  button button \"Under\" usable obscured\n    'Under'\n  span\n    'Beside'\n  button button \"Over\" usable\n    'Over'";
    let shown = printed(&page(picture), ON);
    assert!(shown.starts_with("div text=\"Beside\"\n  button text=\"Over\"\n"), "{shown}");
    assert!(shown.contains("1 covered usable element left out"), "{shown}");
    let off = printed(&page(picture), PipelineConfig { enable_paint_order_filter: false, ..ON });
    assert!(off.contains("button text=\"Under\""), "{off}");
}

#[test]
fn a_translucent_cover_is_reported_and_removes_nothing() {
    let picture = "button button \"Under\" usable under=2\n  'Under'\ndiv dialog \"Box\" block";
    check(ON, picture, "button covered_by=1_3 text=\"Under\"\ndiv role=\"dialog\" name=\"Box\"");
}

// S2.1

const S1: PipelineConfig = PipelineConfig { enable_text_collapsing: true, ..OFF };

#[test]
fn texts_side_by_side_are_one_with_their_spaces() {
    check(S1, "p block\n  'Hello '\n  'world'", "p node_id=1001 text=\"Hello world\"");
    check(
        S1,
        "p block\n  'a'\n  b\n    'b'\n  'c'",
        "p node_id=1001 text=\"a\"\n  b node_id=1003 text=\"b\"\n  text=\"c\"",
    );
}

#[test]
fn texts_of_two_lines_are_not_one_word() {
    check(ON, "p block\n  'one'\n  br\n  'two'", "p text=\"one\"\n  text=\"two\"");
}

#[test]
fn a_comment_between_two_pieces_parts_nothing() {
    let picture = "p block\n  'Hel'\n  #comment hidden\n  'lo'";
    check(ON, picture, "p text=\"Hello\"");
}

// S2.2

const S2: PipelineConfig = PipelineConfig { enable_layout_simplification: true, ..OFF };

#[test]
fn a_wrapper_gives_way_and_leaves_its_attributes_where_there_are_none() {
    let picture = "div class=wrapper id=w data-x=1\n  div id=inner\n    button button usable id=submit\n      'Go'";
    check(
        S2,
        picture,
        "button role=\"button\" data-x=\"1\" id=\"submit\" class=\"wrapper\" node_id=1003 text=\"Go\"",
    );
}

#[test]
fn wrappers_that_mean_something_stay() {
    for line in [
        "form block",
        "div group block",
        "div \"Named\" block",
        "del",
        "div block aria-live=polite",
        "li block",
        "div scrolls block",
    ] {
        let page = page(&format!("{line}\n  button button usable\n    'Go'"));
        assert_eq!(view(&page, &S2).fate(NodeId(1)), NodeFate::Shown, "{line}");
    }
}

#[test]
fn inline_text_keeps_its_order_and_spaces() {
    let picture = "p block\n  'Some '\n  b\n    'bold'\n  ' and '\n  a link \"linked\" usable\n    'linked'\n  ' text'";
    check(ON, picture, "p text=\"Some bold and \"\n  a text=\"linked\"\n  text=\" text\"");
}

#[test]
fn an_inline_wrapper_that_can_be_found_by_something_stays() {
    check(
        ON,
        "p block\n  'Total '\n  span data-testid=total\n    '5'",
        "p text=\"Total \"\n  span data-testid=\"total\" text=\"5\"",
    );
}

// S2.3

#[test]
fn nothing_is_said_twice() {
    let picture = "ul list block data-v=1 lang=en\n  li listitem block data-v=1\n    a link \"Home\" usable href=/ title=Home aria-label=Home data-v=2\n      'Home'";
    check(ON, picture, "ul data-v=\"1\"\n  li\n    a href=\"/\" data-v=\"2\" text=\"Home\"");
}

#[test]
fn a_name_that_the_text_does_not_say_is_said() {
    check(
        ON,
        "a link \"Open the menu\" usable href=/m\n  'Menu'",
        "a name=\"Open the menu\" href=\"/m\" text=\"Menu\"",
    );
    check(ON, "div link \"Home\" usable\n  'Home'", "div role=\"link\" text=\"Home\"");
}

#[test]
fn states_are_said_in_words_once() {
    let picture =
        "button button \"Menu\" usable expanded aria-expanded=true aria-controls=m\n  'Menu'";
    check(ON, picture, "button aria-controls=\"m\" expanded text=\"Menu\"");
}

// S2.4

#[test]
fn what_only_draws_a_click_target_belongs_to_it() {
    let picture = "a link usable href=/x box=0,0,100,50\n  div block box=0,0,100,20\n    'Title'\n  p paragraph block box=0,20,100,20\n    'Words'\n  div block box=0,40,300,20\n    'Sticks out'\n  button button \"Buy\" usable box=0,0,10,10\n    'Buy'";
    check(
        ON,
        picture,
        "a href=\"/x\" text=\"Title\"\n  text=\"Words\"\n  div text=\"Sticks out\"\n  button text=\"Buy\"",
    );
    let config = PipelineConfig { propagating_containment_threshold: 0.1, ..ON };
    assert!(!printed(&page(picture), config).contains("div text=\"Sticks out\""));
}

// Stage 3

#[test]
fn only_attributes_with_a_meaning_are_said_in_their_order() {
    let picture = "input textbox \"Mail\" usable class=c style=s onclick=x width=3 data-b=2 data-a=1 aria-describedby=d placeholder=P name=mail id=i type=email value=v required";
    check(
        ON,
        picture,
        "input name=\"Mail\" type=\"email\" value=\"v\" placeholder=\"P\" aria-describedby=\"d\" data-a=\"1\" data-b=\"2\" required id=\"i\" form_name=\"mail\"",
    );
    let all = printed(&page(picture), PipelineConfig { enable_attribute_pruning: false, ..ON });
    for kept in ["class=\"c\"", "style=\"s\"", "onclick=\"x\"", "width=\"3\""] {
        assert!(all.contains(kept), "{kept} in {all}");
    }
}

fn json(picture: &str, config: PipelineConfig) -> serde_json::Value {
    let page = page(picture);
    let view = view(&page, &config);
    let options = SnapshotOptions { format: SnapshotFormat::Json, ..SnapshotOptions::WHOLE };
    let text = snapshot(&view, &options, &mut SequentialNumbers::default()).text;
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn json_has_boxes_and_a_dictionary() {
    let tab = "  div tab \"T\" usable box=1,2,3,4\n".repeat(3);
    let picture = format!("div tablist block\n{tab}  div button \"B\" usable name=b");
    let on = json(&picture, ON);
    assert_eq!(on["dictionary"]["roles"], serde_json::json!(["tab"]));
    let children = &on["root"]["children"][0]["children"];
    assert_eq!(children[0]["role"], 0);
    assert_eq!(children[0]["box"], serde_json::json!([1, 2, 3, 4]));
    assert_eq!((&children[3]["role"], &children[3]["form_name"]), (&"button".into(), &"b".into()));
    let off = json(&picture, OFF);
    assert!(off.get("dictionary").is_none());
    let children = &off["root"]["children"][0]["children"];
    assert_eq!(children[0]["role"], "tab");
    assert_eq!(
        children[0]["boundingBox"],
        serde_json::json!({"x": 1, "y": 2, "width": 3, "height": 4})
    );
    assert_eq!((&children[3]["formName"], &children[3]["nodeId"]), (&"b".into(), &1005.into()));
}

#[test]
fn json_keeps_texts_in_their_order() {
    let value =
        json("p block\n  'See '\n  a link \"docs\" usable href=/d\n    'docs'\n  ' now'", ON);
    let p = &value["root"]["children"][0];
    assert_eq!(p["text"], "See ");
    assert_eq!(
        (&p["children"][0]["text"], &p["children"][1]["text"]),
        (&"docs".into(), &" now".into())
    );
}

// Metrics

#[test]
fn metrics_are_of_the_emitted_text() {
    let page = page(
        "div block\n  div block\n    button button \"Go\" usable class=c\n      'Go'\n  p block hidden\n    'x'",
    );
    let whole = |view: &View<'_>| {
        snapshot(view, &SnapshotOptions::WHOLE, &mut SequentialNumbers::default()).text
    };
    let (on, off) = (view(&page, &ON), view(&page, &OFF));
    let emitted = |view: &View<'_>| Emitted {
        nodes: view.shown().map(|node| node.id()).collect(),
        sizes: Sizes::of(&whole(view)),
    };
    let (before, after) = (emitted(&off), emitted(&on));
    let metrics =
        CompactionMetrics::new(&on, &before, &after, Times::default(), Default::default());
    let (before, after) = (before.sizes, after.sizes);
    assert_eq!((metrics.total_nodes, metrics.serialized_nodes, metrics.filtered_nodes), (7, 3, 4));
    assert_eq!((metrics.interactive_nodes, metrics.structural_nodes), (1, 4));
    let removed = |rule| metrics.removed.of(rule);
    assert_eq!((removed(PipelineRule::Visibility), removed(PipelineRule::Layout)), (2, 2));
    assert_eq!(metrics.total_chars_before, whole(&off).chars().count());
    assert_eq!(metrics.tokens_after, crate::text::tokens::count(&whole(&on)));
    assert_eq!(metrics.estimated_tokens_before, estimate_tokens(metrics.total_chars_before));
    let saved = |before: usize, after: usize| (before - after) as f64 / before as f64;
    let score = 0.4 * saved(before.chars, after.chars)
        + 0.4 * saved(7, 3)
        + 0.2 * saved(before.tokens, after.tokens);
    assert!((metrics.compaction_score - score).abs() < 0.001);
    assert_eq!(estimate_tokens(38), 10);
    assert_eq!(estimate_tokens(39), 11);
}

#[test]
fn metrics_of_the_viewport_are_of_what_is_in_it() {
    let far = "div block class=c\n  p block data-x=1\n    'Far away'\n".repeat(20);
    let page = page(&format!("p block in-view\n  'Here'\n{far}"));
    let options = SnapshotOptions { scope: Scope::Viewport, ..SnapshotOptions::WHOLE };
    let mut numbers = SequentialNumbers::default();
    let measured = measured(&page, &ON, &options, true, &mut numbers, Default::default).unwrap();
    let metrics = measured.metrics.unwrap();
    assert_eq!((metrics.total_nodes, metrics.serialized_nodes), (3, 3));
    let wrappers = metrics.removed.of(PipelineRule::Layout);
    assert_eq!((wrappers, metrics.attributes_dropped), (0, 0));
    assert!(metrics.compaction_score < 0.3, "{metrics:?}");
}

#[test]
fn metrics_and_summary_have_a_fixed_form() {
    let page =
        page("p block hidden\n  'x'\ndiv block\n  div block\n    button button \"Go\" usable");
    let mut numbers = SequentialNumbers::default();
    let options = SnapshotOptions::WHOLE;
    let measured = measured(&page, &ON, &options, true, &mut numbers, Default::default).unwrap();
    let metrics = measured.metrics.unwrap();
    let json = serde_json::to_string(&metrics).unwrap();
    let counters = "\"visibility_filtered\":2,\"text_nodes_filtered\":0,\"noise_filtered\":0,\
        \"containers_filtered\":0,\"paint_order_filtered\":0,\"propagating_bounds_filtered\":0,\
        \"texts_collapsed\":0,\"wrappers_collapsed\":2,\"attributes_dropped\":0,\"compaction_score\"";
    assert!(json.contains(counters), "{json}");
    assert_eq!(
        metrics.summary(Stage::Filter),
        "2 hidden, 0 tiny texts, 0 noise, 0 empty containers, 0 covered"
    );
    assert_eq!(
        metrics.summary(Stage::Simplify),
        "2 wrappers, 0 texts merged, 0 inside click targets"
    );
    assert_eq!(metrics.summary(Stage::Optimize), "0 attributes");
}

// Budget

#[test]
fn what_names_a_control_is_not_folded() {
    let words = "which is said in a headline of some length, longer than a note about it";
    let card = |at: usize| {
        let name = format!("Article {at} {words}");
        format!(
            "a link \"{name}\" usable href=/{at}\n  '{name}'\n\
             p block\n  'Some words about article {at} that nobody needs to see in a small answer.'\n"
        )
    };
    let page = page(&(0..12).map(card).collect::<String>());
    let options = SnapshotOptions { max_tokens: 400, ..SnapshotOptions::WHOLE };
    let text = snapshot(&view(&page, &ON), &options, &mut SequentialNumbers::default()).text;
    assert!(text.contains("href=\"/0\"") && text.contains(" — "), "{text}");
    for at in 0..12 {
        let shown = text.contains(&format!("href=\"/{at}\""));
        assert!(!shown || text.contains(&format!("\"Article {at} which")), "{text}");
    }
}

#[test]
fn what_is_cut_from_a_huge_text_is_counted_from_the_whole() {
    let page = page(&format!("p block\n  '{}'", "word ".repeat(10_000)));
    let sized = |max_tokens| {
        let options = SnapshotOptions { max_tokens, ..SnapshotOptions::WHOLE };
        snapshot(&view(&page, &ON), &options, &mut SequentialNumbers::default()).text
    };
    assert!(sized(usize::MAX / 8).contains("(+30000 characters)"), "{}", sized(usize::MAX / 8));
    assert!(sized(300).contains("(+4989"), "{}", sized(300));
}
