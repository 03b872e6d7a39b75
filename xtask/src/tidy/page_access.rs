//! Two patterns of the page script that a hostile page can break.
//!
//! A form shows its fields as its own properties: with `<input name="closest">` in a form,
//! `form.closest` is that input. So properties of elements are read by functions that were taken
//! from the prototypes (page/src/dom/dom.ts).
//!
//! A list that is spread into a call is put on the stack: a page with a long list makes the call
//! fail. Lists that are always short may be spread beside a comment `// bounded: why`.

use std::collections::BTreeSet;

use super::page_code::{PageCode, is_name};
use super::tree::Tree;

const SOURCE: &str = "page/src/";
/// The properties of forms in Chromium and Firefox.
const MEMBERS: &str = include_str!("form_members.txt");
/// Of these, names that the page script gives to members of its own objects, too. They count only
/// where the object is known to be a node.
const OWN: &str = "ariaHidden children contains elements focus hidden id inert matches name normalize role \
                   reset scroll style target title";
/// Types of nodes that may be a form.
const NODES: [&str; 7] = [
    "Node",
    "Element",
    "HTMLElement",
    "HTMLFormElement",
    "SVGElement",
    "EventTarget",
    "ParentNode",
];
/// Objects that are never a form. The names of a document are shadowed only in the page's world.
const SAFE: [&str; 8] = ["document", "window", "this", "prototype", "range", "D", "N", "Node"];

pub fn check(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in tree.below(SOURCE, ".ts") {
        let code = PageCode::read(text);
        let mut at_line: BTreeSet<(usize, String)> = BTreeSet::new();
        members(&code, &mut at_line);
        spreads(&code, &mut at_line);
        found.extend(at_line.into_iter().map(|(line, what)| format!("{path}:{line}: {what}")));
    }
    found
}

fn members(code: &PageCode, found: &mut BTreeSet<(usize, String)>) {
    let known: BTreeSet<&str> = MEMBERS.split_whitespace().collect();
    let own: BTreeSet<&str> = OWN.split_whitespace().collect();
    let nodes = node_names(code);
    for (at, _) in code.bytes.iter().enumerate().filter(|(_, byte)| **byte == b'.') {
        let name = code.name_at(at + 1);
        let spread = code.bytes[..at].ends_with(b".");
        if spread || name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
            continue;
        }
        let before = code.trimmed(at);
        let before = if code.bytes[..before].ends_with(b"?") { before - 1 } else { before };
        let receiver = code.name_before(code.trimmed(before));
        let cast = cast_before(code, before);
        let may_be_form = match cast {
            Some(cast) => NODES.contains(&cast),
            None if SAFE.contains(&receiver) => false,
            None if own.contains(name) => nodes.contains(receiver),
            None => true,
        };
        if may_be_form && (known.contains(name) || cast.is_some()) {
            found.insert((code.line(at), shadowed(name)));
        }
    }
    // `const { name } = el as HTMLElement`
    for cast in NODES {
        let text = String::from_utf8_lossy(&code.bytes);
        for (at, _) in text.match_indices(&format!(" as {cast};")) {
            let statement = text[..at].rfind(';').map_or(0, |end| end + 1);
            if text[statement..at].trim_start().starts_with("const {") {
                found.insert((code.line(at), shadowed("a destructured property")));
            }
        }
    }
}

fn shadowed(name: &str) -> String {
    format!("a form may shadow {name}; read it by a function of dom.ts")
}

/// Returns the first type that an expression in parentheses before a byte is cast to.
fn cast_before(code: &PageCode, end: usize) -> Option<&str> {
    if !code.bytes[..end].ends_with(b")") {
        return None;
    }
    let mut depth = 0;
    let open = code.bytes[..end].iter().rposition(|byte| {
        depth += i32::from(*byte == b')') - i32::from(*byte == b'(');
        depth == 0
    })?;
    let inner = &code.bytes[open..end];
    let cast = inner.windows(4).rposition(|window| window == b" as ")?;
    let nested = inner[cast..].iter().filter(|byte| **byte == b')').count() > 1;
    (!nested).then(|| code.name_at(open + cast + 4))
}

/// Returns the variables that are declared as nodes, and never as anything else in this file.
fn node_names(code: &PageCode) -> BTreeSet<&str> {
    let (mut nodes, mut others) = (BTreeSet::new(), BTreeSet::new());
    for (at, _) in code.bytes.iter().enumerate().filter(|(_, byte)| **byte == b':') {
        let end = if code.bytes[..at].ends_with(b"?") { at - 1 } else { at };
        let name = code.name_before(end);
        let Some(from) = code.bytes[at + 1..].iter().position(|byte| *byte != b' ') else { break };
        let declared = code.name_at(at + 1 + from);
        let list = code.bytes[at + 1 + from + declared.len()..].starts_with(b"[");
        if NODES.contains(&declared) && !list {
            nodes.insert(name);
        } else if declared.starts_with(|first: char| first.is_ascii_uppercase()) {
            others.insert(name);
        }
    }
    &nodes - &others
}

fn spreads(code: &PageCode, found: &mut BTreeSet<(usize, String)>) {
    let mut open: Vec<(u8, bool)> = Vec::new();
    for (at, byte) in code.bytes.iter().copied().enumerate() {
        match byte {
            b'(' => open.push((byte, is_call(code, at))),
            b'[' | b'{' => open.push((byte, false)),
            b')' | b']' | b'}' => {
                open.pop();
            }
            b'.' if code.bytes[at..].starts_with(b"...") => {
                let name = code.name_at(at + 3);
                let parameter = code.bytes[at + 3 + name.len()..].starts_with(b":");
                let line = code.line(at);
                if open.last().is_some_and(|(_, call)| *call)
                    && !parameter
                    && !code.is_bounded(line)
                {
                    found.insert((
                        line,
                        "a list is spread into a call; use a loop, or say why it is short \
                         (// bounded: why)"
                            .to_owned(),
                    ));
                }
            }
            b'.' if code.name_at(at + 1) == "apply" => {
                found.insert((code.line(at), "apply spreads a list into a call".to_owned()));
            }
            _ => {}
        }
    }
}

/// Returns whether a parenthesis opens the arguments of a call.
fn is_call(code: &PageCode, at: usize) -> bool {
    let word = code.name_before(at);
    let value =
        at > 0 && (is_name(code.bytes[at - 1]) || matches!(code.bytes[at - 1], b')' | b']'));
    let optional = code.bytes[..at].ends_with(b"?.");
    (value || optional) && !matches!(word, "if" | "for" | "while" | "switch" | "return" | "catch")
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
