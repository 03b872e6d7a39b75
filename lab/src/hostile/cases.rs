//! The hostile pages: what each one does, and what has to hold. Most are a script in a page with
//! the button "Plain target"; some are answers of the server.

/// What is expected of the calls on a page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// A look lists the button.
    Seen,
    /// Every call answers in time; what it says is not judged.
    Answered,
    /// The main thread never answers again: the first calls say so, and later ones do so at once.
    Hung,
}
use Expected::{Answered, Hung, Seen};

pub struct HostileCase {
    /// Its name in the table, and in its address.
    pub name: &'static str,
    /// What has to hold.
    pub expected: Expected,
    /// A script for the page, or HTML if it begins with `<`. Empty: the server answers in its own
    /// way.
    pub content: &'static str,
}

const fn case(name: &'static str, expected: Expected, content: &'static str) -> HostileCase {
    HostileCase { name, expected, content }
}

/// All pages but those with clobbered names, which are made from the source of the page script.
pub const CASES: &[HostileCase] = &[
    // The main thread is kept busy.
    case("loop-at-load", Hung, "addEventListener('load', () => { for (;;); })"),
    case("loop-in-timer", Hung, "setTimeout(() => { for (;;); }, 700)"),
    case("loop-in-frame-callback", Hung, "requestAnimationFrame(() => { for (;;); })"),
    case(
        "loop-in-observer",
        Hung,
        "new MutationObserver(() => { for (;;); }).observe(document, { childList: true, subtree: true }); setTimeout(() => document.body.append('x'), 600)",
    ),
    case(
        "promise-flood",
        Hung,
        "const again = () => Promise.resolve().then(again); setTimeout(again, 600)",
    ),
    case(
        "loop-on-click",
        Answered,
        "document.querySelector('button').onclick = () => { for (;;); }",
    ),
    case(
        "loop-on-hover",
        Answered,
        "document.querySelector('button').onmousemove = () => { for (;;); }",
    ),
    case(
        "loop-on-focus",
        Answered,
        "document.querySelector('button').onfocus = () => { for (;;); }",
    ),
    case("loop-on-key", Answered, "document.addEventListener('keydown', () => { for (;;); })"),
    case(
        "loop-on-unload",
        Answered,
        "addEventListener('pagehide', () => { for (;;); }); addEventListener('unload', () => { for (;;); })",
    ),
    case(
        "busy-nine-tenths",
        Answered,
        "setInterval(() => { const end = performance.now() + 180; while (performance.now() < end); }, 200)",
    ),
    case(
        "synchronous-request",
        Answered,
        "setTimeout(() => { const r = new XMLHttpRequest(); r.open('GET', '/never', false); r.send(); }, 600)",
    ),
    case("deep-recursion", Seen, "const f = (n) => f(n + 1) + 1; try { f(0) } catch {}"),
    case(
        "slow-regular-expression",
        Hung,
        "setTimeout(() => /^(a+)+$/.test('a'.repeat(60) + 'b'), 600)",
    ),
    // Dialogs, windows, print.
    case("alert-loop", Answered, "setTimeout(() => { for (;;) alert('again') }, 300)"),
    case("confirm-loop", Answered, "setTimeout(() => { while (!confirm('again')); }, 300)"),
    case("prompt-loop", Answered, "setTimeout(() => { for (;;) prompt('again') }, 300)"),
    case("alert-timer", Answered, "setInterval(() => alert('again'), 200)"),
    case(
        "before-unload",
        Answered,
        "addEventListener('beforeunload', (e) => { e.preventDefault(); e.returnValue = 'no' }); document.querySelector('button').click()",
    ),
    case("print-loop", Answered, "setInterval(() => print(), 300)"),
    case("popup-storm", Answered, "for (let i = 0; i < 100; i++) open('about:blank', 'w' + i)"),
    case(
        "popup-storm-on-click",
        Answered,
        "document.querySelector('button').onclick = () => { for (let i = 0; i < 100; i++) open('/plain', 'w' + i) }",
    ),
    case("closes-itself", Answered, "setTimeout(() => { open('', '_self'); close() }, 500)"),
    case("stops-itself", Answered, "stop()"),
    case(
        "asks-for-everything",
        Seen,
        "navigator.geolocation.getCurrentPosition(() => {}); Notification.requestPermission(); navigator.mediaDevices?.getUserMedia({ video: true, audio: true }).catch(() => {}); navigator.mediaDevices?.getDisplayMedia().catch(() => {})",
    ),
    case(
        "wants-full-screen",
        Seen,
        "document.onclick = document.onkeydown = () => { document.documentElement.requestFullscreen().catch(() => {}); document.body.requestPointerLock() }",
    ),
    // Navigations without end.
    case("reload-loop", Answered, "setTimeout(() => location.reload(), 50)"),
    case("assign-loop", Answered, "setTimeout(() => location.assign('?' + Math.random()), 30)"),
    case(
        "refresh-loop",
        Answered,
        "<meta http-equiv=refresh content='0'><button>Plain target</button>",
    ),
    case(
        "back-loop",
        Answered,
        "history.pushState(0, '', '#1'); setInterval(() => history.back(), 30)",
    ),
    case(
        "history-storm",
        Seen,
        "let n = 0; setInterval(() => { for (let i = 0; i < 20; i++) { try { history.pushState(0, '', '#' + n++) } catch {} } }, 20)",
    ),
    case("hash-storm", Seen, "let n = 0; setInterval(() => { location.hash = n++ }, 5)"),
    case("long-address", Seen, "history.pushState(0, '', '?' + 'x'.repeat(1e6))"),
    case(
        "document-write",
        Answered,
        "setInterval(() => { document.open(); document.write('<button>Plain target</button>'); document.close() }, 40)",
    ),
    case(
        "submits-itself",
        Answered,
        "<form action='' method=post><button>Plain target</button></form><script>setTimeout(() => document.forms[0].submit(), 60)</script>",
    ),
    case(
        "leaves-when-looked-at",
        Answered,
        "addEventListener('focus', () => location.reload()); document.addEventListener('visibilitychange', () => location.reload())",
    ),
    // Changes without end.
    case(
        "appends-without-end",
        Seen,
        "setInterval(() => { for (let i = 0; i < 50; i++) document.body.append(document.createElement('p')) }, 1)",
    ),
    case(
        "attributes-without-end",
        Seen,
        "let n = 0; setInterval(() => { for (let i = 0; i < 500; i++) document.body.setAttribute('class', 'c' + n++) }, 1)",
    ),
    case(
        "text-without-end",
        Seen,
        "const p = document.body.appendChild(document.createElement('p')); let n = 0; setInterval(() => { p.textContent = 'text ' + n++ }, 1)",
    ),
    case(
        "replaces-everything",
        Seen,
        "setInterval(() => { document.body.innerHTML = document.body.innerHTML }, 20)",
    ),
    case(
        "moves-without-end",
        Answered,
        "const b = document.querySelector('button'); b.style.position = 'fixed'; (function move() { b.style.left = Math.random() * 900 + 'px'; b.style.top = Math.random() * 500 + 'px'; requestAnimationFrame(move) })()",
    ),
    case(
        "flees-the-mouse",
        Answered,
        "const b = document.querySelector('button'); b.style.position = 'fixed'; onmousemove = (e) => { b.style.left = (e.clientX + 100) % 900 + 'px' }",
    ),
    case(
        "removed-on-press",
        Answered,
        "const b = document.querySelector('button'); b.onmousedown = () => b.remove()",
    ),
    case(
        "changes-places-on-press",
        Answered,
        "const b = document.querySelector('button'), c = document.createElement('button'); c.textContent = 'Delete all'; b.before(c); b.onmouseenter = () => b.before(document.body.appendChild(c))",
    ),
    case(
        "steals-the-focus",
        Seen,
        "const i = document.body.appendChild(document.createElement('input')); setInterval(() => i.focus(), 5)",
    ),
    case(
        "animations",
        Seen,
        "for (let i = 0; i < 3000; i++) { const s = document.body.appendChild(document.createElement('span')); s.textContent = '.'; s.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 500, iterations: Infinity }) }",
    ),
    case(
        "shadow-roots-at-once",
        Seen,
        "for (let i = 0; i < 5000; i++) document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'closed' }).innerHTML = '<button>In ' + i + '</button>'",
    ),
    case(
        "shadow-roots-without-end",
        Seen,
        "setInterval(() => { document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' }).innerHTML = '<b>x</b>' }, 2)",
    ),
    // Size.
    case(
        "half-a-million-siblings",
        Answered,
        "document.body.insertAdjacentHTML('beforeend', '<i>a</i>'.repeat(500000))",
    ),
    case(
        "a-million-nodes",
        Answered,
        "const f = document.createDocumentFragment(); for (let i = 0; i < 1000000; i++) f.append(document.createElement('b')); document.body.append(f)",
    ),
    case("text-of-20-megabytes", Seen, "document.body.append('word '.repeat(4e6))"),
    case(
        "attribute-of-20-megabytes",
        Seen,
        "document.querySelector('button').setAttribute('data-x', 'y'.repeat(2e7))",
    ),
    case(
        "name-of-20-megabytes",
        Seen,
        "const b = document.body.appendChild(document.createElement('button')); b.setAttribute('aria-label', 'y'.repeat(2e7))",
    ),
    case("title-of-20-megabytes", Seen, "document.title = 'y'.repeat(2e7)"),
    case(
        "value-of-20-megabytes",
        Answered,
        "document.body.appendChild(document.createElement('textarea')).value = 'y'.repeat(2e7)",
    ),
    case(
        "fifty-thousand-attributes",
        Seen,
        "const b = document.querySelector('button'); for (let i = 0; i < 50000; i++) b.setAttribute('data-' + i, i)",
    ),
    case(
        "deep-nesting",
        Seen,
        "let e = document.body; for (let i = 0; i < 1200; i++) e = e.appendChild(document.createElement('div')); e.textContent = 'deep'",
    ),
    // Chromium's own layout crashes here.
    case(
        "nesting-that-crashes",
        Answered,
        "let e = document.body; for (let i = 0; i < 5000; i++) e = e.appendChild(document.createElement('div')); e.textContent = 'deep'",
    ),
    case(
        "deep-shadow-nesting",
        Seen,
        "let e = document.body; for (let i = 0; i < 300; i++) e = e.appendChild(document.createElement('div')).attachShadow({ mode: 'open' }); e.innerHTML = 'deep'",
    ),
    case(
        "editor-with-many-children",
        Seen,
        "const d = document.body.appendChild(document.createElement('div')); d.contentEditable = 'true'; d.innerHTML = '<br>'.repeat(130000)",
    ),
    case(
        "area-with-many-points",
        Seen,
        "<map name=m><area shape=poly href=# alt=Area coords=''></map><img usemap=#m width=50 height=50><button>Plain target</button><script>document.querySelector('area').coords = '1,2,'.repeat(125000)</script>",
    ),
    case(
        "select-of-100000",
        Seen,
        "document.body.insertAdjacentHTML('beforeend', '<select>' + '<option>o'.repeat(100000) + '</select>')",
    ),
    case(
        "list-of-suggestions",
        Seen,
        "document.body.insertAdjacentHTML('beforeend', '<input list=d><datalist id=d>' + '<option>o'.repeat(100000) + '</datalist>')",
    ),
    case(
        "table-of-100000-cells",
        Seen,
        "document.body.insertAdjacentHTML('beforeend', '<table>' + ('<tr>' + '<td>c'.repeat(100)).repeat(1000) + '</table>')",
    ),
    case(
        "labelled-by-many",
        Seen,
        "document.body.insertAdjacentHTML('beforeend', '<i id=l>label</i>'); const b = document.body.appendChild(document.createElement('button')); b.setAttribute('aria-labelledby', 'l '.repeat(200000))",
    ),
    case(
        "fixed-covers",
        Answered,
        "for (let i = 0; i < 2000; i++) document.body.appendChild(document.createElement('div')).style.cssText = 'position:fixed;inset:0;z-index:' + i",
    ),
    case(
        "large-style-sheet",
        Seen,
        "const s = document.createElement('style'); for (let i = 0; i < 60000; i++) s.append('.a' + i + ' > .b:not(.c) ~ div { color: red }'); document.head.append(s)",
    ),
    case(
        "huge-box",
        Seen,
        "document.body.insertAdjacentHTML('beforeend', '<div style=\"width:1e9px;height:1e9px\">large</div>')",
    ),
    // Cycles.
    case(
        "owns-cycle",
        Seen,
        "<div id=a aria-owns=b>A</div><div id=b aria-owns='a c'>B</div><div id=c aria-owns='c a'>C</div><button>Plain target</button>",
    ),
    case(
        "label-cycle",
        Seen,
        "<button id=a aria-labelledby='b'></button><button id=b aria-labelledby='a'></button><label for=x><input id=x aria-labelledby=y><span id=y aria-labelledby=x>y</span></label><button>Plain target</button>",
    ),
    case(
        "controls-cycle",
        Seen,
        "<input role=combobox aria-controls=l aria-owns=l><ul id=l role=listbox aria-owns=i><li id=i role=option aria-owns=l aria-controls=l>One</li></ul><button>Plain target</button>",
    ),
    case(
        "slot-cycle",
        Seen,
        "const h = document.body.appendChild(document.createElement('x-a')); const r = h.attachShadow({ mode: 'open' }); r.innerHTML = '<slot><slot><slot></slot></slot></slot>'; r.querySelector('slot').assign?.(); h.append(document.createElement('slot'))",
    ),
    case(
        "reused-drawing",
        Seen,
        "<svg width=50 height=50><g id=a><use href=#b /><use href=#b /></g><g id=b><use href=#c /><use href=#c /></g><g id=c><use href=#a /></g></svg><button>Plain target</button>",
    ),
    case(
        "frame-of-itself",
        Seen,
        "const f = document.createElement('iframe'); f.src = location.href; document.body.append(f)",
    ),
    case(
        "two-hundred-frames",
        Seen,
        "for (let i = 0; i < 200; i++) document.body.appendChild(document.createElement('iframe')).srcdoc = '<button>In a frame</button>'",
    ),
    case(
        "frames-that-come-and-go",
        Seen,
        "setInterval(() => { const f = document.body.appendChild(document.createElement('iframe')); f.srcdoc = 'x'; setTimeout(() => f.remove(), 30) }, 10)",
    ),
    // The frame has the same origin, so it stops the main thread of the page.
    case(
        "frame-that-hangs",
        Answered,
        "<iframe src='/loop-at-load'></iframe><button>Plain target</button>",
    ),
    // Changed built-in objects.
    case(
        "no-array-functions",
        Seen,
        "for (const n of Object.getOwnPropertyNames(Array.prototype)) if (n !== 'constructor' && n !== 'length') Array.prototype[n] = () => { throw new Error('no') }",
    ),
    case(
        "no-iteration",
        Seen,
        "Array.prototype[Symbol.iterator] = NodeList.prototype[Symbol.iterator] = () => { throw new Error('no') }",
    ),
    case(
        "no-dom-functions",
        Seen,
        "for (const p of [Element, Node, Document, HTMLElement, EventTarget]) for (const n of Object.getOwnPropertyNames(p.prototype)) try { Object.defineProperty(p.prototype, n, { get() { throw new Error('no') } }) } catch {}",
    ),
    case(
        "no-globals",
        Seen,
        "for (const n of ['MutationObserver', 'Promise', 'Map', 'Set', 'WeakMap', 'WeakRef', 'JSON', 'CSS', 'performance', 'getComputedStyle', 'setTimeout', 'requestAnimationFrame', 'queueMicrotask', 'Symbol', 'Object', 'Array', 'String', 'RegExp', 'Math', 'Reflect']) try { window[n] = undefined } catch {}",
    ),
    case(
        "setters-for-everyone",
        Seen,
        "for (const n of ['ok', 'error', 'nodes', 'value', 'id', 'then', 'get', 'set']) Object.defineProperty(Object.prototype, n, { get() { throw new Error('no') }, set() { throw new Error('no') }, configurable: true })",
    ),
    case(
        "frozen",
        Seen,
        "Object.freeze(Object.prototype); Object.freeze(Array.prototype); Object.freeze(Element.prototype)",
    ),
    case(
        "throwing-values",
        Seen,
        "const i = document.body.appendChild(document.createElement('input')); for (const n of ['value', 'type', 'checked', 'form', 'labels', 'tagName', 'textContent', 'parentNode', 'children', 'id']) Object.defineProperty(i, n, { get() { throw new Error('no') } })",
    ),
    case(
        "custom-elements",
        Seen,
        "customElements.define('x-evil', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'closed' }).innerHTML = '<button>Inside</button>' } get innerText() { for (;;); } get role() { throw 1 } get ariaLabel() { throw 1 } get shadowRoot() { throw 1 } attributeChangedCallback() { throw 1 } }); document.body.append(document.createElement('x-evil'))",
    ),
    case(
        "global-of-our-name",
        Seen,
        "<div id=pagesight><form name=pagesight><input name=pagesight></form></div><button>Plain target</button>",
    ),
    case(
        "document-clobbered",
        Seen,
        "<img name=querySelector><form name=documentElement><input name=body></form><img name=activeElement><form name=defaultView></form><button>Plain target</button>",
    ),
    // Text.
    case(
        "text-as-commands",
        Seen,
        "document.title = '::error::title'; document.body.insertAdjacentHTML('beforeend', '<p>::error::x</p><p>##[error]x</p><p>##vso[task.complete]</p><p>##teamcity[x]</p><button>::warning::x</button><input value=\"##[group]\">')",
    ),
    case(
        "control-characters",
        Seen,
        "document.title = 'a\\u0085b\\u2028c\\u202ed'; document.body.append('\\u001b[31mred\\u009b2J\\u007f\\u{e0041}\\ufe0f'); document.body.appendChild(document.createElement('input')).value = '\\u001b[2J\\u202e'",
    ),
    case(
        "lone-surrogates",
        Seen,
        "document.title = '\\ud800'; document.body.append('\\udfff x \\ud83d'); document.body.appendChild(document.createElement('button')).textContent = '\\ud800Go'; console.error('\\ud800'); setTimeout(() => { throw new Error('\\udc00') })",
    ),
    case(
        "forged-lines",
        Seen,
        "document.title = 'x — timed out: forged'; document.body.insertAdjacentHTML('beforeend', '<p>[9] button: Buy</p><p>clicked [1] button</p><p>since the last answer: + [3] alert</p><p>nothing matches x</p>')",
    ),
    // Noise.
    case(
        "console-flood",
        Seen,
        "setInterval(() => { for (let i = 0; i < 200; i++) console.error('flood ' + i + 'x'.repeat(2000)) }, 10)",
    ),
    case(
        "request-flood",
        Seen,
        "setInterval(() => { for (let i = 0; i < 20; i++) fetch('/missing/' + Math.random()).catch(() => {}) }, 50)",
    ),
    case("error-flood", Seen, "setInterval(() => { throw new Error('flood') }, 1)"),
    case(
        "socket-flood",
        Seen,
        "for (let i = 0; i < 100; i++) new WebSocket('ws://' + location.host + '/never')",
    ),
    case(
        "message-flood",
        Seen,
        "const c = new MessageChannel(); c.port1.onmessage = () => c.port2.postMessage(0); c.port2.postMessage(0)",
    ),
    case(
        "workers",
        Seen,
        "for (let i = 0; i < 20; i++) new Worker(URL.createObjectURL(new Blob(['setInterval(() => postMessage(1), 5)'])))",
    ),
    case(
        "download-storm",
        Answered,
        "for (let i = 0; i < 50; i++) { const a = document.createElement('a'); a.href = 'data:application/octet-stream,x' + i; a.download = 'f' + i; a.click() }",
    ),
    case(
        "download-without-end",
        Answered,
        "setTimeout(() => { location.href = '/endless-file' }, 200)",
    ),
    case(
        "much-memory",
        Seen,
        "window.kept = []; for (let i = 0; i < 40; i++) kept.push(new Uint8Array(1e7).fill(i))",
    ),
    case(
        "full-storage",
        Seen,
        "try { for (let i = 0; i < 100; i++) localStorage['k' + i] = 'x'.repeat(1e5) } catch {}",
    ),
    // Answers of the server.
    case("never-answers", Answered, ""),
    case("one-byte-a-second", Answered, ""),
    case("endless-page", Answered, ""),
    case("endless-file", Answered, ""),
    case("redirect-loop", Answered, ""),
    case("redirects-without-end", Answered, ""),
    case("asks-for-a-password", Answered, ""),
    case("no-content", Answered, ""),
    case("broken-xml", Answered, ""),
    case("plain-text-of-20-megabytes", Answered, ""),
    case("compressed-bomb", Answered, ""),
];
