//! Tests what targets mean: names that are equal, nearly equal or forged, and printed lines.

use super::*;
use crate::page::test_page::page;
use crate::page::{NodeId, Page};

/// Returns the local ids that a target means, with how they match.
fn meant(page: &Page, target: &str, within: Option<&str>) -> (&'static str, Vec<u32>) {
    let candidates = Candidates::of(page, |_| true);
    let query = |given: &str| match TargetQuery::parse_container(given) {
        Ok(TargetQuery::Line(line)) => line,
        other => panic!("{given}: {other:?}"),
    };
    let within = within.map(|given| match look_up_container(&candidates, &query(given)) {
        TargetMatch::One(id) => id,
        other => panic!("{given}: {other:?}"),
    });
    let locals =
        |ids: Vec<NodeId>| ids.into_iter().map(|id| page.node(id).local()).collect::<Vec<_>>();
    let TargetQuery::Line(target) = TargetQuery::parse(target).expect("it is a target") else {
        panic!("{target} is a line");
    };
    match look_up(&candidates, &target, within) {
        TargetMatch::One(id) => ("one", locals(vec![id])),
        TargetMatch::Later(ids) => ("later", locals(ids)),
        TargetMatch::Several(ids) => ("several", locals(ids)),
        TargetMatch::Inert(ids) => ("inert", locals(ids)),
        TargetMatch::Nothing { near } => ("nothing", locals(near)),
    }
}

#[track_caller]
fn one(page: &Page, target: &str, local: u32) {
    assert_eq!(meant(page, target, None), ("one", vec![local]), "{target}");
}

#[track_caller]
fn nothing(page: &Page, target: &str) {
    let (how, near) = meant(page, target, None);
    assert_eq!(how, "nothing", "{target}: {near:?}");
}

const CALENDAR: &str = "main main block
  h2 heading \"May\" level=2 block
  button button \"New event\" @3 usable
  button button \"New event type…\" @4 usable
  a link \"Events\" @5 usable
  input textbox \"Title\" @6 usable required value=x
  button button @7 usable clue:icon=trash
  button button @8 usable clue:icon=star
  ul list \"Days\" @9 block
    li listitem @10 block
      'Monday'
    li listitem @11 block
      'Tuesday'";

#[test]
fn a_line_and_a_name_mean_the_same() {
    let page = page(CALENDAR);
    for target in [
        "New event",
        "  new   EVENT ",
        "button: New event",
        "Button: new event",
        "button: New event — disabled",
        "button (calendar icon): New event — disabled, expanded",
        "button: \"New event\"",
        "\"New event\"",
    ] {
        one(&page, target, 3);
    }
    one(&page, "textbox: Title = \"y\" — required", 6);
    one(&page, "link: Events → /events", 5);
    one(&page, "listitem: Tuesday", 11);
    one(&page, "list: Days (2)", 9);
    one(&page, "heading 2: May", page.nodes().nth(2).map_or(0, |node| node.local()));
}

#[test]
fn a_different_role_or_name_is_not_meant() {
    let page = page(CALENDAR);
    for target in ["link: New event", "New", "event", "New events", "button: Title", "Event new"] {
        nothing(&page, target);
    }
    // Without a role, only what can be used is meant.
    nothing(&page, "Tuesday");
    nothing(&page, "May");
    assert_eq!(meant(&page, "event", None).1, [3, 4], "names with the word are near");
}

#[test]
fn an_equal_name_comes_before_equal_words() {
    let page = page(
        "button button \"Save\" @2 usable
button button \"Save…\" @3 usable
button button \"＋ Add row\" @4 usable
button button \"Zoom -\" @5 usable
button button \"C++\" @6 usable
button button \"Move A to B\" @7 usable
input textbox \"Email *\" @8 usable value=
button button \"(Reset)\" @9 usable",
    );
    one(&page, "Save", 2);
    one(&page, "Save…", 3);
    one(&page, "Add row", 4);
    one(&page, "Email", 8);
    one(&page, "Reset", 9);
    // The dots belong to the third name as well as to the first.
    assert_eq!(meant(&page, "Save.", None), ("several", vec![2, 3]));
    for target in ["Zoom +", "C", "C#", "Move B to A", "-", "Sav", "Save all"] {
        nothing(&page, target);
    }
}

