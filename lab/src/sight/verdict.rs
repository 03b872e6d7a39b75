//! Compares what pagesight lists with what the oracle reached and with the browser's accessibility
//! tree. Pure: other modules collect the data.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::frames::{Accessible, FrameFindings, OracleElement};
use crate::product::{Flags, Node, NodeId, Outline, Page};

/// Controls whose role and name must be the browser's own.
const CONTROLS: [&str; 7] = ["a", "area", "button", "input", "select", "summary", "textarea"];

/// How many of all are correct.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Share {
    /// How many there are.
    pub all: usize,
    /// How many are as they should be.
    pub good: usize,
}

impl Share {
    fn count(&mut self, good: bool) {
        self.all += 1;
        self.good += usize::from(good);
    }

    /// Adds another one's counts.
    pub fn add(&mut self, other: Share) {
        self.all += other.all;
        self.good += other.good;
    }

    /// As a share of one; of nothing, all is good.
    pub fn ratio(self) -> f64 {
        if self.all == 0 { 1.0 } else { self.good as f64 / self.all as f64 }
    }
}

/// Something that is not as it should be.
#[derive(Clone, Debug, Serialize)]
pub struct Miss {
    /// `native`, `focusable`, `listener`, `twice`, `role`, `name`, or `by script` (reached only by
    /// scrolling what nobody can scroll).
    pub what: String,
    /// The element, for a reader.
    pub element: String,
    /// Why it may be so.
    pub guess: String,
}

/// The verdict on one page.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PageVerdict {
    pub page: String,
    /// How many elements it has, in all frames.
    pub elements: usize,
    /// How many frames were asked.
    pub frames: usize,
    /// Natively interactive, reached: listed?
    pub native: Share,
    /// Focusable by `tabindex`, reached: listed?
    pub focusable: Share,
    /// With a listener, reached: listed?
    pub listener: Share,
    /// Reached only by scrolling what nobody but a script can scroll: listed?
    pub by_script: Share,
    /// A part of, around, or the same to a person as the thing that is listed instead.
    pub stood_for: usize,
    /// Listed more than once.
    pub twice: usize,
    /// Native controls whose role is the browser's.
    pub roles: Share,
    /// Native controls whose name is the browser's.
    pub names: Share,
    /// Native controls that have a name here and none in the browser's tree.
    pub unnamed: usize,
    /// Everything that is not as it should be.
    pub misses: Vec<Miss>,
}

pub fn judge(name: &str, page: &Page, outline: &Outline, found: &[FrameFindings]) -> PageVerdict {
    let mut verdict =
        PageVerdict { page: name.to_owned(), frames: found.len(), ..PageVerdict::default() };
    let nodes: HashMap<(&str, u32), NodeId> = page
        .nodes()
        .filter(|node| !node.is_text())
        .map(|node| ((node.document().token.as_str(), node.local()), node.id()))
        .collect();
    let listed: HashSet<NodeId> = outline.shown.iter().map(|(node, _)| *node).collect();
    for frame in found {
        verdict.elements += frame.elements;
        let known = FrameJudge { page, nodes: &nodes, listed: &listed, frame };
        for (at, thing) in frame.things.iter().enumerate() {
            known.presence(&mut verdict, at, thing);
            if let (Some(node), Some(accessible)) = (known.node(at), &frame.accessible[at]) {
                known.agreement(&mut verdict, thing, node, accessible);
            }
        }
    }
    twice(&mut verdict, page, outline, &listed);
    verdict
}

/// Judges the elements of one frame.
struct FrameJudge<'k> {
    page: &'k Page,
    nodes: &'k HashMap<(&'k str, u32), NodeId>,
    listed: &'k HashSet<NodeId>,
    frame: &'k FrameFindings,
}

