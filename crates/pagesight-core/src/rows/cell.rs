//! Reads what a person sees in one cell: texts, values of fields, states of check boxes, names of
//! pictures, hints of icons, and where links lead.

use crate::nameless::{guessed_name, icon_name};
use crate::page::role::Role;
use crate::page::{Flags, Node, NodeId, Page};
use crate::pipeline::filter::{noise::is_noise, visibility::is_seen};
use crate::render::link_target;
use crate::rows::model::CELL_LIMIT;
use crate::text::escape::{bounded, clean};

/// The content of a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CellText {
    pub(super) text: String,
    /// Where its links lead, separated by spaces.
    pub(super) target: String,
    /// The moment that its text means, if the page says it.
    pub(super) moment: String,
    pub(super) controls: Vec<NodeId>,
}

/// An element whose content is being read.
struct OpenElement<'p> {
    end: usize,
    block: bool,
    /// It can be used; how long the text was before it.
    usable: Option<(Node<'p>, usize)>,
}

/// Reads the content of a cell.
pub(super) fn read_cell(page: &Page, cell: Node<'_>) -> CellText {
    read(page, cell, true)
}

/// Reads the head of a column: its texts, without the fields that filter it.
pub(super) fn read_head(page: &Page, cell: Node<'_>) -> String {
    let said = read(page, cell, false).text;
    let name = if said.is_empty() && cell.role() == Role::ColumnHeader { cell.name() } else { "" };
    if said.is_empty() { clean(name) } else { said }
}

/// Returns the texts of the control or picture `node` itself, which has no text that people read in
/// it: a value, a state, a name or a hint. `None`: its content says it.
pub(super) fn own_text(node: Node<'_>) -> Option<String> {
    match node.role() {
        Role::Checkbox | Role::Switch | Role::Radio | Role::MenuItemCheckbox => {
            let mixed = node.is(Flags::MIXED);
            let checked = if node.is(Flags::CHECKED) { "checked" } else { "unchecked" };
            Some(if mixed { "mixed" } else { checked }.to_owned())
        }
        role if role.is_field() => node.value().map(clean),
        Role::Meter | Role::ProgressBar => Some(clean(node.value().unwrap_or_else(|| node.name()))),
        Role::Image => Some(clean(node.name())),
        _ => None,
    }
}

/// Returns the name or the hint of a control or an icon without a text.
pub(super) fn name_or_hint(node: Node<'_>) -> String {
    let name = clean(node.name());
    if name.chars().any(char::is_alphanumeric) {
        return name;
    }
    let guess = guessed_name(node).or_else(|| icon_name(node));
    guess.map(|guess| clean(&guess.text)).unwrap_or_default()
}

/// Whether it is one of the controls of a row. The cells of a grid can have the focus, too.
pub(super) fn is_control(node: Node<'_>) -> bool {
    node.is(Flags::USABLE)
        && node.local() != 0
        && !matches!(
            node.role(),
            Role::Cell | Role::GridCell | Role::RowHeader | Role::ColumnHeader
        )
}

/// Returns where a link leads; empty if it is not a link, or leads nowhere.
pub(super) fn target_of(page: &Page, node: Node<'_>) -> String {
    if node.role() == Role::Link {
        link_target(page, node).unwrap_or_default()
    } else {
        String::new()
    }
}

/// A text with the moment that it means: `3 days ago`.
pub(super) struct Moment<'p> {
    text: String,
    moment: &'p str,
}

impl Moment<'_> {
    /// Returns the moment if it is what a whole text means.
    pub(super) fn of(&self, text: &str) -> Option<String> {
        (self.text == text).then(|| bounded(&clean(self.moment), CELL_LIMIT))
    }
}

/// Returns what a `time` element means, if it says so.
pub(super) fn moment_of(node: Node<'_>) -> Option<Moment<'_>> {
    if node.tag() != "time" {
        return None;
    }
    let moment = node.attribute("datetime")?;
    let texts = node.descendants().filter(|node| node.is_text() && is_seen(*node, true));
    let text: String = texts.map(Node::name).collect();
    Some(Moment { text: clean(&text), moment })
}

/// `values`: also what fields, pictures and controls without a text say.
fn read(page: &Page, cell: Node<'_>, values: bool) -> CellText {
    let mut out = CellText::default();
    let mut open: Vec<OpenElement<'_>> = Vec::new();
    // The names of icons that cannot be used.
    let mut icons = String::new();
    let mut moment = None;
    let mut at = cell.id().index() + 1;
    while at < cell.end() {
        close(&mut open, at, &mut out.text, values);
        let node = page.at(at);
        at += 1;
        if is_noise(node) {
            at = node.end();
            continue;
        }
        if !is_seen(node, true) {
            continue;
        }
        if node.is_text() {
            if out.text.len() < CELL_LIMIT * 4 {
                out.text.push_str(node.name());
            }
            continue;
        }
        let block = node.is(Flags::BLOCK);
        if block || node.tag() == "br" {
            gap(&mut out.text);
        }
        if is_control(node) {
            out.controls.push(node.id());
        }
        push_target(&mut out.target, &target_of(page, node));
        moment = moment_of(node).or(moment);
        if let Some(own) = own_text(node) {
            if values {
                push_word(&mut out.text, &own);
            }
            at = node.end();
        } else {
            let usable = node.is(Flags::USABLE).then(|| (node, out.text.trim_end().len()));
            if usable.is_none() && node.end() == at && icons.len() < CELL_LIMIT {
                push_word(&mut icons, &name_or_hint(node));
            }
            open.push(OpenElement { end: node.end(), block, usable });
        }
    }
    close(&mut open, usize::MAX, &mut out.text, values);
    out.text = bounded(&clean(&out.text), CELL_LIMIT);
    out.moment = moment.and_then(|moment| moment.of(&out.text)).unwrap_or_default();
    // Beside a text, an icon is decoration.
    if values && out.text.is_empty() {
        out.text = bounded(&clean(&icons), CELL_LIMIT);
    }
    out
}

/// Appends a space, unless the text ends with one. Runs of spaces would be searched again and
/// again.
fn gap(text: &mut String) {
    if !text.ends_with(' ') {
        text.push(' ');
    }
}

fn push_word(text: &mut String, word: &str) {
    gap(text);
    text.push_str(word);
    gap(text);
}

/// Appends where a link leads.
pub(super) fn push_target(targets: &mut String, target: &str) {
    if !target.is_empty() && targets.len() < CELL_LIMIT {
        if !targets.is_empty() {
            targets.push(' ');
        }
        targets.push_str(target);
    }
}

/// Closes elements that end before `at`.
fn close(open: &mut Vec<OpenElement<'_>>, at: usize, text: &mut String, values: bool) {
    while let Some(done) = open.pop_if(|open| open.end <= at) {
        if done.block {
            gap(text);
        }
        if let Some((node, before)) = done.usable.filter(|_| values)
            && text.trim_end().len() <= before
        {
            push_word(text, &name_or_hint(node));
        }
    }
}
