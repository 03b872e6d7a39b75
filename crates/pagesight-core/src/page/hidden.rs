//! Hides values that a page spreads over several of its nodes.

use super::model::{Page, Text};
use crate::text::hidden_values::HiddenValues;
use crate::text::hidden_values::across::{CellKind, hidden_across};

/// A place in a page that has a text.
#[derive(Clone, Copy)]
enum TextPlace {
    Name(usize),
    Value(usize),
    Attribute(usize),
    Option(usize),
    Clue(usize),
}

impl Page {
    /// Returns the page without hidden values that are spread over several nodes; `None` if there
    /// are none. Values in one text are hidden before a page is decoded.
    pub fn without_spread(&self, hidden: &HiddenValues) -> Option<Page> {
        if hidden.is_empty() {
            return None;
        }
        let (places, cells): (Vec<TextPlace>, Vec<_>) = self.texts().into_iter().unzip();
        let replaced = hidden_across(hidden, &cells, &self.strings);
        if replaced.is_empty() {
            return None;
        }
        let mut page = self.clone();
        for (at, shown) in replaced {
            let text = Text(page.strings.len() as u32);
            page.strings.push(shown.into());
            match places[at] {
                TextPlace::Name(node) => page.records[node].name = text,
                TextPlace::Value(node) => page.records[node].value = Some(text),
                TextPlace::Attribute(at) => page.attributes[at].1 = text,
                TextPlace::Option(at) => page.options[at] = text,
                TextPlace::Clue(at) => page.clues[at].2 = text,
            }
        }
        Some(page)
    }

    /// Returns all texts of the page, in its order.
    fn texts(&self) -> Vec<(TextPlace, (CellKind, u32))> {
        let mut texts = Vec::with_capacity(self.records.len() * 2);
        for (at, record) in self.records.iter().enumerate() {
            let is_text = record.local == 0 && self.text(record.tag).is_empty();
            let kind = if is_text { CellKind::Text } else { CellKind::Name };
            texts.push((TextPlace::Name(at), (kind, record.name.0)));
            let value = record.value.map(|value| (CellKind::Value, value.0));
            texts.extend(value.map(|value| (TextPlace::Value(at), value)));
            for at in record.attributes.start as usize..record.attributes.end as usize {
                let (name, value) = self.attributes[at];
                texts.push((TextPlace::Attribute(at), (CellKind::Attribute(name.0), value.0)));
            }
            for at in record.options.start as usize..record.options.end as usize {
                texts.push((TextPlace::Option(at), (CellKind::Option, self.options[at].0)));
            }
        }
        let clues = self.clues.iter().enumerate();
        texts.extend(
            clues.map(|(at, (_, kind, text))| {
                (TextPlace::Clue(at), (CellKind::Clue(kind.0), text.0))
            }),
        );
        texts
    }
}
