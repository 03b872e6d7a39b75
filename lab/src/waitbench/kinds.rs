//! The pages of the waiting benchmark, each with random delays. A page records in a variable
//! (`truth`) when it became ready. That changes neither the document nor the network, so it cannot
//! be noticed from outside the page's scripts.

/// How a good wait ends on a page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ExpectedOutcome {
    /// It can be known when it is ready.
    Ready,
    /// It is ready but never still: left soon after its last real change.
    Lively,
    /// It is never ready; the reported reason must start with the first text and contain the
    /// second.
    Named(&'static str, &'static str),
}

/// A kind of page.
pub struct WaitPage {
    pub name: &'static str,
    pub expected: ExpectedOutcome,
    /// What is added to the address for a second navigation, to a route within the document.
    pub then: Option<&'static str>,
    /// The page's body, after the prelude.
    pub body: &'static str,
    /// Whether the body is served without the prelude, so that the page has no script of ours.
    pub plain: bool,
    /// Whether it can be proven that the page is at rest, because it never had a script. The
    /// benchmark decides this, not the product.
    pub provable: bool,
}

/// The beginning of a page without a script.
pub const PLAIN_PRELUDE: &str =
    "<!doctype html><html lang=en><meta charset=utf-8><title>Wait</title>";

/// When a page with a script was ready: what the script recorded.
const RECORDED: &str = "window.truth ?? null";
/// When a page without a script was ready: when it was loaded. Text is shown before its font is.
const ALL_LOADED: &str = "(() => { const { loadEventStart: from, loadEventEnd: to } = performance.getEntriesByType('navigation')[0]; return to || from ? Math.round(performance.timeOrigin + (to || from)) : null })()";
/// The same for a page that leads to a different one.
const REFRESHED: &str = "location.search.includes('there') ? Math.round(performance.timeOrigin + performance.getEntriesByType('navigation')[0].loadEventEnd) : null";

impl WaitPage {
    /// Returns the expression for the time when the page was ready; null if it is not.
    pub fn truth(&self) -> &'static str {
        match self {
            WaitPage { provable: true, .. } => ALL_LOADED,
            WaitPage { body: "REFRESH", .. } => REFRESHED,
            _ => RECORDED,
        }
    }
}

/// Delays are `D[0]` to `D[7]`, each 80 to 900 ms; `S` seconds, 0.3 to 3.
pub const PRELUDE: &str = "<!doctype html><html lang=en><meta charset=utf-8><title>Wait</title><style>
@keyframes turn { to { transform: rotate(1turn) } } @keyframes shine { 50% { opacity: .4 } }
.spinner { width: 40px; height: 40px; border: 4px solid; border-radius: 50%; animation: turn 1s linear infinite }
.skeleton { height: 16px; margin: 8px; background: #ddd; animation: shine 1s infinite }
.box { width: 40px; height: 40px; background: red }</style>
<script>const truth = () => { window.truth = Date.now() };
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const get = (ms, name) => fetch('/delay/' + ms + '/' + name).then((answer) => answer.text());
const app = () => document.getElementById('app');
const show = () => { app().innerHTML = '<h1>Orders</h1><ul><li>Apollo</li><li>Borealis</li></ul><button>Save</button>'; truth() };
const burn = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };</script><h2>Page</h2><div id=app></div>";

const fn ready(name: &'static str, body: &'static str) -> WaitPage {
    page(name, ExpectedOutcome::Ready, body)
}

const fn page(name: &'static str, expected: ExpectedOutcome, body: &'static str) -> WaitPage {
    WaitPage { name, expected, then: None, body, plain: false, provable: false }
}

/// A page without any script. It is ready when everything that it names is loaded.
const fn script_free(name: &'static str, body: &'static str) -> WaitPage {
    WaitPage { plain: true, provable: true, ..ready(name, body) }
}

