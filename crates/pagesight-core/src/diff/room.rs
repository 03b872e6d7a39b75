//! How much of a diff fits: what a change adds comes before what it alters, and the content of a
//! new region before altered lines of other regions.

/// How many tokens the content of a new element may take; tried in this order.
const ROOMS: [usize; 4] = [300, 100, 40, 0];
/// In how many steps the content of a dialog is made smaller that does not fit as a whole.
const STEPS: usize = 16;

/// The part of a diff that is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Room {
    /// How many entries are printed.
    pub(super) kept: usize,
    /// How many tokens the content of the first entry may take.
    pub(super) first: usize,
    /// The same for each of the others that are new.
    pub(super) rest: usize,
    /// The same for each region that was altered.
    pub(super) altered: usize,
}

/// The entries of a diff, in the order in which they are printed.
#[derive(Clone, Copy, Debug)]
pub(super) struct EntryCounts {
    pub(super) all: usize,
    /// The first ones, which are dialogs, messages or new.
    pub(super) added: usize,
    /// Whether the first one is a dialog, which is shown as a whole before anything else.
    pub(super) opens_with_dialog: bool,
}

impl Room {
    /// Returns the most useful room that fits into `limit` tokens.
    pub(super) fn find(limit: usize, counts: EntryCounts, fits: &dyn Fn(Room) -> bool) -> Room {
        let EntryCounts { all, added, opens_with_dialog } = counts;
        let whole = |kept, altered| Room { kept, first: limit, rest: limit, altered };
        let smaller = || ROOMS.into_iter().filter(|room| *room < limit);
        if fits(whole(added, 0)) {
            let mut rooms = std::iter::once(limit).chain(smaller());
            return match rooms.find(|room| fits(whole(all, *room))) {
                Some(room) => whole(all, room),
                None => whole(most(added, all, &|kept| fits(whole(kept, 0))), 0),
            };
        }
        // Nothing new is folded as long as altered lines are printed.
        let with_rest = |rest| Room { rest, ..whole(added, 0) };
        if opens_with_dialog {
            if let Some(rest) = smaller().find(|rest| fits(with_rest(*rest))) {
                return with_rest(rest);
            }
            let alone = |kept| Room { kept, first: limit, rest: 0, altered: 0 };
            if fits(alone(1)) {
                return alone(most(1, added, &|kept| fits(alone(kept))));
            }
            let step = |part: usize| Room { first: limit * part / STEPS, ..alone(1) };
            return (1..STEPS).rev().map(step).find(|room| fits(*room)).unwrap_or_else(|| {
                let bare = |kept| Room { first: 0, ..alone(kept) };
                bare(most(0, added, &|kept| fits(bare(kept))))
            });
        }
        let same = |kept, room| Room { kept, first: room, rest: room, altered: 0 };
        if let Some(room) = smaller().find(|room| fits(same(added, *room))) {
            return same(added, room);
        }
        same(most(0, added, &|kept| fits(same(kept, 0))), 0)
    }
}

/// Returns the largest number from `low` to `high` that fits; `low` if none does.
fn most(mut low: usize, mut high: usize, fits: &dyn Fn(usize) -> bool) -> usize {
    while low < high {
        let middle = (low + high).div_ceil(2);
        if fits(middle) { low = middle } else { high = middle - 1 }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Finds the room for entries of which each needs ten tokens, and its content so many more.
    fn find(limit: usize, opens_with_dialog: bool, contents: &[usize], altered: usize) -> Room {
        let (added, all) = (contents.len(), contents.len() + altered);
        let fits = |room: Room| {
            let content = |at: usize| {
                let most = if at == 0 { room.first } else { room.rest };
                contents.get(at).map_or(0, |content| (*content).min(most))
            };
            (0..room.kept).map(|at| 10 + content(at)).sum::<usize>() <= limit
        };
        Room::find(limit, EntryCounts { all, added, opens_with_dialog }, &fits)
    }

    #[test]
    fn what_is_new_is_whole_before_altered_lines_are_printed() {
        let room = find(1_000, false, &[400, 400], 50);
        assert_eq!(room, Room { kept: 20, first: 1_000, rest: 1_000, altered: 0 });
        // Not even one altered line, if something new has to be folded.
        let folded = find(1_000, false, &[900, 900], 50);
        assert_eq!(folded, Room { kept: 2, first: 300, rest: 300, altered: 0 });
    }

    #[test]
    fn a_dialog_is_whole_before_anything_else() {
        let dialog = Room { kept: 1, first: 1_000, rest: 0, altered: 0 };
        let both = Room { kept: 2, rest: 100, ..dialog };
        assert_eq!(find(1_000, true, &[800, 900], 50), both);
        assert_eq!(find(1_000, true, &[985, 900], 50), dialog);
        // One that is longer than the budget gets nearly all of it.
        assert_eq!(find(1_000, true, &[5_000, 9], 50), Room { first: 937, ..dialog });
        assert_eq!(find(10, true, &[5_000, 9], 50).kept, 1);
        assert_eq!(find(5, true, &[5_000, 9], 50).kept, 0);
    }
}
