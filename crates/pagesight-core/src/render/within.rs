//! Makes items fit into a number of tokens as they will be printed. Estimates decide what is
//! folded; the exact count decides whether that was enough. So no answer is larger than its budget.

use crate::render::budget::{FitMode, fit};
use crate::render::items::Items;
use crate::text::tokens::{count, estimate};

/// Upper bounds, in bytes, for what any format adds to the words of one line, and around all lines.
const LINE: usize = 1_000;
const AROUND: usize = 20_000;

pub(crate) struct Fitted {
    pub(crate) items: Items,
    /// How many lines were cut, if folding was not enough.
    pub(crate) cut: Option<usize>,
}

/// Makes items fit into `limit` tokens as `print` writes them. `target` is an estimate of how many
/// of these tokens remain for the items. `print` gets the items and the number of cut lines.
pub(crate) fn within(
    mut items: Items,
    limit: usize,
    mut target: usize,
    manner: FitMode,
    shrink: impl Fn(Items) -> Items,
    print: impl Fn(&Items, Option<usize>) -> String,
) -> Fitted {
    // Items that surely fit are not printed to find out: no token is shorter than a byte, and no
    // line is much longer than its content.
    let most: usize = items.iter().map(|item| item.body.len() * 2 + LINE).sum();
    if most.saturating_add(AROUND) <= limit {
        return Fitted { items, cut: None };
    }
    let fits = |text: &str| surely_fits(text, limit) || count(text) <= limit;
    // Most answers fit as they are, and need no copy.
    if print_is_cheap(&items, limit) && fits(&print(&items, None)) {
        return Fitted { items, cut: None };
    }
    items = shrink(items);
    for _ in 0..6 {
        let fitted = fit(items.clone(), target, manner);
        let text = print(&fitted, None);
        if surely_fits(&text, limit) {
            return Fitted { items: fitted, cut: None };
        }
        let exact = count(&text);
        if exact <= limit {
            return Fitted { items: fitted, cut: None };
        }
        // The estimate is calibrated, but not exact. Near the limit the exact count decides, and
        // the target is lowered.
        target = (target * limit / exact).saturating_sub(8).min(target.saturating_sub(1));
    }
    shortest(items, limit, print)
}

/// Whether printing everything is worth a try: no line is shorter than a token.
fn print_is_cheap(items: &Items, limit: usize) -> bool {
    items.len() <= limit && items.iter().map(|item| item.body.len()).sum::<usize>() / 40 <= limit
}

/// Whether a text is within a limit without being counted exactly, which needs the whole vocabulary
/// in memory. No token is shorter than a byte, and the estimate for ASCII is never too small by
/// more than a factor of four.
pub(crate) fn surely_fits(text: &str, limit: usize) -> bool {
    text.len() <= limit || (text.is_ascii() && estimate(text) * 4 <= limit)
}

/// The last resort if the estimates are wrong: keeps as many lines as the exact count allows.
fn shortest(items: Items, limit: usize, print: impl Fn(&Items, Option<usize>) -> String) -> Fitted {
    let (mut low, mut high) = (0, items.len().min(limit));
    let shortened = |keep: usize| {
        let mut kept = items[..keep].to_vec();
        for item in &mut kept {
            item.end = item.end.min(keep as u32);
        }
        kept
    };
    while low < high {
        let middle = (low + high).div_ceil(2);
        let text = print(&shortened(middle), Some(items.len()));
        if count(&text) <= limit { low = middle } else { high = middle - 1 }
    }
    Fitted { items: shortened(low), cut: Some(items.len() - low) }
}