/// A page that looks as if it had no script, and changes nevertheless.
const fn disguised(name: &'static str, body: &'static str) -> WaitPage {
    WaitPage { plain: true, ..ready(name, body) }
}

const fn lively(name: &'static str, body: &'static str) -> WaitPage {
    page(name, ExpectedOutcome::Lively, body)
}

const fn named(
    name: &'static str,
    reason: &'static str,
    what: &'static str,
    body: &'static str,
) -> WaitPage {
    page(name, ExpectedOutcome::Named(reason, what), body)
}

pub const KINDS: &[WaitPage] = &[
    ready("static", "<script>show()</script>"),
    ready("chain of 1", "<script>get(D[0], 'a').then(show)</script>"),
    ready("chain of 2", "<script>get(D[0], 'a').then(() => get(D[1], 'b')).then(show)</script>"),
    ready(
        "chain of 3, one address",
        "<script>(async () => { for (let n = 0; n < 3; n++) await get(D[n], 'step?n=' + n); show() })()</script>",
    ),
    ready(
        "chain of 5",
        "<script>(async () => { for (let n = 0; n < 5; n++) await get(D[n], 'hop/' + n); show() })()</script>",
    ),
    ready(
        "chain by XMLHttpRequest",
        "<script>const ask = (n) => { const x = new XMLHttpRequest(); x.open('GET', '/delay/' + D[n] + '/x' + n); x.onload = () => n < 2 ? ask(n + 1) : show(); x.send() }; ask(0)</script>",
    ),
    ready(
        "fetch, then a pause, then drawn",
        "<script>get(D[0], 'a').then(() => wait(180)).then(show)</script>",
    ),
    ready("streaming HTML", "STREAM"),
    ready(
        "skeleton until data",
        "<script>app().innerHTML = '<div class=skeleton></div>'.repeat(4); get(D[0] + D[1], 'a').then(show)</script>",
    ),
    ready(
        "skeleton by a timer",
        "<script>app().innerHTML = '<div class=skeleton></div>'.repeat(4); wait(S).then(show)</script>",
    ),
    ready(
        "spinner, then data",
        "<script>app().innerHTML = '<div class=spinner></div>'; get(D[0], 'a').then(() => get(D[1], 'b')).then(show)</script>",
    ),
    ready(
        "spinner by a timer",
        "<script>app().innerHTML = '<div class=spinner></div>'; wait(S).then(show)</script>",
    ),
    ready(
        "busy region by a timer",
        "<script>app().setAttribute('aria-busy', 'true'); app().textContent = '…'; wait(S).then(() => { app().removeAttribute('aria-busy'); show() })</script>",
    ),
    ready(
        "progress bar by a timer",
        "<script>app().innerHTML = '<progress></progress>'; wait(S).then(show)</script>",
    ),
    ready(
        "the word Loading by a timer",
        "<script>app().innerHTML = '<p>Loading…</p>'; wait(S).then(show)</script>",
    ),
    ready(
        "route with a late part and late data",
        "<script>history.pushState({}, '', '?route=orders'); const part = document.createElement('script'); part.src = '/delay/' + D[0] + '/part.js'; part.onload = () => get(D[1], 'orders').then(show); document.head.append(part)</script>",
    ),
    WaitPage {
        then: Some("#/orders"),
        ..ready(
            "route by fragment with late data",
            "<script>onhashchange = () => { window.truth = undefined; app().textContent = ''; get(D[0], 'a').then(() => get(D[1], 'b')).then(show) }</script>",
        )
    },
    ready("redirects", "REDIRECT<script>show()</script>"),
    ready(
        "redirect by script",
        "<script>if (!location.search.includes('there')) location.replace(location.href + '&there'); else get(D[0], 'a').then(show)</script>",
    ),
    ready(
        "redirect by meta refresh",
        "<script>if (!location.search.includes('there')) document.write('<meta http-equiv=refresh content=\"1;url=' + location.href + '&there\">'); else get(D[0], 'a').then(show)</script>",
    ),
    ready(
        "busy after load",
        "<script>onload = () => setTimeout(() => { burn(S); setTimeout(show, 20) }, 60)</script>",
    ),
    ready(
        "busy after data",
        "<script>get(D[0], 'a').then(() => { burn(S); return get(D[1], 'b') }).then(show)</script>",
    ),
    ready(
        "busy again and again",
        "<script>(async () => { for (let n = 0; n < 4; n++) { burn(250); await wait(90) } show() })()</script>",
    ),
    ready(
        "slow style and script",
        "<link rel=stylesheet href='/delay/700/a.css'><script defer src='/delay/1100/show.js'></script>",
    ),
    ready(
        "late frame",
        "<script>get(D[0], 'a').then(() => { const f = document.createElement('iframe'); f.src = '/delay/' + D[1] + '/frame.html'; f.onload = show; document.body.append(f) })</script>",
    ),
    ready(
        "frame of another site with late data",
        "<iframe src='http://localhost:PORT/delay/60/inner.html?D0=D0&D1=D1'></iframe><script>onmessage = show</script>",
    ),
    ready(
        "web font",
        "<style>@font-face { font-family: late; src: url(/delay/2500/late.woff2) } #app { font-family: late }</style><script>get(D[0], 'a').then(show)</script>",
    ),
    ready(
        "lazy pictures",
        "<script>get(D[0], 'a').then(() => { show(); app().insertAdjacentHTML('beforeend', '<div style=\"height:3000px\"></div>' + '<img loading=lazy width=200 height=200 src=/delay/8000/p.png>'.repeat(6)) })</script>",
    ),
    ready(
        "list in pieces",
        "<script>get(D[0], 'a').then(async () => { const list = document.createElement('ul'); app().append(list); for (let n = 0; n < 12; n++) { list.insertAdjacentHTML('beforeend', '<li>Row ' + n + '</li>'); await wait(60) } truth() })</script>",
    ),
    ready(
        "the same asked for three times",
        "<script>Promise.all([0, 1, 2, 3].map(() => fetch('/delay/' + (D[0] + D[1]) + '/me', { cache: 'no-store' }))).then(show)</script>",
    ),
    lively(
        "ticker of 50 ms",
        "<p id=clock></p><script>setInterval(() => { clock.textContent = Date.now() }, 50); get(D[0], 'a').then(show)</script>",
    ),
    lively(
        "ticker that re-renders",
        "<div id=board></div><script>setInterval(() => { board.innerHTML = '<b>' + Math.random() + '</b> <i>' + Date.now() + '</i>' }, 80); get(D[0], 'a').then(() => get(D[1], 'b')).then(show)</script>",
    ),
    lively(
        "animation by script",
        "<div class=box id=box></div><script>let n = 0; const step = () => { box.style.transform = 'translateX(' + (n++ % 200) + 'px)'; requestAnimationFrame(step) }; step(); get(D[0], 'a').then(show)</script>",
    ),
    lively(
        "animation by style",
        "<div class=box style='animation: turn 2s linear infinite'></div><script>get(D[0], 'a').then(show)</script>",
    ),
    lively(
        "WebSocket chatter",
        "<ul id=log></ul><script>new WebSocket('ws://127.0.0.1:SOCKET').onmessage = ({ data }) => log.insertAdjacentHTML('beforeend', '<li>' + data + '</li>'); get(D[0], 'a').then(() => get(D[1], 'b')).then(show)</script>",
    ),
    lively(
        "event stream",
        "<p id=last></p><script>new EventSource('/events').onmessage = ({ data }) => { last.textContent = data }; get(D[0], 'a').then(show)</script>",
    ),
    lively(
        "polling",
        "<p id=n></p><script>setInterval(() => get(120, 'poll?_=' + Date.now()).then((text) => { n.textContent = text + Math.random() }), 250); get(D[0], 'a').then(() => get(D[1], 'b')).then(show)</script>",
    ),
    lively(
        "frames of advertisers",
        "<div id=slot style='height:80px'></div><script>setInterval(() => { slot.innerHTML = '<iframe src=\"/delay/30/ad' + Math.random().toString(36).slice(2) + '.html\"></iframe>' }, 220); get(D[0], 'a').then(show)</script>",
    ),
    lively(
        "frames of other sites' advertisers",
        "<div id=slot style='height:80px'></div><script>setInterval(() => { slot.innerHTML = '<iframe src=\"http://localhost:PORT/delay/30/ad' + Math.random().toString(36).slice(2) + '.html\"></iframe>' }, 240); get(D[0], 'a').then(() => get(D[1], 'b')).then(show)</script>",
    ),
    ready(
        "spinners that nobody sees",
        "<div class=spinner style='display:none'></div><div class=spinner style='opacity:0'></div><div class=ad-box><div class=spinner></div></div><script>get(D[0], 'a').then(show)</script><div style='height:2000px'></div><div class=spinner></div>",
    ),
    named(
        "long poll",
        "still pending: ",
        "/hang/updates",
        "<script>fetch('/hang/updates'); get(D[0], 'a').then(show)</script>",
    ),
    named(
        "endless request",
        "still pending: ",
        "/hang/orders",
        "<script>fetch('/hang/orders').then(show)</script>",
    ),
    named(
        "endless spinner",
        "still loading: ",
        "spinner",
        "<script>app().innerHTML = '<div class=spinner></div>'</script>",
    ),
    named(
        "endless skeleton beside content",
        "still loading: ",
        "skeleton",
        "<script>show(); app().insertAdjacentHTML('beforeend', '<div class=skeleton></div>'.repeat(3))</script>",
    ),
    named(
        "never at rest",
        "still changing: ",
        "",
        "<script>let n = 0; setInterval(() => { const p = document.createElement('p'); p.innerHTML = '<b></b>'; app().append(p); setTimeout(() => { p.firstChild.textContent = 'row ' + n++ }, 40); if (app().children.length > 40) app().firstChild.remove() }, 70)</script>",
    ),
    named("a document that does not end", "timed out: ", "", "HANG"),
    // Pages without a script.
    script_free(
        "form, no script",
        "<h1>Orders</h1><form><p><label>Name <input></label><p><label>City <input></label><button>Save</button></form>",
    ),
    script_free("long page, no script", "<h1>Orders</h1><ul>MANY</ul>"),
    script_free(
        "slow style and picture, no script",
        "<link rel=stylesheet href='/delay/600/a.css'><h1>Orders</h1><img alt='' width=50 height=50 src='/delay/900/p.svg'>",
    ),
    script_free(
        "endless animation by style, no script",
        "<style>@keyframes turn { to { transform: rotate(1turn) } } .box { width: 40px; height: 40px; background: red; animation: turn 2s linear infinite }</style><h1>Orders</h1><div class=box></div>",
    ),
    script_free(
        "font swap, no script",
        "<style>@font-face { font-family: late; src: url(/delay/900/late.woff2); font-display: swap } h1 { font-family: late }</style><h1>Orders</h1>",
    ),
    script_free(
        "open dialog and details, no script",
        "<h1>Orders</h1><details open><summary>More</summary><p>Text</p></details><dialog open><p>Hello</p><form method=dialog><button>Close</button></form></dialog>",
    ),
    script_free(
        "shadow roots in HTML, no script",
        "<h1>Orders</h1><div><template shadowrootmode=open><p>Open</p></template></div><div><template shadowrootmode=closed><p>Closed</p></template></div>",
    ),
    script_free(
        "frame by srcdoc, no script",
        "<h1>Orders</h1><iframe srcdoc='<p>Inside</p>'></iframe>",
    ),
    // Pages that attack a shortcut.
    disguised("meta refresh, no script", "REFRESH"),
    disguised(
        "script in a closed root in HTML",
        "<h1>Orders</h1><div><template shadowrootmode=closed><slot></slot><script>addEventListener('load', () => setTimeout(() => { document.body.append('late'); window.truth = Date.now() }, 400))</script></template><p>A</p></div>",
    ),
    disguised(
        "only a handler",
        "<h1>Orders</h1><img alt='' src='data:,' onerror='this.remove(); setTimeout(() => { document.body.append(`late`); window.truth = Date.now() }, 400)'>",
    ),
    disguised(
        "script that removes itself",
        "<h1>Orders</h1><script>onload = () => setTimeout(() => { document.body.append('late'); window.truth = Date.now() }, 400); document.currentScript.remove()</script>",
    ),
    ready("timer 450 ms after load", "<script>onload = () => setTimeout(show, 450)</script>"),
    ready(
        "timer 450 ms after a late load",
        "<img alt='' width=20 height=20 src='/delay/400/p.svg'><script>onload = () => setTimeout(show, 450)</script>",
    ),
    ready(
        "idle callback",
        "<script>onload = () => requestIdleCallback(() => setTimeout(() => requestIdleCallback(show), 250))</script>",
    ),
    ready(
        "late worker message",
        "<script>new Worker(URL.createObjectURL(new Blob(['setTimeout(() => postMessage(1), 400)']))).onmessage = show</script>",
    ),
    ready(
        "chain of MessageChannel messages",
        "<script>const c = new MessageChannel(), from = performance.now(); c.port1.onmessage = () => performance.now() - from < 400 ? c.port2.postMessage(0) : show(); c.port2.postMessage(0)</script>",
    ),
    ready(
        "chain of animation frames",
        "<script>let n = 0; const step = () => ++n < 24 ? requestAnimationFrame(step) : show(); step()</script>",
    ),
    ready(
        "hydration after idle",
        "<script>app().innerHTML = '<h1>Orders</h1><button disabled>Save</button>'; onload = () => requestIdleCallback(() => import('/delay/' + D[0] + '/part.js').then(() => wait(150)).then(show))</script>",
    ),
    ready(
        "late document.write",
        "<script>onload = () => setTimeout(() => { document.open(); document.write('<h1>Orders</h1>'); document.close(); truth() }, 350)</script>",
    ),
    ready(
        "script by document.write",
        "<script>document.write('<script src=/delay/' + D[0] + '/show.js><' + '/script>')</script>",
    ),
    ready("graph of modules", "<script type=module src='/delay/200/graph4.js'></script>"),
    ready(
        "content after a font",
        "<script>new FontFace('late', 'url(/delay/350/late.woff2)').load().catch(() => 0).then(show)</script>",
    ),
    ready(
        "lazy part after intersection",
        "<script>new IntersectionObserver(([e], o) => { if (e.isIntersecting) { o.disconnect(); import('/delay/' + D[0] + '/part.js').then(show) } }).observe(app().appendChild(document.createElement('p')))</script>",
    ),
    ready(
        "late message from srcdoc",
        "<script>onmessage = show</script><iframe srcdoc=\"<script>setTimeout(() => parent.postMessage(1, '*'), 400)</script>\"></iframe>",
    ),
    ready(
        "host that does not resolve, then data",
        "<script>fetch('http://nope.invalid/x').catch(() => get(D[0], 'b')).then(show)</script>",
    ),
    named(
        "long poll by its address",
        "still pending: ",
        "/hang/long-poll",
        "<script>fetch('/hang/long-poll?since=1'); get(D[0], 'a').then(show)</script>",
    ),
    named(
        "stream by its accept header",
        "still pending: ",
        "/hang/feed",
        "<script>fetch('/hang/feed', { headers: { accept: 'text/event-stream' } }); get(D[0], 'a').then(show)</script>",
    ),
];
