//! Makes items from a view: decides in one pass which nodes get a line and what the line says. The
//! text of a row, a list item or an alert is part of its line. The text inside a usable element is
//! its name and is not printed again.

use crate::page::role::Role;
use crate::page::{Flags, Node, NodeId, Page};
use crate::pipeline::filter::tiny_text::says_something;
use crate::pipeline::{NodeFate, View};
use crate::render::cells::cells;
use crate::render::gutters::{Gutters, says_what_it_does};
use crate::render::items::{Item, ItemKind, Items};
use crate::render::line::{
    head, headline, headline_with, printed_guess, push_name, states, value_part,
};
use crate::text::escape::{TEXT_LIMIT, clean, safe, safe_line};

/// Up to this many characters, the text of a row or list item is part of its line.
const SUMMARY_LIMIT: usize = 240;
/// The longest text of a cell, where a row is printed with the heads of its columns.
const CELL_LIMIT: usize = 60;
/// Among how many rows of a table the heads of its columns are looked for.
const FIRST_ROWS: usize = 3;
/// How many options of a select are named.
const OPTIONS_SHOWN: usize = 12;

/// Makes the items of the subtree at `root`.
pub(crate) fn gather(view: &View<'_>, root: NodeId) -> Items {
    let page = view.page();
    Gatherer {
        page,
        view,
        gutters: Gutters::of(page),
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
    /// The text below it is already printed.
    mute: bool,
}

struct Gatherer<'v, 'p> {
    page: &'p Page,
    view: &'v View<'p>,
    gutters: Gutters,
    items: Items,
    open: Vec<OpenElement>,
    /// The line of text that is being collected from inline pieces.
    run: String,
    run_node: NodeId,
}

/// How an element is printed.
enum LineChoice {
    /// It has no line, but its content may have lines.
    Wrapper,
    /// It has a line, with its subtree below it. `mute`: the text inside is already printed.
    Line { item: Item, mute: bool },
    /// It has a line, and its content has none.
    Leaf(Item),
    /// It has no line, and neither has its content.
    Skip,
}

impl<'p> Gatherer<'_, 'p> {
    fn gather(mut self, root: NodeId) -> Items {
        let end = self.page.node(root).end();
        let mut at = root.index();
        while at < end {
            self.close(at);
            let node = self.page.node(NodeId(at as u32));
            if self.gutters.has(node.id()) && at != root.index() {
                at = self.gutter(node);
            } else if is_gone(self.view, node) && at != root.index() {
                // It has no line, but something below it may have one.
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

    /// Closes elements that end before `at`.
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

    /// Passes an element without a line. A visible block still ends the line of text around it.
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

    /// Passes the gutter of an editor. What can be used in it has a line if its name says what it
    /// does. Returns the index of the next node to read.
    fn gutter(&mut self, node: Node<'p>) -> usize {
        self.pass(node);
        for inner in std::iter::once(node).chain(node.descendants()) {
            if says_what_it_does(inner) && !is_gone(self.view, inner) {
                self.flush();
                self.push(Item { kind: ItemKind::Usable, numbered: true, ..described(inner) });
            }
        }
        node.end()
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

    /// Ends the line of text that is being collected.
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

    /// Reads one element. Returns the index of the next node to read.
    fn element(&mut self, node: Node<'p>) -> usize {
        // The text of a label is printed as the name of its field.
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
            // Usable elements inside have a line, whatever the role of the container is.
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

    /// Decides on a usable element that is one control: it has a line, and inside it only elements
    /// that are usable on their own have lines.
    fn usable(&self, node: Node<'p>) -> LineChoice {
        let named_by_content = node.is(Flags::NAMED_BY_CONTENT);
        let item = Item { kind: ItemKind::Usable, numbered: true, ..described(node) };
        let field = node.role().is_field();
        if holds_usable(self.view, node) || node.options().len() > 0 {
            return LineChoice::Line { item, mute: named_by_content || field };
        }
        if named_by_content || field || !says_more(self.view, &self.gutters, node) {
            return LineChoice::Leaf(item);
        }
        LineChoice::Line { item, mute: false }
    }

    /// Decides on a heading. If it contains only a link of the same name, only the link has the
    /// name.
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

    /// Decides on a row of a table: the text of its cells is one line. A row of column headers is
    /// marked as such.
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

    /// Decides on an element whose own text is part of its line, if it is short enough.
    fn summarised(&self, node: Node<'p>, name: &str) -> LineChoice {
        let text = own_text(self.view, &self.gutters, node);
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

    /// Adds the options of a select, in one line below it.
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

/// Makes an item with the name, the value and the states of a node.
fn described(node: Node<'_>) -> Item {
    let guess = printed_guess(node);
    let body = headline_with(node, &guess);
    let plain = item(node.id(), node.role(), node.name().to_owned(), body);
    Item {
        guess,
        value: value_part(node),
        states: states(node),
        // What is inert cannot be used, whatever covers it.
        cover: node.cover().filter(|_| !node.is_inert()).map(Node::id),
        ..plain
    }
}

fn group(node: Node<'_>, role: Role, name: String, body: String) -> Item {
    let numbered = node.is(Flags::USABLE) || node.is(Flags::SCROLLS);
    let plain = described(node);
    // The text of a row says what it is, even if the row has no name.
    let guess = if name.chars().any(char::is_alphanumeric) { "" } else { &plain.guess };
    let (guess, body) = match guess {
        "" => (String::new(), body),
        guess if body == plain.body => (guess.to_owned(), body),
        guess => (guess.to_owned(), format!("{body} ({guess})")),
    };
    Item { numbered, role, name, body, guess, ..plain }
}

/// Whether something inside an element can be used separately.
fn holds_usable(view: &View<'_>, node: Node<'_>) -> bool {
    node.descendants().any(|inner| inner.is(Flags::USABLE) && !is_gone(view, inner))
}

fn is_gone(view: &View<'_>, node: Node<'_>) -> bool {
    matches!(view.fate(node.id()), NodeFate::Gone(_))
}

/// Whether elements with this role contain other elements, even if they are usable themselves.
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

/// Returns the line of a row with the head of each column: `row: State: failed · Amount: 2798.98`.
/// `None` if the table has no heads.
pub(crate) fn row_with_heads(page: &Page, table: NodeId, row: NodeId) -> Option<String> {
    let rows = page.node(table).descendants().filter(|node| node.role() == Role::Row);
    let heads = rows.take(FIRST_ROWS).map(cells).find(|cells| {
        !cells.is_empty() && cells.iter().all(|cell| cell.role() == Role::ColumnHeader)
    })?;
    let mut parts = Vec::new();
    for (at, cell) in cells(page.node(row)).into_iter().enumerate() {
        let text = plain_text(cell);
        let head = heads.get(at).map(|head| safe(head.name(), CELL_LIMIT)).unwrap_or_default();
        match (text.is_empty(), head.is_empty()) {
            (true, _) => {}
            (false, true) => parts.push(safe(&text, CELL_LIMIT)),
            (false, false) => parts.push(format!("{head}: {}", safe(&text, CELL_LIMIT))),
        }
    }
    (!parts.is_empty()).then(|| format!("row: {}", parts.join(" · ")))
}

/// Returns the text of a cell without that of usable elements, which have lines of their own.
fn plain_text(cell: Node<'_>) -> String {
    let skipped = Flags::USABLE | Flags::GUTTER;
    let mut text = String::new();
    let mut skip = 0;
    for inner in cell.descendants() {
        if text.len() > CELL_LIMIT * 4 {
            break;
        }
        if inner.id().index() < skip {
            continue;
        }
        if inner.is_text() {
            text.push_str(inner.name());
        } else if inner.hidden().is_some() || inner.flags().intersects(skipped) {
            skip = inner.end();
        } else if inner.is(Flags::BLOCK) || inner.tag() == "br" {
            text.push(' ');
        }
    }
    clean(&text)
}

/// Returns the text of an element that is not inside an element with a line of its own.
fn own_text(view: &View<'_>, gutters: &Gutters, node: Node<'_>) -> String {
    let mut text = String::new();
    let mut skip = 0;
    // Stops early, so that the text of one giant list item is not collected only to be too long.
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
        } else if has_own_line(inner) || gutters.has(inner.id()) {
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

/// Whether the text inside contains something that the name does not.
fn says_more(view: &View<'_>, gutters: &Gutters, node: Node<'_>) -> bool {
    let text = own_text(view, gutters, node).to_lowercase();
    // A ligature is drawn as an icon, which the guess names.
    let is_icon = node.clues().any(|(kind, name)| kind == "ligature" && name == text);
    !is_icon
        && text.chars().any(char::is_alphanumeric)
        && !clean(node.name()).to_lowercase().contains(&text)
}

/// Returns labels in one line: `A, B, C, … 190 more`. A label with a comma is quoted.
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
