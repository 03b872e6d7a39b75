//! Tests fingerprints of pages that are drawn as text: their content, their short form, and what
//! does not influence their hash.

use serde_json::Value;

use super::*;
use crate::page::test_page::page;
use crate::text::tokens::count;

const DASHBOARD: &str = "header banner @2 block
  nav navigation \"Main\" @3 block
    a link \"Home\" @4 usable href=/ in-view
    a link \"Projects\" @5 usable href=/projects in-view
  button button \"Logout\" @6 usable in-view
main main @7 block
  h1 heading \"Dashboard\" @8 level=1 block
  section @9 block
    h2 heading \"Recent Projects\" @10 level=2 block
    ul list @11 block class=project-list
      li listitem @12 block
        'Apollo'
      li listitem @13 block
        'Zeus'
    button button \"New Project\" @14 usable in-view
  form @15 block id=search-form
    input searchbox \"Search projects\" @16 usable value=x in-view
    button button \"Search\" @17 usable disabled in-view
  table table \"Orders\" @18 block
    tr row @19 block
      th columnheader \"Id\" @20
      th columnheader \"Name\" @21
    tr row @22 block
      td cell @23
        '1'
      td cell @24
        'Apollo'
  img image \"Logo\" @25 src=/a/logo.png?x
  img image \"\" @26 pagesight:fault=broken src=/a/gone.png
footer contentinfo @30 block
  a link \"Privacy\" @31 usable href=/privacy
  button button \"Secret\" @32 usable hidden";

fn taken(picture: &str) -> Fingerprint {
    extract(&page(picture), &FingerprintOptions::default())
}

fn answered(picture: &str) -> Value {
    answer(&taken(picture), &[])
}

#[test]
fn the_answer_is_the_seeds() {
    let answer = answered(DASHBOARD);
    let structure = &answer["structure"];
    assert_eq!(answer["status"], "ready");
    assert_eq!(structure["landmarks"]["header"]["contains"], serde_json::json!(["nav"]));
    assert_eq!(
        structure["landmarks"]["nav"]["interactive"],
        serde_json::json!(["link:Home", "link:Projects"])
    );
    assert_eq!(structure["landmarks"]["main"]["contains"][0], "heading:Dashboard");
    assert_eq!(
        structure["content"]["headings"][1],
        serde_json::json!({"level": 2, "text": "Recent Projects"})
    );
    assert_eq!(
        structure["content"]["lists"][0],
        serde_json::json!({"selector": ".project-list", "items": 2, "type": "ul"})
    );
    assert_eq!(
        structure["content"]["forms"][0],
        serde_json::json!({"selector": "#search-form", "fields": ["input:Search projects"], "buttons": ["button:Search"]})
    );
    assert_eq!(
        structure["content"]["tables"][0],
        serde_json::json!({"selector": "table", "rows": 1, "columns": 2, "headers": ["Id", "Name"]})
    );
    assert_eq!(
        structure["content"]["images"],
        serde_json::json!({"count": 2, "with_alt": 1, "broken": 1})
    );
    let interactive = structure["interactive"].as_array().unwrap();
    assert_eq!(
        interactive[3],
        serde_json::json!({"type": "button", "text": "New Project", "visible": true, "enabled": true})
    );
    assert_eq!(
        interactive[4],
        serde_json::json!({"type": "input", "label": "Search projects", "visible": true, "value": "[has value]"})
    );
    assert_eq!(interactive[5]["enabled"], false);
    assert_eq!(
        interactive[6],
        serde_json::json!({"type": "link", "text": "Privacy", "href": "/privacy"})
    );
    assert_eq!(interactive.len(), 7, "what is hidden is counted, not listed");
    assert_eq!(answer["truncated"]["hidden"], 1);
}

#[test]
fn its_size_is_its_own() {
    let answer = answered(DASHBOARD);
    let real = count(&answer.to_string());
    let reported = answer["token_count"].as_u64().unwrap() as usize;
    assert!(real.abs_diff(reported) * 50 <= real, "{reported} reported, {real} counted");
}

#[test]
fn a_large_page_is_cut_and_counted_but_kept_whole() {
    let mut picture = String::from("main main @2 block\n");
    for at in 0..1200 {
        picture.push_str(&format!(
            "  button button \"Add thing {at} to the cart\" @{} usable\n",
            at + 10
        ));
    }
    let fingerprint = taken(&picture);
    assert_eq!(fingerprint.structure.interactive.len(), 1200);
    let answer = answer(&fingerprint, &[]);
    let listed = answer["structure"]["interactive"].as_array().unwrap().len();
    assert_eq!(answer["truncated"]["interactive"], 1200 - listed);
    assert!(answer["token_count"].as_u64().unwrap() < 500);
    let detailed = extract(
        &page(&picture),
        &FingerprintOptions { depth: Depth::Detailed, ..FingerprintOptions::default() },
    );
    let answer = super::answer(&detailed, &[]);
    assert_eq!(answer["structure"]["interactive"].as_array().unwrap().len(), ANSWER_CAP);
}

