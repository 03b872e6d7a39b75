//! Matches CSS selectors against a captured page. Used for page files; in a live page the browser
//! matches. Supports tags, ids, classes, attributes, descendants, children and lists of selectors.

use crate::page::{Node, NodeId, Page};

/// Why a selector matches nothing.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
pub enum QueryError {
    /// It does not parse, or uses more of CSS than is understood here.
    #[error(
        "the selector {0:?} is not understood in a page file; use tags, ids, classes, attributes, spaces and >"
    )]
    NotUnderstood(String),
    /// Nothing matches.
    #[error(
        "nothing in the page matches the selector {0:?}; look at it without a scope to see what is there"
    )]
    NoMatch(String),
}

#[derive(Debug, PartialEq)]
enum Test {
    Tag(String),
    Id(String),
    Class(String),
    Attribute { name: String, operator: &'static str, value: String },
}

#[derive(Debug, PartialEq)]
struct Compound {
    tests: Vec<Test>,
    /// Must be the direct parent of what follows.
    child: bool,
}

/// Returns the first node that matches a selector, in document order.
pub fn first(page: &Page, selector: &str) -> Result<NodeId, QueryError> {
    let choices = choices(selector)?;
    let found = page
        .nodes()
        .filter(|node| !node.is_text())
        .find(|node| choices.iter().any(|choice| matches(*node, choice)));
    found.map(Node::id).ok_or_else(|| QueryError::NoMatch(shown(selector)))
}

/// Returns all nodes that match a selector, in document order.
pub fn all(page: &Page, selector: &str) -> Result<Vec<NodeId>, QueryError> {
    let choices = choices(selector)?;
    let elements = page.nodes().filter(|node| !node.is_text());
    let found = elements.filter(|node| choices.iter().any(|choice| matches(*node, choice)));
    Ok(found.map(Node::id).collect())
}

fn choices(selector: &str) -> Result<Vec<Vec<Compound>>, QueryError> {
    let parsed = split_list(selector).into_iter().map(|choice| parse(choice.trim()));
    parsed.collect::<Option<_>>().ok_or_else(|| QueryError::NotUnderstood(shown(selector)))
}

fn shown(selector: &str) -> String {
    selector.chars().take(100).collect()
}

/// Splits at commas that stand outside of quotes and brackets.
fn split_list(selector: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quote) = (Vec::new(), 0, 0, None);
    for (at, c) in selector.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '[') => depth += 1,
            (None, ']') => depth -= 1,
            (None, ',') if depth == 0 => {
                parts.push(&selector[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&selector[start..]);
    parts
}

/// Parses a selector into compounds, from left to right; `None` if it is not understood.
fn parse(selector: &str) -> Option<Vec<Compound>> {
    let mut chars = selector.chars().peekable();
    let mut compounds: Vec<Compound> = Vec::new();
    let mut tests: Vec<Test> = Vec::new();
    let word = |chars: &mut std::iter::Peekable<std::str::Chars<'_>>| {
        let mut out = String::new();
        while let Some(c) =
            chars.next_if(|c| c.is_alphanumeric() || "-_\\".contains(*c) || !c.is_ascii())
        {
            out.push(if c == '\\' { chars.next()? } else { c });
        }
        (!out.is_empty()).then_some(out)
    };
    loop {
        match chars.peek().copied() {
            None => break,
            Some('*') => {
                chars.next();
            }
            Some('#') => {
                chars.next();
                tests.push(Test::Id(word(&mut chars)?));
            }
            Some('.') => {
                chars.next();
                tests.push(Test::Class(word(&mut chars)?));
            }
            Some('[') => {
                chars.next();
                tests.push(attribute(&mut chars)?);
            }
            Some(c) if c.is_whitespace() || c == '>' => {
                let mut child = false;
                while let Some(c) = chars.next_if(|c| c.is_whitespace() || *c == '>') {
                    child |= c == '>';
                }
                if chars.peek().is_some() {
                    compounds.push(Compound { tests: std::mem::take(&mut tests), child });
                }
            }
            Some(c) if c.is_alphanumeric() || c == '-' || c == '_' => {
                tests.push(Test::Tag(word(&mut chars)?.to_lowercase()))
            }
            Some(_) => return None,
        }
    }
    let anything = selector.ends_with('*');
    if tests.is_empty() && !anything {
        return None;
    }
    compounds.push(Compound { tests, child: false });
    Some(compounds)
}

