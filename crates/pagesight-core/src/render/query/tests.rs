//! Tests of queries, on pages drawn as text.

use crate::page::test_page::page;
use crate::render::{
    CannotContinue, MatchLimit, OutlineOptions, SequentialNumbers, check_continues, outline,
};

fn found(picture: &str, query: &str) -> String {
    let options = OutlineOptions { query: Some(query.to_owned()), ..OutlineOptions::default() };
    let text = outline(&page(picture), &options, &mut SequentialNumbers::default()).text;
    // Without title and address.
    text.split_once('\n').map(|(_, rest)| rest.to_owned()).unwrap_or_default()
}

/// A dashboard with two cards and a menu.
const HOME: &str = r#"
body - "" block
  nav navigation "" block
    a link "Weather archive" usable by-content href=/archive
    a link "Kitchen" usable by-content href=/kitchen
  main main "" block
    div - "" block
      span - "" block
        'Demo Weather South'
      span - "" block
        'sunny, 21 degrees'
      button button "Details" usable
    div - "" block
      span - "" block
        'Kitchen Door'
      button button "Lock" usable
    div - "" block
      span - "" block
        'Small Range'
      input slider "" usable value=128
    div - "" block
      span - "" block
        'Hvac, characters and Face'
    div - "" block
      span - "" block
        'AC'
      input switch "Cooling" usable checked
"#;

#[test]
fn not_all_words_are_required_and_two_subjects_give_two_units() {
    let text = found(HOME, "Demo Weather South Kitchen Door lock");
    assert!(!text.contains("no match for"), "{text}");
    for line in ["Demo Weather South", "button: Details", "Kitchen Door", "button: Lock"] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(!text.contains("Small Range"), "{text}");
}

#[test]
fn a_label_brings_its_control() {
    let text = found(HOME, "small range");
    assert_eq!(text, "main\n  [1] slider (Small Range) = \"128\"\n");
}

#[test]
fn whole_words_come_before_parts_of_words() {
    let text = found(HOME, "AC");
    assert!(text.contains("Cooling") && !text.contains("Hvac"), "{text}");
    assert!(found(HOME, "charac").contains("characters"), "parts count if nothing else does");
}

#[test]
fn role_and_state_words_count() {
    let text = found(HOME, "checked switches");
    assert!(text.contains("[1] switch: Cooling — checked"), "{text}");
    let text = found(HOME, "slider");
    assert!(text.contains("[1] slider (Small Range)") && !text.contains("Details"), "{text}");
    let picture = r#"
main main "" block
  button button "Save" usable disabled
  button button "Open" usable
  a link "Disabled people" usable by-content href=/a
"#;
    assert_eq!(found(picture, "disabled buttons"), "main\n  [1] button: Save — disabled\n");
}

#[test]
fn plurals_order_and_case_do_not_matter() {
    for query in ["kitchen doors", "DOOR kitchen", "the door of the kitchen"] {
        let text = found(HOME, query);
        assert!(text.contains("Kitchen Door\n") && text.contains("Lock"), "{query}: {text}");
        assert!(!text.contains("no match for"), "{query}: {text}");
    }
}

/// A table with column heads.
fn orders() -> String {
    let mut picture = String::from("main main \"\" block\n  table table \"Orders\" block\n");
    let row = |picture: &mut String, role: &str, cells: &[&str]| {
        picture.push_str("    tr row \"\" block\n");
        for cell in cells {
            picture.push_str(&format!("      td {role} \"{cell}\" block\n        '{cell}'\n"));
        }
    };
    row(&mut picture, "columnheader", &["Order", "State", "Amount", ""]);
    for order in 1000..1040 {
        let state = if order == 1017 { "failed" } else { "paid" };
        row(&mut picture, "cell", &[&order.to_string(), state, &format!("{}.98", order * 2)]);
        picture.push_str("      td cell \"\" block\n        button button \"Retry\" usable\n");
    }
    picture
}

#[test]
fn a_row_has_the_heads_of_its_columns_and_its_controls() {
    for query in ["failed", "order 1017", "amount of order 1017", "orders failed state"] {
        assert_eq!(
            found(&orders(), query),
            "main\n  table: Orders (40 rows)\n    row: Order: 1017 · State: failed · Amount: 2034.98\n      [1] button: Retry\n",
            "{query}"
        );
    }
}

