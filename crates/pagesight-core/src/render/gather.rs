//! View → items: decides, in one pass over the arena, which of the nodes that the pipeline kept get
//! a line and what that line says. Text of a row, a list item or an alert goes into its line; text
//! inside something usable is its name already and is not said again.

use crate::page::role::Role;
use crate::page::{Flags, Node, NodeId, Page};
use crate::pipeline::filter::tiny_text::says_something;
use crate::pipeline::{NodeFate, View};
use crate::render::items::{Item, ItemKind, Items};
use crate::render::line::{head, headline, push_name, states, value_part};
use crate::text::escape::{TEXT_LIMIT, clean, safe, safe_line};

/// Up to this many characters the text of a row or list item stands in its own line.
const SUMMARY_LIMIT: usize = 240;
/// How many options of a select are named.
const OPTIONS_SHOWN: usize = 12;

/// Makes the items of the subtree at `root`.
pub(crate) fn gather(view: &View<'_>, root: NodeId) -> Items {
    let page = view.page();
    Gatherer {
        page,
        view,
        items: Vec::new(),
        open: Vec::new(),
        run: String::new(),
        run_node: NodeId::ROOT,
    }
    .gather(root)
}

/// A node whose subtree is being read.
struct OpenElement {
    end: usize,
    item: Option<usize>,
    block: bool,
    /// Text below it is already said.
    mute: bool,
}

struct Gatherer<'v, 'p> {
    page: &'p Page,
    view: &'v View<'p>,
    items: Items,
    open: Vec<OpenElement>,
    /// The line of text that is being put together from inline pieces.
    run: String,
    run_node: NodeId,
}

/// What becomes of an element.
enum LineChoice {
    /// Say nothing of it and go on inside.
    Wrapper,
    /// A line, with its subtree below it. `mute`: the text inside is already said.
    Line { item: Item, mute: bool },
    /// A line, and nothing inside is of interest.
    Leaf(Item),
    /// Nothing at all.
    Skip,
}

