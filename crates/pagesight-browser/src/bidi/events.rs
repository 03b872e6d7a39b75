//! Turns BiDi events of one tab into changes of its state and [`TabEvent`]s. Runs in the
//! connection's reading task and never waits.

use std::time::Duration;

use super::flood::RequestRate;
use super::protocol as p;
use super::state::{BidiTabState, PendingNavigation, RequestOrigin};
use crate::api::events::{RequestKind, TabEvent};
use crate::api::log::ResponseHead;
use crate::engine::page_script::WORLD;
use crate::engine::tab::Dialog;

/// The error of a request that was cancelled.
const ABORTED: &str = "NS_BINDING_ABORTED";
/// The error of a request that became a download.
const RETARGETED: &str = "NS_BINDING_RETARGETED";

impl BidiTabState {
    fn navigation_began(&self, within: Option<String>) {
        self.status.send_modify(|status| {
            status.navigation_began(within.is_some());
            let last = &mut status.frames.last_within;
            *last = within.or(last.take());
        });
    }

    /// Handles the start of a navigation of the top frame; returns its id.
    pub(crate) fn navigation_started(&self, moves: p::NavigationInfo) -> Option<String> {
        let id = moves.navigation?;
        let before = {
            let mut traffic = self.traffic();
            let ours = traffic.opening > 0;
            let (id, url) = (id.clone(), moves.url);
            traffic.navigation.replace(PendingNavigation { id, url, requested: false, ours })
        };
        self.navigation_began(None);
        if before.is_none() {
            self.report(TabEvent::NavigationStarted);
        }
        Some(id)
    }

