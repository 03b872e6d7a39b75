//! Lists and toolbars whose buttons have nothing but an icon, drawn in several ways, and the names
//! of their drawings. The names come from the text of the drawings, not from a hash.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::facts::PageFacts;
use super::parts;
use crate::random::Random;

/// Real drawings of ten icon sets.
const DRAWINGS: &str = include_str!("../../../tests/icons/drawings.json");
/// Classes of icon sets, `{}` is the name; and names that they share.
const CLASSES: [&str; 6] = [
    "fa fa-{}",
    "fa-solid fa-{} fa-lg",
    "bi bi-{}",
    "codicon codicon-{}",
    "mdi mdi-{}",
    "ti ti-{}",
];
const NAMES: &str =
    "trash pencil star heart download bell lock share eye bookmark calendar arrow-left";

/// A drawing of a set.
#[derive(Deserialize)]
struct NamedDrawing {
    name: String,
    svg: String,
    react: Option<String>,
}

static KNOWN: LazyLock<Vec<NamedDrawing>> =
    LazyLock::new(|| serde_json::from_str(DRAWINGS).unwrap_or_default());

/// The name of each drawing, by its outlines.
static BY_SHAPES: LazyLock<HashMap<String, &str>> = LazyLock::new(|| {
    let forms = |drawing: &'static NamedDrawing| {
        let react = drawing.react.as_deref().map(outlines);
        std::iter::once(outlines(&drawing.svg)).chain(react).map(|shapes| (shapes, &*drawing.name))
    };
    KNOWN.iter().flat_map(forms).filter(|(shapes, _)| !shapes.is_empty()).collect()
});

/// Returns the attributes `d` of a drawing's text.
fn outlines(svg: &str) -> String {
    let paths = svg.split("<path").skip(1);
    let data = paths.filter_map(|path| path.split(" d=\"").nth(1)?.split('"').next());
    data.collect::<Vec<&str>>().join("|")
}

/// Names the icons of controls that the oracle knows only as a drawing.
pub fn name(facts: &mut PageFacts) {
    for control in &mut facts.controls {
        let drawn = BY_SHAPES.get(&control.shapes).filter(|_| control.icon.is_empty());
        if let Some(name) = drawn {
            control.icon = name.replace('-', " ");
        }
    }
}

/// Returns what a button shows.
fn icon(random: &mut Random) -> (String, String) {
    if random.percent(50) && !KNOWN.is_empty() {
        let drawing = &KNOWN[random.below(KNOWN.len())];
        let svg =
            bare(drawing.react.as_ref().filter(|_| random.percent(50)).unwrap_or(&drawing.svg));
        return (drawing.name.clone(), svg);
    }
    let names: Vec<&str> = NAMES.split(' ').collect();
    let name = names[random.below(names.len())];
    let class = CLASSES[random.below(CLASSES.len())].replace("{}", name);
    (name.to_owned(), format!("<i class=\"{class}\"></i>"))
}

/// Returns a drawing without what names it: classes, ids, labels.
fn bare(svg: &str) -> String {
    let mut out = svg.to_owned();
    for attribute in [" id=\"", " class=\"", " aria-label=\"", " data-icon=\"", " data-testid=\""] {
        while let Some(at) = out.find(attribute) {
            let value = at + attribute.len();
            let Some(end) = out[value..].find('"') else { break };
            out.replace_range(at..=value + end, "");
        }
    }
    match (out.find("<title>"), out.find("</title>")) {
        (Some(from), Some(to)) if from < to => out.replace_range(from..to + "</title>".len(), ""),
        _ => {}
    }
    out.replacen("<svg", "<svg width=\"20\" height=\"20\"", 1)
}

fn icons(count: usize, random: &mut Random) -> Vec<String> {
    let mut chosen: Vec<(String, String)> = Vec::new();
    for _ in 0..count * 4 {
        let (name, html) = icon(random);
        let words = |name: &str| name.split('-').map(str::to_owned).collect::<Vec<String>>();
        let shared = |(known, _): &(String, String)| {
            words(known).iter().any(|word| words(&name).contains(word))
        };
        if chosen.len() < count && !chosen.iter().any(shared) {
            chosen.push((name, html));
        }
    }
    chosen.into_iter().map(|(_, html)| html).collect()
}

/// Returns a row of buttons without a name.
pub fn toolbar(random: &mut Random) -> String {
    let buttons = icons(6, random);
    let buttons = buttons.iter().map(|icon| format!("<button class=tool>{icon}</button>"));
    format!("<div class=bar>{}</div>", buttons.collect::<String>())
}

/// Returns a list or a table in which every row has buttons without a name.
pub fn list(random: &mut Random) -> String {
    let count = 4 + random.below(5);
    let keys = parts::keys(count, random);
    let shown = icons(2 + random.below(2), random);
    let is_table = random.percent(50);
    let mut html = String::from(if is_table { "<table>" } else { "<ul>" });
    for key in keys {
        let buttons: String =
            shown.iter().map(|icon| format!("<button class=tool>{icon}</button>")).collect();
        html.push_str(&match is_table {
            true => format!("<tr><td>{key}</td><td>{buttons}</td></tr>"),
            false => format!("<li><span>{key}</span> {buttons}</li>"),
        });
    }
    html + if is_table { "</table>" } else { "</ul>" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::facts::Control;

    #[test]
    fn drawings_are_named_by_their_outlines() {
        assert!(KNOWN.len() >= 10);
        let drawn = KNOWN.iter().find(|drawing| drawing.name == "trash-can").map(|drawing| {
            let control = Control { shapes: outlines(&drawing.svg), ..Control::default() };
            let mut facts = PageFacts { controls: vec![control], ..PageFacts::default() };
            name(&mut facts);
            facts.controls[0].icon.clone()
        });
        assert_eq!(drawn.as_deref(), Some("trash can"));
    }

    #[test]
    fn a_bare_drawing_does_not_name_itself() {
        for drawing in KNOWN.iter() {
            let bare = bare(&drawing.svg);
            assert!(!bare.contains(" id=") && !bare.contains("class="), "{bare}");
            assert_eq!(outlines(&bare), outlines(&drawing.svg));
        }
    }
}