impl<'p> Gatherer<'_, 'p> {
    fn gather(mut self, root: NodeId) -> Items {
        let end = self.page.node(root).end();
        let mut at = root.index();
        while at < end {
            self.close(at);
            let node = self.page.node(NodeId(at as u32));
            if is_gone(self.view, node) && at != root.index() {
                // Nothing of it shows, but something below it may.
                self.pass(node);
                at += 1;
            } else if node.is_text() {
                self.text(node);
                at += 1;
            } else {
                at = self.element(node);
            }
        }
        self.close(end);
        self.flush();
        self.items
    }

    /// Closes what ends before `at`.
    fn close(&mut self, at: usize) {
        while let Some(open) = self.open.pop_if(|open| open.end <= at) {
            if open.block || open.item.is_some() {
                self.flush();
            }
            if let Some(item) = open.item {
                self.items[item].end = self.items.len() as u32;
            }
        }
    }

    /// What is drawn without saying anything still parts what is around it.
    fn pass(&mut self, node: Node<'p>) {
        if node.hidden().is_some() {
            return;
        }
        if node.is(Flags::BLOCK) {
            self.flush();
        } else if node.tag() == "br" && !self.run.is_empty() {
            self.run.push(' ');
        }
    }

    fn text(&mut self, node: Node<'p>) {
        if self.open.last().is_some_and(|open| open.mute) {
            return;
        }
        if self.run.is_empty() {
            self.run_node = node.id();
        }
        self.run.push_str(node.name());
    }

    /// Ends the line of text that is being put together.
    fn flush(&mut self) {
        let text = clean(&self.run);
        self.run.clear();
        if says_something(&text) {
            let body = safe_line(&text, TEXT_LIMIT);
            self.push(Item { kind: ItemKind::Text, ..item(self.run_node, Role::None, text, body) });
        }
    }

    fn push(&mut self, mut item: Item) -> usize {
        item.end = self.items.len() as u32 + 1;
        self.items.push(item);
        self.items.len() - 1
    }

    /// Reads one element; answers with the index of the next node to read.
    fn element(&mut self, node: Node<'p>) -> usize {
        // The text of a label is said by what it names.
        let label = node.labelled().is_some_and(|named| named.hidden().is_none());
        let inherited = label || self.open.last().is_some_and(|open| open.mute);
        let block = node.is(Flags::BLOCK);
        match self.reading(node) {
            LineChoice::Skip => return node.end(),
            LineChoice::Leaf(item) => {
                self.flush();
                self.push(item);
                return node.end();
            }
            LineChoice::Line { item, mute } => {
                self.flush();
                let place = self.push(item);
                self.open.push(OpenElement { end: node.end(), item: Some(place), block, mute });
                self.options(node);
            }
            LineChoice::Wrapper if block => {
                self.flush();
                let soft = Item {
                    kind: ItemKind::Soft,
                    ..item(node.id(), Role::None, String::new(), String::new())
                };
                let place = self.push(soft);
                self.open.push(OpenElement {
                    end: node.end(),
                    item: Some(place),
                    block,
                    mute: inherited,
                });
            }
            LineChoice::Wrapper => {
                self.open.push(OpenElement { end: node.end(), item: None, block, mute: inherited });
            }
        }
        node.id().index() + 1
    }

    fn reading(&self, node: Node<'p>) -> LineChoice {
        let role = node.role();
        if node.is(Flags::USABLE) && !holds_others(role) {
            return self.usable(node);
        }
        match role {
            Role::Heading => self.heading(node),
            Role::Image | Role::Math | Role::Meter | Role::ProgressBar => {
                let unnamed = clean(node.name()).is_empty() && node.value().is_none();
                let item = Item { kind: ItemKind::Text, ..described(node) };
                match (unnamed, holds_usable(self.view, node)) {
                    (true, false) if role == Role::Image => LineChoice::Skip,
                    (true, _) => LineChoice::Wrapper,
                    (false, false) => LineChoice::Leaf(item),
                    (false, true) => LineChoice::Line {
                        item: Item { kind: ItemKind::Group, ..item },
                        mute: true,
                    },
                }
            }
            // Whatever it is called: what can be used in it has a line.
            Role::Separator | Role::ScrollBar if holds_usable(self.view, node) => {
                LineChoice::Wrapper
            }
            Role::Separator | Role::ScrollBar => LineChoice::Skip,
            Role::Row => self.row(node),
            Role::ListItem | Role::Term | Role::Definition => self.summarised(node, ""),
            Role::Alert | Role::Status | Role::Log | Role::Timer | Role::Tooltip => {
                self.summarised(node, node.name())
            }
            _ if role.is_landmark() || matches!(role, Role::Dialog | Role::AlertDialog) => {
                LineChoice::Line {
                    item: Item { kind: ItemKind::Region, ..self.container(node) },
                    mute: false,
                }
            }
            _ if holds_others(role) => LineChoice::Line { item: self.container(node), mute: false },
            _ => self.by_tag(node),
        }
    }

    /// Something that can be used and is one thing: its line, and inside only what can be used by
    /// itself.
    fn usable(&self, node: Node<'p>) -> LineChoice {
        let named_by_content = node.is(Flags::NAMED_BY_CONTENT);
        let item = Item { kind: ItemKind::Usable, numbered: true, ..described(node) };
        let field = node.role().is_field();
        if holds_usable(self.view, node) || node.options().len() > 0 {
            return LineChoice::Line { item, mute: named_by_content || field };
        }
        if named_by_content || field || !says_more(self.view, node) {
            return LineChoice::Leaf(item);
        }
        LineChoice::Line { item, mute: false }
    }

    /// A heading. If all it holds is one link of the same name, the link says it.
    fn heading(&self, node: Node<'p>) -> LineChoice {
        let name = clean(node.name());
        let mut usable = node
            .descendants()
            .filter(|inner| inner.is(Flags::USABLE) && !is_gone(self.view, *inner));
        let first = usable.next();
        let said_by_link =
            first.is_some_and(|inner| clean(inner.name()) == name) && usable.next().is_none();
        if name.is_empty() && first.is_none() {
            return LineChoice::Skip;
        }
        let body = head(Role::Heading, node.level(), if said_by_link { "" } else { &name });
        let item = Item { kind: ItemKind::Heading, name, body, ..described(node) };
        if first.is_some() { LineChoice::Line { item, mute: true } } else { LineChoice::Leaf(item) }
    }

    /// A row of a table: its cells' text in one line; a row of column headers says so.
    fn row(&self, node: Node<'p>) -> LineChoice {
        let cells: Vec<Node<'p>> = cells(node);
        let header =
            !cells.is_empty() && cells.iter().all(|cell| cell.role() == Role::ColumnHeader);
        if !header {
            return self.summarised(node, "");
        }
        let names: Vec<String> =
            cells.iter().map(|cell| clean(cell.name())).filter(|name| !name.is_empty()).collect();
        if names.is_empty() {
            return LineChoice::Wrapper;
        }
        let mut body = String::from("columns: ");
        body.push_str(&listed(names.iter().map(String::as_str), names.len()));
        LineChoice::Line {
            item: group(node, Role::ColumnHeader, names.join(" "), body),
            mute: true,
        }
    }

    /// An element whose own text belongs into its line, if it is short enough.
    fn summarised(&self, node: Node<'p>, name: &str) -> LineChoice {
        let text = own_text(self.view, node);
        let short = text.chars().count() <= SUMMARY_LIMIT;
        let said = if short && !text.is_empty() { text.as_str() } else { name };
        let mut body = node.role().as_str().to_owned();
        push_name(&mut body, said);
        LineChoice::Line { item: group(node, node.role(), said.to_owned(), body), mute: short }
    }

    fn container(&self, node: Node<'p>) -> Item {
        group(node, node.role(), node.name().to_owned(), headline(node))
    }

    fn by_tag(&self, node: Node<'p>) -> LineChoice {
        let tag = node.tag();
        let leaf = |word: &str, states: &[&str]| {
            let mut body = word.to_owned();
            push_name(&mut body, node.name());
            let item = item(node.id(), Role::None, node.name().into(), body);
            let states = states.iter().map(|state| (*state).to_owned()).collect();
            LineChoice::Leaf(Item { kind: ItemKind::Text, states, ..item })
        };
        match tag {
            "iframe" | "frame" | "object" | "embed" if node.shown_document().is_some() => {
                let mut body = String::from("iframe");
                push_name(&mut body, node.name());
                LineChoice::Line {
                    item: group(node, Role::None, node.name().into(), body),
                    mute: false,
                }
            }
            "iframe" | "frame" => leaf("iframe", &["not entered"]),
            "canvas" | "video" | "audio" => leaf(tag, &[]),
            "svg" => LineChoice::Wrapper,
            "html" | "body" => LineChoice::Wrapper,
            _ if node.is(Flags::SCROLLS) => {
                let mut body = String::from("scrollable");
                push_name(&mut body, node.name());
                let item =
                    Item { numbered: true, ..group(node, Role::None, node.name().into(), body) };
                LineChoice::Line { item, mute: false }
            }
            _ => LineChoice::Wrapper,
        }
    }

    /// The options of a select, in one line below it.
    fn options(&mut self, node: Node<'p>) {
        if node.options().len() == 0 {
            return;
        }
        let body = format!("options: {}", listed(node.options(), OPTIONS_SHOWN));
        self.push(Item {
            kind: ItemKind::Text,
            ..item(node.id(), Role::Option, String::new(), body)
        });
    }
}