#[test]
fn a_heading_brings_its_section() {
    let picture = r#"
main main "" block
  h2 heading "References" level=2 block
  p - "" block
    'One reference.'
  h2 heading "External links" level=2 block
  ul list "" block
    li listitem "" block
      a link "Hermitian" usable by-content href=/wiki/Hermitian
    li listitem "" block
      a link "Away" usable by-content href=https://elsewhere.example/x?y=1
    li listitem "" block
      a link "Near" usable by-content href=//elsewhere.example/z
    li listitem "" block
      a link "Open" usable by-content href=#
  h2 heading "Notes" level=2 block
"#;
    assert_eq!(
        found(picture, "external links"),
        "main\n  heading 2: External links\n  list (4)\n    [1] link: Hermitian → /wiki/Hermitian\n    [2] link: Away → https://elsewhere.example/x?y=1\n    [3] link: Near → http://elsewhere.example/z\n    [4] link: Open\n"
    );
}

#[test]
fn a_poor_match_says_so_and_gives_the_nearest() {
    let text = found(HOME, "garage door opener schedule");
    assert!(
        text.starts_with("no match for \"garage door opener schedule\"; found: door; nearest:\n"),
        "{text}"
    );
    assert!(text.contains("Kitchen Door"), "{text}");
    let text = found(HOME, "zebra");
    assert!(text.starts_with("no match for \"zebra\"\n"), "nothing is near: {text}");
    let picture =
        "main main block\n  h1 heading \"Orders\" level=1 block\n  p block\n    'All paid.'\n";
    assert!(found(picture, "zebra").ends_with("main\n  heading 1: Orders\n"));
}

#[test]
fn a_long_text_is_cut_around_the_word() {
    let long =
        format!("{}the zebra crossed. {}", "Much was said. ".repeat(40), "And more. ".repeat(40));
    let text = found(&format!("main main block\n  p block\n    '{long}'\n"), "zebra");
    assert!(text.contains("the zebra crossed.") && text.len() < 320, "{text}");
}

#[test]
fn a_long_unit_is_cut_and_can_be_opened() {
    let mut picture = String::from("main main \"\" block\n  ul list \"Countries\" block\n");
    for n in 0..60 {
        picture.push_str(&format!("    li listitem \"\" block\n      'Country number {n}'\n"));
    }
    let text = found(&picture, "countries");
    assert!(text.lines().count() <= 15, "{text}");
    assert!(text.contains("more:") && text.contains("scope ["), "{text}");
}

#[test]
fn equal_matches_are_counted() {
    let mut picture = String::from("main main \"\" block\n");
    for n in 0..30 {
        picture.push_str(&format!("  button button \"Delete {n}\" usable\n"));
    }
    let text = found(&picture, "delete");
    assert!(
        text.starts_with("8 of 30 matches, best first\nmain\n  [1] button: Delete 0\n"),
        "{text}"
    );
    assert!(
        text.ends_with("  [8] button: Delete 7\n… 22 more matches — the same query after [8]\n"),
        "{text}"
    );
}

/// Returns the answer to a query within a budget that the caller gave.
fn within(picture: &str, query: &str, max_tokens: usize) -> String {
    let matches = MatchLimit::Budget;
    let options = OutlineOptions {
        query: Some(query.to_owned()),
        matches,
        max_tokens,
        ..OutlineOptions::default()
    };
    outline(&page(picture), &options, &mut SequentialNumbers::default()).text
}

