//! DevTools events of one tab → what is known about it, and [`TabEvent`]s. Runs in the connection's
//! reading task; never waits.

use std::sync::atomic::Ordering;

use serde::de::DeserializeOwned;

use super::protocol as p;
use super::script::WORLD;
use super::state::{Dialog, Navigating, Running, TabState, Traffic, World};
use super::tab::NO_LOGIN;
use crate::api::events::{RequestKind, TabEvent};
use crate::wire::connection::Event;

/// What Chromium calls a navigation that ended without a document and without a fault.
pub(super) const ABORTED: &str = "net::ERR_ABORTED";

/// Hands an event's parameters on, if they can be read.
fn on<T: DeserializeOwned>(event: &Event<'_>, take: impl FnOnce(T)) {
    if let Some(params) = event.params() {
        take(params);
    }
}

impl TabState {
    /// Takes one event of this tab's session, or of the session of one of its frames.
    pub(super) fn event(&self, event: &Event<'_>) {
        let session = event.session.unwrap_or_default();
        if session != self.session {
            return self.frame_event(session, event);
        }
        match event.method {
            "Page.frameRequestedNavigation" => on(event, |moves| self.requested(&moves)),
            "Page.frameStartedNavigating" => on(event, |moves| self.started(&moves)),
            "Page.frameNavigated" => on(event, |navigated| self.committed(navigated)),
            "Page.navigatedWithinDocument" => on(event, |moves| self.within(moves)),
            "Page.frameClearedScheduledNavigation" => on(event, |moves| self.called_off(&moves)),
            "Page.domContentEventFired" => self.report(TabEvent::DomReady),
            "Page.loadEventFired" => self.report(TabEvent::Loaded),
            "Page.javascriptDialogOpening" => on(event, |dialog| self.dialog_opened(dialog)),
            "Page.javascriptDialogClosed" => on(event, |dialog| self.dialog_closed(&dialog)),
            "Page.windowOpen" => self.report(TabEvent::WindowOpened),
            "Inspector.targetCrashed" => self.crashed(),
            _ => self.traffic_event(session, event),
        }
    }

    fn traffic_event(&self, session: &str, event: &Event<'_>) {
        match event.method {
            "Network.requestWillBeSent" => on(event, |request| self.request(session, request)),
            "Network.responseReceived" => on(event, |response| self.response(response)),
            "Network.loadingFinished" => on(event, |ended| self.finished(ended)),
            "Network.loadingFailed" => on(event, |ended| self.failed(ended)),
            _ => self.script_event(session, event),
        }
    }

    /// Of a frame in a process of its own only its scripts and its traffic are of interest.
    fn frame_event(&self, session: &str, event: &Event<'_>) {
        match event.method {
            // Whatever is asked there waits in vain from now on.
            "Inspector.targetCrashed" => {
                self.facts
                    .send_modify(|facts| facts.forget_worlds(|world| world.session == session));
                self.abandon(|request| request.session == session);
            }
            // Its document has come, even where the answer was never told to be complete.
            "Page.frameNavigated" => on(event, |navigated: p::FrameNavigated| {
                let loader = navigated.frame.loader_id;
                self.finished(p::LoadingEnded { request_id: loader, ..p::LoadingEnded::default() });
            }),
            _ => self.traffic_event(session, event),
        }
    }

    fn script_event(&self, session: &str, event: &Event<'_>) {
        match event.method {
            "Runtime.executionContextCreated" => {
                on(event, |created| self.context_created(session, created))
            }
            "Runtime.executionContextDestroyed" => {
                on(event, |gone| self.context_destroyed(session, &gone))
            }
            "Runtime.executionContextsCleared" => {
                self.facts
                    .send_modify(|facts| facts.forget_worlds(|world| world.session == session));
            }
            "Runtime.exceptionThrown" => on(event, |thrown| self.exception(session, &thrown)),
            "Runtime.consoleAPICalled" => on(event, |called| self.console(&called)),
            _ => {}
        }
    }

    fn is_top(&self, frame: &str) -> bool {
        self.facts.borrow().top_frame == frame
    }

    /// The page asked for a navigation; it may still be called off.
    fn requested(&self, moves: &p::FrameMoves) {
        if self.is_top(&moves.frame_id) && moves.disposition == "currentTab" {
            self.traffic().asked_again();
            self.navigation_started(Navigating::Asked);
        }
    }

