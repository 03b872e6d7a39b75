//! The line of a page that shows a given text, for a caller who waited for it.

use super::item_lines::lines;
use super::items::ItemKind;
use super::line::listed_states;
use super::numbers::Numbers;
use crate::page::Page;
use crate::text::escape::clean;

/// Returns the first line whose name, text or value is `text`, or else the first that has it in it.
/// None if no single line has it.
pub fn line_of_text(page: &Page, text: &str, numbers: &mut dyn Numbers) -> Option<String> {
    let wanted = clean(text);
    let items = lines(page);
    let shown = |at: &usize| items[*at].kind != ItemKind::Soft;
    let is_it = |at: &usize| clean(&items[*at].name) == wanted;
    let has_it = |at: &usize| {
        let item = &items[*at];
        clean(&item.name).contains(&wanted) || clean(&item.value).contains(&wanted)
    };
    let all = || (0..items.len()).filter(shown);
    let at = all().find(is_it).or_else(|| all().find(has_it)).filter(|_| !wanted.is_empty())?;
    let item = &items[at];
    let states = listed_states(&item.states);
    let number = numbers.number(item.node);
    Some(format!("[{number}] {}{}{}{states}", item.body, item.count, item.value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::tests::Local;
    use crate::page::test_page::page;

    #[test]
    fn the_line_with_the_text_is_found() {
        let page = page(
            "nav navigation \"Saved searches\" @2\n  a link \"Saved searches\" @3 usable\nmain main @4\n  p @5\n    'Your reward: 40 points'\n  div status @6\n    'Saved'\n  input textbox \"Name\" @7 usable value=Ann",
        );
        let line = |text: &str| line_of_text(&page, text, &mut Local(&page));
        assert_eq!(line("reward").as_deref(), Some("[5] Your reward: 40 points"));
        // A line that is the text comes before one that has it in it.
        assert_eq!(line("Saved").as_deref(), Some("[6] status: Saved"));
        assert_eq!(line("Ann").as_deref(), Some("[7] textbox: Name = \"Ann\""));
        assert_eq!(line("lost"), None);
        assert_eq!(line(""), None);
    }
}