impl FrameJudge<'_> {
    fn node(&self, at: usize) -> Option<NodeId> {
        let (document, local) = self.frame.ids.get(at)?.as_ref()?;
        self.nodes.get(&(document.as_str(), *local)).copied()
    }

    fn is_listed(&self, at: usize) -> bool {
        self.node(at).is_some_and(|node| self.listed.contains(&node))
    }

    /// Whether what was reached is listed.
    fn presence(&self, verdict: &mut PageVerdict, at: usize, thing: &OracleElement) {
        if thing.inert || thing.container || (thing.reached.is_empty() && thing.anyhow.is_empty()) {
            return;
        }
        let own = self.is_listed(at) || thing.labels.iter().any(|label| self.is_listed(*label));
        let part = thing.kind != "native" && (self.is_part(at) || self.delegates(at));
        let good = own || part || self.is_twin(at, thing);
        verdict.stood_for += usize::from(good && !own);
        let (share, what) = match (thing.reached.is_empty(), thing.kind.as_str()) {
            (true, _) => (&mut verdict.by_script, "by script"),
            (_, "native") => (&mut verdict.native, "native"),
            (_, "focusable") => (&mut verdict.focusable, "focusable"),
            _ => (&mut verdict.listener, "listener"),
        };
        share.count(good);
        if !good {
            let guess = self.guess(at);
            verdict.misses.push(Miss { what: what.to_owned(), element: describe(thing), guess });
        }
    }

    /// A listener inside a control, or alone inside another thing that is listed, is a part of
    /// that.
    fn is_part(&self, at: usize) -> bool {
        let Some(node) = self.node(at) else { return false };
        let listed =
            |above: &Node<'_>| self.listed.contains(&above.id()) && above.is(Flags::USABLE);
        let Some(outer) = self.page.node(node).ancestors().find(listed) else { return false };
        let things = self.frame.things.iter().enumerate();
        let leaves = things.filter(|(inner, thing)| {
            !thing.reached.is_empty()
                && !thing.container
                && self
                    .node(*inner)
                    .is_some_and(|inner| inner != outer.id() && outer.contains(inner))
        });
        CONTROLS.contains(&outer.tag()) || leaves.count() <= 1
    }

    /// Whether a listed element in it or around it has the same name and nearly the same box. To a
    /// person both are one thing, and a click hits the same point of it.
    fn is_twin(&self, at: usize, thing: &OracleElement) -> bool {
        let Some(node) = self.node(at).map(|node| self.page.node(node)) else { return false };
        let near = |other: &OracleElement| {
            let edges = |[x, y, width, height]: [i64; 4]| [x, y, x + width, y + height];
            edges(thing.area).iter().zip(edges(other.area)).all(|(a, b)| a.abs_diff(b) <= 8)
                || covers_most(thing.area, other.area)
                || covers_most(other.area, thing.area)
        };
        !node.name().is_empty()
            && self.frame.things.iter().enumerate().any(|(other, beside)| {
                let twin = self.node(other).map(|other| self.page.node(other));
                twin.is_some_and(|twin| {
                    twin.id() != node.id()
                        && self.listed.contains(&twin.id())
                        && twin.name() == node.name()
                        && (twin.contains(node.id()) || node.contains(twin.id()))
                        && near(beside)
                })
            })
    }

    /// Something in it is listed: it delegates for that.
    fn delegates(&self, at: usize) -> bool {
        self.node(at).is_some_and(|node| {
            self.page.node(node).descendants().any(|inner| self.listed.contains(&inner.id()))
        })
    }

    fn guess(&self, at: usize) -> String {
        if self.frame.ids[at].is_none() {
            return "the frame was not entered".to_owned();
        }
        let Some(node) = self.node(at) else { return "not captured".to_owned() };
        let node = self.page.node(node);
        match node.hidden() {
            Some(why) => format!("taken for hidden: {why:?}"),
            None if !node.is(Flags::USABLE) => {
                format!("not taken for usable ({:?})", node.role().as_str())
            }
            None => "left out of the outline".to_owned(),
        }
    }

    /// Whether role and name of a listed native control are the browser's.
    fn agreement(
        &self,
        verdict: &mut PageVerdict,
        thing: &OracleElement,
        node: NodeId,
        accessible: &Accessible,
    ) {
        let node = self.page.node(node);
        if thing.kind != "native"
            || !CONTROLS.contains(&thing.tag.as_str())
            || !self.listed.contains(&node.id())
        {
            return;
        }
        let role = role_of(&accessible.role);
        let mine = node.role().as_str();
        let mine = if mine == "clickable" { "" } else { mine };
        verdict.roles.count(mine == role);
        if mine != role {
            let guess = format!("browser {:?}, pagesight {mine:?}", accessible.role);
            verdict.misses.push(Miss { what: "role".to_owned(), element: describe(thing), guess });
        }
        // Chromium has no name for some things that say what they are: by a title beside an empty
        // label, in an article in a link.
        if plain(&accessible.name).is_empty() && !node.name().is_empty() {
            verdict.unnamed += 1;
            return;
        }
        let same = same_name(node.name(), &accessible.name);
        verdict.names.count(same);
        if !same {
            let guess = format!(
                "browser {:?}, pagesight {:?}",
                short(&accessible.name),
                short(node.name())
            );
            verdict.misses.push(Miss { what: "name".to_owned(), element: describe(thing), guess });
        }
    }
}

/// Whether the inner box covers at least four fifths of the outer one.
fn covers_most(outer: [i64; 4], inner: [i64; 4]) -> bool {
    let side = |at: usize| {
        let end = (outer[at] + outer[at + 2]).min(inner[at] + inner[at + 2]);
        (end - outer[at].max(inner[at])).max(0)
    };
    side(0) * side(1) * 5 >= outer[2] * outer[3] * 4 && outer[2] * outer[3] > 0
}

