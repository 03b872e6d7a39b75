//! Compares the state of the page: errors, loading indicators, empty states, dialogs and messages
//! that appeared or went away. They are paired by their texts, without volatile parts.

use super::change::{Change, ChangeType, Severity};
use super::collector::Collector;
use super::entry::{Entry, Located, Subject, placed_in};
use super::matching::{Pairs, key};
use crate::fingerprint::{EntryKind, Sign, State, normalize};

/// The report when a sign appears or goes away.
type Report = (ChangeType, Severity, &'static str);

/// How one kind of sign is compared.
struct SignRule {
    sort: EntryKind,
    signs: fn(&State) -> &[Sign],
    appeared: Report,
    gone: Option<Report>,
}

const RULES: [SignRule; 5] = [
    SignRule {
        sort: EntryKind::Error,
        signs: |state| &state.error_elements,
        appeared: (ChangeType::ErrorAppeared, Severity::Error, "An error appeared"),
        gone: Some((ChangeType::ErrorResolved, Severity::Info, "An error is gone")),
    },
    SignRule {
        sort: EntryKind::Modal,
        signs: |state| &state.modals_open,
        appeared: (ChangeType::ModalOpened, Severity::Warning, "A dialog is open"),
        gone: Some((ChangeType::ModalClosed, Severity::Info, "A dialog is closed")),
    },
    SignRule {
        sort: EntryKind::Empty,
        signs: |state| &state.empty_states,
        appeared: (ChangeType::EmptyStateAppeared, Severity::Warning, "An empty state appeared"),
        gone: None,
    },
    SignRule {
        sort: EntryKind::Notification,
        signs: |state| &state.notifications,
        appeared: (ChangeType::NotificationAppeared, Severity::Info, "A message appeared"),
        gone: None,
    },
    SignRule {
        sort: EntryKind::Loading,
        signs: |state| &state.loading_indicators,
        appeared: (ChangeType::LoadingStuck, Severity::Warning, "Something is still loading"),
        gone: None,
    },
];

impl Entry for Sign {
    placed_in!("state");

    fn subject(&self) -> Subject {
        let text = (!self.text.is_empty()).then(|| self.text.clone());
        Subject { kind: None, text, selector: Some(self.selector.clone()) }
    }

    fn label(&self) -> String {
        if self.text.is_empty() { self.selector.clone() } else { self.text.clone() }
    }

    fn called(&self) -> Option<String> {
        Some(match self.text.as_str() {
            "" => self.selector.clone(),
            text => format!("'{text}'"),
        })
    }
}

/// Compares the signs, and reports those that appeared or went away.
pub(super) fn compare(found: &mut Collector<'_>) {
    let (was, now) = (&found.was.structure, &found.now.structure);
    for rule in &RULES {
        let (old, new) = ((rule.signs)(&was.state), (rule.signs)(&now.state));
        let by = |sign: &Sign| {
            let text = normalize(&sign.text);
            // Most loading indicators have no text, so their selectors count too.
            let by_selector = rule.sort == EntryKind::Loading;
            Some(if by_selector { key(&[&sign.selector, &text]) } else { key(&[&text]) })
        };
        let mut pairs = Pairs::new(old.len(), new.len());
        pairs.round(|at| by(&old[at]), |at| by(&new[at]));
        let (kind, severity, words) = rule.appeared;
        for at in pairs.only_new() {
            let sign = Located::new(now, rule.sort, new, at);
            let description = format!("{words}: {}", sign.label());
            found.report(Change::added(kind, sign).severity(severity).describe(description));
        }
        if let Some((kind, severity, words)) = rule.gone {
            for at in pairs.only_old() {
                let sign = Located::new(was, rule.sort, old, at);
                let description = format!("{words}: {}", sign.label());
                found.report(Change::missing(kind, sign).severity(severity).describe(description));
            }
        }
    }
}