fn attribute(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<Test> {
    let mut inside = String::new();
    let mut quote = None;
    loop {
        let c = chars.next()?;
        match (quote, c) {
            (None, ']') => break,
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if c == open => quote = None,
            (Some(_), '\\') => inside.push(chars.next()?),
            _ => inside.push(c),
        }
    }
    let Some(at) = inside.find('=') else {
        let name = inside.trim().to_owned();
        return (!name.is_empty()).then_some(Test::Attribute {
            name,
            operator: "",
            value: String::new(),
        });
    };
    let (mut name, value) = (inside[..at].to_owned(), inside[at + 1..].trim().to_owned());
    let operator = match name.chars().last() {
        Some('^') => "^",
        Some('$') => "$",
        Some('*') => "*",
        Some('~') => "~",
        Some('|') => "|",
        _ => "=",
    };
    if operator != "=" {
        name.pop();
    }
    let name = name.trim().to_lowercase();
    (!name.is_empty()).then_some(Test::Attribute { name, operator, value })
}

/// Whether the compounds match along the path down to the node. One pass is enough for any
/// selector: it tracks for each compound whether it matched the parent, and whether it matched any
/// ancestor.
fn matches(node: Node<'_>, compounds: &[Compound]) -> bool {
    if compounds.last().is_none_or(|last| !fits(node, last)) {
        return false;
    }
    let mut way: Vec<Node<'_>> = node.ancestors().collect();
    way.reverse();
    way.push(node);
    let (mut right_above, mut anywhere) =
        (vec![false; compounds.len()], vec![false; compounds.len()]);
    for step in way {
        let here: Vec<bool> = (0..compounds.len())
            .map(|at| {
                let led_to = at == 0
                    || if compounds[at - 1].child { right_above[at - 1] } else { anywhere[at - 1] };
                led_to && fits(step, &compounds[at])
            })
            .collect();
        anywhere.iter_mut().zip(&here).for_each(|(known, now)| *known |= now);
        right_above = here;
    }
    right_above.last() == Some(&true)
}

fn fits(node: Node<'_>, compound: &Compound) -> bool {
    compound.tests.iter().all(|test| match test {
        Test::Tag(tag) => node.tag() == tag,
        Test::Id(id) => node.attribute("id") == Some(id),
        Test::Class(class) => node
            .attribute("class")
            .is_some_and(|list| list.split_whitespace().any(|one| one == class)),
        Test::Attribute { name, operator, value } => {
            node.attribute(name).is_some_and(|found| match *operator {
                "" => true,
                "=" => found == value,
                "^" => !value.is_empty() && found.starts_with(value.as_str()),
                "$" => !value.is_empty() && found.ends_with(value.as_str()),
                "*" => !value.is_empty() && found.contains(value.as_str()),
                "~" => found.split_whitespace().any(|one| one == value),
                _ => found == value || found.starts_with(&format!("{value}-")),
            })
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_parse_or_are_refused() {
        for good in [
            "main",
            "#a",
            ".b.c",
            "ul > li a",
            "[data-x]",
            "a[href=\"/x, y\"]",
            "input[type=text], button",
            "*",
        ] {
            let parsed = split_list(good).iter().all(|one| parse(one.trim()).is_some());
            assert!(parsed, "{good}");
        }
        for bad in ["", "a:hover", "##", "[", "div + p", "li:nth-child(2)", "[=x]"] {
            let parsed = split_list(bad).iter().all(|one| parse(one.trim()).is_some());
            assert!(!parsed, "{bad}");
        }
        assert_eq!(split_list("a[x=\"1,2\"], b").len(), 2);
    }

    #[test]
    fn descendants_differ_from_children_and_nothing_explodes() {
        let page = crate::page::test_page::page("ul\n  li\n    a id=x\n    div\n      a id=y");
        let id = |selector: &str| {
            first(&page, selector)
                .map(|node| page.node(node).attribute("id").unwrap_or("").to_owned())
        };
        assert_eq!(id("ul a").as_deref(), Ok("x"));
        assert_eq!(id("div > a").as_deref(), Ok("y"));
        assert_eq!(id("ul > li > div a").as_deref(), Ok("y"));
        assert!(matches!(id("ul > a"), Err(QueryError::NoMatch(_))));
        let deep: String = (0..60).map(|depth| format!("{}div\n", " ".repeat(depth))).collect();
        let page = crate::page::test_page::page(&deep);
        assert!(first(&page, &format!("x {}", "div ".repeat(20))).is_err());
    }
}
