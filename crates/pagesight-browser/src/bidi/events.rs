//! BiDi events of one tab → what is known about it, and [`TabEvent`]s. Runs in the connection's
//! reading task; never waits.

use std::sync::Arc;
use std::time::Duration;

use super::protocol as p;
use super::script;
use super::state::{Asker, Dialog, Navigation, TabState};
use crate::api::events::{RequestKind, TabEvent};
use crate::api::traits::CALL_LIMIT;

/// What Firefox calls a request that ended without a fault.
const ABORTED: &str = "NS_BINDING_ABORTED";
/// And one that was handed on to the downloads.
const RETARGETED: &str = "NS_BINDING_RETARGETED";
/// How long a document that needed no network may take to be committed before it counts as one out
/// of the cache.
const COMMIT_LIMIT: Duration = Duration::from_millis(500);

impl TabState {
    fn begun(&self, within: Option<String>) {
        self.facts.send_modify(|facts| {
            facts.begun += 1;
            facts.within = within.is_some();
            facts.last_within = within.or(facts.last_within.take());
        });
    }

    pub(crate) fn navigation_started(self: &Arc<Self>, moves: p::NavigationInfo) {
        let Some(id) = moves.navigation else { return };
        let before =
            self.traffic().navigation.replace(Navigation { id: id.clone(), requested: false });
        self.begun(None);
        tokio::spawn(self.clone().perhaps_shown(id));
        if before.is_none() {
            self.report(TabEvent::NavigationStarted);
        }
    }

    /// The navigation ended without a document.
    pub(crate) fn navigation_failed(&self, id: Option<&str>, reason: &str) {
        {
            let mut traffic = self.traffic();
            if id.is_none()
                || traffic.navigation.as_ref().map(|navigation| navigation.id.as_str()) != id
            {
                return;
            }
            traffic.failed = traffic.navigation.take().map(|navigation| navigation.id);
        }
        self.facts.send_modify(|facts| facts.between = false);
        let (reason, aborted) = (short_reason(reason).to_owned(), is_given_up(reason));
        self.report(TabEvent::NavigationFailed { reason, aborted });
    }

    pub(crate) fn navigation_aborted(&self, moves: &p::NavigationInfo) {
        self.navigation_failed(moves.navigation.as_deref(), ABORTED);
    }

    pub(crate) fn committed(&self, moves: p::NavigationInfo) {
        let failed = {
            let mut traffic = self.traffic();
            traffic.navigation = None;
            traffic.failed.take() == moves.navigation
        };
        let new = moves.navigation.as_deref();
        self.abandon_requests(|asker| new.is_none() || asker.navigation.as_deref() != new);
        self.shows_document();
        if moves.url.starts_with("about:tabcrashed") {
            self.facts.send_modify(|facts| {
                facts.crashed = true;
                facts.dialog = None;
            });
            return self.report(TabEvent::Crashed);
        }
        if let Some(reason) = error_page(&moves.url) {
            if !failed {
                let reason = reason.to_owned();
                self.report(TabEvent::NavigationFailed { reason, aborted: false });
            }
            return self.report(TabEvent::ErrorPage);
        }
        self.report(TabEvent::Committed { url: moves.url, restored: false });
    }

    fn shows_document(&self) {
        self.facts.send_modify(|facts| {
            facts.next_document(&self.id);
            facts.between = false;
            facts.crashed = false;
            facts.begun += 1;
            facts.within = false;
        });
    }

    /// Requests of a document that is gone are nobody's any more, and their end may never be told.
    fn abandon_requests(&self, gone: impl Fn(&Asker) -> bool) {
        let abandoned: Vec<String> =
            self.traffic().requests.extract_if(|_, asker| gone(asker)).map(|(id, _)| id).collect();
        for id in abandoned {
            self.report(TabEvent::RequestFailed {
                id,
                reason: ABORTED.to_owned(),
                cancelled: true,
            });
        }
    }

    pub(crate) fn within(&self, moves: p::NavigationInfo) {
        self.begun(Some(moves.navigation.unwrap_or_default()));
        self.report(TabEvent::SameDocument { url: moves.url });
    }

    /// A realm of a document: the page's own, or our sandbox.
    pub(crate) fn realm_created(self: &Arc<Self>, created: p::RealmInfo) {
        let ours = created.sandbox.as_deref() == Some(script::SANDBOX);
        let Some(context) = created.context.filter(|_| ours || created.sandbox.is_none()) else {
            return;
        };
        let top = context == self.id;
        self.facts.send_modify(|facts| facts.realms.push((created.realm, context)));
        if top && !ours {
            self.perhaps_another_document();
        }
    }