fn item(node: NodeId, role: Role, name: String, body: String) -> Item {
    Item { role, name, body, stop: true, ..Item::blank(node) }
}

/// An item that says what the node is.
fn described(node: Node<'_>) -> Item {
    let plain = item(node.id(), node.role(), node.name().to_owned(), headline(node));
    Item {
        value: value_part(node),
        states: states(node),
        cover: node.cover().map(Node::id),
        ..plain
    }
}

fn group(node: Node<'_>, role: Role, name: String, body: String) -> Item {
    let numbered = node.is(Flags::USABLE) || node.is(Flags::SCROLLS);
    Item { numbered, role, name, body, ..described(node) }
}

/// Whether something in it can be used by itself.
fn holds_usable(view: &View<'_>, node: Node<'_>) -> bool {
    node.descendants().any(|inner| inner.is(Flags::USABLE) && !is_gone(view, inner))
}

fn is_gone(view: &View<'_>, node: Node<'_>) -> bool {
    matches!(view.fate(node.id()), NodeFate::Gone(_))
}

/// Roles that hold other things even when they can be used themselves.
fn holds_others(role: Role) -> bool {
    role.is_landmark()
        || matches!(
            role,
            Role::Alert
                | Role::AlertDialog
                | Role::Application
                | Role::Article
                | Role::Dialog
                | Role::Document
                | Role::Feed
                | Role::Figure
                | Role::Grid
                | Role::Group
                | Role::List
                | Role::ListBox
                | Role::ListItem
                | Role::Log
                | Role::Menu
                | Role::MenuBar
                | Role::RadioGroup
                | Role::Row
                | Role::Status
                | Role::Table
                | Role::TabList
                | Role::TabPanel
                | Role::Toolbar
                | Role::Tree
                | Role::TreeGrid
        )
}

