//! Finds elements that moved or have a different size, and leaves out what follows from something
//! else: an element moves with the region around it, with the element before it, and as far as
//! elements that are new, gone or of a different size push it.

use std::collections::{HashMap, HashSet};

use serde_json::json;

use super::layouts::{Finding, Layouts, TOLERANCE, TOLERANCE_SHARE};
use crate::compare::change::ChangeType;
use crate::compare::entry::Entry;
use crate::fingerprint::{LayoutBox, Structure};

/// The distance that comes with an element that is new or gone.
const GAP: i32 = 32;

/// A distance in both directions, in pixels.
type Shift = (i32, i32);

/// The changes in a region of the new page.
#[derive(Clone, Copy, Default)]
struct RegionMotion {
    /// How far it moved itself.
    base: Shift,
    /// How far its content may move because of what changed in it.
    room: Shift,
    /// How far its size may change because of content that is new, gone or different.
    content: Shift,
    /// Its width changed, so its content is laid out again.
    reflowed: bool,
}

/// Whether a name has parts that may change at any time.
pub(crate) fn is_volatile(name: &str) -> bool {
    ["[number]", "[date]", "[time]", "[ago]", "[id]"].iter().any(|part| name.contains(part))
}

/// Reports moves and sizes. `restyled`: elements with a different style, by their new index.
pub(super) fn compare<'f>(layouts: &Layouts<'f>, restyled: &HashSet<usize>) -> Vec<Finding<'f>> {
    let regions = MotionMap::of(layouts, restyled);
    let mut found = regions.moves();
    found.extend(regions.sizes());
    found
}

struct MotionMap<'l, 'f> {
    layouts: &'l Layouts<'f>,
    restyled: &'l HashSet<usize>,
    /// By the place of the region on the new page.
    motions: Vec<RegionMotion>,
    /// The place of the region on the new page for each place of the old page.
    place_now: Vec<usize>,
    /// The place whose region an element of the new page is compared with.
    container: Vec<usize>,
}

impl<'l, 'f> MotionMap<'l, 'f> {
    fn of(layouts: &'l Layouts<'f>, restyled: &'l HashSet<usize>) -> MotionMap<'l, 'f> {
        let places = layouts.now.places.len().max(1);
        // The regions that both pages draw, by place.
        let mut region_of: HashMap<usize, (usize, usize)> = HashMap::new();
        let mut new_place_of: HashMap<usize, usize> = HashMap::new();
        for (old, new) in layouts.both().filter(|(_, new)| layouts.new.boxes[*new].region) {
            let (was, now) = (&layouts.old.boxes[old], &layouts.new.boxes[new]);
            region_of.insert(now.place as usize, (old, new));
            new_place_of.insert(was.place as usize, now.place as usize);
        }
        let holder = |structure: &Structure, place: usize, known: &dyn Fn(usize) -> bool| {
            let mut at = place;
            while at != 0 && !known(at) {
                let within = structure.places.get(at).map_or(0, |place| place.within as usize);
                at = if within < at { within } else { 0 };
            }
            at
        };
        let container = layouts.new.boxes.iter().map(|drawn| {
            let place = drawn.place as usize;
            let from = match drawn.region {
                true => layouts.now.places.get(place).map_or(0, |place| place.within as usize),
                false => place,
            };
            holder(layouts.now, from, &|at| region_of.contains_key(&at))
        });
        let container: Vec<usize> = container.collect();
        let place_now = (0..layouts.was.places.len().max(1)).map(|place| {
            let known = holder(layouts.was, place, &|at| new_place_of.contains_key(&at));
            new_place_of.get(&known).copied().unwrap_or(0)
        });
        let place_now: Vec<usize> = place_now.collect();
        let mut map = MotionMap {
            layouts,
            restyled,
            motions: vec![RegionMotion::default(); places],
            place_now,
            container,
        };
        for (place, (old, new)) in &region_of {
            let (was, now) = (&layouts.old.boxes[*old], &layouts.new.boxes[*new]);
            let motion = &mut map.motions[*place];
            motion.base = shift(was, now);
            motion.reflowed = (now.rect[2] - was.rect[2]).abs() > TOLERANCE;
        }
        map.make_room();
        map
    }

