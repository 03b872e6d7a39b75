//! Reads how a page is drawn: the boxes and styles of its controls, headings, images, texts and
//! regions. The page script measures what a capture does not have. The layout is stored beside the
//! structure and is never part of the hash.

use std::collections::HashMap;

use super::interactive;
use super::layout_form::{LAYOUT_VERSION, Layout, LayoutBox, LayoutMeasures, Style};
use super::locations::{EntryKind, Origins};
use super::model::{FingerprintOptions, Structure};
use super::normalize::normalize;
use super::overlaps;
use super::regions::{PlacedNode, RegionMap, sight};
use super::selector::bounded;
use crate::page::role::Role;
use crate::page::{Flags, Node, NodeId, Page, Rect};
use crate::text::escape::stored;

/// How many elements of a page are measured.
const MOST_BOXES: usize = 4_000;
/// How many areas of a page are masked.
const MOST_MASKS: usize = 500;
/// The longest name of an element.
const NAME_LIMIT: usize = 80;
/// The texts of a usable element with at most so many nodes are its name.
const SMALL: usize = 8;

const FIXED: u32 = 1;
const MOVING: u32 = 2;
const UNDER: u32 = 4;

/// An element whose layout is compared.
struct Drawn<'g, 'p> {
    spot: &'g PlacedNode<'p>,
    kind: &'g str,
    name: String,
    region: bool,
    file: String,
}

/// Returns the elements that the page script has to measure.
pub fn layout_nodes(page: &Page, options: &FingerprintOptions<'_>) -> Vec<NodeId> {
    let ground = RegionMap::of(page, options);
    drawn(&ground).iter().map(|drawn| drawn.spot.node.id()).collect()
}

/// Reads the layout.
pub(super) fn read(
    page: &Page,
    ground: &RegionMap<'_>,
    (measures, masked): (&LayoutMeasures, &[NodeId]),
    structure: &mut Structure,
    origins: &mut Origins,
) {
    let mut boxes: Vec<LayoutBox> = Vec::new();
    let mut inks: Vec<(NodeId, Rect)> = Vec::new();
    for drawn in drawn(ground) {
        let node = drawn.spot.node;
        // It is gone since the capture.
        let Some(measure) = measures.elements.get(&node.id()) else { continue };
        let style = usize::try_from(measure.style).ok().and_then(|at| measures.styles.get(at));
        let (x, y, width, height) = measure.ink;
        let is_image = drawn.kind == "image";
        inks.push((node.id(), if is_image { node.rect() } else { Rect { x, y, width, height } }));
        origins.note(EntryKind::Layout, node.id());
        boxes.push(LayoutBox {
            kind: drawn.kind.to_owned(),
            name: drawn.name,
            rect: boxed(node, page),
            style: style.map(Style::of),
            region: drawn.region,
            fixed: measure.flags & FIXED != 0,
            moving: measure.flags & MOVING != 0,
            under: measure.flags & UNDER != 0,
            cut: if drawn.region || is_image { 0 } else { measure.cut },
            spill: measure.spill,
            icons: if node.is(Flags::USABLE) { measure.icons } else { 0 },
            file: drawn.file,
            overlaps: Vec::new(),
            place: drawn.spot.place,
            ignored: drawn.spot.ignored,
        });
    }
    overlaps::find(page, &mut boxes, &inks);
    let fonts = measures.fonts.iter().map(|(name, width)| (bounded(&stored(name), 60), *width));
    structure.layout = Some(Layout {
        version: LAYOUT_VERSION,
        size: [page.size.0, page.size.1],
        overflow: measures.overflow,
        // The first stack with a name counts.
        fonts: fonts.rev().collect(),
        masks: masks(page, ground, masked),
        boxes,
    });
}

