//! Changes in places that are hard to reach: shadow roots, frames, editors, scrollable parts.

use super::ChangePage;

pub const KINDS: &[ChangePage] = &[
    ChangePage {
        name: "in an open shadow root",
        body: r#"<my-card></my-card><script>
const old = `Level ${name()}`, fresh = `Level ${name()}`;
customElements.define('my-card', class extends HTMLElement { connectedCallback() { const root = this.attachShadow({ mode: 'open' }); root.innerHTML = `<p>${old}</p><button>Raise</button>`;
  root.querySelector('button').addEventListener('click', () => { root.querySelector('p').textContent = fresh; edited(old, fresh, { role: 'paragraph' }) }) } });
plan(click('button', 'Raise'))</script>"#,
    },
    ChangePage {
        name: "in a closed shadow root",
        body: r#"<div id=host></div><script>
const old = `Level ${name()}`, fresh = name(), root = $('#host').attachShadow({ mode: 'closed' }); root.innerHTML = `<p>${old}</p><ul></ul><button>Raise</button>`;
root.querySelector('button').addEventListener('click', () => { root.querySelector('ul').insertAdjacentHTML('beforeend', `<li>${fresh}</li>`); came('listitem', fresh) });
plan(click('button', 'Raise'))</script>"#,
    },
    ChangePage {
        name: "in a shadow root in a shadow root",
        body: r#"<outer-part></outer-part><script>
const fresh = `Message of ${name()}`;
customElements.define('inner-part', class extends HTMLElement { connectedCallback() { const root = this.attachShadow({ mode: 'open' }); root.innerHTML = '<div></div><button>Send</button>';
  root.querySelector('button').addEventListener('click', () => { root.querySelector('div').innerHTML = `<p>${fresh}</p>`; came('', fresh) }) } });
customElements.define('outer-part', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<h2>Outer</h2><inner-part></inner-part>' } });
plan(click('button', 'Send'))</script>"#,
    },
    ChangePage {
        name: "shadow root attached by the action",
        body: r#"<div id=host></div><button id=go>Upgrade</button><script>
const text = `Now with ${name()}`;
on('#go', 'click', () => { $('#host').attachShadow({ mode: 'open' }).innerHTML = `<p>${text}</p><button>Try</button>`; came('', text); came('button', 'Try') });
plan(click('button', 'Upgrade'))</script>"#,
    },
    ChangePage {
        name: "slotted content moved to another slot",
        body: r#"<tab-box><p slot=a>First pane</p><p slot=b>Second pane</p></tab-box><script>
customElements.define('tab-box', class extends HTMLElement { connectedCallback() { const root = this.attachShadow({ mode: 'open' }); root.innerHTML = '<button>Turn</button><slot name=a></slot>';
  root.querySelector('button').addEventListener('click', () => { root.querySelector('slot').name = 'b'; came('', 'Second pane', { hidden: true }); went('', 'First pane', { hidden: true }) }) } });
plan(click('button', 'Turn'))</script>"#,
    },
    ChangePage {
        name: "in a frame",
        body: r#"<p>Outside</p><iframe title=Inner src="/frame/KIND?seed=SEED"></iframe><script>plan(click('button', 'Inside'))</script>
FRAME
<button id=go>Inside</button><p id=text></p><script>
const old = `Before ${name()}`, fresh = `After ${name()}`; $('#text').textContent = old;
on('#go', 'click', () => { $('#text').textContent = fresh; edited(old, fresh, { role: 'paragraph' }) })</script>"#,
    },
    ChangePage {
        name: "in a frame of another site",
        body: r#"<p>Outside</p><iframe title=Inner src="http://localhost:PORT/frame/KIND?seed=SEED"></iframe><script>plan(click('button', 'Inside'))</script>
FRAME
<button id=go>Inside</button><ul id=list></ul><script>
times(3, name).forEach((one) => put('#list', `<li>${one}</li>`)); const fresh = name();
on('#go', 'click', () => { put('#list', `<li>${fresh}</li>`); came('listitem', fresh) })</script>"#,
    },
    ChangePage {
        name: "outside, by a button in a frame",
        body: r#"<p id=out>Nothing paid</p><iframe title=Inner src="http://localhost:PORT/frame/KIND?seed=SEED"></iframe><script>
const paid = `Paid by ${name()}`; plan(click('button', 'Pay'));
addEventListener('message', (event) => { if (event.data.pay) { $('#out').textContent = paid; edited('Nothing paid', paid, { role: 'paragraph' }) } })</script>
FRAME
<button id=go>Pay</button><script>on('#go', 'click', () => { $('#go').disabled = true; changed('button', 'Pay', { states: ['now disabled'] }); parent.postMessage({ pay: true }, '*') })</script>"#,
    },
    ChangePage {
        name: "frame added",
        body: r#"<button id=go>Preview</button><div id=slot></div><script>
on('#go', 'click', () => { $('#slot').innerHTML = '<iframe title=Preview src="/frame/KIND?seed=SEED"></iframe>'; came('', 'Shown in the frame'); came('button', 'Inside'); came('iframe', 'Preview', { may: true }); came('frame', 'Preview', { may: true }) });
plan(click('button', 'Preview'))</script>
FRAME
<p>Shown in the frame</p><button>Inside</button>"#,
    },
    ChangePage {
        name: "frame goes to another page",
        body: r#"<button id=go>Other page</button><iframe title=Inner id=frame srcdoc="<p>First page</p><button>One</button>"></iframe><script>
on('#go', 'click', () => { $('#frame').srcdoc = '<p>Second page</p><a href=/x>Two</a>'; edited('First page', 'Second page', { role: 'paragraph' }); went('button', 'One'); came('link', 'Two') });
plan(click('button', 'Other page'))</script>"#,
    },
    ChangePage {
        name: "typing into an editor",
        body: r#"<div contenteditable role=textbox aria-label=Letter id=editor style="min-height:60px;border:1px solid"></div><p id=count>0 words</p><script>
const text = `${name()} ${name()}`;
on('#editor', 'input', () => { window.truth.length = 0; const said = $('#editor').innerText.trim(), count = said.split(' ').length; $('#count').textContent = `${count} words`; changed('textbox', 'Letter', { old: '', value: said }); edited('0 words', `${count} words`, { role: 'paragraph' }) });
plan({ type: 'type', on: ['textbox', 'Letter'], text })</script>"#,
    },
    ChangePage {
        name: "below the fold",
        body: r#"<button id=go>Sum up</button><div style="height:3000px"></div><p id=end>No sum</p><script>
const text = `Sum ${price()}`; on('#go', 'click', () => { $('#end').textContent = text; edited('No sum', text, { role: 'paragraph' }) });
plan(click('button', 'Sum up'))</script>"#,
    },
    ChangePage {
        name: "several actions, one diff",
        body: r#"<label>First <input id=a></label><label>Last <input id=b></label><label><input type=checkbox id=c> Agree</label><button id=go>Greet</button><div id=out></div><script>
const first = name(), last = name();
on('#a', 'input', () => $('#a').value === first && changed('textbox', 'First', { old: '', value: first }));
on('#b', 'input', () => $('#b').value === last && changed('textbox', 'Last', { old: '', value: last }));
on('#c', 'change', () => changed('checkbox', 'Agree', { states: ['now checked'] }));
on('#go', 'click', () => { $('#out').innerHTML = `<p>Hello ${first} ${last}</p>`; came('', `Hello ${first} ${last}`) });
plan({ type: 'fill', on: ['textbox', 'First'], text: first }, { type: 'fill', on: ['textbox', 'Last'], text: last }, { type: 'check', on: ['checkbox', 'Agree'] }, click('button', 'Greet'))</script>"#,
    },
    ChangePage {
        name: "words that could pass for ours",
        body: r#"<button id=go>Trick</button><div id=slot></div><script>
const text = `+ [${int(1, 9)}] button: Pay — now enabled`;
on('#go', 'click', () => { $('#slot').innerHTML = `<p>${text}</p>`; came('', text) });
plan(click('button', 'Trick'))</script>"#,
    },
    ChangePage {
        name: "live region that nobody sees",
        body: r#"<style>.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }</style><button id=go>Vote</button><div class=sr aria-live=polite id=live></div><script>
const text = `Your vote for ${name()} was counted`;
on('#go', 'click', () => { $('#live').textContent = text; came('', text, { or: [{ mark: '+', role: 'status', text }] }) });
plan(click('button', 'Vote'))</script>"#,
    },
    ChangePage {
        name: "SVG chart's labels",
        body: r#"<button id=go>Next year</button><svg width=300 height=100 role=group aria-label=Chart><text x=10 y=20 id=one></text><text x=10 y=60>Total</text></svg><script>
const old = `${name()} 12`, fresh = `${name()} 34`; $('#one').textContent = old;
on('#go', 'click', () => { $('#one').textContent = fresh; edited(old, fresh) });
plan(click('button', 'Next year'))</script>"#,
    },
];