/// The cells right below a row, wrappers aside.
fn cells<'p>(row: Node<'p>) -> Vec<Node<'p>> {
    row.children()
        .filter(|cell| {
            matches!(
                cell.role(),
                Role::Cell | Role::GridCell | Role::ColumnHeader | Role::RowHeader
            ) && cell.hidden().is_none()
        })
        .collect()
}

/// The text of an element that is not inside anything with a line of its own.
fn own_text(view: &View<'_>, node: Node<'_>) -> String {
    let mut text = String::new();
    let mut skip = 0;
    // A bound, so that a page of one giant list item is not put together only to be found too long.
    for inner in node.descendants() {
        if text.len() > SUMMARY_LIMIT * 8 {
            break;
        }
        if inner.id().index() < skip {
            continue;
        }
        if inner.is_text() {
            if !is_gone(view, inner) {
                text.push_str(inner.name());
            }
        } else if has_own_line(inner) {
            text.push(' ');
            skip = inner.end();
        } else if inner.is(Flags::BLOCK) || inner.tag() == "br" {
            text.push(' ');
        }
    }
    clean(&text)
}

fn has_own_line(node: Node<'_>) -> bool {
    node.hidden().is_some()
        || node.labelled().is_some()
        || node.is(Flags::USABLE)
        || node.is(Flags::SCROLLS)
        || holds_others(node.role())
        || matches!(
            node.role(),
            Role::Heading
                | Role::Image
                | Role::Meter
                | Role::ProgressBar
                | Role::Term
                | Role::Definition
        )
}

/// Whether the text inside says something that the name does not.
fn says_more(view: &View<'_>, node: Node<'_>) -> bool {
    let text = own_text(view, node).to_lowercase();
    text.chars().any(char::is_alphanumeric) && !clean(node.name()).to_lowercase().contains(&text)
}

/// Labels in one line: `A, B, C, … 190 more`. A label with a comma is quoted.
fn listed<'a>(labels: impl ExactSizeIterator<Item = &'a str>, shown: usize) -> String {
    let count = labels.len();
    let mut parts: Vec<String> = labels
        .take(shown)
        .map(|label| match safe(label, 60) {
            label if label.contains(',') && !label.starts_with('"') => format!("{label:?}"),
            label => label,
        })
        .collect();
    if count > shown {
        parts.push(format!("… {} more", count - shown));
    }
    parts.join(", ")
}