    fn started(&self, moves: &p::FrameMoves) {
        if !self.is_top(&moves.frame_id) {
            return;
        }
        let within =
            matches!(moves.navigation_type.as_str(), "sameDocument" | "historySameDocument");
        self.begun(within);
        if !within {
            self.navigation_started(Navigating::Begun);
        }
    }

    fn begun(&self, within: bool) {
        self.facts.send_modify(|facts| {
            facts.begun += 1;
            facts.within = within;
        });
    }

    fn navigation_started(&self, stage: Navigating) {
        let before = std::mem::replace(&mut self.traffic().navigating, stage);
        if before == Navigating::No {
            self.report(TabEvent::NavigationStarted);
        }
    }

    fn navigation_failed(&self, reason: &str) {
        let was = {
            let mut traffic = self.traffic();
            traffic.top_request = None;
            std::mem::take(&mut traffic.navigating)
        };
        if was != Navigating::No {
            let aborted = reason == ABORTED;
            let reason = match reason {
                NO_LOGIN => "401: the server asks for a name and password",
                other => other,
            };
            self.report(TabEvent::NavigationFailed { reason: reason.to_owned(), aborted });
        }
    }

    fn committed(&self, navigated: p::FrameNavigated) {
        let frame = navigated.frame;
        if frame.parent_id.is_some() {
            return;
        }
        self.facts.send_modify(|facts| {
            facts.top_frame = frame.id;
            facts.blank = frame.url == "about:blank";
            facts.crashed = false;
            facts.begun += 1;
            facts.within = false;
        });
        {
            let mut traffic = self.traffic();
            traffic.navigating = Navigating::No;
            traffic.top_request = None;
        }
        // Requests of the document before are nobody's any more, even where Chromium forgets to say
        // so.
        self.abandon(|request| request.loader != frame.loader_id);
        let url = format!("{}{}", frame.url, frame.url_fragment);
        if url.starts_with("chrome-error:") {
            return self.report(TabEvent::ErrorPage);
        }
        self.report(TabEvent::Committed {
            url,
            restored: navigated.kind == "BackForwardCacheRestore",
        });
    }

    /// Requests that nobody will tell the end of.
    pub(super) fn abandon(&self, which: impl Fn(&Running) -> bool) {
        let abandoned: Vec<String> = {
            let mut traffic = self.traffic();
            traffic.requests.extract_if(|_, request| which(request)).map(|(id, _)| id).collect()
        };
        for id in abandoned {
            self.report(TabEvent::RequestFailed {
                id,
                reason: ABORTED.to_owned(),
                cancelled: true,
            });
        }
    }

    fn within(&self, moves: p::FrameMoves) {
        if self.is_top(&moves.frame_id) {
            self.begun(true);
            self.report(TabEvent::SameDocument { url: moves.url });
        }
    }

    /// What the page asked for is not scheduled any more: it began, or else it was called off
    /// (`window.stop()`).
    fn called_off(&self, moves: &p::FrameMoves) {
        if self.is_top(&moves.frame_id) && self.traffic().navigating == Navigating::Asked {
            self.navigation_failed(ABORTED);
        }
    }

    fn dialog_opened(&self, dialog: p::DialogOpening) {
        let p::DialogOpening { kind, message, default_prompt: proposed } = dialog;
        self.report(TabEvent::DialogOpened { kind: kind.clone(), message: message.clone() });
        self.facts.send_modify(|facts| facts.dialog = Some(Dialog { kind, message, proposed }));
    }

    fn dialog_closed(&self, closed: &p::DialogClosed) {
        let mut was = None;
        self.facts.send_modify(|facts| was = facts.dialog.take());
        self.report(TabEvent::DialogClosed);
        if was.is_some_and(|dialog| dialog.kind == "beforeunload") && !closed.result {
            self.navigation_failed(ABORTED);
        }
    }

