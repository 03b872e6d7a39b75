//! Finds the nodes in scope, in document order, and the region, list and form around each of them.
//! The other readers of a fingerprint work on this. One pass with an explicit stack, so that deep
//! pages are not a problem.

use super::model::{FingerprintOptions, Region, Sight};
use super::selector::{bounded, kind_of_landmark};
use crate::page::role::Role;
use crate::page::{Flags, Hidden, Node, NodeId, Page, Scope};
use crate::text::escape::stored;

/// How many nodes of a section are searched for its heading.
const HEADING_WITHIN: usize = 60;
/// How many nodes of an element without a size are searched for an image.
const PICTURE_WITHIN: usize = 100;
/// The attribute that the page script adds to an element with a fault.
pub const FAULT: &str = "pagesight:fault";
/// The longest label of a region.
const LABEL_LIMIT: usize = 60;

/// A node with the region, list and form around it.
#[derive(Clone, Copy)]
pub(super) struct PlacedNode<'p> {
    pub(super) node: Node<'p>,
    /// The region around it, or its own.
    pub(super) place: u32,
    /// The nearest list around it, by its node.
    pub(super) list: Option<NodeId>,
    /// The nearest form around it, by its node.
    pub(super) form: Option<NodeId>,
    pub(super) ignored: bool,
}

/// The nodes in scope, and their regions.
pub(super) struct RegionMap<'p> {
    pub(super) spots: Vec<PlacedNode<'p>>,
    pub(super) places: Vec<Region>,
    /// Nodes that make a region, with the region.
    pub(super) makers: Vec<(NodeId, u32)>,
    pub(super) frames: u32,
}

struct OpenRegion {
    end: usize,
    place: u32,
    list: Option<NodeId>,
    form: Option<NodeId>,
    ignored: bool,
}

impl<'p> RegionMap<'p> {
    /// Reads the part of the page that the options name.
    pub(super) fn of(page: &'p Page, options: &FingerprintOptions<'_>) -> RegionMap<'p> {
        let mut ground = RegionMap {
            spots: Vec::new(),
            places: vec![Region::default()],
            makers: Vec::new(),
            frames: 0,
        };
        if page.is_empty() {
            return ground;
        }
        let root = match options.scope {
            Scope::Node(id) => page.node(id),
            Scope::Full | Scope::Viewport => page.node(NodeId::ROOT),
        };
        let only_seen = options.scope == Scope::Viewport;
        let mut open: Vec<OpenRegion> = Vec::new();
        let mut at = root.id().index();
        while at < root.end() {
            while open.pop_if(|open| open.end <= at).is_some() {}
            let node = page.node(NodeId(at as u32));
            let above = open.last();
            let ignored = above.is_some_and(|above| above.ignored)
                || options.ignored.binary_search(&node.id()).is_ok();
            let (place, list, form) =
                above.map_or((0, None, None), |above| (above.place, above.list, above.form));
            at += 1;
            if node.is_text() {
                // A full capture also has the texts of hidden elements, and texts that nobody can
                // perceive.
                let unseen = |parent: Node<'_>| {
                    parent.hidden().is_some()
                        || (only_seen && parent.id() != root.id() && !parent.is(Flags::IN_VIEWPORT))
                };
                if node.is(Flags::WITHHELD) || node.parent().is_some_and(unseen) {
                    continue;
                }
                ground.spots.push(PlacedNode { node, place, list, form, ignored });
                continue;
            }
            let frame = matches!(node.tag(), "iframe" | "frame" | "object" | "embed");
            if frame
                && node.id() != root.id()
                && (node.hidden().is_none() || node.shown_document().is_some())
            {
                ground.frames += 1;
                at = node.end();
                continue;
            }
            if node.id() != root.id() && is_buried(node) {
                continue;
            }
            let seen = node.is(Flags::IN_VIEWPORT) || node.id() == root.id();
            if only_seen && !seen && node.end() == at {
                continue;
            }
            let place = match ground.label(node) {
                Some((label, landmark)) => ground.enter(node.id(), label, place, landmark),
                None => place,
            };
            if !only_seen || seen {
                ground.spots.push(PlacedNode { node, place, list, form, ignored });
            }
            if node.end() > at {
                let list = if is_list(node) { Some(node.id()) } else { list };
                let form = if is_form(node) { Some(node.id()) } else { form };
                open.push(OpenRegion { end: node.end(), place, list, form, ignored });
            }
        }
        ground
    }

    fn enter(&mut self, node: NodeId, label: String, within: u32, landmark: bool) -> u32 {
        let here = self.places.len() as u32;
        let landmark = if landmark { here } else { self.places[within as usize].landmark };
        self.places.push(Region { label, within, landmark });
        self.makers.push((node, here));
        here
    }

    /// Returns the label of a region and whether it is a landmark, if the node is a region.
    fn label(&self, node: Node<'p>) -> Option<(String, bool)> {
        let named = |kind: &str| match stored(node.name()) {
            name if name.is_empty() => kind.to_owned(),
            name => format!("{kind}:{}", bounded(&name, LABEL_LIMIT)),
        };
        if let Some(kind) = kind_of_landmark(node) {
            return Some((named(kind), true));
        }
        match node.role() {
            Role::Dialog | Role::AlertDialog => Some((named("dialog"), true)),
            _ if node.hidden().is_some() => None,
            Role::TabPanel => Some((named("tabpanel"), false)),
            _ if node.tag() == "form" => Some((named("form"), false)),
            _ if matches!(node.tag(), "section" | "article" | "fieldset") => {
                let kind = node.tag();
                let label = match stored(node.name()) {
                    name if name.is_empty() => heading_in(node)?,
                    name => name,
                };
                Some((format!("{kind}:{}", bounded(&label, LABEL_LIMIT)), false))
            }
            _ => None,
        }
    }

    /// Returns the region that a node makes.
    pub(super) fn place_made_by(&self, node: NodeId) -> Option<u32> {
        let at = self.makers.binary_search_by_key(&node, |(maker, _)| *maker).ok()?;
        Some(self.makers[at].1)
    }
}

