//! Regions that are the same as on the previous page of a site: navigation, side bars, footers.
//! A short outline gives each of them one line, because the reader knows what they hold.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::page::Page;
use crate::page::role::Role;
use crate::render::item_lines::lines;
use crate::render::items::{Item, ItemFate, ItemKind, Items, apply};

/// A region with fewer lines is printed, because that is as short.
const FEWEST_LINES: usize = 2;

/// The state of such a region.
const AS_BEFORE: &str = "as before";

/// The regions of a page, for recognising them on the next page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownRegions(HashSet<u64>);

impl KnownRegions {
    /// Returns the regions of a page.
    pub fn of(page: &Page) -> KnownRegions {
        let items = lines(page);
        let regions = (0..items.len()).filter(|at| may_recur(&items[*at]));
        KnownRegions(regions.map(|at| content(&items, at)).collect())
    }

    /// Replaces the known regions by one line each.
    pub(super) fn fold(&self, mut items: Items) -> Items {
        if self.0.is_empty() {
            return items;
        }
        let mut fates = vec![ItemFate::Keep; items.len()];
        let mut at = 0;
        while at < items.len() {
            let end = items[at].end as usize;
            let below = items[at + 1..end].iter().filter(|item| item.kind != ItemKind::Soft);
            if !may_recur(&items[at])
                || below.count() < FEWEST_LINES
                || !self.0.contains(&content(&items, at))
            {
                at += 1;
                continue;
            }
            items[at].numbered = true;
            items[at].states.push(AS_BEFORE.to_owned());
            fates[at + 1..end].fill(ItemFate::Drop);
            at = end;
        }
        apply(items, &fates)
    }
}

/// Whether a region is usually on every page of a site.
fn may_recur(item: &Item) -> bool {
    let role = matches!(
        item.role,
        Role::Navigation | Role::Banner | Role::Complementary | Role::ContentInfo
    );
    role && item.kind == ItemKind::Region
}

/// Identifies a region by what its lines say. States do not count: a side bar marks the current
/// page.
fn content(items: &[Item], at: usize) -> u64 {
    let mut hasher = DefaultHasher::new();
    for item in &items[at..items[at].end as usize] {
        (item.role, &item.name, &item.body, &item.value).hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::KnownRegions;
    use crate::page::Page;
    use crate::page::test_page::page;
    use crate::render::{OutlineOptions, SequentialNumbers, outline};

    fn site(link: &str, current: &str, title: &str) -> Page {
        page(&format!(
            "nav navigation \"Sidebar\" @2 block
  a link \"Home\" @3 usable {current}
  a link \"{link}\" @4 usable
main main @5
  h1 heading \"{title}\" @6 block level=1
  button button \"Save\" @7 usable"
        ))
    }

    fn outlined(page: &Page, before: &Page) -> String {
        let known = Some(Arc::new(KnownRegions::of(before)));
        let options = OutlineOptions { known, header: false, ..OutlineOptions::default() };
        outline(page, &options, &mut SequentialNumbers::default()).text
    }

    #[test]
    fn a_region_of_the_previous_page_is_one_line() {
        let before = site("Orders", "selected", "Home");
        let after = outlined(&site("Orders", "", "Orders"), &before);
        assert_eq!(
            after,
            "[1] navigation: Sidebar — as before\nmain\n  heading 1: Orders\n  [2] button: Save\n"
        );
    }

    #[test]
    fn a_region_that_changed_is_shown() {
        let before = site("Orders", "", "Home");
        let after = outlined(&site("Orders (2)", "", "Orders"), &before);
        assert!(
            after.contains("link: \"Orders (2)\"") || after.contains("link: Orders (2)"),
            "{after}"
        );
        assert!(!after.contains("as before"), "{after}");
    }
}