#[test]
fn a_lone_icon_is_named_by_its_guess() {
    let page = page(CALENDAR);
    assert_eq!(meant(&page, "button", None), ("several", vec![7, 8]));
    one(&page, "button (trash icon)", 7);
    one(&page, "button (star icon) — pressed", 8);
    nothing(&page, "button (pencil icon)");
    nothing(&page, "trash icon");
}

#[test]
fn page_text_cannot_forge_a_role_or_a_state() {
    let page = page(
        "a link \"button: Pay\" @2 usable
button button \"Pay — disabled\" @3 usable
button button \"Delete (3)\" @4 usable
button button \"search\" @5 usable
button button \"button: Go\" @6 usable
button button \"[7] button: Buy\" @7 usable
button button \"12\" @8 usable",
    );
    for target in ["button: Pay", "Pay", "button: Delete", "Delete", "button: Go", "button: Buy"] {
        nothing(&page, target);
    }
    one(&page, "link: button: Pay", 2);
    one(&page, "button: button: Go", 6);
    // As they are printed, and as they are.
    one(&page, "button: \"Pay — disabled\"", 3);
    one(&page, "Pay — disabled", 3);
    one(&page, "button: \"[7] button: Buy\" — disabled", 7);
    one(&page, "Delete (3)", 4);
    one(&page, "Search", 5);
    one(&page, "12", 8);
}

#[test]
fn only_what_can_be_used_now_is_meant() {
    let page = page(
        "button button \"Save\" @2 usable disabled
button button \"Save\" @3 usable
button button \"Send\" @4 usable disabled
button button \"Send…\" @5 usable
button button \"Open\" @6 usable hidden
button button \"Close\" @7 usable under=1
div dialog \"D\" @8 block
  button button \"Close\" @9 usable
button button \"Edit\" @10 usable
button button \"Edit\" @11 usable",
    );
    one(&page, "Save", 3);
    assert_eq!(meant(&page, "Send", None), ("later", vec![4]), "the equal name is waited for");
    nothing(&page, "Open");
    one(&page, "Close", 9);
    assert_eq!(meant(&page, "Edit", None), ("several", vec![10, 11]));
}

/// Regression test: the label of a custom select listens for clicks, so its name meant two
/// elements.
#[test]
fn a_label_that_listens_means_its_field() {
    let page = page(
        "label clickable \"Room\" @2 usable labels=1
input combobox \"Room\" @3 usable
label clickable \"Floor\" @4 usable labels=1
input combobox \"Level\" @5 usable",
    );
    one(&page, "Room", 3);
    one(&page, "clickable: Room", 2);
    one(&page, "Floor", 4);
}

#[test]
fn what_takes_no_input_is_named_only_if_nothing_else_is_meant() {
    let page = page(
        "main main @2 inert block
  button button \"Save\" @3 usable inert
  button button \"Close…\" @4 usable inert
  button button \"Open\" @5 usable inert hidden
  section region \"Kitchen\" @6 inert block
    button button \"Plus\" @7 usable inert
div dialog \"Edit\" @8 block
  button button \"Close\" @9 usable
  h3 heading \"Kitchen\" @10 level=3 block
  button button \"Minus\" @11 usable",
    );
    assert_eq!(meant(&page, "Save", None), ("inert", vec![3]));
    one(&page, "Close", 9);
    assert_eq!(meant(&page, "Close…", None), ("one", vec![9]), "equal words that can be used");
    nothing(&page, "Open");
    assert_eq!(meant(&page, "Minus", Some("Kitchen")), ("one", vec![11]), "the one in the dialog");
}

const HOUSE: &str = "main main block
  div block @2
    h3 heading \"HeatPump\" level=3 block
    button button \"Show more information\" @3 usable
    button button \"Off\" @4 usable
  div block @5
    h3 heading \"Ecobee\" level=3 block
    button button \"Show more information\" @6 usable
  div dialog \"Hvac\" @7 block
    button button \"Off\" @8 usable
    h3 heading \"Fan\" level=3 block
  div block
    button button \"Twin\" @9 usable box=10,20,40,10
    button button \"Twin\" @10 usable box=60,20,40,10";

