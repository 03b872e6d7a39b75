//! The accessibility of a page: violations of the rules of axe-core, and what only a capture shows:
//! elements that people can use but that have no name, that only a listener makes usable, that
//! something covers, or that are very small. Not in the hash.

use std::collections::HashSet;

use super::audit_form::{AUDIT_VERSION, Audit, AuditLevel, AuditOptions, Violation};
use super::locations::{EntryKind, Origins};
use super::model::Structure;
use super::regions::{PlacedNode, RegionMap};
use super::selector::{bounded, short};
use crate::nameless::guessed_name;
use crate::page::role::Role;
use crate::page::{Flags, Node, NodeId, Page};
use crate::text::escape::stored;

/// How many violations of a page are kept.
const MOST: usize = 500;
/// The longest text of a violation.
const TEXT_LIMIT: usize = 160;
/// The least width and height of something to press, in CSS pixels (WCAG 2.5.8).
const SMALLEST: i32 = 24;

/// A rule that only a capture can test.
struct OwnRule {
    name: &'static str,
    level: AuditLevel,
    help: &'static str,
    fix: &'static str,
    breaks: fn(Node<'_>) -> bool,
}

const OWN_RULES: [OwnRule; 5] = [
    OwnRule {
        name: "pagesight-nameless",
        level: AuditLevel::Serious,
        help: "What can be used must have a name",
        fix: "Add text, aria-label or a title",
        breaks: |node| {
            is_only_heard(node) && node.name().trim().is_empty() && !node.is(Flags::HOST)
        },
    },
    OwnRule {
        name: "pagesight-listener",
        level: AuditLevel::Serious,
        help: "What reacts to a click must be a control that the keyboard reaches",
        fix: "Make it a button or a link, or add a role, tabindex and keys",
        breaks: |node| is_only_heard(node) && node.attribute("tabindex").is_none(),
    },
    OwnRule {
        name: "pagesight-covered",
        level: AuditLevel::Serious,
        help: "Nothing may lie over a control",
        fix: "Move one of them, or its stacking order",
        breaks: |node| node.cover().is_some_and(|cover| !is_dialog(cover)),
    },
    OwnRule {
        name: "pagesight-small",
        level: AuditLevel::Moderate,
        help: "What is pressed must be at least 24 by 24 pixels",
        fix: "Make it larger",
        breaks: is_small,
    },
    OwnRule {
        name: "pagesight-shift",
        level: AuditLevel::Moderate,
        help: "A control must stay where it is once the page is ready",
        fix: "Reserve the space of what comes late",
        breaks: |_| false,
    },
];
const SHIFT: &str = "pagesight-shift";

/// Whether a rule is one of ours.
pub fn is_own_rule(rule: &str) -> bool {
    OWN_RULES.iter().any(|own| own.name == rule)
}

/// Whether only a listener, a handler or the cursor makes an element usable.
fn is_only_heard(node: Node<'_>) -> bool {
    let is_plain = matches!(node.role(), Role::None | Role::Generic | Role::Clickable);
    is_plain && !matches!(node.tag(), "video" | "audio" | "label" | "html" | "body")
}

fn is_dialog(node: Node<'_>) -> bool {
    matches!(node.role(), Role::Dialog | Role::AlertDialog) || node.is(Flags::MODAL)
}

/// Whether an element is too small to be pressed. Links in a text and what the browser draws itself
/// may be small.
fn is_small(node: Node<'_>) -> bool {
    let rect = node.rect();
    let is_native = matches!(node.role(), Role::Checkbox | Role::Radio | Role::Option);
    let in_text = node.role() == Role::Link
        && node.parent().is_some_and(|around| {
            around.children().any(|child| child.is_text() && !child.name().trim().is_empty())
        });
    let has_size = rect.width > 1 && rect.height > 1;
    has_size && (rect.width < SMALLEST || rect.height < SMALLEST) && !is_native && !in_text
}

/// Reads the audit.
pub(super) fn read(
    page: &Page,
    ground: &RegionMap<'_>,
    options: &AuditOptions<'_>,
    structure: &mut Structure,
    origins: &mut Origins,
) {
    let mut found: Vec<(Option<NodeId>, Violation)> = Vec::new();
    let mut known: HashSet<(NodeId, &str)> = HashSet::new();
    for finding in &options.findings.findings {
        let spot = finding.node.and_then(|id| spot_around(page, ground, id));
        let element = match finding.node {
            Some(id) => line(page.node(id)),
            None => bounded(&stored(&finding.selector), TEXT_LIMIT),
        };
        known.extend(finding.node.map(|id| (id, finding.rule.as_str())));
        let violation = Violation {
            rule: finding.rule.clone(),
            level: finding.level,
            element,
            help: bounded(&stored(&finding.help), TEXT_LIMIT),
            fix: bounded(&stored(finding.fix.lines().next().unwrap_or_default()), TEXT_LIMIT),
            place: spot.map_or(0, |spot| spot.place),
            ignored: spot.is_some_and(|spot| spot.ignored),
        };
        found.push((finding.node, violation));
    }
    let rules = OWN_RULES.iter().filter(|rule| {
        rule.level >= options.level
            && (options.tags.is_empty() || options.tags.iter().any(|tag| tag == "pagesight"))
            && !options.ignored.iter().any(|ignored| ignored == rule.name)
    });
    let rules: Vec<&OwnRule> = rules.collect();
    let shifted: HashSet<NodeId> = options.shifted.iter().copied().collect();
    for spot in &ground.spots {
        let node = spot.node;
        if !node.is(Flags::USABLE) || node.hidden().is_some() || node.is(Flags::DISABLED) {
            continue;
        }
        for rule in &rules {
            let breaks = (rule.breaks)(node) || rule.name == SHIFT && shifted.contains(&node.id());
            let is_known =
                rule.name == "pagesight-small" && known.contains(&(node.id(), "target-size"));
            if breaks && !is_known {
                let violation = Violation {
                    rule: rule.name.to_owned(),
                    level: rule.level,
                    element: line(node),
                    help: rule.help.to_owned(),
                    fix: rule.fix.to_owned(),
                    place: spot.place,
                    ignored: spot.ignored,
                };
                found.push((Some(node.id()), violation));
            }
        }
    }
    found.sort_by(|(_, one), (_, other)| {
        other.level.cmp(&one.level).then_with(|| one.rule.cmp(&other.rule))
    });
    found.truncate(MOST);
    for (node, _) in &found {
        origins.note(EntryKind::Audit, node.unwrap_or(NodeId::ROOT));
    }
    structure.audit = Some(Audit {
        version: AUDIT_VERSION,
        engine: options.findings.engine.clone(),
        level: options.level,
        tags: options.tags.to_vec(),
        left_out: options.findings.left_out,
        violations: found.into_iter().map(|(_, violation)| violation).collect(),
    });
}

/// Returns the nearest element in scope, for elements in frames.
fn spot_around<'g, 'p>(
    page: &Page,
    ground: &'g RegionMap<'p>,
    id: NodeId,
) -> Option<&'g PlacedNode<'p>> {
    let node = page.node(id);
    std::iter::once(node).chain(node.ancestors()).find_map(|at| {
        let spot = ground.spots.binary_search_by_key(&at.id(), |spot| spot.node.id()).ok()?;
        Some(&ground.spots[spot])
    })
}

/// Returns an element as outlines print it, without a number.
fn line(node: Node<'_>) -> String {
    let role = match node.role() {
        Role::None | Role::Generic if node.is(Flags::USABLE) => "clickable",
        Role::None | Role::Generic => node.tag(),
        role => role.as_str(),
    };
    let name = bounded(&stored(node.name()), TEXT_LIMIT);
    let guess = || guessed_name(node).map(|guess| guess.printed());
    match name.is_empty() {
        false => format!("{role}: {name}"),
        true => match guess() {
            Some(guess) => format!("{role} ({})", bounded(&stored(&guess), TEXT_LIMIT)),
            None => format!("{role} {}", short(node)),
        },
    }
}
