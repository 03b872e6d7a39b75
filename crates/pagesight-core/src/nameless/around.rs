//! The label of a control without a name: the text of the smallest row, group or card that holds
//! the control and no other.

use crate::page::role::Role;
use crate::page::{Flags, Node};
use crate::text::escape::clean;

/// How many levels above a control its label is looked for, and among how many nodes.
const REACH: usize = 6;
const MOST_NODES: usize = 120;
const LABEL_LIMIT: usize = 60;

/// A line of text beside a control.
struct TextRun {
    text: String,
    /// Whether it comes before the control.
    before: bool,
    /// Whether it is in a heading.
    heading: bool,
}

/// Which labels are taken.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum LabelReach {
    /// Those of a record or a group, and the text beside a field.
    Own,
    /// Also the heading beside a button: it says what the button is about, not what it does.
    Heading,
}

/// Returns the label around an element, if there is one.
pub(super) fn label(node: Node<'_>, reach: LabelReach) -> Option<String> {
    for above in node.ancestors().take(REACH) {
        if ends_search(above) || holds_others(above, node) {
            return None;
        }
        let runs = runs_beside(above, node);
        if let Some(run) = label_among(&runs, above.role(), node.role(), reach) {
            return is_label(&run.text).then(|| run.text.clone());
        }
        let name = clean(above.name());
        if names_content(above.role()) && is_label(&name) {
            return Some(name);
        }
        if !runs.is_empty() && is_record(above.role()) {
            return None;
        }
    }
    None
}

/// Returns the text that labels a control: the heading or the first text of a record; else the only
/// text before a field, or beside a check box; else a heading.
fn label_among(runs: &[TextRun], around: Role, role: Role, reach: LabelReach) -> Option<&TextRun> {
    let heading = runs.iter().find(|run| run.heading);
    let checks = matches!(role, Role::Checkbox | Role::Radio | Role::Switch);
    match runs {
        [] => None,
        runs if is_record(around) => heading.or(runs.first()),
        [only] if checks || (role.is_field() && only.before) => Some(only),
        _ if checks || role.is_field() || reach == LabelReach::Own => None,
        _ => heading,
    }
}

fn is_record(role: Role) -> bool {
    matches!(role, Role::ListItem | Role::Row | Role::Article)
}

/// Whether a text is short enough for a label and not a sentence.
fn is_label(text: &str) -> bool {
    text.chars().any(char::is_alphabetic)
        && text.chars().count() <= LABEL_LIMIT
        && !text.ends_with(['.', '!', '…'])
}

/// Whether what is around this element is not about one control.
fn ends_search(above: Node<'_>) -> bool {
    above.is(Flags::USABLE)
        || matches!(above.tag(), "html" | "body")
        || above.role().is_landmark()
        || matches!(
            above.role(),
            Role::Table
                | Role::Grid
                | Role::TreeGrid
                | Role::List
                | Role::Tree
                | Role::Dialog
                | Role::AlertDialog
                | Role::Menu
                | Role::MenuBar
                | Role::TabList
                | Role::Toolbar
        )
}

fn names_content(role: Role) -> bool {
    matches!(role, Role::Group | Role::RadioGroup | Role::Figure | Role::Article)
}

/// Whether something else can be used there, or there is too much to look at.
fn holds_others(above: Node<'_>, node: Node<'_>) -> bool {
    let inside = above.descendants();
    inside.len() > MOST_NODES + node.descendants().len()
        || inside
            .filter(|inner| !node.contains(inner.id()))
            .any(|inner| inner.is(Flags::USABLE) && inner.hidden().is_none())
}

/// Returns the texts there that are not in the control and not its value.
fn runs_beside(above: Node<'_>, node: Node<'_>) -> Vec<TextRun> {
    let mut runs: Vec<TextRun> = Vec::new();
    let mut text = String::new();
    let (mut skip, mut heading_end) = (0, 0);
    let mut end_run = |text: &mut String, before: bool, heading: bool| {
        let run = clean(text);
        let run = run.trim_end_matches([':', '*', ' ']);
        if run.chars().any(char::is_alphanumeric) && node.value() != Some(run) {
            runs.push(TextRun { text: run.to_owned(), before, heading });
        }
        text.clear();
    };
    for inner in above.descendants() {
        let at = inner.id().index();
        if at < skip {
            continue;
        }
        let before = inner.id() <= node.id();
        let left_out = inner.id() == node.id()
            || inner.hidden().is_some()
            || inner.flags().intersects(Flags::WITHHELD | Flags::GUTTER)
            || inner.labelled().is_some_and(|named| named.id() != node.id());
        let breaks = !inner.is_text() && (inner.is(Flags::BLOCK) || inner.tag() == "br");
        if breaks || left_out || (heading_end > 0 && at >= heading_end) {
            end_run(&mut text, before, heading_end > 0);
            if at >= heading_end {
                heading_end = 0;
            }
        }
        if left_out {
            skip = inner.end();
        } else if inner.is_text() {
            text.push_str(inner.name());
        } else if inner.role() == Role::Heading {
            heading_end = inner.end();
        }
    }
    end_run(&mut text, above.end() <= node.id().index(), heading_end > 0);
    runs
}