#[test]
fn a_larger_budget_shows_more_matches_and_the_next_ones_follow() {
    let mut picture = String::from("main main \"\" block\n  table table \"\" block\n");
    for n in 0..87 {
        // Neither the length of the text nor the number of controls makes a row better.
        let name = ["Ann", "Bert of the Hill and Vale"][n % 2];
        picture.push_str(&format!(
            "    tr row \"\" block\n      td cell \"\" block\n        'row{n} {name} failed'\n"
        ));
        if n % 3 == 0 {
            picture.push_str("      td cell \"\" block\n        button button \"Retry\" usable\n");
        }
    }
    let rows = |text: &str| -> Vec<usize> {
        let numbers = text.split("row: row").skip(1);
        numbers.map(|rest| rest.split(' ').next().unwrap().parse().unwrap()).collect()
    };
    let (few, some, all) = (
        found(&picture, "failed"),
        within(&picture, "failed", 400),
        within(&picture, "failed", 9_500),
    );
    assert_eq!(rows(&few), (0..8).collect::<Vec<_>>(), "{few}");
    let count = rows(&some).len();
    assert!(count > 8 && count < 60, "{some}");
    assert!(some.contains(&format!("\n{count} of 87 matches, best first\n")), "{some}");
    assert!(crate::text::tokens::count(&some) <= 400, "{some}");
    assert_eq!(rows(&all), (0..87).collect::<Vec<_>>(), "{all}");
    assert!(!all.contains("more match"), "{all}");
    // Page through all of them.
    let page = page(&picture);
    let mut numbers = SequentialNumbers::default();
    let mut seen = Vec::new();
    let mut after = None;
    for _ in 0..20 {
        let options =
            OutlineOptions { query: Some("failed".to_owned()), after, ..OutlineOptions::default() };
        assert_eq!(check_continues(&page, &options), Ok(()));
        let text = outline(&page, &options, &mut numbers).text;
        seen.extend(rows(&text));
        let Some((_, number)) = text.split_once("the same query after [") else { break };
        after = numbers.node(number.split(']').next().unwrap().parse().unwrap());
    }
    assert_eq!(seen, (0..87).collect::<Vec<_>>());
}

#[test]
fn only_a_match_of_one_subject_can_be_continued() {
    let page = page(HOME);
    let after = page.nodes().find(|node| node.name() == "Lock").map(|node| node.id());
    let check = |query: &str| {
        let query = Some(query.to_owned());
        check_continues(&page, &OutlineOptions { query, after, ..OutlineOptions::default() })
    };
    assert_eq!(check("kitchen door"), Ok(()));
    let query = "weather".to_owned();
    assert_eq!(check("weather"), Err(CannotContinue::NotAMatch { query }));
    let query = "lock the garage opener schedule".to_owned();
    assert_eq!(check(&query), Err(CannotContinue::NotAMatch { query }));
    assert_eq!(check("kitchen door, weather"), Err(CannotContinue::SeveralSubjects));
}

