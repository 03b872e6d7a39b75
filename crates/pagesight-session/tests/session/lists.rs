//! Tests choosing options: native selects, several options, and lists made by scripts.

use pagesight_session::{Action, Target};

use crate::case::on;

const LISTS: &str = "<select aria-label=Colour><option>Red<option>Green<option disabled>Grey<option value=b>Blue</select>\
    <select multiple aria-label=Toppings><option>Ham<option>Rocket<option>Olives</select>";

fn select(element: &str, values: &[&str]) -> Action {
    let values = values.iter().map(|value| (*value).to_owned()).collect();
    Action::Select { element: element.into(), values }
}

#[test]
fn an_option_is_chosen_by_label_or_value() {
    on("select", LISTS).run(async |case, tab| {
        let colour = case.find(tab, "Colour").await;
        let line = case.line(tab, select(&colour, &["Green"])).await;
        assert_eq!(line, format!("selected in [{colour}] combobox: Colour = \"Green\""));
        let line = case.line(tab, select(&colour, &["b"])).await;
        assert_eq!(line, format!("selected in [{colour}] combobox: Colour = \"Blue\""));
        let line = case.line(tab, select(&colour, &["Blue"])).await;
        assert!(line.ends_with("= \"Blue\" already — nothing was done"), "{line}");
    });
}

#[test]
fn an_unknown_option_is_refused_and_the_known_ones_are_named() {
    on("select_refused", LISTS).run(async |case, tab| {
        let colour = case.find(tab, "Colour").await;
        for (values, words) in [
            (
                &["Pink"][..],
                "has no option \"Pink\"; it has \"Red\", \"Green\", \"Grey\", \"Blue\"",
            ),
            (&["Grey"], "the option \"Grey\" of ["),
            (&["Red", "Blue"], "takes one option only; give one value"),
        ] {
            let line = case.refusal(tab, select(&colour, values)).await;
            assert!(line.contains(words), "{line}");
        }
    });
}

#[test]
fn several_options_are_chosen() {
    on("select_several", LISTS).run(async |case, tab| {
        let toppings = case.find(tab, "Toppings").await;
        let line = case.line(tab, select(&toppings, &["Ham", "Olives"])).await;
        assert_eq!(line, format!("selected in [{toppings}] listbox: Toppings = \"Ham, Olives\""));
        let line = case.line(tab, select(&toppings, &["Rocket"])).await;
        assert_eq!(line, format!("selected in [{toppings}] listbox: Toppings = \"Rocket\""));
    });
}

const CUSTOM: &str = "<button role=combobox aria-label=City aria-expanded=false aria-controls=l \
    onclick=\"l.hidden=false;ariaExpanded='true'\">Choose</button>\
    <ul id=l role=listbox hidden><li role=option>Bern<li role=option>Oslo</ul>\
    <script>l.onclick=(e)=>{document.querySelector('button').textContent=e.target.textContent;l.hidden=true}</script>";

#[test]
fn a_list_of_scripts_is_opened_and_its_option_clicked() {
    on("select_custom", CUSTOM).run(async |case, tab| {
        let city = case.find(tab, "City").await;
        let line = case.line(tab, select(&city, &["Oslo"])).await;
        assert!(
            line.starts_with(&format!("selected \"Oslo\" in [{city}] combobox: City")),
            "{line}"
        );
    });
}

#[test]
fn a_scripted_list_without_the_option_names_its_options() {
    on("select_custom_refused", CUSTOM).run(async |case, tab| {
        let city = case.find(tab, "City").await;
        let line = case.refusal(tab, select(&city, &["Paris"])).await;
        assert!(line.contains("has no option \"Paris\"; it has \"Bern\", \"Oslo\""), "{line}");
    });
}

#[test]
fn an_option_that_left_something_else_is_reported() {
    let page = "<input id=i role=combobox aria-controls=l aria-label=City>\
        <ul id=l role=listbox><li role=option onclick=\"i.value='Bergen'\">Oslo\
        <li role=option onclick=\"i.value='ROME'\">Rome</ul>";
    on("option_left", page).run(async |case, tab| {
        let (oslo, rome) = (case.find(tab, "Oslo").await, case.find(tab, "Rome").await);
        let click = |option: &str| Action::Click(Target::Element(option.into()));
        let line = case.line(tab, click(&oslo)).await;
        let expected = format!("clicked [{oslo}] option: Oslo — the field now holds \"Bergen\"");
        assert_eq!(line, expected);
        let line = case.line(tab, click(&rome)).await;
        assert_eq!(line, format!("clicked [{rome}] option: Rome"));
    });
}
