//! Turns DevTools events of one tab into changes of its state and [`TabEvent`]s. Runs in the
//! connection's reading task and never waits.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::json;

use super::body::ReceivedBody;
use super::interception;
use super::log::frames;
use super::protocol as p;
use super::protocol::{ABORTED, NO_LOGIN};
use super::state::{
    ChromiumTabState, ChromiumTraffic, NavigationStage, OpenRequest, OutOfProcessFrame, World,
};
use crate::api::events::{BodyProgress, RequestKind, TabEvent};
use crate::api::log::ResponseHead;
use crate::engine::page_script::WORLD;
use crate::engine::tab::Dialog;
use crate::wire::connection::ProtocolEvent;

impl ChromiumTabState {
    /// Handles one event of this tab's session, or of the session of one of its frames.
    pub(super) fn event(&self, event: &ProtocolEvent<'_>) {
        let session = event.session.unwrap_or_default();
        if session != self.session() {
            return self.frame_event(session, event);
        }
        match event.method {
            "Page.frameRequestedNavigation" => event.with_params(|moves| self.requested(&moves)),
            "Page.frameStartedNavigating" => event.with_params(|moves| self.started(&moves)),
            "Page.frameNavigated" => event.with_params(|navigated| self.committed(navigated)),
            "Page.navigatedWithinDocument" => event.with_params(|moves| self.within(moves)),
            "Page.frameClearedScheduledNavigation" => {
                event.with_params(|moves| self.called_off(&moves))
            }
            "Page.domContentEventFired" => self.report(TabEvent::DomReady),
            "Page.loadEventFired" => self.report(TabEvent::Loaded),
            "Page.javascriptDialogOpening" => {
                event.with_params(|dialog| self.prompt_opened(dialog))
            }
            "Page.javascriptDialogClosed" => {
                event.with_params(|dialog| self.prompt_closed(&dialog))
            }
            "Page.windowOpen" => self.report(TabEvent::WindowOpened),
            "Inspector.targetCrashed" => self.crashed(),
            "Fetch.requestPaused" if self.answers_empty.load(Ordering::Relaxed) => event.with_params(|paused: p::PausedRequest| {
                let html = json!([{"name": "Content-Type", "value": "text/html"}]);
                let params = json!({
                    "requestId": paused.request_id, "responseCode": 200, "responseHeaders": html,
                });
                drop(self.begin("Fetch.fulfillRequest", params));
            }),
            _ => self.traffic_event(session, event),
        }
    }

    fn traffic_event(&self, session: &str, event: &ProtocolEvent<'_>) {
        match event.method {
            "Network.requestWillBeSent" => {
                event.with_params(|request| self.request(session, request))
            }
            "Network.responseReceived" => event.with_params(|response| self.response(response)),
            "Network.requestWillBeSentExtraInfo" => event.with_params(|info: p::ExtraInfo| {
                let (id, headers) = (info.request_id, info.headers.list());
                self.report(TabEvent::RequestHeaders { id, headers });
            }),
            "Network.responseReceivedExtraInfo" => {
                event.with_params(|info| self.response_headers(info))
            }
            "Network.dataReceived" => event.with_params(|data| self.data(&data)),
            "Network.loadingFinished" => event.with_params(|ended| self.finished(ended)),
            "Network.loadingFailed" => event.with_params(|ended| self.failed(ended)),
            "Fetch.requestPaused" | "Fetch.authRequired" => {
                interception::handle(self, session, event);
            }
            _ => self.script_event(session, event),
        }
    }

    /// Handles an event of an out-of-process frame: only its scripts and its traffic matter.
    fn frame_event(&self, session: &str, event: &ProtocolEvent<'_>) {
        match event.method {
            // Calls in it would never be answered.
            "Inspector.targetCrashed" => {
                self.status.send_modify(|status| {
                    status.frames.forget_worlds(|world| world.session == session)
                });
                self.abandon(|request| request.session == session);
            }
            // Its document is committed, even if Chromium never reports the end of its request.
            "Page.frameNavigated" => event.with_params(|navigated: p::FrameNavigated| {
                let loader = navigated.frame.loader_id;
                self.finished(p::LoadingEnded { request_id: loader, ..p::LoadingEnded::default() });
            }),
            _ => self.traffic_event(session, event),
        }
    }

    fn script_event(&self, session: &str, event: &ProtocolEvent<'_>) {
        match event.method {
            "Runtime.executionContextCreated" => {
                event.with_params(|created| self.context_created(session, created))
            }
            "Runtime.executionContextDestroyed" => {
                event.with_params(|gone| self.context_destroyed(session, &gone))
            }
            "Runtime.executionContextsCleared" => {
                self.status.send_modify(|status| {
                    status.frames.forget_worlds(|world| world.session == session)
                });
            }
            "Runtime.exceptionThrown" => {
                event.with_params(|thrown| self.exception(session, thrown))
            }
            "Runtime.consoleAPICalled" => event.with_params(|called| self.console(called)),
            "Log.entryAdded" => event.with_params(|added| self.browser_message(added)),
            _ => {}
        }
    }

