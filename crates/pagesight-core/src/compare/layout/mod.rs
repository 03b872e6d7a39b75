//! Compares how two pages are drawn: what moved or changed its size, what is cut, overlaps or
//! spills out, and styles. What follows from other changes of the page is left out: a banner that
//! is new moves everything below it, and that is no fault of the layout.
//!
//! `layouts` pairs the elements of both pages, `motion` finds moves and sizes, `faults` what is
//! wrong with single elements, `styles` styles; `color` has distances and names of colours.

mod color;
mod faults;
mod layouts;
mod motion;
mod styles;
#[cfg(test)]
mod tests;

use serde_json::json;

use super::change::{Change, ChangeType, Severity};
use super::collector::Collector;
use super::regions::Regions;
use crate::fingerprint::{Layout, Structure};
pub(super) use layouts::Layouts;
use layouts::{Finding, TOLERANCE};
pub(super) use motion::is_volatile;

/// How many changes of the layout are reported one by one.
const MOST: usize = 40;

/// Compares the layouts, if both pages have one.
pub(super) fn compare(found: &mut Collector<'_>, regions: &Regions<'_>) {
    let (was, now) = (&found.was.structure, &found.now.structure);
    let (Some(old), Some(new)) = (&was.layout, &now.layout) else { return };
    if found.was.truncated || found.now.truncated {
        return;
    }
    let layouts = Layouts::new((was, old), (now, new), regions);
    let dialogs = |structure: &Structure| structure.state.modals_open.len();
    let covers = dialogs(now) <= dialogs(was);
    let fonts = changed_fonts(old, new);
    if !fonts.is_empty() {
        report_fonts(found, &fonts);
    }
    let (style_findings, restyled) = styles::compare(&layouts);
    let mut findings = style_findings;
    findings.extend(faults::pictures(&layouts));
    findings.extend(faults::icons(&layouts));
    if covers {
        findings.extend(faults::covered(&layouts));
    }
    // With a different font every text has a different size.
    if fonts.is_empty() {
        findings.extend(motion::compare(&layouts, &restyled));
        findings.extend(faults::cut(&layouts));
        findings.extend(faults::overlapping(&layouts));
        findings.extend(faults::spilling(&layouts));
        page_width(found, old, new);
    }
    let more = findings.len().saturating_sub(MOST);
    for Finding { draft } in findings.into_iter().take(MOST) {
        found.report(draft);
    }
    if more > 0 {
        let words = format!("{more} more elements are drawn differently");
        let draft = Change::of_page(ChangeType::LayoutChanged, words);
        found.report(draft.severity(Severity::Warning));
    }
}

/// Returns the fonts that draw texts with a different width than before.
pub(super) fn changed_fonts(old: &Layout, new: &Layout) -> Vec<String> {
    let differs = |was: u32, now: u32| was.abs_diff(now) > was.max(now) / 200;
    let both = old.fonts.iter().filter_map(|(name, was)| Some((name, *was, *new.fonts.get(name)?)));
    both.filter(|(_, was, now)| differs(*was, *now)).map(|(name, ..)| name.clone()).collect()
}

fn report_fonts(found: &mut Collector<'_>, fonts: &[String]) {
    let quoted: Vec<String> = fonts.iter().map(|name| format!("'{name}'")).collect();
    let (word, verb) = if fonts.len() == 1 { ("Font", "is") } else { ("Fonts", "are") };
    let words = format!(
        "{word} {} {verb} drawn with different letters than in the baseline, as if missing here; \
         positions and sizes were not compared",
        quoted.join(", ")
    );
    let draft = Change::of_page(ChangeType::StyleChanged, words);
    found.report(draft.severity(Severity::Warning));
}

/// Reports that the page can be scrolled sideways now.
fn page_width(found: &mut Collector<'_>, old: &Layout, new: &Layout) {
    if new.overflow <= old.overflow + TOLERANCE as u32 {
        return;
    }
    let words = format!("The page is {} px wider than its window", new.overflow);
    let draft = Change::of_page(ChangeType::LayoutChanged, words);
    let draft = draft.severity(Severity::Warning);
    found
        .report(draft.values(json!({"overflow": old.overflow}), json!({"overflow": new.overflow})));
}