    fn request(&self, session: &str, sent: p::RequestWillBeSent) {
        let kind = kind_of(&sent.kind);
        // These never leave the browser, and may be megabytes long.
        if kind != RequestKind::Document && sent.request.url.starts_with("data:") {
            return;
        }
        let framed = session != self.session
            || sent.frame_id.as_deref().is_some_and(|frame| !self.is_top(frame));
        let top = sent.request_id == sent.loader_id && sent.frame_id.is_some() && !framed;
        {
            let mut traffic = self.traffic();
            // A redirect is the same request again.
            if traffic.requests.contains_key(&sent.request_id) {
                return;
            }
            if top && kind == RequestKind::Document {
                traffic.top_request = Some(sent.request_id.clone());
            }
            let running =
                Running { session: session.to_owned(), loader: sent.loader_id, status: None };
            traffic.requests.insert(sent.request_id.clone(), running);
        }
        let url = format!("{}{}", sent.request.url, sent.request.url_fragment);
        let (id, method) = (sent.request_id, sent.request.method);
        self.report(TabEvent::RequestStarted { id, kind, method, url, framed });
    }

    fn response(&self, received: p::ResponseReceived) {
        let status = u16::try_from(received.response.status).unwrap_or_default();
        let top = {
            let mut traffic = self.traffic();
            if let Some(request) = traffic.requests.get_mut(&received.request_id) {
                request.status = Some(status);
            }
            traffic.top_request.as_ref() == Some(&received.request_id)
        };
        if top {
            self.report(TabEvent::Answered { status, url: received.response.url });
        }
    }

    fn finished(&self, ended: p::LoadingEnded) {
        let request = self.traffic().requests.remove(&ended.request_id);
        if let Some(request) = request {
            self.report(TabEvent::RequestFinished { id: ended.request_id, status: request.status });
        }
    }

    fn failed(&self, ended: p::LoadingEnded) {
        let (known, top) = {
            let mut traffic = self.traffic();
            let top = traffic.top_request.as_ref() == Some(&ended.request_id);
            (traffic.requests.remove(&ended.request_id).is_some(), top)
        };
        if known {
            let (id, reason) = (ended.request_id, ended.error_text.clone());
            self.report(TabEvent::RequestFailed { id, reason, cancelled: ended.canceled });
        }
        if top {
            self.navigation_failed(&ended.error_text);
        }
    }

    fn context_created(&self, session: &str, created: p::ContextCreated) {
        let context = created.context;
        let Some(data) = context.aux_data.filter(|data| data.is_default || context.name == WORLD)
        else {
            return;
        };
        let Some(frame) = data.frame_id else { return };
        self.facts.send_modify(|facts| {
            let list = if data.is_default { &mut facts.own_worlds } else { &mut facts.worlds };
            list.retain(|world| world.unique != context.unique_id);
            let session = session.to_owned();
            list.push(World { session, unique: context.unique_id, id: context.id, frame });
        });
    }

    fn context_destroyed(&self, session: &str, gone: &p::ContextDestroyed) {
        self.facts.send_modify(|facts| match &gone.execution_context_unique_id {
            Some(unique) => facts.forget_worlds(|world| world.unique == *unique),
            None => {
                let id = gone.execution_context_id;
                facts.forget_worlds(|world| world.session == session && world.id == id);
            }
        });
    }

    fn exception(&self, session: &str, thrown: &p::ExceptionThrown) {
        let context = thrown.exception_details.execution_context_id;
        let is_ours = |world: &World| world.session == session && Some(world.id) == context;
        let ours = self.facts.borrow().worlds.iter().any(is_ours);
        if ours {
            tracing::warn!(message = thrown.exception_details.message(), "the page script threw");
        } else if self.live.load(Ordering::Relaxed) {
            self.report(TabEvent::ConsoleError { text: thrown.exception_details.message() });
        }
    }

    fn console(&self, called: &p::ConsoleCalled) {
        if called.kind == "error" && self.live.load(Ordering::Relaxed) {
            let words: Vec<String> = called.args.iter().map(p::RemoteObject::text).collect();
            self.report(TabEvent::ConsoleError { text: p::first_line(&words.join(" ")) });
        }
    }

    fn crashed(&self) {
        self.facts.send_modify(|facts| {
            facts.crashed = true;
            facts.forget_worlds(|_| true);
            facts.dialog = None;
        });
        *self.traffic() = Traffic::default();
        self.report(TabEvent::Crashed);
    }
}

fn kind_of(kind: &str) -> RequestKind {
    match kind {
        "Document" => RequestKind::Document,
        "Script" => RequestKind::Script,
        "Stylesheet" => RequestKind::Style,
        "XHR" | "Fetch" => RequestKind::Fetch,
        "Image" => RequestKind::Image,
        "Font" => RequestKind::Font,
        _ => RequestKind::Other,
    }
}