#[test]
fn minimal_has_landmarks_and_state_only() {
    let made = extract(
        &page(DASHBOARD),
        &FingerprintOptions { depth: Depth::Minimal, ..FingerprintOptions::default() },
    );
    let answer = answer(&made, &[]);
    assert!(answer["structure"].get("interactive").is_none());
    assert!(answer["structure"]["landmarks"]["main"].is_object());
    assert!(answer["structure"]["state"].is_object());
}

#[test]
fn the_hash_does_not_depend_on_volatile_content() {
    let base = "main main @2 block\n  h1 heading \"Orders\" @3 level=1\n  button button \"Cart (3)\" @4 usable\n  input textbox \"Name\" @5 usable value=a";
    let hash = taken(base).hash;
    for (what, other) in [
        ("a counter", base.replace("Cart (3)", "Cart (12)")),
        ("a value", base.replace("value=a", "value=b")),
        ("a listener", format!("{base}\n  div clickable \"Row\" @9 usable")),
        ("wrappers", base.replace("  button button", "  div @40\n    button button")),
        ("ids", base.replace("@4", "@4 id=other class=x")),
        ("where it is scrolled to", base.replace("@4 usable", "@4 usable in-view")),
        ("the focus", base.replace("@5 usable", "@5 usable focused")),
    ] {
        assert_eq!(taken(&other).hash, hash, "{what}");
    }
    for (what, other) in [
        ("a name", base.replace("Cart (3)", "Basket (3)")),
        ("a number in a heading", base.replace("\"Orders\"", "\"Orders 7\"")),
        ("a state", base.replace("@4 usable", "@4 usable disabled")),
        ("a level", base.replace("level=1", "level=2")),
        ("nesting", base.replace("main main", "div")),
        ("one more", format!("{base}\n  button button \"New\" @9 usable")),
        ("hidden by style", base.replace("@4 usable", "@4 usable hidden")),
    ] {
        assert_ne!(taken(&other).hash, hash, "{what}");
    }
    assert_eq!(hash.len(), 8);
}

#[test]
fn the_canonical_form_is_what_the_documentation_says() {
    insta::assert_snapshot!(canonical::canonical(&taken(DASHBOARD)));
}

#[test]
fn states_are_read_from_role_then_class_then_words() {
    let state = taken(
        "div alert @2
  'Failed to load projects'
div alert @3
  'Project saved'
div @4 class=error-banner
  'No connection'
div @5 class=error-boundary
  'All is well'
div status @6
  '3 results'
div @7 class=toast
  'Copied'
div @8 class=empty-state
  'No projects yet'
div dialog \"Edit\" @9
  'Body'
p @10
  'There was an error in 1984'
div alert @11",
    )
    .structure
    .state;
    let texts = |signs: &[Sign]| signs.iter().map(|sign| sign.text.clone()).collect::<Vec<_>>();
    assert_eq!(texts(&state.error_elements), ["Failed to load projects", "No connection"]);
    assert_eq!(texts(&state.notifications), ["Project saved", "3 results", "Copied"]);
    assert_eq!(texts(&state.empty_states), ["No projects yet"]);
    assert_eq!(texts(&state.modals_open), ["Edit"]);
    assert_eq!(state.error_elements[1].selector, ".error-banner");
}

#[test]
fn second_landmarks_carry_their_names() {
    let made = taken(
        "nav navigation \"Main\" @2 block\nnav navigation \"Breadcrumb\" @3 block\nnav navigation @4 block\nnav navigation @5 block",
    );
    let keys: Vec<&str> =
        made.structure.landmarks.iter().map(|landmark| landmark.key.as_str()).collect();
    assert_eq!(keys, ["nav", "nav:Breadcrumb", "nav:2", "nav:3"]);
}

#[test]
fn a_page_without_landmarks_says_so() {
    let answer = answered(
        "div @2 block\n  div @3 block id=top\n    h1 heading \"Shop\" @4 level=1\n  div @5 block\n    button button \"Buy\" @6 usable",
    );
    assert_eq!(answer["no_landmarks"], true);
    assert!(answer["structure"]["landmarks"]["div#top:Shop"].is_object(), "{answer}");
}

#[test]
fn frames_are_counted_and_entered_only_by_scope() {
    let made = taken(
        "main main @2 block\n  iframe @3 id=inner view=0,0,100,100\n  button button \"Buy\" @4 usable",
    );
    assert_eq!(made.structure.frames, 1);
    assert_eq!(made.structure.interactive.len(), 1);
}

#[test]
fn a_deep_page_is_no_trouble() {
    let mut picture = String::new();
    for depth in 0..3_000 {
        picture.push_str(&format!("{}div @{}\n", " ".repeat(depth), depth + 2));
    }
    picture.push_str(&format!("{}button button \"Deep\" @9000 usable", " ".repeat(3_000)));
    assert_eq!(taken(&picture).structure.interactive.len(), 1);
}

#[test]
fn it_reads_back_as_it_was_written() {
    let made = taken(DASHBOARD);
    let text = serde_json::to_string(&made).unwrap();
    assert_eq!(serde_json::from_str::<Fingerprint>(&text).unwrap(), made);
}

