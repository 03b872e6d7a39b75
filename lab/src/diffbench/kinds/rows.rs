//! Tables, lists, feeds and trees: rows added, removed, edited, moved, sorted, filtered, loaded on
//! scrolling.

use super::ChangePage;

pub const KINDS: &[ChangePage] = &[
    ChangePage {
        name: "row added",
        body: r#"<button id=go>Add</button><table aria-label=Orders id=table></table><script>
const row = () => [int(1000, 9999), name(), price()], rows = times(8, row), fresh = row(), html = (row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
$('#table').innerHTML = rows.map(html).join('');
on('#go', 'click', () => { all('#table tr')[int(0, 7)].insertAdjacentHTML('beforebegin', html(fresh)); came('row', fresh.join(' '), { holder: 'Orders' }) });
plan(click('button', 'Add'))</script>"#,
    },
    ChangePage {
        name: "row removed",
        body: r#"<table aria-label=Orders id=table></table><script>
const rows = times(8, () => [int(1000, 9999), name()]), at = int(0, 7);
$('#table').innerHTML = rows.map((row) => `<tr><td>${row[0]}</td><td>${row[1]}</td><td><button>Delete ${row[1]}</button></td></tr>`).join('');
all('#table button').forEach((button, place) => button.addEventListener('click', () => { const row = rows[place]; button.closest('tr').remove(); went('row', row.join(' '), { holder: 'Orders', or: [{ mark: '-', role: 'row', text: `${row.join(' ')} Delete ${row[1]}` }] }) }));
plan(click('button', `Delete ${rows[at][1]}`))</script>"#,
    },
    ChangePage {
        name: "row edited",
        body: r#"<button id=go>Recalculate</button><table aria-label=Orders id=table></table><script>
const rows = times(8, () => [int(1000, 9999), name(), price()]), at = int(0, 7), fresh = price();
$('#table').innerHTML = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('');
on('#go', 'click', () => { const was = rows[at].join(' '), old = rows[at][2]; all('#table tr')[at].cells[2].textContent = rows[at][2] = fresh; edited(was, rows[at].join(' '), { role: 'row', or: [{ mark: '~', role: 'cell', text: fresh, was: old }] }) });
plan(click('button', 'Recalculate'))</script>"#,
    },
    ChangePage {
        name: "row moved up",
        body: r#"<table aria-label=Steps id=table></table><script>
const names = times(9, name), at = int(2, 8);
$('#table').innerHTML = names.map((one) => `<tr><td>${one}</td><td><button>Raise ${one}</button></td></tr>`).join('');
all('#table button').forEach((button, place) => button.addEventListener('click', () => { const row = button.closest('tr'); row.previousElementSibling.before(row);
  const to = [...names]; [to[place - 1], to[place]] = [to[place], to[place - 1]]; changed('row', '', { order: [names, to] }) }));
plan(click('button', `Raise ${names[at]}`))</script>"#,
    },
    ChangePage {
        name: "item moved to another list",
        body: r#"<ul aria-label=Open id=open></ul><ul aria-label=Done id=done></ul><button id=go>Finish</button><script>
const names = times(6, name), at = int(0, 3);
names.slice(0, 4).forEach((one) => put('#open', `<li>${one}</li>`)); names.slice(4).forEach((one) => put('#done', `<li>${one}</li>`));
on('#go', 'click', () => { $('#done').append($('#open').children[at]); changed('listitem', names[at], { into: 'Done' }) });
plan(click('button', 'Finish'))</script>"#,
    },
    ChangePage {
        name: "2,000 rows appended",
        body: r#"<button id=go>Load all</button><table aria-label=Orders id=table></table><script>
const row = (at) => `${10000 + at} ${words[at % 20]} ${int(1, 99)}`, html = (row) => `<tr>${row.split(' ').map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
$('#table').innerHTML = times(20, row).map(html).join('');
on('#go', 'click', () => { const more = times(2000, (at) => row(at + 20)); put('#table', more.map(html).join('')); more.forEach((text) => came('row', text, { holder: 'Orders', group: 'rows' })) });
plan(click('button', 'Load all'))</script>"#,
    },
    ChangePage {
        name: "insertion among 100 equal siblings",
        body: r#"<button id=go>Insert</button><ul aria-label=Blanks id=list></ul><script>
const text = `Blank of ${name()}`, at = int(5, 95);
$('#list').innerHTML = `<li>${text}</li>`.repeat(100);
on('#go', 'click', () => { $('#list').children[at].insertAdjacentHTML('beforebegin', `<li>${text}</li>`); came('listitem', text, { holder: 'Blanks' }) });
plan(click('button', 'Insert'))</script>"#,
    },
    ChangePage {
        name: "removal among 100 equal siblings",
        body: r#"<button id=go>Remove</button><ul aria-label=Blanks id=list></ul><script>
const text = `Blank of ${name()}`, at = int(5, 95);
$('#list').innerHTML = `<li>${text}</li>`.repeat(100);
on('#go', 'click', () => { $('#list').children[at].remove(); went('listitem', text, { holder: 'Blanks' }) });
plan(click('button', 'Remove'))</script>"#,
    },
    ChangePage {
        name: "infinite scroll",
        body: r#"<div class=tall id=feed tabindex=0 aria-label=News role=feed></div><script>
let count = 0; const batch = () => times(10, () => `Message ${++count} of ${words[count % 30]}`), html = (text) => `<article style="height:80px">${text}</article>`;
$('#feed').innerHTML = batch().map(html).join('');
let loading = false;
on('#feed', 'scroll', async () => { if (loading || count > 10 || $('#feed').scrollTop < 200) return; loading = true; await late(int(50, 250)); const more = batch(); put('#feed', more.map(html).join('')); more.forEach((text) => came('article', text, { group: 'more' })); loading = false });
plan({ type: 'scroll', on: ['*', 'News'], dy: 450 })</script>"#,
    },
    ChangePage {
        name: "virtualised list scrolled",
        body: r#"<div class=tall id=window tabindex=0 aria-label=Lines role=list><div id=inner style="position:relative;height:40000px"></div></div><script>
const text = (at) => `Line ${at} ${words[at % 37]}`; let from = -1;
const draw = () => { const start = Math.floor($('#window').scrollTop / 40); if (start === from) return;
  const old = from < 0 ? [] : times(10, (at) => from + at), fresh = times(10, (at) => start + at); from = start;
  $('#inner').innerHTML = fresh.map((at) => `<div role=listitem style="position:absolute;top:${at * 40}px;height:40px">${text(at)}</div>`).join('');
  if (old.length) { old.filter((at) => !fresh.includes(at)).forEach((at) => went('listitem', text(at), { group: 'went' })); fresh.filter((at) => !old.includes(at)).forEach((at) => came('listitem', text(at), { group: 'came' })) } };
draw(); $('#window').addEventListener('scroll', () => { window.truth.length = 0; const begin = from; from = 0; draw() });
plan({ type: 'scroll', on: ['*', 'Lines'], dy: 800 })</script>"#,
    },
    ChangePage {
        name: "drag re-order",
        body: r#"<ul aria-label=Queue id=list></ul><script>
const names = times(7, name), from = int(0, 2), to = int(4, 6);
names.forEach((one) => put('#list', `<li draggable=true tabindex=0 style="height:30px" role=option>${one}</li>`)); $('#list').setAttribute('role', 'listbox');
let held; $('#list').addEventListener('dragstart', (event) => { held = event.target; event.dataTransfer.setData('text', 'x') });
$('#list').addEventListener('dragover', (event) => event.preventDefault());
$('#list').addEventListener('drop', (event) => { event.preventDefault(); event.target.closest('li').after(held); const order = [...$('#list').children].map((item) => item.textContent); changed('option', '', { order: [names, order] }) });
plan({ type: 'drag', from: ['option', names[from]], to: ['option', names[to]] })</script>"#,
    },
    ChangePage {
        name: "items re-ordered by pressing Shuffle",
        body: r#"<button id=go>Shuffle</button><ol aria-label=Songs id=list></ol><script>
const names = times(9, name), order = shuffled(names);
names.forEach((one) => put('#list', `<li>${one}</li>`));
on('#go', 'click', () => { const items = [...$('#list').children]; order.forEach((one) => $('#list').append(items.find((item) => item.textContent === one))); changed('listitem', '', { order: [names, order] }) });
plan(click('button', 'Shuffle'))</script>"#,
    },
    ChangePage {
        name: "message at the top of a feed",
        body: r#"<label>Say <input id=say></label><button id=go>Post</button><div id=feed role=feed aria-label=Wall></div><script>
const text = `Greetings from ${name()} to ${name()}`;
times(12, () => `${name()} likes ${name()}`).forEach((one) => put('#feed', `<article><p>${one}</p><button>ToolReply</button></article>`));
on('#go', 'click', () => { const said = $('#say').value; $('#feed').insertAdjacentHTML('afterbegin', `<article><p>${said}</p><button>ToolReply</button></article>`); $('#say').value = '';
  came('article', said, { or: [{ mark: '+', role: '', text: said }, { mark: '+', role: 'article', text: '' }] }); came('button', 'ToolReply', { of: said }) });
plan({ type: 'fill', on: ['textbox', 'Say'], text }, click('button', 'Post'))</script>"#,
    },
    ChangePage {
        name: "tree opened",
        body: r#"<ul role=tree aria-label=Files id=tree></ul><script>
const names = times(4, name), inner = times(3, name), at = int(0, 3);
names.forEach((one) => put('#tree', `<li role=treeitem aria-expanded=false tabindex=0 aria-label="${one}"><span>${one}</span></li>`));
all('[role=treeitem]').forEach((item, place) => item.addEventListener('click', () => { item.setAttribute('aria-expanded', 'true'); item.insertAdjacentHTML('beforeend', `<ul role=group>${inner.map((one) => `<li role=treeitem tabindex=0>${one}</li>`).join('')}</ul>`);
  changed('treeitem', names[place], { states: ['now expanded'] }); inner.forEach((one) => came('treeitem', one)); came('group', '', { may: true }) }));
plan(click('treeitem', names[at]))</script>"#,
    },
    ChangePage {
        name: "all rows ticked",
        body: r#"<label><input type=checkbox id=go> All</label><table aria-label=Mails id=table></table><script>
const names = times(10, name);
$('#table').innerHTML = names.map((one) => `<tr><td><input type=checkbox aria-label="Choose ${one}"></td><td>${one}</td></tr>`).join('');
on('#go', 'change', () => { changed('checkbox', 'All', { states: ['now checked'] }); all('#table input').forEach((box, at) => { box.checked = true; changed('checkbox', `Choose ${names[at]}`, { states: ['now checked'], group: 'boxes' }) }) });
plan({ type: 'check', on: ['checkbox', 'All'] })</script>"#,
    },
    ChangePage {
        name: "row chosen, bar with what can be done",
        body: r#"<div id=bar></div><table aria-label=Mails id=table></table><script>
const names = times(10, name), at = int(0, 9);
$('#table').innerHTML = names.map((one) => `<tr><td><input type=checkbox aria-label="Choose ${one}"></td><td>${one}</td></tr>`).join('');
all('#table input').forEach((box, place) => box.addEventListener('change', () => { $('#bar').innerHTML = '<div role=toolbar aria-label="With 1 mail"><button>Move</button><button>Delete</button></div>';
  changed('checkbox', `Choose ${names[place]}`, { states: ['now checked'] }); came('toolbar', 'With 1 mail'); came('button', 'Move', { of: 'With 1 mail' }); came('button', 'Delete', { of: 'With 1 mail' }) }));
plan({ type: 'check', on: ['checkbox', `Choose ${names[at]}`] })</script>"#,
    },
    ChangePage {
        name: "300 rows: one edited",
        body: r#"<button id=go>Refresh</button><table aria-label=Stock id=table></table><script>
const rows = times(300, (at) => [10000 + at, words[at % 40], price()]), at = int(0, 299), fresh = price();
$('#table').innerHTML = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('');
on('#go', 'click', () => { const was = rows[at].join(' '), old = rows[at][2]; all('#table tr')[at].cells[2].textContent = rows[at][2] = fresh; edited(was, rows[at].join(' '), { role: 'row', or: [{ mark: '~', role: 'cell', text: fresh, was: old }] }) });
plan(click('button', 'Refresh'))</script>"#,
    },
    ChangePage {
        name: "300 rows: one added",
        body: r#"<button id=go>Add</button><table aria-label=Stock id=table></table><p id=sum>300 articles</p><script>
const row = (at) => [10000 + at, words[at % 40], price()], rows = times(300, row), fresh = row(999), at = int(0, 299), html = (row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
$('#table').innerHTML = rows.map(html).join('');
on('#go', 'click', () => { all('#table tr')[at].insertAdjacentHTML('afterend', html(fresh)); came('row', fresh.join(' '), { holder: 'Stock' }); $('#sum').textContent = '301 articles'; edited('300 articles', '301 articles', { role: 'paragraph' }) });
plan(click('button', 'Add'))</script>"#,
    },
    ChangePage {
        name: "300 rows: one removed, re-rendered",
        body: r#"<button id=go>Sell</button><table aria-label=Stock id=table></table><script>
const rows = times(300, (at) => [10000 + at, words[at % 40], price()]), at = int(0, 299);
const draw = () => ($('#table').innerHTML = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')); draw();
on('#go', 'click', () => { const [gone] = rows.splice(at, 1); draw(); went('row', gone.join(' '), { holder: 'Stock' }) });
plan(click('button', 'Sell'))</script>"#,
    },
    ChangePage {
        name: "300 rows: filtered",
        body: r#"<label>Filter <input id=filter></label><p id=sum>300 articles</p><table aria-label=Stock id=table></table><script>
const rows = times(300, (at) => [10000 + at, words[at % 40], price()]), wanted = words[int(0, 39)];
$('#table').innerHTML = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('');
on('#filter', 'input', () => { if ($('#filter').value !== wanted) return; let left = 0;
  all('#table tr').forEach((row, at) => { if (rows[at][1] === wanted) left++; else { row.hidden = true; went('row', rows[at].join(' '), { holder: 'Stock', hidden: true, group: 'rows' }) } });
  $('#sum').textContent = `${left} articles`; edited('300 articles', `${left} articles`, { role: 'paragraph' }); changed('textbox', 'Filter', { old: '', value: wanted }) });
plan({ type: 'fill', on: ['textbox', 'Filter'], text: wanted })</script>"#,
    },
    ChangePage {
        name: "300 rows: sorted",
        body: r#"<table aria-label=Stock><thead><tr><th id=head><button id=go>Number</button></th><th>Name</th><th>Price</th></tr></thead><tbody id=table></tbody></table><script>
const rows = shuffled(times(300, (at) => [10000 + at, words[at % 40], price()]));
$('#table').innerHTML = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('');
on('#go', 'click', () => { const was = rows.map((row) => row.join(' ')), lines = all('#table tr'); $('#head').setAttribute('aria-sort', 'ascending');
  lines.sort((a, b) => a.cells[0].textContent - b.cells[0].textContent).forEach((line) => $('#table').append(line));
  changed('row', '', { order: [was, [...rows].sort((a, b) => a[0] - b[0]).map((row) => row.join(' '))] }) });
plan(click('button', 'Number'))</script>"#,
    },
    ChangePage {
        name: "300 rows: all prices changed",
        body: r#"<button id=go>In yen</button><table aria-label=Stock id=table></table><script>
const rows = times(300, (at) => [10000 + at, words[at % 40], price()]);
$('#table').innerHTML = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('');
on('#go', 'click', () => { $('#go').textContent = 'In euros'; changed('button', 'In euros', { was: 'In yen' });
  all('#table tr').forEach((row, at) => { const was = rows[at].join(' '), old = rows[at][2]; row.cells[2].textContent = rows[at][2] = `¥${Math.round(rows[at][2] * 160)}`; edited(was, rows[at].join(' '), { role: 'row', holder: 'Stock', group: 'rows', or: [{ mark: '~', role: 'cell', text: rows[at][2], was: old }] }) }) });
plan(click('button', 'In yen'))</script>"#,
    },
    ChangePage {
        name: "300 rows: next page of 25",
        body: r#"<table aria-label=Stock id=table></table><button id=back disabled>Back</button><span id=at>Page 1 of 12</span><button id=go>Forward</button><script>
const rows = times(300, (at) => [10000 + at, words[at % 40], price()].join(' '));
const draw = (page) => ($('#table').innerHTML = rows.slice(page * 25, page * 25 + 25).map((row) => `<tr>${row.split(' ').map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')); draw(0);
on('#go', 'click', async () => { await late(int(30, 200)); draw(1); $('#back').disabled = false; $('#at').textContent = 'Page 2 of 12';
  rows.slice(0, 25).forEach((row) => went('row', row, { holder: 'Stock', group: 'old' })); rows.slice(25, 50).forEach((row) => came('row', row, { holder: 'Stock', group: 'new' }));
  edited('Page 1 of 12', 'Page 2 of 12'); changed('button', 'Back', { states: ['now enabled'] }) });
plan(click('button', 'Forward'))</script>"#,
    },
];