    /// Adds up what changed in each region.
    fn make_room(&mut self) {
        let layouts = self.layouts;
        let mut content: Vec<(usize, Shift)> = Vec::new();
        for at in layouts.pairs.only_old() {
            let drawn = &layouts.old.boxes[at];
            let place = drawn.place as usize;
            let within = match drawn.region {
                true => layouts.was.places.get(place).map_or(0, |place| place.within as usize),
                false => place,
            };
            let place = self.place_now.get(within).copied().unwrap_or(0);
            content.push((place, (drawn.rect[2] + GAP, drawn.rect[3] + GAP)));
        }
        for at in layouts.pairs.only_new() {
            let drawn = &layouts.new.boxes[at];
            content.push((self.container[at], (drawn.rect[2] + GAP, drawn.rect[3] + GAP)));
        }
        for (old, new) in layouts.both() {
            let grown = grown(&layouts.old.boxes[old], &layouts.new.boxes[new]);
            if grown == (0, 0) {
                continue;
            }
            let by = (grown.0.abs() + 2, grown.1.abs() + 2);
            if self.has_cause(old, new) {
                content.push((self.container[new], by));
            } else {
                add(&mut self.motions[self.container[new]].room, by);
            }
        }
        for (place, by) in content {
            add(&mut self.motions[place].content, by);
        }
        // What changed in a region changed in the regions around it, too.
        for place in (1..self.motions.len()).rev() {
            let within = layouts.now.places.get(place).map_or(0, |place| place.within as usize);
            let inner = self.motions[place].content;
            if within < place {
                add(&mut self.motions[within].content, inner);
            }
        }
        for motion in &mut self.motions {
            let content = motion.content;
            add(&mut motion.room, content);
        }
    }

    /// Whether a different content or style explains the size of an element.
    fn has_cause(&self, old: usize, new: usize) -> bool {
        let (was, now) = (&self.layouts.old.boxes[old], &self.layouts.new.boxes[new]);
        was.name != now.name
            || was.file != now.file
            || is_volatile(&now.name)
            || is_apart(was, now)
            || self.restyled.contains(&new)
    }

    /// Finds moves that nothing explains. Elements that move together are one finding.
    fn moves(&self) -> Vec<Finding<'f>> {
        let layouts = self.layouts;
        let swaps = Swaps::of(layouts);
        let mut runs: HashMap<usize, Shift> = HashMap::new();
        // For each region the last finding and its shift.
        let mut open: HashMap<usize, (usize, Shift)> = HashMap::new();
        let mut found: Vec<((usize, usize), Shift, usize)> = Vec::new();
        for (old, new) in layouts.both() {
            let (was, now) = (&layouts.old.boxes[old], &layouts.new.boxes[new]);
            if is_apart(was, now) || was.fixed != now.fixed {
                continue;
            }
            let place = self.container[new];
            let motion = self.motions[place];
            let moved = shift(was, now);
            let base = if now.fixed { (0, 0) } else { motion.base };
            let run = runs.get(&place).copied().unwrap_or(base);
            let limit = tolerance(was);
            if is_near(moved, base, limit) || is_near(moved, run, limit) {
                if let Some((at, by)) = open.get(&place)
                    && is_near(moved, *by, limit)
                    && !is_near(moved, base, limit)
                {
                    found[*at].2 += 1;
                } else if !now.fixed {
                    runs.insert(place, moved);
                }
                continue;
            }
            let within = |from: Shift| {
                (moved.0 - from.0).abs() <= motion.room.0 + limit.0
                    && (moved.1 - from.1).abs() <= motion.room.1 + limit.1
            };
            if motion.reflowed || within(base) || within(run) {
                runs.insert(place, moved);
                continue;
            }
            if swaps.has(was, now) {
                continue;
            }
            // A size that changed on the left or above moves the corner, and is reported as a size.
            open.insert(place, (found.len(), moved));
            runs.insert(place, moved);
            found.push(((old, new), (moved.0 - base.0, moved.1 - base.1), 0));
        }
        let words = |(at, by, more): ((usize, usize), Shift, usize)| {
            let now = &layouts.new.boxes[at.1];
            let with = match more {
                0 => String::new(),
                1 => ", and 1 element after it".to_owned(),
                more => format!(", and {more} elements after it"),
            };
            let words = format!("{} moved {}{with}", now.label(), distance(by));
            let mut finding = layouts.finding(ChangeType::LayoutChanged, at, words);
            let was = &layouts.old.boxes[at.0];
            finding.draft =
                finding.draft.values(json!({"box": was.rect}), json!({"box": now.rect}));
            finding
        };
        found.into_iter().map(words).collect()
    }

    /// Finds sizes that nothing explains. Equal ones of one kind in one region are one finding.
    fn sizes(&self) -> Vec<Finding<'f>> {
        let layouts = self.layouts;
        let mut known: HashMap<(usize, &str, Shift), usize> = HashMap::new();
        let mut found: Vec<((usize, usize), Shift, usize)> = Vec::new();
        for (old, new) in layouts.both() {
            let (was, now) = (&layouts.old.boxes[old], &layouts.new.boxes[new]);
            if is_apart(was, now) || self.has_cause(old, new) {
                continue;
            }
            let limit = tolerance(was);
            let (mut wider, mut taller) = grown(was, now);
            let motion = self.motions[self.container[new]];
            // A block is as wide as what is around it, and its text wraps differently.
            let explained = |by: i32, most: i32, limit: i32| by.abs() <= most + limit;
            let inner = match now.region {
                true => self.motions[now.place as usize].content,
                false => (0, 0),
            };
            if motion.reflowed || explained(wider, motion.content.0.max(inner.0), limit.0) {
                wider = 0;
            }
            let wraps = motion.reflowed || wider != 0 && !now.region;
            if wraps || explained(taller, motion.content.1.max(inner.1), limit.1) {
                taller = 0;
            }
            // Its content has different sizes, each of which is reported.
            if now.region && self.holds_change(new) {
                (wider, taller) = (0, 0);
            }
            if (wider, taller) == (0, 0) {
                continue;
            }
            let kin = (self.container[new], now.kind.as_str(), (wider, taller));
            match known.get(&kin) {
                Some(at) => found[*at].2 += 1,
                None => {
                    known.insert(kin, found.len());
                    found.push(((old, new), (wider, taller), 0));
                }
            }
        }
        let words = |(at, by, more): ((usize, usize), Shift, usize)| {
            let (was, now) = (&layouts.old.boxes[at.0], &layouts.new.boxes[at.1]);
            let with = match more {
                0 => String::new(),
                1 => " (and 1 more like it)".to_owned(),
                more => format!(" (and {more} more like it)"),
            };
            let sizes = (was.rect[2], was.rect[3], now.rect[2], now.rect[3]);
            let words = format!("{} is {}{with}", now.label(), size(by, sizes));
            let mut finding = layouts.finding(ChangeType::LayoutChanged, at, words);
            finding.draft =
                finding.draft.values(json!({"box": was.rect}), json!({"box": now.rect}));
            finding
        };
        found.into_iter().map(words).collect()
    }

    /// Whether something in a region moved or has a different size on its own.
    fn holds_change(&self, region: usize) -> bool {
        let room = self.motions[self.layouts.new.boxes[region].place as usize].room;
        room.0 > TOLERANCE || room.1 > TOLERANCE
    }
}