    /// Handles a frame that moved into its own process.
    pub(super) fn frame_came(&self, session: String, frame: String) {
        let frame = OutOfProcessFrame { session, frame };
        self.status.send_modify(|status| status.frames.out_of_process.push(frame));
    }

    /// Handles a new worker. The request for its script has the same id; its session reports the
    /// end.
    pub(super) fn worker_came(&self, session: &str, worker: &str) {
        self.add_worker(session);
        if let Some(request) = self.traffic().requests.get_mut(worker) {
            session.clone_into(&mut request.session);
        }
    }

    /// Handles the end of the session of a frame or a worker.
    pub(super) fn part_left(&self, session: &str) {
        self.forget_worker(session);
        self.status.send_modify(|status| {
            status.frames.out_of_process.retain(|frame| frame.session != session);
            status.frames.forget_worlds(|world| world.session == session);
        });
        self.abandon(|request| request.session == session);
    }

    fn is_top(&self, frame: &str) -> bool {
        self.status.borrow().frames.top == frame
    }

    /// Handles a navigation that the page requested; it may still be cancelled.
    fn requested(&self, moves: &p::FrameMoves) {
        if self.is_top(&moves.frame_id) && moves.disposition == "currentTab" {
            self.traffic().navigation_requested();
            self.navigation_started(NavigationStage::Requested);
        }
    }

    fn started(&self, moves: &p::FrameMoves) {
        if !self.is_top(&moves.frame_id) {
            return;
        }
        let within =
            matches!(moves.navigation_type.as_str(), "sameDocument" | "historySameDocument");
        self.status.send_modify(|status| status.navigation_began(within));
        if !within {
            self.navigation_started(NavigationStage::Begun);
        }
    }

    fn navigation_started(&self, stage: NavigationStage) {
        let before = std::mem::replace(&mut self.traffic().navigation, stage);
        if before == NavigationStage::None {
            self.report(TabEvent::NavigationStarted);
        }
    }

