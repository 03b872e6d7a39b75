//! State: errors, loading indicators, empty states, modals and messages that came or went. Matched
//! by what they say, without what is volatile in it.

use super::matching::{Pairs, key};
use super::{ChangeType, Found, Severity, Sides, Subject, Told, entries};
use crate::fingerprint::{Sign, Sort, Structure, normalize};

/// Tells what came and went.
pub(super) fn compare(found: &mut Found<'_>) {
    let (was, now) = (&found.was.structure, &found.now.structure);
    let sorts: [Signs<'_>; 4] = [
        (
            Sort::Error,
            &was.state.error_elements,
            &now.state.error_elements,
            Some((ChangeType::ErrorAppeared, Severity::Error, "An error appeared")),
            Some((ChangeType::ErrorResolved, Severity::Info, "An error is gone")),
        ),
        (
            Sort::Modal,
            &was.state.modals_open,
            &now.state.modals_open,
            Some((ChangeType::ModalOpened, Severity::Warning, "A dialog is open")),
            Some((ChangeType::ModalClosed, Severity::Info, "A dialog is closed")),
        ),
        (
            Sort::Empty,
            &was.state.empty_states,
            &now.state.empty_states,
            Some((ChangeType::EmptyStateAppeared, Severity::Warning, "An empty state appeared")),
            None,
        ),
        (
            Sort::Notification,
            &was.state.notifications,
            &now.state.notifications,
            Some((ChangeType::NotificationAppeared, Severity::Info, "A message appeared")),
            None,
        ),
    ];
    for (sort, old, new, came, went) in sorts {
        let pairs = paired(old, new);
        if let Some(came) = came {
            for at in (0..new.len()).filter(|at| pairs.old_of[*at].is_none()) {
                tell(found, now, &new[at], came, entries(sort, None, Some(at)));
            }
        }
        if let Some(went) = went {
            for at in (0..old.len()).filter(|at| pairs.new_of[*at].is_none()) {
                tell(found, was, &old[at], went, entries(sort, Some(at), None));
            }
        }
    }
    // Most indicators say nothing, so what they are called counts too.
    let (old, new) = (&was.state.loading_indicators, &now.state.loading_indicators);
    let mut pairs = Pairs::new(old.len(), new.len());
    let by = |sign: &Sign| Some(key(&[&sign.selector, &normalize(&sign.text)]));
    pairs.round(|at| by(&old[at]), |at| by(&new[at]));
    let stuck = (ChangeType::LoadingStuck, Severity::Warning, "Something is still loading");
    for at in (0..new.len()).filter(|at| pairs.old_of[*at].is_none()) {
        tell(found, now, &new[at], stuck, entries(Sort::Loading, None, Some(at)));
    }
}

/// Those of before and of now, and what is told if one came or went.
type Signs<'a> = (Sort, &'a [Sign], &'a [Sign], Option<Kind>, Option<Kind>);
type Kind = (ChangeType, Severity, &'static str);

fn paired(old: &[Sign], new: &[Sign]) -> Pairs {
    let mut pairs = Pairs::new(old.len(), new.len());
    let by = |sign: &Sign| Some(key(&[&normalize(&sign.text)]));
    pairs.round(|at| by(&old[at]), |at| by(&new[at]));
    pairs
}

fn tell(
    found: &mut Found<'_>,
    structure: &Structure,
    sign: &Sign,
    (kind, severity, words): Kind,
    at: Sides,
) {
    let text = (!sign.text.is_empty()).then(|| sign.text.clone());
    let description = match &text {
        Some(text) => format!("{words}: {text}"),
        None => format!("{words}: {}", sign.selector),
    };
    found.tell(Told {
        kind,
        severity,
        element: Subject { kind: None, text, selector: Some(sign.selector.clone()) },
        part: "state",
        place: (structure, sign.place),
        was: None,
        now: None,
        description,
        ignored: sign.ignored,
        at,
    });
}