/// Whether the position of an element is not compared: it is animated, or a rule ignores it.
fn is_apart(was: &LayoutBox, now: &LayoutBox) -> bool {
    was.moving || now.moving || was.ignored || now.ignored
}

fn shift(was: &LayoutBox, now: &LayoutBox) -> Shift {
    (now.rect[0] - was.rect[0], now.rect[1] - was.rect[1])
}

fn grown(was: &LayoutBox, now: &LayoutBox) -> Shift {
    (now.rect[2] - was.rect[2], now.rect[3] - was.rect[3])
}

fn add(to: &mut Shift, by: Shift) {
    *to = (to.0.saturating_add(by.0), to.1.saturating_add(by.1));
}

/// Returns how far an element may differ.
fn tolerance(was: &LayoutBox) -> Shift {
    let of = |side: i32| TOLERANCE.max(side.saturating_mul(TOLERANCE_SHARE) / 100);
    (of(was.rect[2]), of(was.rect[3]))
}

fn is_near(one: Shift, other: Shift, limit: Shift) -> bool {
    (one.0 - other.0).abs() <= limit.0 && (one.1 - other.1).abs() <= limit.1
}

/// Returns `140 px down`.
fn distance((right, down): Shift) -> String {
    let one = |by: i32, ahead: &str, back: &str| {
        (by.abs() > 1).then(|| format!("{} px {}", by.abs(), if by > 0 { ahead } else { back }))
    };
    let sides = [one(right, "right", "left"), one(down, "down", "up")];
    sides.into_iter().flatten().collect::<Vec<_>>().join(" and ")
}

/// Returns `40 px wider (160 px, was 120 px)`.
fn size((wider, taller): Shift, (was_w, was_h, now_w, now_h): (i32, i32, i32, i32)) -> String {
    let one = |by: i32, (more, less): (&str, &str), was: i32, now: i32| {
        let word = if by > 0 { more } else { less };
        (by != 0).then(|| format!("{} px {word} ({now} px, was {was} px)", by.abs()))
    };
    let width = one(wider, ("wider", "narrower"), was_w, now_w);
    let height = one(taller, ("taller", "lower"), was_h, now_h);
    [width, height].into_iter().flatten().collect::<Vec<_>>().join(" and ")
}

/// The corners of elements by kind: elements that changed places with others of their kind are in
/// a different order, which is no change of the layout.
struct Swaps<'l> {
    was: HashSet<(&'l str, i32, i32)>,
    now: HashSet<(&'l str, i32, i32)>,
}

impl<'l> Swaps<'l> {
    fn of(layouts: &'l Layouts<'_>) -> Swaps<'l> {
        let corners = |boxes: &'l [LayoutBox]| {
            boxes.iter().map(|drawn| (drawn.kind.as_str(), drawn.rect[0], drawn.rect[1])).collect()
        };
        Swaps { was: corners(&layouts.old.boxes), now: corners(&layouts.new.boxes) }
    }

    fn has(&self, was: &LayoutBox, now: &LayoutBox) -> bool {
        let near = |corners: &HashSet<(&str, i32, i32)>, [x, y, ..]: [i32; 4]| {
            (-2..=2)
                .any(|dx| (-2..=2).any(|dy| corners.contains(&(now.kind.as_str(), x + dx, y + dy))))
        };
        near(&self.was, now.rect) && near(&self.now, was.rect)
    }
}
