//! Lists and tables that went, were emptied, or hold something else. Told by what they hold, never
//! by where they stand among others.

use serde_json::json;

use super::content::{News, hidden, subject, tell};
use super::landmarks::{Known, Side};
use super::matching::{Pairs, key};
use super::{ChangeType, Found, Severity, entries};
use crate::fingerprint::{List, Sort, Table, normalize};

/// Whether something in this region says that there is nothing, which did not before.
fn says_empty(found: &Found<'_>, known: &Known<'_>, place: u32) -> bool {
    let (old, new) =
        (&found.was.structure.state.empty_states, &found.now.structure.state.empty_states);
    let here = known.was.region(place);
    new.len() > old.len() && new.iter().any(|sign| known.now.region(sign.place) == here)
}

/// What a list is called where its selector says nothing.
fn bare_name(list: &List) -> &str {
    if list.selector == list.kind { &list.name } else { "" }
}

/// Tells of lists and tables.
pub(super) fn compare(found: &mut Found<'_>, known: &Known<'_>) {
    lists(found, known);
    tables(found, known);
}

fn lists(found: &mut Found<'_>, known: &Known<'_>) {
    let (was, now) = (&found.was.structure, &found.now.structure);
    let (old, new) = (&was.lists, &now.lists);
    let mut pairs = Pairs::new(old.len(), new.len());
    type Key = fn(&Side<'_>, &List) -> Option<u64>;
    let rounds: [Key; 6] = [
        |side, list| {
            Some(key(&[
                side.region(list.place),
                &list.kind,
                &list.selector,
                &list.name,
                &list.items.to_string(),
                &list.order.to_string(),
            ]))
        },
        |side, list| {
            (list.items > 0).then(|| {
                key(&[
                    side.region(list.place),
                    &list.kind,
                    &list.items.to_string(),
                    &list.set.to_string(),
                ])
            })
        },
        |side, list| Some(key(&[side.region(list.place), &list.kind, &list.selector, &list.name])),
        |side, list| {
            (list.selector != list.kind)
                .then(|| key(&[side.region(list.place), &list.kind, &list.selector]))
        },
        |side, list| {
            (!list.name.is_empty()).then(|| key(&[side.region(list.place), &list.kind, &list.name]))
        },
        |_, list| {
            (list.items > 0)
                .then(|| key(&[&list.kind, &list.items.to_string(), &list.set.to_string()]))
        },
    ];
    for round in rounds {
        pairs.round(|at| round(&known.was, &old[at]), |at| round(&known.now, &new[at]));
    }
    let sort = |side: &Side<'_>, list: &List| Some(key(&[&list.kind, side.region(list.place)]));
    pairs.neighbours(
        (|at| sort(&known.was, &old[at]), |at| sort(&known.now, &new[at])),
        (|at| old[at].selector.as_str(), |at| new[at].selector.as_str()),
    );
    for (at, list) in old
        .iter()
        .enumerate()
        .filter(|(_, list)| list.items > 0 && list.sight.is_shown() && !known.lost(list.place))
    {
        let pair = entries(Sort::List, Some(at), pairs.new_of[at]);
        let name = if list.name.is_empty() || list.selector != list.kind {
            &list.selector
        } else {
            &list.name
        };
        let called = format!("List '{name}'");
        let element = |list: &List| subject("list", bare_name(list), &list.selector);
        let count = |items: u32| json!({"items": items});
        let Some(other) = pairs.new_of[at].map(|at| &new[at]) else {
            let empty = says_empty(found, known, list.place);
            let (kind, how) = if empty {
                (ChangeType::ListEmpty, "is now empty")
            } else {
                (ChangeType::ElementMissing, "is no longer there")
            };
            let (description, sides) = (
                format!("{called} {how} (was {} items)", list.items),
                Some((count(list.items), count(0))),
            );
            let (place, ignored) = ((was, list.place), list.ignored);
            tell(
                found,
                News {
                    kind,
                    severity: if list.pending { Severity::Info } else { Severity::Warning },
                    element: element(list),
                    part: "lists",
                    sides,
                    description,
                    place,
                    ignored,
                    at: pair,
                },
            );
            continue;
        };
        let (place, ignored) = ((now, other.place), list.ignored || other.ignored);
        let sides = Some((count(list.items), count(other.items)));
        let (kind, severity, sides, description) = match hidden(&other.sight) {
            // Without items it has no size.
            Some(why) if why != "clipped" => (
                ChangeType::ElementHidden,
                Severity::Warning,
                None,
                format!("{called} is hidden ({why})"),
            ),
            _ if other.items == 0 => (
                ChangeType::ListEmpty,
                Severity::Warning,
                sides,
                format!("{called} is now empty (was {} items)", list.items),
            ),
            _ if other.items != list.items => {
                // What went with its link or button is told by that.
                let told = found.gone_from.get(&(at as u32)).copied().unwrap_or(0);
                let severity = if other.items + told < list.items {
                    Severity::Warning
                } else {
                    Severity::Info
                };
                (
                    ChangeType::ListChanged,
                    severity,
                    sides,
                    format!("{called} has {} items (was {})", other.items, list.items),
                )
            }
            _ if other.set != list.set => (
                ChangeType::ListChanged,
                Severity::Info,
                None,
                format!("{called} holds other items"),
            ),
            _ if other.order != list.order => (
                ChangeType::ElementMoved,
                Severity::Info,
                None,
                format!("{called} has its items in another order"),
            ),
            _ => continue,
        };
        // Items may have no size before their pictures come.
        let waits = (list.pending || other.pending) && kind != ChangeType::ElementHidden;
        let severity = if waits { Severity::Info } else { severity };
        tell(
            found,
            News {
                kind,
                severity,
                element: element(other),
                part: "lists",
                sides,
                description,
                place,
                ignored,
                at: pair,
            },
        );
    }
    for at in (0..new.len()).filter(|at| pairs.old_of[*at].is_none()) {
        let (list, at) = (&new[at], entries(Sort::List, None, Some(at)));
        if list.items > 0 && list.sight.is_shown() {
            let (element, description) = (
                subject("list", bare_name(list), &list.selector),
                format!("List '{}' is new ({} items)", list.selector, list.items),
            );
            let (place, ignored) = ((now, list.place), list.ignored);
            tell(
                found,
                News {
                    kind: ChangeType::ElementAdded,
                    severity: Severity::Info,
                    element,
                    part: "lists",
                    sides: None,
                    description,
                    place,
                    ignored,
                    at,
                },
            );
        }
    }
}

fn tables(found: &mut Found<'_>, known: &Known<'_>) {
    let (was, now) = (&found.was.structure, &found.now.structure);
    let (old, new) = (&was.tables, &now.tables);
    let mut pairs = Pairs::new(old.len(), new.len());
    type Key = fn(&Side<'_>, &Table) -> Option<u64>;
    let rounds: [Key; 5] = [
        |side, table| {
            Some(key(&[
                side.region(table.place),
                &table.selector,
                &table.name,
                &table.headers.join("\t"),
                &table.set.to_string(),
            ]))
        },
        |side, table| {
            Some(key(&[side.region(table.place), &table.name, &table.headers.join("\t")]))
        },
        |side, table| {
            (table.selector != "table").then(|| key(&[side.region(table.place), &table.selector]))
        },
        |side, table| {
            (!table.name.is_empty()).then(|| key(&[side.region(table.place), &table.name]))
        },
        |_, table| (!table.headers.is_empty()).then(|| key(&[&table.headers.join("\t")])),
    ];
    for round in rounds {
        pairs.round(|at| round(&known.was, &old[at]), |at| round(&known.now, &new[at]));
    }
    let sort = |side: &Side<'_>, table: &Table| Some(key(&[side.region(table.place)]));
    pairs.neighbours(
        (|at| sort(&known.was, &old[at]), |at| sort(&known.now, &new[at])),
        (|at| old[at].selector.as_str(), |at| new[at].selector.as_str()),
    );
    for (at, table) in old
        .iter()
        .enumerate()
        .filter(|(_, table)| table.sight.is_shown() && !known.lost(table.place))
    {
        let pair = entries(Sort::Table, Some(at), pairs.new_of[at]);
        let name = if table.name.is_empty() { &table.selector } else { &table.name };
        let called = format!("Table '{name}'");
        let side = |table: &Table| json!({"rows": table.rows, "columns": table.columns});
        let element = |table: &Table| subject("table", &table.name, &table.selector);
        let Some(other) = pairs.new_of[at].map(|at| &new[at]) else {
            let empty = says_empty(found, known, table.place);
            let (kind, how) = if empty {
                (ChangeType::TableEmpty, "is now empty")
            } else {
                (ChangeType::ElementMissing, "is no longer there")
            };
            let (description, sides) = (
                format!("{called} {how} (was {} rows)", table.rows),
                Some((side(table), json!({"rows": 0}))),
            );
            let (place, ignored) = ((was, table.place), table.ignored);
            tell(
                found,
                News {
                    kind,
                    severity: Severity::Warning,
                    element: element(table),
                    part: "tables",
                    sides,
                    description,
                    place,
                    ignored,
                    at: pair,
                },
            );
            continue;
        };
        let sides = Some((side(table), side(other)));
        let texts = |table: &Table| {
            table.headers.iter().map(|header| normalize(header).into_owned()).collect::<Vec<_>>()
        };
        let (kind, severity, sides, description) = match hidden(&other.sight) {
            Some(why) if why != "clipped" => (
                ChangeType::ElementHidden,
                Severity::Warning,
                None,
                format!("{called} is hidden ({why})"),
            ),
            _ if other.rows == 0 && table.rows > 0 => (
                ChangeType::TableEmpty,
                Severity::Warning,
                sides,
                format!("{called} is now empty (was {} rows)", table.rows),
            ),
            _ if texts(table) != texts(other) || table.columns != other.columns => {
                let sides = Some((
                    json!({"columns": table.columns, "headers": table.headers}),
                    json!({"columns": other.columns, "headers": other.headers}),
                ));
                (
                    ChangeType::TableChanged,
                    Severity::Warning,
                    sides,
                    format!("{called} has other columns"),
                )
            }
            _ if other.rows != table.rows => {
                let severity =
                    if other.rows < table.rows { Severity::Warning } else { Severity::Info };
                (
                    ChangeType::TableChanged,
                    severity,
                    sides,
                    format!("{called} has {} rows (was {})", other.rows, table.rows),
                )
            }
            _ if other.set != table.set => (
                ChangeType::TableChanged,
                Severity::Info,
                None,
                format!("{called} holds other rows"),
            ),
            _ => continue,
        };
        let (place, ignored) = ((now, other.place), table.ignored || other.ignored);
        tell(
            found,
            News {
                kind,
                severity,
                element: element(other),
                part: "tables",
                sides,
                description,
                place,
                ignored,
                at: pair,
            },
        );
    }
    for at in (0..new.len()).filter(|at| pairs.old_of[*at].is_none()) {
        let (table, at) = (&new[at], entries(Sort::Table, None, Some(at)));
        if table.sight.is_shown() {
            let (element, description) = (
                subject("table", &table.name, &table.selector),
                format!("Table '{}' is new ({} rows)", table.selector, table.rows),
            );
            let (place, ignored) = ((now, table.place), table.ignored);
            tell(
                found,
                News {
                    kind: ChangeType::ElementAdded,
                    severity: Severity::Info,
                    element,
                    part: "tables",
                    sides: None,
                    description,
                    place,
                    ignored,
                    at,
                },
            );
        }
    }
}