/// The same element in two lines, or a wrapper and the one thing in it under the same name.
fn twice(verdict: &mut PageVerdict, page: &Page, outline: &Outline, listed: &HashSet<NodeId>) {
    let mut lines: HashMap<&str, usize> = HashMap::new();
    for line in outline.text.lines() {
        let number = line.trim_start().strip_prefix('[').and_then(|rest| rest.split_once("] "));
        if let Some((number, _)) =
            number.filter(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()))
        {
            *lines.entry(number).or_default() += 1;
        }
    }
    for (number, count) in lines.into_iter().filter(|(_, count)| *count > 1) {
        verdict.twice += 1;
        let guess = format!("{count} lines");
        verdict.misses.push(Miss {
            what: "twice".to_owned(),
            element: format!("[{number}]"),
            guess,
        });
    }
    for (node, number) in &outline.shown {
        let outer = page.node(*node);
        if !outer.is(Flags::USABLE) || outer.name().is_empty() {
            continue;
        }
        let mut inside = outer
            .descendants()
            .filter(|inner| inner.is(Flags::USABLE) && listed.contains(&inner.id()));
        if let (Some(inner), None) = (inside.next(), inside.next())
            && inner.name() == outer.name()
            // A button in a link is two controls, each of which has to be listed.
            && !(CONTROLS.contains(&outer.tag()) && CONTROLS.contains(&inner.tag()))
        {
            verdict.twice += 1;
            let element = format!(
                "[{number}] <{}> {}: {}",
                outer.tag(),
                outer.role().as_str(),
                short(outer.name())
            );
            let guess = format!("wraps <{}> {}", inner.tag(), inner.role().as_str());
            verdict.misses.push(Miss { what: "twice".to_owned(), element, guess });
        }
    }
}

/// Chromium's words for a role in ARIA's. Dates, times and colours have no role in ARIA; pagesight
/// calls them textboxes.
fn role_of(role: &str) -> &str {
    match role {
        "DisclosureTriangle"
        | "DisclosureTriangleGrouped"
        | "ToggleButton"
        | "popUpButton"
        | "PopUpButton" => "button",
        "Date" | "DateTime" | "InputTime" | "ColorWell" => "textbox",
        "comboBoxSelect" | "ComboBoxSelect" | "ComboBoxGrouping" | "ComboBoxMenuButton" => {
            "combobox"
        }
        "img" => "image",
        "generic" | "none" | "presentation" => "",
        other => other,
    }
}

/// Without glyphs of icon fonts and invisible characters, white space collapsed.
fn plain(text: &str) -> String {
    let kept = |c: &char| !matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{200b}'..='\u{200f}' | '\u{ad}' | '\u{feff}' | '\u{2060}');
    text.chars().filter(kept).collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Equal but for what is no part of a name and what was cut because it is too long.
fn same_name(mine: &str, theirs: &str) -> bool {
    let (mine, theirs) = (plain(mine), plain(theirs));
    mine == theirs
        || (mine.len() > 900
            && mine.strip_suffix('…').is_some_and(|start| theirs.starts_with(start.trim_end())))
}

fn describe(thing: &OracleElement) -> String {
    let input =
        if thing.input.is_empty() { String::new() } else { format!(" type={}", thing.input) };
    let role = if thing.role.is_empty() { String::new() } else { format!(" role={}", thing.role) };
    format!("<{}{input}{role}> {:?} {:?} {}", thing.tag, thing.text, thing.area, thing.selector)
}

fn short(text: &str) -> String {
    text.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_equal_but_for_what_is_no_part_of_them() {
        for (mine, theirs, same) in [
            ("Save", " Save \u{e900}", true),
            ("a b", "a\u{a0} b", true),
            ("Save", "Save as", false),
            ("", "Save", false),
            ("Save…", "Save as", false),
        ] {
            assert_eq!(same_name(mine, theirs), same, "{mine:?} {theirs:?}");
        }
        let long = "word ".repeat(300);
        assert!(same_name(&format!("{}…", &long[..995]), &long));
    }

    #[test]
    fn roles_are_put_into_aria_s_words() {
        assert_eq!(
            ["DisclosureTriangle", "Date", "img", "generic", "link"].map(role_of),
            ["button", "textbox", "image", "", "link"]
        );
    }

    #[test]
    fn a_box_covers_another_one_from_four_fifths_on() {
        assert!(covers_most([0, 0, 100, 10], [0, 0, 80, 10]));
        assert!(!covers_most([0, 0, 100, 10], [0, 0, 79, 10]));
        assert!(!covers_most([0, 0, 0, 0], [0, 0, 80, 10]));
    }

    #[test]
    fn what_is_missing_counts_against_the_share() {
        let mut share = Share::default();
        assert_eq!(share.ratio(), 1.0);
        share.count(true);
        share.count(false);
        assert_eq!((share.all, share.good, share.ratio()), (2, 1, 0.5));
    }
}