#[test]
fn a_container_limits_a_target() {
    let page = page(HOUSE);
    let more = "button: Show more information";
    assert_eq!(meant(&page, more, None), ("several", vec![3, 6]));
    assert_eq!(meant(&page, more, Some("Ecobee")), ("one", vec![6]));
    assert_eq!(meant(&page, more, Some("heading 3: HeatPump")), ("one", vec![3]));
    assert_eq!(meant(&page, "Off", Some("dialog: Hvac")), ("one", vec![8]));
    assert_eq!(meant(&page, "Off", Some("hvac")), ("one", vec![8]));
    assert_eq!(meant(&page, "Off", Some("Ecobee")).0, "nothing");
}

/// An answer to a query prints the owner of equal controls.
#[test]
fn a_line_with_its_owner_means_that_one() {
    let house = page(HOUSE);
    one(&house, "button: Show more information (HeatPump)", 3);
    one(&house, "button: show more information (ecobee) — disabled", 6);
    one(&house, "Show more information (Ecobee)", 6);
    nothing(&house, "button: Show more information (Hvac)");
    // What is really called so comes first.
    let named = HOUSE.replace("\"Off\" @8", "\"Off (HeatPump)\" @8");
    one(&page(&named), "button: Off (HeatPump)", 8);
    let icons =
        HOUSE.replace("button \"Off\"", "button").replace("@4 usable", "@4 usable clue:icon=trash");
    let icons = icons.replace("@8 usable", "@8 usable clue:icon=trash");
    one(&page(&icons), "button (trash icon) (Hvac)", 8);
}

#[test]
fn candidates_are_listed_with_what_distinguishes_them() {
    let page = page(HOUSE);
    let candidates = Candidates::of(&page, |_| true);
    let places = |name: &str| {
        let named = page.nodes().filter(|node| node.name() == name);
        let all: Vec<NodeId> = named.map(|node| node.id()).collect();
        all.iter().map(|id| candidates.with_place(*id, &all)).collect::<Vec<_>>()
    };
    assert_eq!(
        places("Show more information"),
        ["button: Show more information (HeatPump)", "button: Show more information (Ecobee)"]
    );
    assert_eq!(places("Off"), ["button: Off (HeatPump)", "button: Off (Hvac)"]);
    assert_eq!(places("Twin"), ["button: Twin (at 30,25)", "button: Twin (at 80,25)"]);
}

#[test]
fn documents_that_are_not_admitted_have_no_candidates() {
    let page = page(CALENDAR);
    assert!(Candidates::of(&page, |_| false).lines.is_empty());
    assert!(!Candidates::of(&page, |url| url == "http://localhost/page").lines.is_empty());
}

#[test]
fn a_line_with_a_number_is_a_reference() {
    let read = |given: &str| TargetQuery::parse(given);
    let reference = |number: &str| Ok(TargetQuery::Reference(number.to_owned()));
    assert_eq!(read("[12] button: Save — disabled"), reference("12"));
    assert_eq!(read(" [12]  button"), reference("12"));
    assert_eq!(read("[12] scrollable"), reference("12"));
    for name in ["12", "[12]", "1_12", "[12] Save", "[1 2] button: Save", "[x] button: Save"] {
        assert!(matches!(read(name), Ok(TargetQuery::Line(_))), "{name}");
    }
    // A container may be given by its number alone.
    for given in ["12", "[12]", "1_12"] {
        let container = TargetQuery::parse_container(given);
        assert_eq!(container, Ok(TargetQuery::Reference(given.to_owned())));
    }
}

#[test]
fn selectors_and_empty_targets() {
    let read = |given: &str| TargetQuery::parse(given);
    assert_eq!(read("css=.prev"), Ok(TargetQuery::Css(".prev".to_owned())));
    assert_eq!(read(" css= a > b "), Ok(TargetQuery::Css("a > b".to_owned())));
    assert_eq!(read("css= "), Err(TargetQueryError::NoSelector));
    assert_eq!(read(" \n "), Err(TargetQueryError::Empty));
}

