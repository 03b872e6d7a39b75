//! Tests that the list of functions here and the API of the page script are the same.

use std::path::Path;

use super::call::Function;

/// Functions that only the engines call, in the browser crate.
const ENGINE_ONLY: &[&str] = &[
    "armDrag",
    "countNodes",
    "describePieces",
    "disarmDrag",
    "dragEnd",
    "dragOver",
    "dragState",
    "elementOf",
    "everyHost",
    "forgetListeners",
    "frameWindows",
    "insertText",
    "learnListeners",
    "learnMarks",
    "learnRoots",
    "possibleHosts",
];

/// Functions that only measurements and tests call.
const LAB_ONLY: &[&str] = &["find", "identify"];

/// Returns the entries of the objects `const …Functions = {` in the source of the page script.
fn entries(source: &str) -> Vec<String> {
    let mut names = Vec::new();
    for body in source.split("Functions = {\n").skip(1) {
        for line in body.lines().take_while(|line| !line.starts_with('}')) {
            let Some(entry) = line.strip_prefix("  ") else { continue };
            let name: String = entry.chars().take_while(|c| c.is_alphanumeric()).collect();
            if !name.is_empty() && entry[name.len()..].starts_with([':', ',', '(']) {
                names.push(name);
            }
        }
    }
    names
}

#[test]
fn every_function_of_the_page_script_has_one_here() {
    let api = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../page/src/api.ts");
    let mut exported = entries(&std::fs::read_to_string(api).unwrap());
    let mut known: Vec<String> = Function::ALL
        .iter()
        .map(|function| function.name())
        .chain(ENGINE_ONLY.iter().copied())
        .chain(LAB_ONLY.iter().copied())
        .map(str::to_owned)
        .collect();
    exported.sort();
    known.sort();
    assert_eq!(exported, known);
}

/// How a function of the page script is called by its name.
const BY_NAME: &str = ".script(";

#[test]
fn no_other_file_calls_the_page_script_by_name() {
    fn check(folder: &Path) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("page_script") {
                check(&path);
            }
            if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                for call in text.split(BY_NAME).skip(1) {
                    let arguments = call.split(')').next().unwrap_or_default();
                    assert!(!arguments.contains('"'), "{}: .script({arguments})", path.display());
                }
            }
        }
    }
    check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
}