#[test]
fn a_number_field_that_is_called_a_spinner_is_not_loading() {
    let picture = |inside: &str| {
        format!(
            "main main @2 block\n  span @3 block in-view box=0,0,80,20 class=ui-spinner{inside}"
        )
    };
    assert!(taken(&picture("")).loading);
    let number = "\n    input spinbutton \"UnitNumber\" @4 usable value=0 in-view";
    assert!(!taken(&picture(number)).loading);
}

#[test]
fn a_full_capture_gives_the_same_fingerprint() {
    let pruned = "main main @2 block
  div alert @3 block
    'Failed to load'
  ul list @4 block
    li listitem @5 block
      'Apple'
  table table \"Orders\" @6 block
    tr row @7 block
      td cell @8
        'A'
  button button \"Secret\" @9 usable hidden
  ul list @10 block hidden
  div @11 block class=error-banner
    'No connection'";
    // The same with everything that only a full capture has: hidden texts and elements, texts that
    // nobody can perceive, comments.
    let full = "main main @2 block
  #comment \"a note\" @0 hidden
  div alert @3 block
    span @30 hidden
      'and a stack trace'
    'Failed to load'
  ul list @4 block
    li listitem @5 block
      'Apple'
      span @31 hidden
        'Pear'
    li listitem @32 block hidden
      'Plum'
  table table \"Orders\" @6 block
    tr row @7 block
      td cell @8
        'A'
        span @33 hidden
          'B'
  div @34 block hidden
    button button \"Secret\" @9 usable hidden
    ul list @35 block hidden
    img image \"Chart\" @36 hidden
    div tabpanel \"Later\" @38 hidden
      dl @39 hidden
  ul list @10 block hidden
    li listitem @37 hidden
      'Nothing'
  div @11 block class=error-banner
    'No connection'\n"
        .to_owned()
        + &(40..200).fold(String::new(), |all, at| format!("{all}    i @{at} hidden\n"));
    let (one, other) = (taken(pruned), taken(&full));
    assert_eq!(one.structure, other.structure);
    assert_eq!(one.hash, other.hash);
}

#[test]
fn what_stands_beside_a_fingerprint_does_not_cut_it() {
    let made = taken(DASHBOARD);
    let beside = serde_json::json!({"changes": vec!["a change that is noted at some length"; 150]});
    let answer = answer(&made, &[("comparison", beside)]);
    assert!(answer["token_count"].as_u64().unwrap() > 900, "{}", answer["token_count"]);
    assert_eq!(answer["structure"], answered(DASHBOARD)["structure"]);
}

#[test]
fn the_hash_does_not_hang_on_what_became_of_pictures() {
    let hash = taken(DASHBOARD).hash;
    let logo = |how: &str| taken(&DASHBOARD.replace("@25 src", &format!("@25 {how} src"))).hash;
    assert_eq!(logo("pagesight:fault=pending"), hash);
    assert_eq!(logo("pagesight:fault=pending clipped"), hash);
    assert_eq!(logo("pagesight:fault=broken"), hash);
    assert_ne!(
        taken(&DASHBOARD.replace("  img image \"Logo\" @25 src=/a/logo.png?x\n", "")).hash,
        hash
    );
}

#[test]
fn an_inert_control_stays_disabled_in_fingerprints() {
    let board = |state: &str| {
        format!(
            "main main @2\n  button button \"Save\" @3 usable {state}\n  dialog dialog \"Sure?\" @4"
        )
    };
    let [inert, disabled] = ["inert", "disabled"].map(|state| taken(&board(state)));
    assert!(inert.structure.interactive[0].disabled);
    assert_eq!(inert.hash, disabled.hash);
    assert_eq!(inert.structure, disabled.structure);
    // Baselines were taken before pagesight knew what a modal dialog blocks.
    let open = board("").replace("@4", "@4 modal pagesight:modal=true");
    let mut blocked = page(&open);
    blocked.block_behind_dialogs();
    assert!(blocked.nodes().any(|node| node.is_inert()));
    let extracted = extract(&blocked, &FingerprintOptions::default());
    assert_eq!(extracted.hash, taken(&open).hash);
}

#[test]
fn regions_and_alerts_within_each_other_are_no_trouble() {
    let deep = |word: &str| {
        (0..3_000)
            .fold(String::new(), |all, at| format!("{all}{}{word} @{}\n", " ".repeat(at), at + 2))
            + &format!("{}'Failed'", " ".repeat(3_000))
    };
    let landmarks = taken(&deep("section region \"Part\""));
    let alerts = taken(&deep("div alert class=error"));
    assert_eq!(alerts.structure.state.error_elements.len(), 1);
    assert_eq!(landmarks.structure.landmarks.len(), 3_000);
    let empty = taken("main main @2 block");
    let compared =
        crate::compare::compare(&landmarks, &empty, &crate::compare::IgnoreRules::default());
    assert!(!compared.changes.is_empty());
}
