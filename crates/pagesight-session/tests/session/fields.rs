//! Tests filling, typing, pressing keys, and checking boxes. The report shows the value that the
//! field has afterwards.

use pagesight_browser::KeyChord;
use pagesight_session::{Action, Target};

use crate::case::{changes_of, line_of, on};

fn fill(element: &str, text: &str) -> Action {
    Action::Fill { element: element.into(), text: text.to_owned() }
}

fn typed(element: Option<&str>, text: &str) -> Action {
    Action::Type { element: element.map(Into::into), text: text.to_owned() }
}

fn press(key: &str, control: bool, element: Option<&str>) -> Action {
    let key = KeyChord { key: key.to_owned(), control, shift: false, alt: false, meta: false };
    Action::Press { key, element: element.map(Into::into) }
}

fn check(element: &str, on: bool) -> Action {
    Action::Check { target: Target::Element(element.into()), on }
}

const FIELDS: &str = "<input aria-label=Name><input aria-label=Short maxlength=3>\
    <input type=password aria-label=Secret><input type=date aria-label=Day>\
    <input aria-label=Fixed readonly value=x><select aria-label=Colour><option>Red</select>\
    <input type=range aria-label=Volume min=0 max=10 value=5><textarea aria-label=Notes></textarea>";

#[test]
fn a_field_is_filled() {
    on("fill", FIELDS).run(async |case, tab| {
        let name = case.find(tab, "Name").await;
        let acted = case.act(tab, &[fill(&name, "Ada")]).await;
        assert_eq!(line_of(&acted), format!("filled [{name}] textbox: Name = \"Ada\""));
        assert!(changes_of(acted).contains("= \"\" → \"Ada\""));
        let line = case.line(tab, fill(&name, "")).await;
        assert_eq!(line, format!("filled [{name}] textbox: Name = \"\""));
    });
}

#[test]
fn a_secret_is_never_shown() {
    on("fill_secret", FIELDS).run(async |case, tab| {
        let secret = case.find(tab, "Secret").await;
        let line = case.line(tab, fill(&secret, "hunter2")).await;
        assert!(line.ends_with("= \"•••\"") && !line.contains("hunter2"), "{line}");
        let line = case.line(tab, typed(Some(&secret), "34")).await;
        assert!(line.starts_with("typed 2 characters in [") && !line.contains("34"), "{line}");
        assert!(line.contains("= \"•••\""), "{line}");
    });
}

#[test]
fn a_date_is_set_in_its_own_format_or_refused() {
    on("fill_date", FIELDS).run(async |case, tab| {
        let day = case.find(tab, "Day").await;
        let line = case.line(tab, fill(&day, "2026-03-01")).await;
        assert!(line.ends_with("= \"2026-03-01\""), "{line}");
        let line = case.refusal(tab, fill(&day, "tomorrow")).await;
        assert!(line.contains("does not take \"tomorrow\"; give a value in the"), "{line}");
    });
}

#[test]
fn filling_is_refused_for_read_only_fields_lists_and_long_texts() {
    on("fill_refused", FIELDS).run(async |case, tab| {
        let fixed = case.find(tab, "Fixed").await;
        let line = case.refusal(tab, fill(&fixed, "y")).await;
        assert!(line.ends_with("textbox: Fixed is read-only"), "{line}");
        let colour = case.find(tab, "Colour").await;
        let line = case.refusal(tab, fill(&colour, "Red")).await;
        assert!(line.contains("is not a field that text can be filled into"), "{line}");
        let name = case.find(tab, "Name").await;
        let line = case.refusal(tab, fill(&name, &"x".repeat(1_000_001))).await;
        assert!(line.contains("a text of 1000001 characters is too long"), "{line}");
    });
}

#[test]
fn a_field_that_loses_the_focus_is_not_typed_into() {
    let page = "<input aria-label=Thief onfocus=victim.focus()><input id=victim aria-label=Victim>";
    on("fill_thief", page).run(async |case, tab| {
        let thief = case.find(tab, "Thief").await;
        let line = case.refusal(tab, fill(&thief, "hunter2")).await;
        assert!(line.contains("does not keep the focus"), "{line}");
        let line = case.refusal(tab, press("z", false, Some(&thief))).await;
        assert!(line.contains("does not take or keep the focus"), "{line}");
        assert!(case.outline(tab).await.contains("Victim = \"\""));
    });
}

#[test]
fn each_kind_of_field_reports_its_value() {
    let rich = "<div contenteditable role=textbox aria-label=Rich>Old <b>words</b></div>";
    for (name, page, field, text, value) in [
        ("fill_cut", FIELDS, "textbox: Short", "abcdef", "\"abc\" — not what was given"),
        ("fill_slider", FIELDS, "slider: Volume", "8", "\"8\""),
        ("fill_editable", rich, "textbox: Rich", "new text", "\"new text\""),
    ] {
        on(name, page).run(async |case, tab| {
            let found = case.find(tab, field).await;
            let line = case.line(tab, fill(&found, text)).await;
            assert_eq!(line, format!("filled [{found}] {field} = {value}"));
        });
    }
}