/// Returns the areas that pictures are not compared in.
fn masks(page: &Page, ground: &RegionMap<'_>, masked: &[NodeId]) -> Vec<[i32; 4]> {
    let plays = |node: &Node<'_>| {
        matches!(
            node.tag(),
            "video" | "canvas" | "iframe" | "frame" | "object" | "embed" | "progress"
        )
    };
    let all = page.nodes().filter(plays).map(|node| node.id());
    let ignored = ground.spots.iter().filter(|spot| spot.ignored && !spot.node.is_text());
    let ignored = ignored.map(|spot| spot.node.id());
    let changing = page.changing.iter().copied().filter(|id| *id != NodeId::ROOT);
    let mut nodes: Vec<NodeId> =
        all.chain(ignored).chain(changing).chain(masked.iter().copied()).collect();
    nodes.sort_unstable();
    nodes.dedup();
    // What is inside of a masked element need not be masked again.
    let mut until = 0;
    let outermost = nodes.into_iter().map(|id| page.node(id)).filter(|node| {
        let is_outside = node.id().index() >= until;
        until = until.max(node.end());
        is_outside
    });
    let boxes = outermost
        .map(|node| boxed(node, page))
        .filter(|[.., width, height]| *width > 0 && *height > 0);
    boxes.take(MOST_MASKS).collect()
}

/// Returns the box of a node in pixels of the page.
fn boxed(node: Node<'_>, page: &Page) -> [i32; 4] {
    let (rect, (left, top)) = (node.rect(), page.scroll);
    [rect.x.saturating_add(left), rect.y.saturating_add(top), rect.width, rect.height]
}

/// Finds the elements whose layout is compared, in document order.
fn drawn<'g, 'p>(ground: &'g RegionMap<'p>) -> Vec<Drawn<'g, 'p>> {
    let mut found: Vec<Drawn<'g, 'p>> = Vec::new();
    // Texts are read with the element around them.
    let mut texts: HashMap<NodeId, usize> = HashMap::new();
    let spot_of = |id: NodeId| {
        ground
            .spots
            .binary_search_by_key(&id, |spot| spot.node.id())
            .ok()
            .map(|at| &ground.spots[at])
    };
    let mut named_until = 0;
    for spot in &ground.spots {
        let node = spot.node;
        if node.is_text() {
            let words = node.name().trim();
            if words.is_empty() || node.id().index() < named_until {
                continue;
            }
            let Some(around) = node.parent().and_then(|around| spot_of(around.id())) else {
                continue;
            };
            if !is_drawn(around.node) || around.node.is(Flags::USABLE) {
                continue;
            }
            match texts.get(&around.node.id()) {
                Some(at) => {
                    let name: &mut String = &mut found[*at].name;
                    if name.len() < NAME_LIMIT {
                        name.push(' ');
                        name.push_str(words);
                    }
                }
                None if found.len() < MOST_BOXES => {
                    texts.insert(around.node.id(), found.len());
                    found.push(Drawn {
                        spot: around,
                        kind: "text",
                        name: words.to_owned(),
                        region: false,
                        file: String::new(),
                    });
                }
                None => {}
            }
            continue;
        }
        if found.len() >= MOST_BOXES || !is_drawn(node) {
            continue;
        }
        let place = ground.place_made_by(node.id());
        if let Some(region) = place.and_then(|place| ground.places.get(place as usize)) {
            let (kind, name) = region.label.split_once(':').unwrap_or((&region.label, ""));
            let (name, file) = (name.to_owned(), String::new());
            found.push(Drawn { spot, kind, name, region: true, file });
            continue;
        }
        let is_image = node.role() == Role::Image || node.tag() == "img";
        let kind = match () {
            () if node.is(Flags::USABLE) => interactive::kind_of(node),
            () if node.role() == Role::Heading => "heading",
            () if is_image => "image",
            () => continue,
        };
        if !is_image && (node.role() == Role::Heading || node.end() - node.id().index() <= SMALL) {
            named_until = named_until.max(node.end());
        }
        let file = if is_image { file_of(node) } else { String::new() };
        found.push(Drawn { spot, kind, name: node.name().to_owned(), region: false, file });
    }
    for drawn in &mut found {
        drawn.name = bounded(&normalize(&stored(&drawn.name)), NAME_LIMIT);
    }
    found
}

/// Whether a person sees the element.
fn is_drawn(node: Node<'_>) -> bool {
    let rect = node.rect();
    rect.width > 0 && rect.height > 0 && !sight(node).is_hidden() && !node.is(Flags::INVISIBLE)
}

/// Returns the name of the file of an image.
fn file_of(node: Node<'_>) -> String {
    let source = node.attribute("src").filter(|source| !source.starts_with("data:"));
    let path = source.unwrap_or_default().split(['?', '#']).next().unwrap_or_default();
    bounded(&normalize(path.rsplit('/').next().unwrap_or_default()), NAME_LIMIT)
}
