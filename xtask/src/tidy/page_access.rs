//! Two patterns of the page script that a hostile page can break.
//!
//! A form shows its fields as its own properties: with `<input name="closest">` in a form,
//! `form.closest` is that input. So properties of elements are read by functions that were taken
//! from the prototypes (page/src/dom/dom.ts).
//!
//! A list that is spread into a call is put on the stack: a page with a long list makes the call
//! fail. Lists that are always short may be spread beside a comment `// bounded: why`.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::patterns::{line_of, regex};
use super::source::code;
use super::tree::Tree;

/// The properties of forms in Chromium and Firefox.
static MEMBERS: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| include_str!("form_members.txt").split_whitespace().collect());
/// Of these, names that the page script gives to members of its own objects, too. They count only
/// where the object is known to be a node.
const OWN: &str = "ariaHidden children contains elements focus hidden id inert matches name normalize role \
                   reset scroll style target title";
/// Types of nodes that may be a form.
const NODES: &str = "Node Element HTMLElement HTMLFormElement SVGElement EventTarget ParentNode";
/// Objects that are never a form. The names of a document are shadowed only in the page's world.
const SAFE: &str = "document window this prototype range D N Node";

/// A property, with the object before it: `(x as Type).name`, `object.name` or `?.name`.
static PROPERTY: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?:\bas ([\w$]+)[^()]*\)|([\w$]+))?\s*\??\.([A-Za-z_$][\w$]*)"));
/// A variable or parameter with its type: `name: Type`, `name?: Type[]`.
static DECLARED: LazyLock<Regex> = LazyLock::new(|| regex(r"([\w$]+)\??: *([\w$]+)(\[)?"));
static DESTRUCTURED: LazyLock<Regex> =
    LazyLock::new(|| regex(r"\bconst \{[^;]*\} = [^;]* as ([\w$]+);"));
/// A list that is spread, or a parameter for one: `...all`, `...all: Node[]`.
static SPREAD: LazyLock<Regex> = LazyLock::new(|| regex(r"^\.\.\.[\w$]*(:)?"));
static APPLY: LazyLock<Regex> = LazyLock::new(|| regex(r"\.apply\b"));
/// Words before a parenthesis that is not one of a call.
const STATEMENTS: &str = "if for while switch return catch";

pub fn check(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in tree.below("page/src/", ".ts") {
        let code = code(path, text);
        let bounded: Vec<bool> = text.lines().map(|line| line.contains("// bounded:")).collect();
        let mut at_line: BTreeSet<(usize, String)> = BTreeSet::new();
        properties(&code, &mut at_line);
        spreads(&code, &bounded, &mut at_line);
        found.extend(at_line.into_iter().map(|(line, what)| format!("{path}:{line}: {what}")));
    }
    found
}

fn is_one_of(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|listed| listed == word)
}

fn properties(code: &str, found: &mut BTreeSet<(usize, String)>) {
    let shadowed =
        |name: &str| format!("a form may shadow {name}; read it by a function of dom.ts");
    let nodes = node_names(code);
    let mut from = 0;
    while let Some(property) = PROPERTY.captures_at(code, from) {
        let name = property.get(3).expect("the group is not optional");
        // It is the object of the next property.
        from = name.start();
        let object = property.get(2).map_or("", |object| object.as_str());
        let is_spread = object.is_empty() && code[..from].ends_with("...");
        let name = name.as_str();
        let may_be_form = match property.get(1) {
            Some(cast) => is_one_of(NODES, cast.as_str()),
            None if is_spread || is_one_of(SAFE, object) => false,
            None if is_one_of(OWN, name) => nodes.contains(object),
            None => MEMBERS.contains(name),
        };
        if may_be_form {
            found.insert((line_of(code, from), shadowed(name)));
        }
    }
    for statement in DESTRUCTURED.captures_iter(code) {
        if is_one_of(NODES, &statement[1]) {
            let line = line_of(code, statement.get_match().start());
            found.insert((line, shadowed("a destructured property")));
        }
    }
}

/// Returns the variables that are declared as nodes, and never as anything else in this file.
fn node_names(code: &str) -> BTreeSet<&str> {
    let (mut nodes, mut others) = (BTreeSet::new(), BTreeSet::new());
    for declared in DECLARED.captures_iter(code) {
        let [name, kind] = [1, 2].map(|at| declared.get(at).map_or("", |part| part.as_str()));
        if is_one_of(NODES, kind) && declared.get(3).is_none() {
            nodes.insert(name);
        } else if kind.starts_with(|first: char| first.is_ascii_uppercase()) {
            others.insert(name);
        }
    }
    &nodes - &others
}