#[test]
fn each_subject_has_its_answer() {
    let picture = r#"
main main "" block
  input textbox "Name" usable value=
  input checkbox "Other permissions" usable
  button button "Delete" usable
"#;
    assert_eq!(
        found(picture, "Name, Create button; Other permissions"),
        "for \"Name\":\nmain\n  [1] textbox: Name = \"\"\nnothing for \"Create button\"\nfor \"Other permissions\":\nmain\n  [2] checkbox: Other permissions\n"
    );
    let text = found(HOME, "switch AC, number Small Range");
    for line in [
        "for \"switch AC\":\n",
        "switch: Cooling",
        "for \"number Small Range\":\n",
        "slider (Small Range)",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let text = found(HOME, "a1, b1, c1, d1, e1, f1");
    assert!(text.starts_with("1 more subject was not looked for\nnothing for \"a1\"\n"), "{text}");
    let mut many = String::from("main main \"\" block\n");
    for n in 0..30 {
        many.push_str(&format!(
            "  button button \"Delete {n}\" usable\n  button button \"Edit {n}\" usable\n"
        ));
    }
    let text = found(&many, "delete and edit");
    assert!(text.contains("for \"delete\": 7 of 30 matches, best first\n"), "{text}");
    let text = within(&many, "delete and edit", 5_000);
    assert!(text.contains("for \"edit\": 30 of 30 matches, best first\n"), "{text}");
}

#[test]
fn a_query_without_separators_holds_the_units_of_both_subjects() {
    let card = |title: &str, rest: &str| {
        format!("  div - \"\" block\n    h3 heading \"{title}\" level=3 block\n{rest}")
    };
    let field = "    div - \"\" block\n      label - \"\" block\n        'limit'\n      input spinbutton \"\" usable value=7\n    p - \"\" block\n      'level 12'\n";
    let mut picture = String::from("main main \"\" block\n");
    for title in ["Iron Finch", "Zinc Kelp", "Zinc Heron", "Lead Otter"] {
        picture.push_str(&card(title, field));
    }
    let text = found(&picture, "Zinc Kelp limit Zinc Heron level");
    let card = |title: &str, number: u32| {
        format!(
            "  heading 3: {title}\n  [{number}] spinbutton (limit) ({title}) = \"7\"\n  level 12\n"
        )
    };
    for card in [card("Zinc Kelp", 1), card("Zinc Heron", 2)] {
        assert!(text.contains(&card), "{card}: {text}");
    }
    assert!(!text.contains("Iron") && !text.contains("Lead"), "{text}");
}

#[test]
fn a_control_in_a_row_brings_the_whole_row() {
    let mut picture =
        String::from("main main \"\" block\n  table table \"\" block\n    tr row \"\" block\n");
    for head in ["", "Name", "Amount", ""] {
        picture.push_str(&format!("      th columnheader \"{head}\" block\n"));
    }
    for (name, amount) in [("Anna Weber", "12.50"), ("Bert Novak", "13.75")] {
        picture.push_str(&format!(
            r#"    tr row "" block
      td cell "" block
        input checkbox "Select {name}" usable
      td cell "{name}" block
        '{name}'
      td cell "{amount}" block
        '{amount}'
      td cell "" block
        button button "Edit" usable
"#
        ));
    }
    for query in ["Bert Novak amount", "select Bert Novak", "edit Novak"] {
        assert_eq!(
            found(&picture, query),
            "main\n  table (2 rows)\n    row: Name: Bert Novak · Amount: 13.75\n      [1] checkbox: Select Bert Novak\n      [2] button: Edit\n",
            "{query}"
        );
    }
}

#[test]
fn a_term_and_its_definition_are_one_unit() {
    let picture = r#"
main main "" block
  dl - "" block
    dt term "" block
      'Version'
    dd definition "" block
      '8.18.2'
    dt term "" block
      'Serial number'
    dd definition "" block
      'SN52479'
"#;
    for query in ["serial number", "SN52479"] {
        assert_eq!(found(picture, query), "main\n  Serial number · SN52479\n", "{query}");
    }
}

#[test]
fn words_around_the_subject_are_not_missed() {
    for query in ["find small range page", "please change the current small range value"] {
        let text = found(HOME, query);
        assert_eq!(text, "main\n  [1] slider (Small Range) = \"128\"\n", "{query}");
    }
    assert!(found(HOME, "zebra range").starts_with("no match for"), "a subject is missed");
}

#[test]
fn english_plurals_match_both_ways() {
    let picture = r#"
main main "" block
  h2 heading "Privacy" level=2 block
  h2 heading "Boxes" level=2 block
  h2 heading "Font sizes" level=2 block
  h2 heading "Plans" level=2 block
"#;
    for (query, heading) in
        [("privacies", "Privacy"), ("box", "Boxes"), ("font size", "Font sizes"), ("plan", "Plans")]
    {
        assert_eq!(found(picture, query), format!("main\n  heading 2: {heading}\n"), "{query}");
    }
    assert!(found(picture, "plane").starts_with("no match for"), "not a plural");
}

#[test]
fn the_name_that_is_the_query_comes_first() {
    let picture = r#"
main main "" block
  a link "City guide for visitors" usable by-content href=/guide
  input textbox "City" usable value=Porto
"#;
    let first = "2 of 2 matches, best first\nmain\n  [1] textbox: City = \"Porto\"\n";
    assert!(found(picture, "city").starts_with(first));
}

#[test]
fn the_matching_lines_of_a_long_unit_are_shown() {
    let mut picture = String::from(
        "main main \"\" block\n  article article \"\" block\n    h2 heading \"Comment by Anna\" level=2 block\n",
    );
    for n in 0..30 {
        let name = if n == 20 { "Permalink".to_owned() } else { format!("Choice {n}") };
        picture.push_str(&format!("    a link \"{name}\" usable by-content href=/{n}\n"));
    }
    let text = found(&picture, "comment Anna permalink");
    assert!(text.contains("heading 2: Comment by Anna\n"), "{text}");
    assert!(text.contains("link: Permalink → /20"), "{text}");
    assert!(text.lines().count() <= 15, "{text}");
}

#[test]
fn a_section_comes_before_a_link_to_it() {
    let picture = r#"
main main "" block
  ul list "" block
    li listitem "" block
      a link "Notes" usable by-content href=#notes
    li listitem "" block
      a link "External links" usable by-content href=#external
  h2 heading "Notes" level=2 block
  p - "" block
    'A note.'
  h2 heading "External links" level=2 block
    a link "External links" usable by-content href=#external
  p - "" block
    'See also:'
  a link "Hermitian" usable by-content href=/wiki/Hermitian
"#;
    let text = found(picture, "external links");
    let (heading, target) = (text.find("heading 2"), text.find("/wiki/Hermitian"));
    assert!(heading.is_some() && heading < target, "{text}");
    assert!(text.find("list").is_none_or(|list| Some(list) > target), "{text}");
}

#[test]
fn one_element_has_all_roles_and_states_that_are_asked_for() {
    let picture = r#"
main main "" block
  div - "" block
    input textbox "Job title" usable disabled
    input textbox "Phone" usable
    button button "Save" usable
  div - "" block
    button button "Approve" usable disabled
    button button "Reject" usable
"#;
    let text = found(picture, "disabled button");
    assert!(text.contains("[1] button: Approve — disabled"), "{text}");
    assert!(!text.contains("Job title"), "{text}");
}

#[test]
fn stop_words_decide_between_equals() {
    let picture = r#"
main main "" block
  button button "get orders" usable
  button button "get all orders" usable
"#;
    let first = "2 of 2 matches, best first\nmain\n  [1] button: get all orders\n";
    assert!(found(picture, "get all orders").starts_with(first));
    assert!(!found(picture, "get the orders").contains("no match for"));
    assert!(found(picture, "what of the zebra").starts_with("no match for \"what of the zebra\""));
}

#[test]
fn a_section_goes_on_into_a_container_with_the_next_heading() {
    let picture = r#"
main main "" block
  h2 heading "admin" level=2 block
  div - "" block
    ul list "" block
      li listitem "" block
        a link "History" usable by-content href=/history
      li listitem "" block
        a link "View on site" usable by-content href=/view
    form form "Change" block
      h2 heading "Permissions" level=2 block
      input checkbox "Active" usable
      input checkbox "Staff" usable
"#;
    assert_eq!(
        found(picture, "admin"),
        "main\n  heading 2: admin\n  list (2)\n    [1] link: History → /history\n    [2] link: View on site → /view\n"
    );
}

#[test]
fn words_of_hints_are_found_after_names() {
    let picture = "main main block
  div block
    p block
      'one'
    button button usable clue:icon=trash
  div block
    p block
      'two'
    button button \"Empty\" usable
  button button \"Save\" usable";
    let text = found(picture, "trash");
    assert!(text.contains("button (trash icon)") && !text.contains("Save"), "{text}");
    let text = found(&picture.replace("Empty", "Trash"), "trash");
    assert!(text.contains("button: Trash") && !text.contains("icon"), "{text}");
}

/// Cards of a smart home. The buttons of all have one name.
fn cards(title: impl Fn(&str) -> String) -> String {
    let mut picture = String::from("main main \"\" block\n");
    for name in ["Ecobee", "Hvac", "HeatPump"] {
        picture.push_str(&format!(
            "  div - \"\" block\n    div - \"\" block\n{}      p - \"\" block\n        '21 degrees'\n      button button \"Show more information\" usable\n",
            title(name)
        ));
    }
    picture
}

#[test]
fn equal_controls_carry_their_owner() {
    let owned = |text: &str, owner: &str| {
        text.lines().any(|line| line.ends_with(&format!("button: Show more information ({owner})")))
    };
    for title in [
        |name: &str| format!("      p - \"\" block\n        '{name}'\n"),
        |name: &str| format!("      h2 heading \"{name}\" level=2 block\n"),
    ] {
        let text = found(&cards(title), "show more information");
        for owner in ["Ecobee", "Hvac", "HeatPump"] {
            assert!(owned(&text, owner), "{owner}: {text}");
        }
        assert!(owned(&found(&cards(title), "HeatPump"), "HeatPump"));
    }
    // Without containers, the title is right before.
    let flat = "main main \"\" block\n  h2 heading \"Ecobee\" level=2 block\n  button button \"Show more information\" usable\n  h2 heading \"Hvac\" level=2 block\n  button button \"Show more information\" usable\n  button button \"Help\" usable\n";
    let text = found(flat, "show more information");
    assert!(owned(&text, "Ecobee") && owned(&text, "Hvac"), "{text}");
    assert!(found(flat, "help").ends_with("button: Help\n"), "not an equal one");
}

#[test]
fn a_printed_row_needs_no_owner() {
    for query in ["retry", "order 1017"] {
        assert!(found(&orders(), query).contains("[1] button: Retry\n"), "{query}");
    }
}
