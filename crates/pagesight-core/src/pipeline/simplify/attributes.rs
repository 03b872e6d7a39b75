//! S2.3: drops what is printed twice: attributes that a node inherits from its parent, attributes
//! that repeat its name or a state, a role that follows from the tag, and a name that the text
//! inside repeats.

use std::collections::HashSet;

use crate::page::role::Role;
use crate::page::{Flags, Node, NodeId};
use crate::pipeline::view::{AttributeId, NodeFate, Said, View};

/// How many nodes are searched for the text that makes up a name.
const MOST_READ: usize = 200;

/// Drops what is printed already.
pub(crate) fn apply(view: &mut View<'_>) {
    let page = view.page();
    let holders = view.holders();
    let mut around = ParentAttributes::default();
    for node in page.nodes() {
        if !view.is_shown(node.id()) || node.is_text() {
            continue;
        }
        if implied_role(node) == node.role() {
            view.say(node.id(), Said::ROLE);
        }
        if name_is_text(view, node) {
            view.say(node.id(), Said::NAME);
        }
        let holder = NodeId(holders[node.id().index()]);
        let ids: Vec<AttributeId> = view.attribute_ids(node.id()).collect();
        for id in ids {
            let (name, value) = view.attribute(id);
            let inherited =
                node.id() != NodeId::ROOT && is_inherited(name) && around.says(view, holder, id);
            if inherited || repeats(node, name, value) {
                view.drop_attribute(id);
            }
        }
    }
}

/// The attributes of a node's parent, cached because siblings look up the same ones.
#[derive(Default)]
struct ParentAttributes {
    of: Option<NodeId>,
    pairs: HashSet<(u32, u32)>,
}

impl ParentAttributes {
    fn says(&mut self, view: &View<'_>, holder: NodeId, id: AttributeId) -> bool {
        let page = view.page();
        let pair = |id: AttributeId| {
            let (name, value) = page.attributes[id as usize];
            (name.0, value.0)
        };
        if self.of != Some(holder) {
            self.of = Some(holder);
            self.pairs.clear();
            self.pairs.extend(view.attribute_ids(holder).map(pair));
        }
        self.pairs.contains(&pair(id))
    }
}

/// Whether an attribute applies to everything inside its element.
fn is_inherited(name: &str) -> bool {
    matches!(name, "lang" | "dir" | "translate" | "title" | "aria-hidden" | "aria-disabled")
        || name.starts_with("data-")
}

/// Whether an attribute repeats the name or a state.
fn repeats(node: Node<'_>, name: &str, value: &str) -> bool {
    let state = match (name, value) {
        ("aria-checked", "true") => Flags::CHECKED,
        ("aria-checked", "mixed") => Flags::MIXED,
        ("aria-disabled", "true") => Flags::DISABLED,
        ("aria-expanded", "true") => Flags::EXPANDED,
        ("aria-expanded", "false") => Flags::COLLAPSED,
        ("aria-selected", "true") => Flags::SELECTED,
        ("aria-pressed", "true") => Flags::PRESSED,
        ("aria-required", "true") => Flags::REQUIRED,
        ("aria-invalid", "true") => Flags::INVALID,
        ("aria-readonly", "true") => Flags::READONLY,
        ("aria-busy", "true") => Flags::BUSY,
        ("aria-modal", "true") => Flags::MODAL,
        ("title" | "alt" | "placeholder" | "aria-label" | "value" | "aria-valuetext", _) => {
            let value = value.trim();
            return !value.is_empty()
                && (value == node.name().trim() || Some(value) == node.value());
        }
        ("role", _) => return Role::parse(value) == node.role(),
        _ => return false,
    };
    node.is(state)
}

/// Whether the texts shown in an element are its name, so that the name need not be printed.
fn name_is_text(view: &View<'_>, node: Node<'_>) -> bool {
    let mut name = node.name().chars().filter(|c| !c.is_whitespace()).peekable();
    if name.peek().is_none() {
        return false;
    }
    for inner in node.descendants().take(MOST_READ).filter(|inner| inner.is_text()) {
        // A merged text was compared with the text that it was merged into.
        if view.fate(inner.id()) != NodeFate::Shown {
            continue;
        }
        for c in view.text(inner).chars().filter(|c| !c.is_whitespace()) {
            if name.next() != Some(c) {
                return false;
            }
        }
    }
    name.next().is_none() && node.descendants().len() <= MOST_READ
}

/// Returns the role that follows from the tag alone.
pub(crate) fn implied_role(node: Node<'_>) -> Role {
    let kind = || node.attribute("type").unwrap_or("text");
    match node.tag() {
        "a" | "area" => Role::Link,
        "article" => Role::Article,
        "aside" => Role::Complementary,
        "blockquote" => Role::Blockquote,
        "button" | "summary" => Role::Button,
        "caption" => Role::Caption,
        "code" => Role::Code,
        "dd" => Role::Definition,
        "del" | "s" => Role::Deletion,
        "dialog" => Role::Dialog,
        "dt" | "dfn" => Role::Term,
        "em" => Role::Emphasis,
        "fieldset" | "details" | "optgroup" => Role::Group,
        "figure" => Role::Figure,
        "footer" => Role::ContentInfo,
        "form" => Role::Form,
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Role::Heading,
        "header" => Role::Banner,
        "hr" => Role::Separator,
        "img" => Role::Image,
        "ins" => Role::Insertion,
        "li" => Role::ListItem,
        "main" => Role::Main,
        "mark" => Role::Mark,
        "math" => Role::Math,
        "menu" | "ol" | "ul" => Role::List,
        "meter" => Role::Meter,
        "nav" => Role::Navigation,
        "option" => Role::Option,
        "output" => Role::Status,
        "p" => Role::Paragraph,
        "progress" => Role::ProgressBar,
        "search" => Role::Search,
        "section" => Role::Region,
        "strong" => Role::Strong,
        "sub" => Role::Subscript,
        "sup" => Role::Superscript,
        "table" => Role::Table,
        "tbody" | "tfoot" | "thead" => Role::RowGroup,
        "td" => Role::Cell,
        "textarea" => Role::TextBox,
        "th" => Role::ColumnHeader,
        "time" => Role::Time,
        "tr" => Role::Row,
        "select" => Role::Combobox,
        "input" => match kind() {
            "checkbox" => Role::Checkbox,
            "radio" => Role::Radio,
            "range" => Role::Slider,
            "number" => Role::SpinButton,
            "search" => Role::SearchBox,
            "button" | "submit" | "reset" | "image" | "file" => Role::Button,
            _ => Role::TextBox,
        },
        _ => Role::None,
    }
}