fn spreads(code: &str, bounded: &[bool], found: &mut BTreeSet<(usize, String)>) {
    // Whether each open bracket is the parenthesis of a call.
    let mut open: Vec<bool> = Vec::new();
    for (at, character) in code.char_indices() {
        match character {
            '(' => open.push(is_call(code, at)),
            '[' | '{' => open.push(false),
            ')' | ']' | '}' => drop(open.pop()),
            '.' => {
                let Some(spread) = SPREAD.captures(&code[at..]) else { continue };
                let line = line_of(code, at);
                let is_parameter = spread.get(1).is_some();
                let is_bounded = bounded[line.saturating_sub(2)..line].contains(&true);
                if open.last() == Some(&true) && !is_parameter && !is_bounded {
                    let what = "a list is spread into a call; use a loop, or say why it is short \
                                (// bounded: why)";
                    found.insert((line, what.to_owned()));
                }
            }
            _ => {}
        }
    }
    for apply in APPLY.find_iter(code) {
        let line = line_of(code, apply.start());
        found.insert((line, "apply spreads a list into a call".to_owned()));
    }
}

/// Returns whether a parenthesis opens the arguments of a call.
fn is_call(code: &str, at: usize) -> bool {
    let before = &code[..at];
    let is_name = |character: char| character.is_alphanumeric() || "_$".contains(character);
    let word = before.rsplit(|character| !is_name(character)).next().unwrap_or_default();
    let is_value = !word.is_empty() || before.ends_with([')', ']']) || before.ends_with("?.");
    is_value && !is_one_of(STATEMENTS, word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(code: &str) -> Vec<String> {
        let text = format!("// Why.\n{code}\n");
        check(&Tree::of(&[("page/src/capture/a.ts", &text)]))
            .iter()
            .map(|line| line.trim_start_matches("page/src/capture/a.ts:").to_owned())
            .collect()
    }

    #[test]
    fn properties_that_a_form_can_shadow_are_found() {
        for code in [
            "const near = lower.el.compareDocumentPosition(upper.el);",
            "el?.getAnimations?.();",
            "found\n  .closest(a);",
            "(el as HTMLElement).focus();",
            "(el as Element & { x?: Y }).ariaLabelledByElements;",
            "const { offsetWidth = 0 } = el as HTMLElement;",
            "function f(el: Element | null) { return el.id; }",
            "const text = `${node.textContent}`;",
        ] {
            assert_eq!(found(code).len(), 1, "{code}: {:?}", found(code));
            assert!(found(code)[0].contains("shadow"), "{:?}", found(code));
        }
    }

    #[test]
    fn other_properties_are_not_found() {
        for code in [
            "const { name } = node; node.name = record.id;",
            "(el as HTMLInputElement).value; document.querySelector(a);",
            "Element.prototype.closest.call(el, a);",
            "// el.closest(a)\nconst a = \"el.closest(a)\";",
            "function f(node: NodeRecord) { return node.name; }",
            "this.style; frame.style; 1.5; a.toString();",
        ] {
            assert_eq!(found(code), Vec::<String>::new(), "{code}");
        }
    }

    #[test]
    fn spreads_into_calls_are_found() {
        for code in [
            "list.push(...more);",
            "Math.max(0, ...all);",
            "f?.(...all);",
            "f(a, [...b], ...c);",
            "f(`${g({ a: 1 })}`, ...c);",
            "String.fromCharCode.apply(null, all);",
        ] {
            assert_eq!(found(code).len(), 1, "{code}: {:?}", found(code));
        }
    }

    #[test]
    fn other_spreads_are_not_found() {
        for code in [
            "const a = [...b, ...c]; const d = { ...e };",
            "f([...b], { ...c });",
            "function f(...all: Node[]) {}",
            "const g = (...all) => all;",
            "h(...point); // bounded: a point has two numbers",
            "// bounded: a point has two numbers\nh(...point);",
            "for (const a of [b, ...c]) {}",
        ] {
            assert_eq!(found(code), Vec::<String>::new(), "{code}");
        }
    }
}