    fn navigation_failed(&self, reason: &str) {
        let was = {
            let mut traffic = self.traffic();
            traffic.top_request = None;
            std::mem::take(&mut traffic.navigation)
        };
        if was != NavigationStage::None {
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
        self.status.send_modify(|status| {
            status.frames.top = frame.id;
            status.frames.blank = frame.url == "about:blank";
            status.crashed = false;
            status.navigation_began(false);
        });
        {
            let mut traffic = self.traffic();
            traffic.navigation = NavigationStage::None;
            // A navigation that began meanwhile still awaits its response.
            traffic.top_request.take_if(|request| *request == frame.loader_id);
        }
        // Requests of the last document have ended, even if Chromium does not report it.
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

    /// Ends requests whose end will not be reported.
    fn abandon(&self, which: impl Fn(&OpenRequest) -> bool) {
        let abandoned: Vec<String> = {
            let mut traffic = self.traffic();
            traffic.requests.extract_if(|_, request| which(request)).map(|(id, _)| id).collect()
        };
        self.report_abandoned(abandoned, ABORTED);
    }

    fn within(&self, moves: p::FrameMoves) {
        if self.is_top(&moves.frame_id) {
            self.status.send_modify(|status| status.navigation_began(true));
            self.report(TabEvent::SameDocument { url: moves.url });
        }
    }

    /// Handles a requested navigation that is no longer scheduled: it began, or it was cancelled
    /// (`window.stop()`).
    fn called_off(&self, moves: &p::FrameMoves) {
        if self.is_top(&moves.frame_id) && self.traffic().navigation == NavigationStage::Requested {
            self.navigation_failed(ABORTED);
        }
    }

    fn prompt_opened(&self, dialog: p::DialogOpening) {
        let p::DialogOpening { kind, message, default_prompt: proposed } = dialog;
        self.dialog_opened(Dialog { kind, message, proposed });
    }

    fn prompt_closed(&self, closed: &p::DialogClosed) {
        let dialog = self.dialog_closed();
        if dialog.is_some_and(|dialog| dialog.kind == "beforeunload") && !closed.result {
            self.navigation_failed(ABORTED);
        }
    }

    fn request(&self, session: &str, sent: p::RequestWillBeSent) {
        let kind = kind_of(&sent.kind);
        // `data:` URLs never leave the browser, and may be megabytes long.
        if kind != RequestKind::Document && sent.request.url.starts_with("data:") {
            return;
        }
        let framed = session != self.session()
            || sent.frame_id.as_deref().is_some_and(|frame| !self.is_top(frame));
        let top = sent.request_id == sent.loader_id && sent.frame_id.is_some() && !framed;
        let url = format!("{}{}", sent.request.url, sent.request.url_fragment);
        let known = {
            let mut traffic = self.traffic();
            // A redirect is the same request again.
            let known = traffic.requests.contains_key(&sent.request_id);
            if !known {
                if top && kind == RequestKind::Document {
                    traffic.top_request = Some(sent.request_id.clone());
                }
                let running = OpenRequest {
                    session: session.to_owned(),
                    loader: sent.loader_id,
                    status: None,
                    started: sent.timestamp,
                    body: (kind == RequestKind::Fetch).then(ReceivedBody::default),
                };
                traffic.requests.insert(sent.request_id.clone(), running);
            }
            known
        };
        let streams = sent.request.streams();
        let (id, method) = (sent.request_id, sent.request.method);
        if known {
            if let Some(response) = sent.redirect_response {
                let status = u16::try_from(response.status).unwrap_or_default();
                self.report(TabEvent::Redirected { id, status, url });
            }
            return;
        }
        let initiator = frames(sent.initiator.and_then(|initiator| initiator.stack));
        let headers = sent.request.headers.list();
        self.report(TabEvent::RequestStarted {
            id: id.clone(),
            kind,
            method,
            url,
            framed,
            streams,
            initiator,
        });
        self.report(TabEvent::RequestHeaders { id, headers });
    }

    /// Handles the headers that were really received; the response itself lacks some.
    fn response_headers(&self, info: p::ExtraInfo) {
        let head = ResponseHead { headers: info.headers.list(), ..ResponseHead::default() };
        self.report(TabEvent::Responded { id: info.request_id, head: Box::new(head) });
    }

    fn response(&self, received: p::ResponseReceived) {
        let status = u16::try_from(received.response.status).unwrap_or_default();
        let (top, has_body) = {
            let mut traffic = self.traffic();
            let mut has_body = false;
            if let Some(request) = traffic.requests.get_mut(&received.request_id) {
                request.status = Some(status);
                if let Some(body) = &mut request.body {
                    body.expect(&received.response.headers);
                    has_body = true;
                }
            }
            (traffic.top_request.as_ref() == Some(&received.request_id), has_body)
        };
        let refreshes = received.response.refreshes();
        let response = received.response;
        let head = ResponseHead {
            status,
            media_type: response.mime_type.chars().take(100).collect(),
            headers: response.headers.list(),
            connect: response.timing.and_then(|timing| timing.connect()),
            wait: response.timing.and_then(|timing| timing.wait()),
        };
        let id = received.request_id;
        self.report(TabEvent::Responded { id: id.clone(), head: Box::new(head) });
        if has_body {
            self.report(TabEvent::BodyProgressed { id, progress: BodyProgress::Nothing });
        }
        if top {
            self.report(TabEvent::Answered { status, url: response.url, refreshes });
        }
    }

    fn data(&self, data: &p::DataReceived) {
        let news = {
            let mut traffic = self.traffic();
            let request = traffic.requests.get_mut(&data.request_id);
            request.and_then(|request| request.body.as_mut()?.receive(data))
        };
        if let Some(progress) = news {
            self.report(TabEvent::BodyProgressed { id: data.request_id.clone(), progress });
        }
    }

    fn finished(&self, ended: p::LoadingEnded) {
        let request = self.traffic().requests.remove(&ended.request_id);
        if let Some(request) = request {
            let seconds = (ended.timestamp - request.started).clamp(0.0, 1e6);
            self.report(TabEvent::RequestFinished {
                id: ended.request_id,
                status: request.status,
                size: ended.encoded_data_length.map(|length| length.max(0.0) as u64),
                duration: (ended.timestamp > 0.0).then(|| Duration::from_secs_f64(seconds)),
            });
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
        self.status.send_modify(|status| {
            let list = if data.is_default {
                &mut status.frames.main_worlds
            } else {
                &mut status.frames.worlds
            };
            list.retain(|world| world.unique != context.unique_id);
            let session = session.to_owned();
            list.push(World { session, unique: context.unique_id, id: context.id, frame });
        });
    }

    fn context_destroyed(&self, session: &str, gone: &p::ContextDestroyed) {
        self.status.send_modify(|status| match &gone.execution_context_unique_id {
            Some(unique) => status.frames.forget_worlds(|world| world.unique == *unique),
            None => {
                let id = gone.execution_context_id;
                status.frames.forget_worlds(|world| world.session == session && world.id == id);
            }
        });
    }

    fn crashed(&self) {
        self.status.send_modify(|status| {
            status.crashed = true;
            status.frames.forget_worlds(|_| true);
            status.dialog = None;
        });
        *self.traffic() = ChromiumTraffic::default();
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
