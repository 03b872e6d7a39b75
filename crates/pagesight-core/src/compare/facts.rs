//! Facts of a change that only the sentences for people need, besides the values that every caller
//! gets.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::fingerprint::{Sight, normalize};

/// Facts for sentences. All of them are stored with a run, so that its reports can be made later.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// The words after the one for the element: `'Save'`, `(trash icon)`, `to /orders`; empty for
    /// the only one of its type. None if the sentence is the description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub called: Option<String>,
    /// The list around the element: `list 'Team'`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub within: String,
    /// Why it cannot be seen or used now.
    #[serde(skip_serializing_if = "Sight::is_shown")]
    pub sight: Sight,
    /// It was hidden before.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub revealed: bool,
    /// How many controls are lost with it.
    #[serde(skip_serializing_if = "is_zero")]
    pub controls: usize,
    /// The items or rows that are no longer there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<String>,
    /// The items or rows that are new.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub came: Vec<String>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Facts {
    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        *self == Facts::default()
    }

    /// Sets which items or rows are gone and new. Their number says whether all texts are known.
    pub(super) fn entries(&mut self, was: (&[String], u32), now: (&[String], u32)) {
        let is_whole = |(texts, count): (&[String], u32)| texts.len() == count as usize;
        if !is_whole(was) || !is_whole(now) {
            return;
        }
        self.gone = without(was.0, now.0);
        self.came = without(now.0, was.0);
    }

    /// Returns every text, for callers that hide values.
    pub fn texts_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let cover = match &mut self.sight {
            Sight::Covered(text) | Sight::Hidden(text) => Some(text),
            _ => None,
        };
        let names = self.called.iter_mut().chain([&mut self.within]);
        names.chain(cover).chain(&mut self.gone).chain(&mut self.came)
    }
}

/// Returns the entries that the others do not have, without regard to volatile parts. Entries
/// without words are left out.
fn without(all: &[String], others: &[String]) -> Vec<String> {
    let mut left: HashMap<Cow<'_, str>, usize> = HashMap::new();
    for text in others {
        *left.entry(normalize(text)).or_default() += 1;
    }
    let mut alone = Vec::new();
    for text in all.iter().filter(|text| !text.is_empty()) {
        match left.get_mut(&normalize(text)) {
            Some(count) if *count > 0 => *count -= 1,
            _ => alone.push(text.clone()),
        }
    }
    alone
}