    /// A realm is gone, and its document with it.
    pub(crate) fn realm_destroyed(self: &Arc<Self>, realm: &str) {
        let mut another = false;
        self.facts.send_if_modified(|facts| {
            let Some(at) = facts.realms.iter().position(|(known, _)| known == realm) else {
                return false;
            };
            let (_, context) = facts.realms.swap_remove(at);
            facts.next_document(&context);
            if context == self.id {
                facts.between = true;
                another = facts.realms.iter().any(|(_, known)| *known == context);
            }
            true
        });
        if another {
            self.perhaps_another_document();
        }
    }

    /// The document before is gone and another is there, though none was asked for.
    fn perhaps_another_document(self: &Arc<Self>) {
        let unasked = self.traffic().unasked().map(str::to_owned);
        if let (Some(navigation), true) = (unasked, self.facts.borrow().between) {
            tokio::spawn(self.clone().perhaps_restored(navigation));
        }
    }

    /// A frame is gone.
    pub(crate) fn frame_destroyed(&self, context: &str) {
        self.facts.send_modify(|facts| {
            facts.next_document(context);
            facts.realms.retain(|(_, known)| known != context);
        });
        self.abandon_requests(|asker| asker.context.as_deref() == Some(context));
    }

    /// What was told of realms may be all that there is to tell before the navigation was, and a
    /// busy browser takes its time, so the tab is asked more than once. Its address proves nothing:
    /// the history's may be one that was redirected.
    async fn perhaps_shown(self: Arc<Self>, navigation: String) {
        for pause in [1, 1, 2, 4, 8] {
            tokio::time::sleep(COMMIT_LIMIT * pause).await;
            if self.traffic().unasked() != Some(&navigation) {
                return;
            }
            if self.facts.borrow().between {
                self.clone().perhaps_restored(navigation.clone()).await;
            }
        }
    }

    /// A document out of the back/forward cache is shown without a word: no request, no commit, no
    /// load. So a document that appears without a request is asked whether it has been loaded long
    /// since.
    async fn perhaps_restored(self: Arc<Self>, navigation: String) {
        let question = "JSON.stringify([location.href, document.readyState])";
        let Ok(answer) = script::ask(&self, question, CALL_LIMIT).await else { return };
        let Ok((url, ready)) = serde_json::from_str::<(String, String)>(&answer) else { return };
        if ready != "complete" {
            return;
        }
        if url.starts_with("about:") {
            // It may as well be the empty document before the next one.
            let mut facts = self.facts.subscribe();
            let _ =
                tokio::time::timeout(COMMIT_LIMIT, facts.wait_for(|facts| !facts.between)).await;
        }
        {
            let mut traffic = self.traffic();
            if traffic.navigation.as_ref().is_none_or(|under_way| under_way.id != navigation) {
                return;
            }
            traffic.navigation = None;
        }
        self.abandon_requests(|_| true);
        self.shows_document();
        self.report(TabEvent::Committed { url, restored: true });
    }

    pub(crate) fn prompt_opened(&self, prompt: p::PromptOpened) {
        let p::PromptOpened { kind, message, default_value: proposed, .. } = prompt;
        self.report(TabEvent::DialogOpened { kind: kind.clone(), message: message.clone() });
        self.facts.send_modify(|facts| facts.dialog = Some(Dialog { kind, message, proposed }));
    }

    pub(crate) fn prompt_closed(&self) {
        self.facts.send_modify(|facts| facts.dialog = None);
        self.report(TabEvent::DialogClosed);
    }

    pub(crate) fn request(&self, sent: p::Exchange) {
        let framed = sent.context.as_ref().is_some_and(|context| *context != self.id);
        let request = sent.request;
        let kind = kind_of(&request);
        // These never leave the browser, and may be megabytes long.
        if kind != RequestKind::Document && request.url.starts_with("data:") {
            return;
        }
        {
            let mut traffic = self.traffic();
            if let Some(navigation) = &mut traffic.navigation
                && sent.navigation.as_ref() == Some(&navigation.id)
            {
                navigation.requested = true;
            }
            // A redirect is the same request again.
            let asker = Asker { navigation: sent.navigation, context: sent.context };
            if traffic.requests.insert(request.id.clone(), asker).is_some() {
                return;
            }
        }
        self.report(TabEvent::RequestStarted {
            id: request.id,
            kind,
            method: request.method,
            url: request.url,
            framed,
        });
    }

    /// The head of an answer is there.
    pub(crate) fn answered(&self, exchange: p::Exchange) {
        let Some(response) = exchange.response.filter(|response| !response.is_redirect()) else {
            return;
        };
        let top = match &self.traffic().navigation {
            Some(navigation) => exchange.navigation.as_ref() == Some(&navigation.id),
            None => false,
        };
        if top {
            self.report(TabEvent::Answered { status: response.status, url: response.url });
        }
    }

