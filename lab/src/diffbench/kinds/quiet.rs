//! Changes that a person does not notice, and content that changes all the time beside the real
//! change.

use super::ChangePage;

pub const KINDS: &[ChangePage] = &[
    ChangePage {
        name: "re-render with equal content",
        body: r#"<button id=go>Refresh</button><section aria-label=News id=out></section><script>
const names = times(8, name), draw = () => ($('#out').innerHTML = `<h2>News</h2><ul>${names.map((one) => `<li><a href=/n>${one}</a> <button>Hide ${one}</button></li>`).join('')}</ul>`); draw();
on('#go', 'click', draw); plan(click('button', 'Refresh'))</script>"#,
    },
    ChangePage {
        name: "re-render with one difference",
        body: r#"<button id=go>Refresh</button><section aria-label=News id=out></section><script>
const names = times(8, name), likes = times(8, () => int(1, 9)), at = int(0, 7), draw = () => ($('#out').innerHTML = `<h2>News</h2><ul>${names.map((one, place) => `<li><a href=/n>${one}</a> <span>${likes[place]} likes</span></li>`).join('')}</ul>`); draw();
on('#go', 'click', () => { const was = likes[at]; likes[at] += 10; draw(); edited(`${was} likes`, `${was + 10} likes`, { or: [{ mark: '~', role: 'listitem', was: `${names[at]} ${was} likes`, text: `${names[at]} ${was + 10} likes` }] }) });
plan(click('button', 'Refresh'))</script>"#,
    },
    ChangePage {
        name: "re-render with one more",
        body: r#"<button id=go>Refresh</button><ul aria-label=News id=out></ul><script>
const names = times(8, name), fresh = name(), at = int(0, 8), draw = () => ($('#out').innerHTML = names.map((one) => `<li>${one} <button>Hide</button></li>`).join('')); draw();
on('#go', 'click', () => { names.splice(at, 0, fresh); draw(); came('listitem', fresh, { holder: 'News' }); came('button', 'Hide', { of: fresh }) });
plan(click('button', 'Refresh'))</script>"#,
    },
    ChangePage {
        name: "data attribute only",
        body: r#"<button id=go>EntryState</button><p id=note>A note</p><script>on('#go', 'click', () => { $('#note').dataset.seen = 'yes'; $('#note').id = 'other' }); plan(click('button', 'EntryState'))</script>"#,
    },
    ChangePage {
        name: "colour only",
        body: r#"<button id=go>Paint</button><p id=note>A note</p><script>on('#go', 'click', () => ($('#note').style.color = 'navy')); plan(click('button', 'Paint'))</script>"#,
    },
    ChangePage {
        name: "canvas redraw",
        body: r#"<button id=go>Draw</button><canvas id=canvas width=200 height=80 aria-label=Chart role=img></canvas><script>on('#go', 'click', () => { $('#canvas').getContext('2d').fillRect(int(0, 90), 10, 40, 40); changed('image', 'Chart', { states: ['redrawn'] }) }); plan(click('button', 'Draw'))</script>"#,
    },
    ChangePage {
        name: "canvas redraw with a caption",
        body: r#"<button id=go>Draw</button><canvas id=canvas width=200 height=80></canvas><p id=caption>No data</p><script>
const text = `Sales of ${name()}`; on('#go', 'click', () => { $('#canvas').getContext('2d').fillRect(int(0, 90), 10, 40, 40); changed('canvas', '', { states: ['redrawn'] }); $('#caption').textContent = text; edited('No data', text, { role: 'paragraph' }) });
plan(click('button', 'Draw'))</script>"#,
    },
    ChangePage {
        name: "nothing at all",
        body: r#"<button id=go>Dead</button><p>Text</p><script>on('#go', 'click', () => {}); plan(click('button', 'Dead'))</script>"#,
    },
    ChangePage {
        name: "text replaced by the same text",
        body: r#"<button id=go>Again</button><p id=note></p><script>const text = name(); $('#note').textContent = text; on('#go', 'click', () => { $('#note').textContent = ''; $('#note').append(text) }); plan(click('button', 'Again'))</script>"#,
    },
    ChangePage {
        name: "clock beside the real change",
        body: r#"<p id=clock></p><button id=go>Add</button><ul id=list aria-label=Things></ul><script>
times(3, name).forEach((one) => put('#list', `<li>${one}</li>`)); const fresh = name(); let now = 3600 * int(1, 20) + int(0, 3000), tick = () => ($('#clock').textContent = new Date(++now * 1000).toISOString().slice(11, 19)); tick(); setInterval(tick, 1000);
on('#go', 'click', () => { put('#list', `<li>${fresh}</li>`); came('listitem', fresh, { holder: 'Things' }) });
plan(click('button', 'Add'))</script>"#,
    },
    ChangePage {
        name: "fast figures beside the real change",
        body: r#"<p>Load <b id=load>0</b> %</p><button id=go>Add</button><ul id=list aria-label=Things></ul><script>
times(3, name).forEach((one) => put('#list', `<li>${one}</li>`)); const fresh = name(); setInterval(() => ($('#load').textContent = `${Math.floor(Math.random() * 100)}`), 130); window.rest = 1500;
on('#go', 'click', () => { put('#list', `<li>${fresh}</li>`); came('listitem', fresh, { holder: 'Things' }) });
plan(click('button', 'Add'))</script>"#,
    },
    ChangePage {
        name: "advertisement that turns beside the real change",
        body: r#"<aside aria-label=Advertisement id=ad></aside><button id=go>Add</button><ul id=list aria-label=Things></ul><script>
times(3, name).forEach((one) => put('#list', `<li>${one}</li>`)); const fresh = name(), brands = times(6, name); let at = 0; const turn = () => ($('#ad').innerHTML = `<a href=/ad>Buy ${brands[at++ % 6]}</a>`); turn(); setInterval(turn, 400); window.rest = 2500;
on('#go', 'click', () => { put('#list', `<li>${fresh}</li>`); came('listitem', fresh, { holder: 'Things' }) });
plan(click('button', 'Add'))</script>"#,
    },
    ChangePage {
        name: "stock prices beside the real change",
        body: r#"<table aria-label=Prices id=prices></table><button id=go>Add</button><p id=sum>0 watched</p><script>
const names = times(5, name); $('#prices').innerHTML = names.map((one) => `<tr><td>${one}</td><td>10.00</td></tr>`).join('');
setInterval(() => { for (const row of all('#prices tr')) row.cells[1].textContent = (Math.random() * 90 + 10).toFixed(2) }, 300); window.rest = 2500;
on('#go', 'click', () => { $('#sum').textContent = '1 watched'; edited('0 watched', '1 watched', { role: 'paragraph' }) });
plan(click('button', 'Add'))</script>"#,
    },
    ChangePage {
        name: "clock in the same row as the real change",
        body: r#"<table aria-label=Jobs id=table></table><script>
const names = times(3, name), at = int(0, 2); let now = 0; $('#table').innerHTML = names.map((one) => `<tr><td>${one}</td><td class=time>0:00:00</td><td class=state>runs</td><td><button>PageState ${one}</button></td></tr>`).join('');
setInterval(() => { now++; all('.time').forEach((cell) => (cell.textContent = `0:00:0${now % 10}`)) }, 500); window.rest = 2000;
all('#table button').forEach((button, place) => button.addEventListener('click', () => { all('.state')[place].textContent = 'stopped'; note({ mark: '~', role: 'cell', was: 'runs', text: 'stopped', or: [{ mark: '~', role: 'row', was: `${names[place]} runs`, text: `${names[place]} stopped`, loose: true }] }) }));
plan(click('button', `PageState ${names[at]}`))</script>"#,
    },
    ChangePage {
        name: "animation beside the real change",
        body: r#"<style>@keyframes slide { to { transform: translateX(200px) } } #moving { animation: slide 1s infinite alternate; width: 60px }</style><div id=moving>Sale</div><button id=go>Add</button><p id=sum>0 chosen</p><script>
on('#go', 'click', () => { $('#sum').textContent = '1 chosen'; edited('0 chosen', '1 chosen', { role: 'paragraph' }) });
plan(click('button', 'Add'))</script>"#,
    },
    ChangePage {
        name: "moved by layout only",
        body: r#"<button id=go>Wide</button><div id=box style="display:flex"><p>One</p><p>Two</p><p>Three</p></div><script>on('#go', 'click', () => ($('#box').style.flexDirection = 'column')); plan(click('button', 'Wide'))</script>"#,
    },
    ChangePage {
        name: "wrapper added around equal content",
        body: r#"<button id=go>Theme</button><div id=box></div><script>
const names = times(4, name); $('#box').innerHTML = names.map((one) => `<p>${one}</p>`).join('');
on('#go', 'click', () => { const around = document.createElement('div'); around.append(...$('#box').childNodes); $('#box').append(around) });
plan(click('button', 'Theme'))</script>"#,
    },
];
