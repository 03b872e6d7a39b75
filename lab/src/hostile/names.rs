//! Pages whose forms and elements take the names of everything that the page script reads. A form
//! with a field of that name hides the form's own property. The names come from the source of the
//! page script, so a new property is tested without a change here.

use std::collections::BTreeSet;
use std::path::Path;

/// How many names one page of forms has.
const NAMES_PER_PAGE: usize = 60;
/// The start of the names of pages with one form per name.
const FORMS: &str = "clobbered-forms-";
/// The pages where one form, or the document, has all names.
const ALL: [&str; 2] = ["clobbered-form", "clobbered-document"];

/// Returns the names of the pages.
pub fn pages(names: &[String]) -> Vec<String> {
    let forms = (0..names.len().div_ceil(NAMES_PER_PAGE)).map(|at| format!("{FORMS}{at}"));
    forms.chain(ALL.map(str::to_owned)).collect()
}

/// Returns the names whose buttons a page has; none if it is not one of these pages.
pub fn on_page<'n>(page: &str, names: &'n [String]) -> Option<&'n [String]> {
    match page.strip_prefix(FORMS) {
        Some(at) => names.chunks(NAMES_PER_PAGE).nth(at.parse().ok()?),
        None => ALL.contains(&page).then(|| &names[..1]),
    }
}

/// Returns every name that stands behind a dot or in quotes in the page script.
pub fn read(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut names = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "ts") {
                collect(&std::fs::read_to_string(path)?, &mut names);
            }
        }
    }
    anyhow::ensure!(names.len() > 100, "only {} names were found in the page script", names.len());
    Ok(names.into_iter().collect())
}

fn collect(source: &str, names: &mut BTreeSet<String>) {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    for (at, mark) in source.match_indices(['.', '"']) {
        let name: String = source[at + mark.len()..].chars().take_while(|c| part(*c)).collect();
        let begins = name.starts_with(|c: char| c.is_ascii_lowercase());
        let ends = mark == "." || source[at + 1 + name.len()..].starts_with('"');
        if begins && ends && name.len() > 1 {
            names.insert(name);
        }
    }
}

/// Returns the name of the button that belongs to a clobbered name.
pub fn button(name: &str) -> String {
    format!("Beside {name}")
}

/// Returns one of the pages.
pub fn page(page: &str, names: &[String]) -> Option<String> {
    let body: String = match page {
        page if page.starts_with(FORMS) => on_page(page, names)?
            .iter()
            .map(|name| {
                let button = button(name);
                format!("<form><input name={name} aria-label=x><button>{button}</button></form>")
            })
            .collect(),
        "clobbered-form" => {
            let fields: String =
                names.iter().map(|name| format!("<input name={name} aria-label=x>")).collect();
            format!("<form>{fields}<button>{}</button></form>", button(&names[0]))
        }
        "clobbered-document" => {
            let elements: String = names
                .iter()
                .map(|name| format!("<img name={name} width=9 height=9><a id={name}></a>"))
                .collect();
            format!("{elements}<button>{}</button>", button(&names[0]))
        }
        _ => return None,
    };
    Some(format!("<!doctype html><html lang=en><title>Clobbered</title><body>{body}</body></html>"))
}
