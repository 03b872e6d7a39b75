//! Keeps the first lines of a container that does not fit, instead of folding it to one line: the
//! message and the first fields of a form say more than how many fields it has. The buttons at its
//! end stay too.

use crate::page::role::Role;
use crate::render::items::{How, Item, ItemFate, ItemKind, More, Tally};

/// The fewest lines that are worth it.
const FEWEST_LINES: usize = 2;
/// The most buttons that are kept at the end, and the share of the room that they may take.
const MOST_BUTTONS: usize = 4;
const BUTTONS_SHARE: usize = 3;
/// The longest note about what is left out, in estimated tokens.
const NOTE: usize = 45;

/// The lines of a container that are kept.
pub(super) struct KeptLines {
    /// The indexes of the items that are left out.
    left_out: Vec<usize>,
    /// The item that makes room for the note.
    note_at: usize,
    /// The last item before the note that a reader can continue after.
    last: Option<usize>,
}

/// Returns what can be kept of a container in `room` estimated tokens; none if that is too little.
/// `shown` are the indexes of the items in it that are still shown.
pub(super) fn opening(
    items: &[Item],
    shown: &[usize],
    costs: &[usize],
    folded: &[bool],
    room: usize,
) -> Option<KeptLines> {
    let room = room.checked_sub(NOTE)?;
    let buttons = closing_buttons(items, shown, costs, room / BUTTONS_SHARE);
    let mut left = room - buttons.iter().map(|at| costs[*at]).sum::<usize>();
    let body = &shown[..shown.len() - buttons.len()];
    let fitting = body.iter().take_while(|at| {
        let fits = costs[**at] <= left;
        left = left.saturating_sub(costs[**at]);
        fits
    });
    let mut kept = fitting.count();
    // A heading or a container without anything in it says little.
    let opens = |at: usize| {
        let container = items[at].end as usize > at + 1 && !folded[at];
        container || matches!(items[at].kind, ItemKind::Heading | ItemKind::Soft)
    };
    while kept > 0 && kept < body.len() && opens(body[kept - 1]) {
        kept -= 1;
    }
    let lines = body[..kept].iter().filter(|at| items[**at].kind != ItemKind::Soft).count();
    let note_at = *body.get(kept)?;
    (lines >= FEWEST_LINES).then(|| KeptLines {
        left_out: body[kept..].to_vec(),
        note_at,
        last: body[..kept]
            .iter()
            .copied()
            .rfind(|at| items[*at].stop && items[*at].kind != ItemKind::Note),
    })
}

/// Returns the buttons and links that end a container, the last first: those that save, cancel or
/// delete what is above them.
fn closing_buttons(items: &[Item], shown: &[usize], costs: &[usize], room: usize) -> Vec<usize> {
    let mut left = room;
    let ends = |at: &&usize| {
        let item = &items[**at];
        let button = item.kind == ItemKind::Usable
            && matches!(item.role, Role::Button | Role::Link)
            && item.end as usize == **at + 1;
        let fits = costs[**at] <= left;
        left = left.saturating_sub(costs[**at]);
        button && fits
    };
    let ends: Vec<usize> =
        shown.iter().rev().take(MOST_BUTTONS).take_while(ends).copied().collect();
    // Links alone are a list of links.
    if ends.iter().any(|at| items[*at].role == Role::Button) { ends } else { Vec::new() }
}

impl KeptLines {
    /// Returns the index of the item that becomes the note.
    pub(super) fn note_at(&self) -> usize {
        self.note_at
    }

    /// Leaves out what is not kept and puts a note in its place. Returns the indexes of the items
    /// that are gone.
    pub(super) fn apply(
        self,
        items: &mut [Item],
        container: usize,
        fates: &mut [ItemFate],
    ) -> Vec<usize> {
        let tally = Tally::of(self.left_out.iter().map(|at| &items[*at]));
        let scope = items[container].node;
        let how = self.last.map_or(How::Scope(scope), |last| {
            items[last].numbered = true;
            How::After(items[last].node, Some(scope))
        });
        items[container].numbered = true;
        let end_of_body = self.left_out.last().map_or(0, |at| at + 1);
        for at in &self.left_out {
            // What is around the buttons at the end is removed without them.
            let holds_more = items[*at].end as usize > end_of_body;
            fates[*at] = if holds_more { ItemFate::Unwrap } else { ItemFate::Drop };
        }
        let note = Item {
            end: self.note_at as u32 + 1,
            kind: ItemKind::Note,
            more: Some(Box::new(More { what: tally.words(), inside: None, how, tally })),
            ..Item::blank(items[self.note_at].node)
        };
        items[self.note_at] = note;
        fates[self.note_at] = ItemFate::Keep;
        self.left_out
    }
}

#[cfg(test)]
mod tests {
    use crate::page::test_page::page;
    use crate::render::{OutlineOptions, SequentialNumbers, outline};
    use crate::text::tokens::count;

    /// Regression test: the outline of a long form was one line, `main … 40 textboxes`.
    #[test]
    fn the_first_fields_and_the_buttons_of_a_long_form_are_shown() {
        let mut picture = String::from(
            "nav navigation block\n  a link \"Home\" usable\nmain main @2 block\n  ul list @3 block\n    li listitem @4 block\n      'Your change was saved.'\n",
        );
        for n in 0..60 {
            picture.push_str(&format!("  input textbox \"Field {n}\" @{} usable\n", 100 + n));
        }
        picture.push_str(
            "  div @5\n    button button \"Save\" @6 usable\n    a link \"Delete\" @7 usable\n",
        );
        let page = page(&picture);
        let options = OutlineOptions { max_tokens: 250, ..OutlineOptions::default() };
        let text = outline(&page, &options, &mut SequentialNumbers::default()).text;
        assert!(count(&text) <= 250, "{text}");
        assert!(text.contains("Your change was saved."), "{text}");
        assert!(text.contains("] textbox: Field 9\n"), "{text}");
        let shown = text.matches("textbox: Field").count();
        let note = format!("… {} textboxes — ", 60 - shown);
        assert!(text.contains(&note), "{text}");
        let (_, rest) = text.split_once(&note).unwrap();
        assert!(rest.contains("] button: Save\n") && rest.contains("] link: Delete\n"), "{text}");
    }
}