    /// Handles a navigation that ended without a document.
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
        self.status.send_modify(|status| status.frames.between = false);
        let (reason, aborted) = (short_reason(reason).to_owned(), is_given_up(reason));
        self.report(TabEvent::NavigationFailed { reason, aborted });
    }

    pub(crate) fn navigation_aborted(&self, moves: &p::NavigationInfo) {
        self.traffic().given_up = true;
        self.navigation_failed(moves.navigation.as_deref(), ABORTED);
    }

    pub(crate) fn committed(&self, moves: p::NavigationInfo) {
        let failed = {
            let mut traffic = self.traffic();
            let arrived = traffic.navigation.take();
            traffic.rate = RequestRate::default();
            traffic.revived = std::mem::take(&mut traffic.given_up)
                && arrived.is_some_and(|navigation| differ(&navigation.url, &moves.url));
            let failed = traffic.failed.take();
            failed.is_some() && failed == moves.navigation
        };
        self.next_document_is_known();
        let new = moves.navigation.as_deref();
        self.abandon_requests(|origin| new.is_none() || origin.navigation.as_deref() != new);
        self.shows_document();
        if moves.url.starts_with("about:tabcrashed") {
            self.status.send_modify(|status| {
                status.crashed = true;
                status.dialog = None;
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

    /// Records that the top frame shows a different document.
    fn shows_document(&self) {
        self.status.send_modify(|status| {
            status.frames.next_document(&self.id);
            status.frames.between = false;
            status.crashed = false;
            status.navigation_began(false);
        });
    }

    /// Reports a document that was restored from the back/forward cache, if the navigation is still
    /// under way.
    pub(crate) fn restored(&self, navigation: &str, url: String) {
        {
            let mut traffic = self.traffic();
            if traffic.navigation.as_ref().is_none_or(|under_way| under_way.id != navigation) {
                return;
            }
            traffic.navigation = None;
            traffic.rate = RequestRate::default();
        }
        self.next_document_is_known();
        self.abandon_requests(|_| true);
        self.shows_document();
        self.report(TabEvent::Committed { url, restored: true });
    }

    /// Ends requests of a document that is gone: Firefox may never report their end.
    fn abandon_requests(&self, gone: impl Fn(&RequestOrigin) -> bool) {
        let abandoned: Vec<String> = self
            .traffic()
            .requests
            .extract_if(|_, origin| gone(origin))
            .map(|(id, _)| id)
            .collect();
        self.report_abandoned(abandoned, ABORTED);
    }

    pub(crate) fn within(&self, moves: p::NavigationInfo) {
        self.navigation_began(Some(moves.navigation.unwrap_or_default()));
        self.report(TabEvent::SameDocument { url: moves.url });
    }

    /// Records a realm of a document: the page's own, or our sandbox. Returns whether it is the
    /// page's own realm of the top document.
    pub(crate) fn realm_created(&self, created: p::RealmInfo) -> bool {
        let ours = created.sandbox.as_deref() == Some(WORLD);
        let Some(context) = created.context.filter(|_| ours || created.sandbox.is_none()) else {
            return false;
        };
        let top = context == self.id;
        self.status.send_modify(|status| status.frames.realms.push((created.realm, context)));
        top && !ours
    }

    /// Handles the end of a realm, and so of its document. Returns whether it belonged to the top
    /// document and a different top document is already there.
    pub(crate) fn realm_destroyed(&self, realm: &str) -> bool {
        let mut replaced = false;
        self.status.send_if_modified(|status| {
            let frames = &mut status.frames;
            let Some(at) = frames.realms.iter().position(|(known, _)| known == realm) else {
                return false;
            };
            let (_, context) = frames.realms.swap_remove(at);
            frames.next_document(&context);
            if context == self.id {
                frames.between = true;
                replaced = frames.realms.iter().any(|(_, known)| *known == context);
            }
            true
        });
        replaced
    }

    /// Handles the end of a frame.
    pub(crate) fn frame_destroyed(&self, context: &str) {
        self.status.send_modify(|status| status.frames.forget(context));
        self.abandon_requests(|origin| origin.context.as_deref() == Some(context));
    }

    pub(crate) fn prompt_opened(&self, prompt: p::PromptOpened) {
        let p::PromptOpened { kind, message, default_value: proposed, .. } = prompt;
        self.dialog_opened(Dialog { kind, message, proposed });
    }

    pub(crate) fn request(&self, sent: p::Exchange) {
        let framed = sent.context.as_ref().is_some_and(|context| *context != self.id);
        let request = sent.request;
        let kind = kind_of(&request);
        // `data:` URLs never leave the browser, and may be megabytes long.
        if kind != RequestKind::Document && request.url.starts_with("data:") {
            return;
        }
        {
            let mut traffic = self.traffic();
            if let Some(navigation) = &mut traffic.navigation
                && sent.navigation.as_ref() == Some(&navigation.id)
            {
                navigation.requested = true;
                navigation.url.clone_from(&request.url);
            }
            // A redirect is the same request again.
            let known = traffic.requests.get(&request.id);
            let known = known.map(|origin| (origin.redirected, origin.started));
            let origin = RequestOrigin {
                navigation: sent.navigation,
                context: sent.context,
                started: known.map_or(sent.timestamp, |(_, started)| started),
                redirected: None,
            };
            traffic.requests.insert(request.id.clone(), origin);
            if let Some((redirected, _)) = known {
                drop(traffic);
                if let Some(status) = redirected {
                    let (id, url) = (request.id, request.url);
                    self.report(TabEvent::Redirected { id, status, url });
                }
                return;
            }
        }
        let streams = request.streams();
        let headers = p::header_list(request.headers);
        self.report(TabEvent::RequestStarted {
            id: request.id.clone(),
            kind,
            method: request.method,
            url: request.url,
            framed,
            // Firefox does not report it.
            initiator: Vec::new(),
            streams,
        });
        self.report(TabEvent::RequestHeaders { id: request.id, headers });
    }

    /// Handles the header of a response.
    pub(crate) fn answered(&self, exchange: p::Exchange) {
        let Some(response) = exchange.response else { return };
        if response.is_redirect() {
            if let Some(origin) = self.traffic().requests.get_mut(&exchange.request.id) {
                origin.redirected = Some(response.status);
            }
            return;
        }
        let top = match &self.traffic().navigation {
            Some(navigation) => exchange.navigation.as_ref() == Some(&navigation.id),
            None => false,
        };
        let (status, refreshes) = (response.status, response.refreshes());
        let timings = exchange.request.timings;
        let head = ResponseHead {
            status,
            media_type: response.mime_type.chars().take(100).collect(),
            headers: p::header_list(response.headers),
            connect: timings.and_then(|timings| timings.connect()),
            wait: timings.and_then(|timings| timings.wait()),
        };
        self.report(TabEvent::Responded { id: exchange.request.id, head: Box::new(head) });
        if top {
            self.report(TabEvent::Answered { status, url: response.url, refreshes });
        }
    }

    pub(crate) fn completed(&self, exchange: p::Exchange) {
        let Some(response) = exchange.response.filter(|response| !response.is_redirect()) else {
            return;
        };
        let origin = self.traffic().requests.remove(&exchange.request.id);
        if let Some(origin) = origin {
            let milliseconds = (exchange.timestamp - origin.started).clamp(0.0, 1e9);
            self.report(TabEvent::RequestFinished {
                id: exchange.request.id,
                status: Some(response.status),
                size: response.bytes_received,
                duration: Some(Duration::from_secs_f64(milliseconds / 1e3)),
            });
        }
    }

    /// Returns the navigation of the page to a `data:` URL that was just received, if any. The
    /// engine refuses most of them, after it has received them.
    pub(crate) fn navigates_to_data(&self, exchange: &p::Exchange) -> Option<String> {
        let traffic = self.traffic();
        let navigation = traffic.navigation.as_ref().filter(|navigation| !navigation.ours)?;
        let it = exchange.navigation.as_ref() == Some(&navigation.id);
        (it && exchange.request.url.starts_with("data:")).then(|| navigation.id.clone())
    }

    /// Records that the engine refused a navigation, unless it arrived.
    pub(crate) fn navigation_refused(&self, id: &str) {
        self.navigation_failed(Some(id), ABORTED);
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
}

/// Whether two addresses are those of different documents.
fn differ(one: &str, other: &str) -> bool {
    one.split('#').next() != other.split('#').next()
}

fn is_given_up(reason: &str) -> bool {
    reason == ABORTED || reason == RETARGETED
}

/// Returns why a page could not be loaded, if `url` is Firefox's own error page.
fn error_page(url: &str) -> Option<&str> {
    let pages = ["about:neterror", "about:certerror", "about:httpsonlyerror", "about:blocked"];
    pages.iter().find(|page| url.starts_with(**page))?;
    let reason = url.split(['?', '&']).find_map(|pair| pair.strip_prefix("e="));
    Some(reason.filter(|reason| !reason.is_empty()).unwrap_or("the page could not be loaded"))
}

/// Returns the specific part of `NS_ERROR_GENERATE_FAILURE(NS_ERROR_MODULE_SECURITY,
/// SSL_ERROR_BAD_CERT_DOMAIN)`.
pub(crate) fn short_reason(reason: &str) -> &str {
    match reason.rsplit_once(", ") {
        Some((_, inner)) if reason.starts_with("NS_ERROR_GENERATE_FAILURE(") => {
            inner.trim_end_matches(')')
        }
        _ => reason,
    }
}

pub(super) fn kind_of(request: &p::Request) -> RequestKind {
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
        assert!(differ("http://a/b", "http://a/c") && !differ("http://a/b#c", "http://a/b"));
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
                headers: Vec::new(),
                timings: None,
            })
        };
        assert_eq!(kind(Some("document"), None), RequestKind::Document);
        assert_eq!(kind(Some(""), Some("fetch")), RequestKind::Fetch);
        assert_eq!(kind(Some(""), None), RequestKind::Other);
        assert_eq!(kind(Some("image"), Some("img")), RequestKind::Image);
        assert_eq!(kind(None, None), RequestKind::Other);
    }
}
