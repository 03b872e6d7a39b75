//! Compares two fingerprints: what changed, how severe it is, and where, each change as one
//! sentence. Entries are matched by what they are and by what is around them, each at most once and
//! never by position. Nothing here is quadratic in the size of a page.
//!
//! Each kind of entry has a file (`headings`, `lists`, …). Most of them use the shared `comparer`;
//! all of them build their changes with `change` and report them to the `collector`. `layout` and
//! `pictures` compare how the pages are drawn. `sentence` has the words that people read.

mod audit;
mod change;
mod collector;
mod comparer;
mod comparison;
mod entry;
mod exact;
mod facts;
mod headings;
mod ignore_rules;
mod images;
mod interactive;
mod landmarks;
mod layout;
mod lists;
mod location;
mod matching;
mod numbers;
mod page_state;
mod pictures;
mod regions;
mod sentence;
mod summary;
mod tables;
#[cfg(test)]
mod tests;
mod texts;
#[cfg(test)]
mod values;

pub use change::{Change, ChangeType, Severity};
pub use comparison::{Comparison, Status};
pub use entry::Subject;
pub use facts::Facts;
pub use ignore_rules::{IgnoreRule, IgnoreRules, RuleError, WrittenRule};
pub use pictures::{PictureRules, PixelPicture, compare_pictures};
pub use sentence::{WordedChanges, worded};
pub use summary::answer;

use crate::fingerprint::{
    Depth, ExactText, Fingerprint, Heading, Image, List, PlainText, Table, UnitNumber, Violation,
    normalize,
};
use collector::Collector;

/// Compares the fingerprint of a page before with that of the same page now.
pub fn compare(was: &Fingerprint, now: &Fingerprint, rules: &IgnoreRules) -> Comparison {
    let mut found = Collector::new(was, now, rules);
    if was.route != now.route {
        let description =
            format!("The page has a different route: {} (was {})", now.route, was.route);
        let change = Change::page(ChangeType::RouteChanged, &was.route, &now.route, description);
        found.report(change.severity(Severity::Error));
    }
    if normalize(&was.title) != normalize(&now.title) {
        let description = format!("The title is now '{}' (was '{}')", now.title, was.title);
        found.report(Change::page(ChangeType::TitleChanged, &was.title, &now.title, description));
    }
    page_state::compare(&mut found);
    let regions = landmarks::compare(&mut found);
    if was.depth != Depth::Minimal && now.depth != Depth::Minimal {
        interactive::compare(&mut found, &regions);
        comparer::compare::<Heading>(&mut found, &regions);
        comparer::compare::<List>(&mut found, &regions);
        comparer::compare::<Table>(&mut found, &regions);
        comparer::compare::<Image>(&mut found, &regions);
        comparer::compare::<PlainText>(&mut found, &regions);
        // Only if both were read: an older fingerprint does not have them.
        if was.structure.numbers.is_some() && now.structure.numbers.is_some() {
            comparer::compare::<UnitNumber>(&mut found, &regions);
        }
    }
    comparer::compare::<ExactText>(&mut found, &regions);
    if let (Some(was), Some(now)) = (&was.structure.audit, &now.structure.audit)
        && was.is_like(now)
    {
        comparer::compare::<Violation>(&mut found, &regions);
    }
    layout::compare(&mut found, &regions);
    found.finish()
}