fn heading_in(node: Node<'_>) -> Option<String> {
    let mut inner = node.descendants().take(HEADING_WITHIN);
    let heading = inner.find(|inner| inner.role() == Role::Heading && inner.hidden().is_none())?;
    Some(stored(heading.name())).filter(|name| !name.is_empty())
}

pub(super) fn is_list(node: Node<'_>) -> bool {
    matches!(node.role(), Role::List | Role::Directory | Role::Feed) || node.tag() == "dl"
}

pub(super) fn is_table(role: Role) -> bool {
    matches!(role, Role::Table | Role::Grid | Role::TreeGrid)
}

/// Whether a list, a table or an image is hidden and only part of a full capture. A fingerprint
/// must not depend on the kind of capture.
fn is_buried(node: Node<'_>) -> bool {
    let picture = node.role() == Role::Image || node.tag() == "img";
    let Some(why) = node.hidden().filter(|_| picture || is_list(node) || is_table(node.role()))
    else {
        return false;
    };
    // A part of the page that is not drawn at all is recorded by its outermost element.
    let undrawn = |node: Node<'_>| matches!(node.hidden(), Some(Hidden::Display | Hidden::Closed));
    let within = match why {
        Hidden::Content => node.parent().is_none_or(|parent| parent.tag() != "details"),
        _ => node
            .parent()
            .is_some_and(|parent| undrawn(parent) || parent.hidden() == Some(Hidden::Content)),
    };
    let missed = matches!(node.role(), Role::Image | Role::List) || is_table(node.role());
    let kept = node.tag() == "img" && matches!(why, Hidden::Clipped | Hidden::OffScreen);
    !node.is(Flags::USABLE) && (within || !missed && !kept)
}

pub(super) fn is_form(node: Node<'_>) -> bool {
    node.tag() == "form" || matches!(node.role(), Role::Form | Role::Search)
}

/// Marks the words of a cover that blocks everything else.
pub(crate) const MODAL: &str = "modal";

/// Returns whether a node is visible and reachable.
pub(super) fn sight(node: Node<'_>) -> Sight {
    if let Some(why) = node.hidden() {
        if why == Hidden::Clipped && awaits_picture(node) {
            return Sight::Waiting;
        }
        return Sight::Hidden(
            match why {
                Hidden::Display => "display",
                Hidden::Visibility => "visibility",
                Hidden::Content => "content-visibility",
                Hidden::Clipped => "clipped",
                Hidden::OffScreen => "off-screen",
                Hidden::Opacity => "opacity",
                Hidden::Closed => "closed",
            }
            .to_owned(),
        );
    }
    if let Some(cover) = node.cover() {
        let word = if cover.role() == Role::None { cover.tag() } else { cover.role().as_str() };
        let word = if blocks_page(cover) { format!("{MODAL} {word}") } else { word.to_owned() };
        let name = bounded(&stored(cover.name()), LABEL_LIMIT);
        return Sight::Covered(if name.is_empty() { word } else { format!("{word}: {name}") });
    }
    match node.attribute(FAULT) {
        Some("transparent") => Sight::Transparent,
        Some("unclickable") => Sight::Unclickable,
        _ if node.is(Flags::UNREACHABLE) => Sight::CutOff,
        _ => Sight::Shown,
    }
}

/// Whether a cover is a dialog that blocks everything else, not a banner over a part of the page.
fn blocks_page(cover: Node<'_>) -> bool {
    let rect = cover.rect();
    let (width, height) = cover.viewport();
    let fills = rect.x <= 0
        && rect.y <= 0
        && i64::from(rect.x) + i64::from(rect.width) >= i64::from(width)
        && i64::from(rect.y) + i64::from(rect.height) >= i64::from(height);
    matches!(cover.role(), Role::Dialog | Role::AlertDialog) && (cover.is(Flags::MODAL) || fills)
}

/// Whether an element has no size yet because an image is still loading.
fn awaits_picture(node: Node<'_>) -> bool {
    let rect = node.rect();
    let pending = |inner: Node<'_>| inner.attribute(FAULT) == Some("pending");
    (rect.width < 1 || rect.height < 1)
        && (pending(node) || node.descendants().take(PICTURE_WITHIN).any(pending))
}