#[test]
fn text_is_typed_key_by_key() {
    on("type", FIELDS).run(async |case, tab| {
        let notes = case.find(tab, "Notes").await;
        let line = case.line(tab, typed(Some(&notes), "a\nb")).await;
        assert_eq!(line, format!("typed 3 characters in [{notes}] textbox: Notes = \"a\\nb\""));
        // Without an element, the text goes to the focused one.
        let line = case.line(tab, typed(None, "!")).await;
        assert_eq!(line, format!("typed 1 character in [{notes}] textbox: Notes = \"a\\nb!\""));
        for wrong in ["", &"x".repeat(10_001)] {
            let line = case.refusal(tab, typed(Some(&notes), wrong)).await;
            assert!(line.contains("cannot be typed; give 1 to 10000"), "{line}");
        }
    });
}

#[test]
fn nothing_in_focus_is_named() {
    on("type_nowhere", "<h1>Nothing</h1>").run(async |case, tab| {
        let line = case.line(tab, typed(None, "x")).await;
        assert!(line.starts_with("typed 1 character with nothing in focus"), "{line}");
    });
}

#[test]
fn late_suggestions_are_waited_for() {
    let page = "<input role=combobox aria-label=City oninput=\"setTimeout(()=>p.textContent='Oslo',400)\">\
        <input aria-label=Name oninput=\"setTimeout(()=>p.textContent='Late',400)\"><p id=p>none</p>";
    on("suggestions", page).run(async |case, tab| {
        let (city, name) = (case.find(tab, "City").await, case.find(tab, "Name").await);
        let acted = case.act(tab, &[fill(&city, "Os")]).await;
        assert!(changes_of(acted).contains("\"none\" → \"Oslo\""));
        // Other fields are not waited for.
        let acted = case.act(tab, &[fill(&name, "Ada")]).await;
        assert!(!changes_of(acted).contains("Late"));
    });
}

#[test]
fn keys_are_named_with_their_modifiers() {
    let page = "<input aria-label=Name onkeydown=\"p.textContent=event.key\"><p id=p>none</p>";
    on("press", page).run(async |case, tab| {
        let name = case.find(tab, "Name").await;
        let line = case.line(tab, press("Enter", false, Some(&name))).await;
        assert_eq!(line, format!("pressed Enter in [{name}] textbox: Name"));
        assert!(case.outline(tab).await.contains("Enter"));
        let line = case.line(tab, press("a", true, None)).await;
        assert!(line.starts_with("pressed Control+a"), "{line}");
    });
}

const BOXES: &str = "<label><input type=checkbox>Agree</label>\
    <div role=switch aria-checked=false aria-label=Dark tabindex=0 \
    onclick=\"this.ariaChecked=this.ariaChecked==='true'?'false':'true'\"></div>\
    <label><input type=radio name=s>Small</label><button>Plain</button>\
    <div role=checkbox aria-checked=false aria-label=Stuck tabindex=0>Stuck</div>\
    <style>[role]{width:80px;height:30px}</style>";

#[test]
fn a_box_is_ticked_only_if_it_is_not() {
    on("check", BOXES).run(async |case, tab| {
        let agree = case.find(tab, "Agree").await;
        let line = case.line(tab, check(&agree, true)).await;
        assert_eq!(line, format!("checked [{agree}] checkbox: Agree"));
        let line = case.line(tab, check(&agree, true)).await;
        assert_eq!(
            line,
            format!("[{agree}] checkbox: Agree is checked already — nothing was done")
        );
        let line = case.line(tab, check(&agree, false)).await;
        assert_eq!(line, format!("unchecked [{agree}] checkbox: Agree"));
        let dark = case.find(tab, "Dark").await;
        let line = case.line(tab, check(&dark, true)).await;
        assert_eq!(line, format!("checked [{dark}] switch: Dark"));
    });
}

#[test]
fn checking_is_refused_for_radio_buttons_plain_buttons_and_stuck_boxes() {
    on("check_refused", BOXES).run(async |case, tab| {
        let small = case.find(tab, "Small").await;
        case.line(tab, check(&small, true)).await;
        let line = case.refusal(tab, check(&small, false)).await;
        assert!(line.contains("is a radio button, which cannot be unchecked"), "{line}");
        let plain = case.find(tab, "Plain").await;
        let line = case.refusal(tab, check(&plain, true)).await;
        assert!(line.contains("is not a checkbox, radio button or switch"), "{line}");
        let stuck = case.find(tab, "Stuck").await;
        let line = case.refusal(tab, check(&stuck, true)).await;
        assert!(line.contains("was clicked but is unchecked now"), "{line}");
    });
}

#[test]
fn a_mixed_box_goes_through_the_other_state() {
    let page = "<label><input type=checkbox id=c>All</label><script>c.indeterminate=true</script>";
    on("check_mixed", page).run(async |case, tab| {
        let all = case.find(tab, "All").await;
        let line = case.line(tab, check(&all, false)).await;
        assert_eq!(line, format!("unchecked [{all}] checkbox: All"));
    });
}

#[test]
fn a_box_is_ticked_by_a_point() {
    let page = "<body style='margin:0'><input type=checkbox aria-label=Box style='width:60px;height:60px'>";
    on("check_point", page).run(async |case, tab| {
        let at = |x: f64| Action::Check { target: Target::Point(x, 30.0), on: true };
        let line = case.line(tab, at(30.0)).await;
        assert!(line.starts_with("checked at 30,30 [") && line.contains("checkbox: Box"), "{line}");
        let line = case.refusal(tab, at(900.0)).await;
        assert!(line.contains("not a checkbox") || line.contains("there is no box at"), "{line}");
    });
}