    pub(crate) fn completed(&self, exchange: p::Exchange) {
        let Some(response) = exchange.response.filter(|response| !response.is_redirect()) else {
            return;
        };
        if self.traffic().requests.remove(&exchange.request.id).is_some() {
            self.report(TabEvent::RequestFinished {
                id: exchange.request.id,
                status: Some(response.status),
            });
        }
    }

    pub(crate) fn fetch_failed(&self, exchange: p::Exchange) {
        let reason = exchange.error_text;
        let known = self.traffic().requests.remove(&exchange.request.id).is_some();
        if known {
            let short = short_reason(&reason).to_owned();
            let cancelled = is_given_up(&reason);
            self.report(TabEvent::RequestFailed {
                id: exchange.request.id,
                reason: short,
                cancelled,
            });
        }
        self.navigation_failed(exchange.navigation.as_deref(), &reason);
    }

    pub(crate) fn logged(&self, entry: &p::LogEntry) {
        if entry.level == "error" {
            let text = entry.text.as_deref().unwrap_or_default();
            self.report(TabEvent::ConsoleError { text: p::first_line(text) });
        }
    }
}

fn is_given_up(reason: &str) -> bool {
    reason == ABORTED || reason == RETARGETED
}

/// Why a page could not be loaded, if this is the address of Firefox's own page about it.
fn error_page(url: &str) -> Option<&str> {
    let pages = ["about:neterror", "about:certerror", "about:httpsonlyerror", "about:blocked"];
    pages.iter().find(|page| url.starts_with(**page))?;
    let reason = url.split(['?', '&']).find_map(|pair| pair.strip_prefix("e="));
    Some(reason.filter(|reason| !reason.is_empty()).unwrap_or("the page could not be loaded"))
}

/// The telling part of `NS_ERROR_GENERATE_FAILURE(NS_ERROR_MODULE_SECURITY,
/// SSL_ERROR_BAD_CERT_DOMAIN)`.
pub(crate) fn short_reason(reason: &str) -> &str {
    match reason.rsplit_once(", ") {
        Some((_, inner)) if reason.starts_with("NS_ERROR_GENERATE_FAILURE(") => {
            inner.trim_end_matches(')')
        }
        _ => reason,
    }
}

fn kind_of(request: &p::Request) -> RequestKind {
    match (request.destination.as_deref().unwrap_or_default(), request.initiator_type.as_deref()) {
        ("document" | "iframe" | "frame" | "embed" | "object", _) => RequestKind::Document,
        ("script" | "worker" | "sharedworker", _) => RequestKind::Script,
        ("style", _) => RequestKind::Style,
        ("image", _) => RequestKind::Image,
        ("font", _) => RequestKind::Font,
        ("", Some("fetch" | "xmlhttprequest")) => RequestKind::Fetch,
        _ => RequestKind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons() {
        assert_eq!(short_reason("NS_ERROR_CONNECTION_REFUSED"), "NS_ERROR_CONNECTION_REFUSED");
        let long = "NS_ERROR_GENERATE_FAILURE(NS_ERROR_MODULE_SECURITY, SSL_ERROR_BAD_CERT_DOMAIN)";
        assert_eq!(short_reason(long), "SSL_ERROR_BAD_CERT_DOMAIN");
        assert_eq!(
            error_page("about:neterror?e=deniedPortAccess&u=http%3A//x/"),
            Some("deniedPortAccess")
        );
        assert_eq!(error_page("about:certerror"), Some("the page could not be loaded"));
        assert_eq!(error_page("about:blank"), None);
        assert!(
            is_given_up("NS_BINDING_RETARGETED") && !is_given_up("NS_ERROR_CONNECTION_REFUSED")
        );
    }

    #[test]
    fn kinds() {
        let kind = |destination: Option<&str>, initiator: Option<&str>| {
            kind_of(&p::Request {
                id: String::new(),
                url: String::new(),
                method: String::new(),
                destination: destination.map(str::to_owned),
                initiator_type: initiator.map(str::to_owned),
            })
        };
        assert_eq!(kind(Some("document"), None), RequestKind::Document);
        assert_eq!(kind(Some(""), Some("fetch")), RequestKind::Fetch);
        assert_eq!(kind(Some(""), None), RequestKind::Other);
        assert_eq!(kind(Some("image"), Some("img")), RequestKind::Image);
        assert_eq!(kind(None, None), RequestKind::Other);
    }
}