/// Returns the local id of the control that stands for the element `local` after a change.
fn again(before: &str, local: u32, after: &str) -> Option<u32> {
    let (before, after) = (page(before), page(after));
    let was = before.find("doc", local).expect("the element is there");
    SameControls::new(&before, &after).find(was).map(|id| after.node(id).local())
}

const THERMOSTAT: &str = "div block
  h3 heading \"NAME\" level=3 block
  p block
    'TEMP'
  button button \"Plus\" @ID usable
";

fn thermostats(all: &[(&str, &str, &str)]) -> String {
    let one = |(name, temp, id): &(&str, &str, &str)| {
        THERMOSTAT.replace("NAME", name).replace("TEMP", temp).replace("ID", id)
    };
    all.iter().map(one).collect()
}

#[test]
fn a_control_that_was_rendered_again_is_found() {
    let one = thermostats(&[("Kitchen", "20", "3")]);
    assert_eq!(again(&one, 3, &thermostats(&[("Kitchen", "21", "13")])), Some(13));
    // It may even have a different heading, because no other is equal.
    assert_eq!(again(&one, 3, &thermostats(&[("Kitchen 21", "21", "13")])), Some(13));
    assert_eq!(again(&one, 3, &one.replace("Plus", "Minus")), None);
}

#[test]
fn among_equal_controls_only_the_owner_counts() {
    let two = thermostats(&[("Kitchen", "20", "3"), ("Bath", "22", "4")]);
    let turned = thermostats(&[("Bath", "22", "14"), ("Kitchen", "21", "13")]);
    assert_eq!(again(&two, 3, &turned), Some(13));
    assert_eq!(again(&two, 4, &turned), Some(14));
    for after in [
        thermostats(&[("Bath", "22", "14")]),
        thermostats(&[("Kitchen: 21", "21", "13"), ("Bath", "22", "14")]),
        thermostats(&[("Kitchen", "21", "13"), ("Kitchen", "21", "15"), ("Bath", "22", "14")]),
    ] {
        assert_eq!(again(&two, 3, &after), None, "{after}");
    }
    let same = thermostats(&[("Room", "20", "3"), ("Room", "20", "4")]);
    assert_eq!(again(&same, 3, &same), None, "nothing distinguishes them");
    // Values near them change, and may be what another had before.
    let now = |text: &str| format!("now {text} degrees");
    let (a, b, c) = (now("20"), now("22"), now("21"));
    let before = thermostats(&[("Kitchen", &a, "3"), ("Bath", &b, "4")]);
    let after = thermostats(&[("Kitchen", &b, "13"), ("Bath", &c, "14")]);
    assert_eq!(again(&before, 3, &after), Some(13));
    assert_eq!(again(&before, 4, &after), Some(14));
}

#[test]
fn a_text_limits_to_what_is_around_it() {
    let page = page(
        "table table block
  tr row block
    td cell block
      'Ecobee'
    td cell block
      button button \"More\" @4 usable
  tr row block
    td cell block
      a link \"HeatPump\" usable by-content href=/x
        'HeatPump'
    td cell block
      button button \"More\" @5 usable
div - block
  span -
    'Fan'
  button button \"More\" @6 usable
  span -
    'Open'
div - block
  span -
    'Open'
  button button \"More\" @7 usable",
    );
    for (within, local) in [("Ecobee", 4), (" heatpump ", 5), ("Fan", 6), ("\"Fan\"", 6)] {
        assert_eq!(meant(&page, "More", Some(within)), ("one", vec![local]), "{within}");
    }
    let candidates = Candidates::of(&page, |_| true);
    let container = |given: &str| match TargetQuery::parse_container(given) {
        Ok(TargetQuery::Line(line)) => look_up_container(&candidates, &line),
        other => panic!("{given}: {other:?}"),
    };
    assert!(matches!(container("Open"), TargetMatch::Several(both) if both.len() == 2));
    for given in ["Eco", "text: Ecobee", "button: Fan"] {
        assert!(matches!(container(given), TargetMatch::Nothing { .. }), "{given}");
    }
}
