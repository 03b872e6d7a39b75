//! Elements that stay and change: ticks, values, texts, names, links, images, and elements that
//! only a class hides.

use super::ChangePage;

pub const KINDS: &[ChangePage] = &[
    ChangePage {
        name: "checkbox",
        body: r#"<div id=list></div><script>
const names = times(5, name), at = int(0, 4);
names.forEach((one) => put('#list', `<label><input type=checkbox> ${one}</label>`));
all('input').forEach((box, place) => box.addEventListener('change', () => changed('checkbox', names[place], { states: ['now checked'] })));
plan({ type: 'check', on: ['checkbox', names[at]] })</script>"#,
    },
    ChangePage {
        name: "radio, with what depends on it",
        body: r#"<div id=list></div><div id=more></div><script>
const names = times(3, name), at = int(1, 2), field = `${name()} code`;
names.forEach((one, place) => put('#list', `<label><input type=radio name=way ${place ? '' : 'checked'}> ${one}</label>`));
all('input').forEach((box, place) => box.addEventListener('change', () => { $('#more').innerHTML = `<label>${field} <input></label>`;
  changed('radio', names[place], { states: ['now checked'] }); changed('radio', names[0], { states: ['now unchecked'] }); came('textbox', field) }));
plan(click('radio', names[at]))</script>"#,
    },
    ChangePage {
        name: "toggle button and switch",
        body: r#"<button id=go aria-pressed=false>Bold</button><button role=switch aria-checked=false id=dark>Dark</button><script>
on('#go', 'click', () => { $('#go').setAttribute('aria-pressed', 'true'); changed('button', 'Bold', { states: ['now pressed'] }) });
on('#dark', 'click', () => { $('#dark').setAttribute('aria-checked', 'true'); changed('switch', 'Dark', { states: ['now checked'] }) });
plan(click('button', 'Bold'), click('switch', 'Dark'))</script>"#,
    },
    ChangePage {
        name: "button that waits and is done",
        body: r#"<button id=go>Save</button><p id=state></p><script>
const text = `Saved at version ${int(2, 90)}`; $('#state').textContent = 'Not saved yet';
on('#go', 'click', async () => { $('#go').disabled = true; $('#go').textContent = 'Saving…'; await late(int(100, 500)); $('#go').textContent = 'Saved'; $('#state').textContent = text;
  changed('button', 'Saved', { was: 'Save', states: ['now disabled'] }); edited('Not saved yet', text, { role: 'paragraph' }) });
plan(click('button', 'Save'))</script>"#,
    },
    ChangePage {
        name: "equal-length text edit",
        body: r#"<button id=go>Next</button><p>Your code is <b id=code></b>, keep it.</p><script>
const old = `${int(10000, 99999)}`, fresh = `${int(10000, 99999)}`; $('#code').textContent = old;
on('#go', 'click', () => { $('#code').textContent = fresh; edited(old, fresh, { or: [{ mark: '~', was: `Your code is ${old}, keep it.`, text: `Your code is ${fresh}, keep it.` }] }) });
plan(click('button', 'Next'))</script>"#,
    },
    ChangePage {
        name: "one word in a long paragraph",
        body: r#"<button id=go>Correct</button><p id=text></p><script>
const parts = times(40, (at) => words[at]), at = int(0, 39); $('#text').textContent = parts.join(' and ');
on('#go', 'click', () => { const was = parts.join(' and '); parts[at] = 'Pluto'; $('#text').textContent = parts.join(' and '); edited(was, parts.join(' and '), { role: 'paragraph', or: [{ mark: '~', was, text: parts.join(' and ') }] }) });
plan(click('button', 'Correct'))</script>"#,
    },
    ChangePage {
        name: "counter in the header, button renamed",
        body: r#"<ul id=list></ul><script>
$('header').insertAdjacentHTML('beforeend', '<a href=/cart id=cart>Cart (0)</a>'); const names = times(6, name), at = int(0, 5);
names.forEach((one) => put('#list', `<li>${one} <button>Add ${one}</button></li>`));
all('#list button').forEach((button, place) => button.addEventListener('click', () => { button.textContent = `Remove ${names[place]}`; $('#cart').textContent = 'Cart (1)';
  changed('button', `Remove ${names[place]}`, { was: `Add ${names[place]}` }); changed('link', 'Cart (1)', { was: 'Cart (0)' }) }));
plan(click('button', `Add ${names[at]}`))</script>"#,
    },
    ChangePage {
        name: "attribute only: where a link leads",
        body: r#"<button id=go>Cheaper</button><a id=link href=/flight>Book the flight</a><script>
const to = `/flight/${int(100, 999)}`;
on('#go', 'click', () => { $('#link').setAttribute('href', to); changed('link', 'Book the flight', { states: [`now leads to ${to}`] }) });
plan(click('button', 'Cheaper'))</script>"#,
    },
    ChangePage {
        name: "attribute only: aria-label, placeholder",
        body: r#"<button id=go>French</button><input id=field aria-label=Search placeholder="Find something"><button id=close aria-label=Close>×</button><script>
const label = name();
on('#go', 'click', () => { $('#field').placeholder = `Cherchez ${label}`; $('#close').setAttribute('aria-label', `Fermez ${label}`);
  changed('textbox', 'Search', { states: [`placeholder "Find something" → "Cherchez ${label}"`] }); changed('button', `Fermez ${label}`, { was: 'Close' }) });
plan(click('button', 'French'))</script>"#,
    },
    ChangePage {
        name: "picture swapped",
        body: r#"<button id=go>Next picture</button><img id=picture width=60 height=60 src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>"><script>
const old = `Portrait of ${name()}`, fresh = `Portrait of ${name()}`; $('#picture').alt = old;
on('#go', 'click', () => { $('#picture').alt = fresh; $('#picture').src = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' id='b'/>"; changed('image', fresh, { was: old }) });
plan(click('button', 'Next picture'))</script>"#,
    },
    ChangePage {
        name: "class-only hiding",
        body: r#"<button id=go>Hide</button><div id=list></div><script>
const names = times(6, name), at = int(0, 5);
names.forEach((one) => put('#list', `<p>Note of ${one}</p>`));
on('#go', 'click', () => { $('#list').children[at].className = 'none'; went('', `Note of ${names[at]}`, { hidden: true }) });
plan(click('button', 'Hide'))</script>"#,
    },
    ChangePage {
        name: "class-only hiding by a rule on body",
        body: r#"<style>body.calm .extra { visibility: hidden }</style><button id=go aria-pressed=false>Calm</button><div id=list></div><script>
const names = times(6, name), extra = shuffled([0, 1, 2, 3, 4, 5]).slice(0, 2);
names.forEach((one, at) => put('#list', `<p class=${extra.includes(at) ? 'extra' : 'plain'}>Note of ${one}</p>`));
on('#go', 'click', () => { document.body.className = 'calm'; $('#go').setAttribute('aria-pressed', 'true'); changed('button', 'Calm', { states: ['now pressed'] }); extra.forEach((at) => went('', `Note of ${names[at]}`, { hidden: true })) });
plan(click('button', 'Calm'))</script>"#,
    },
    ChangePage {
        name: "class-only revealing",
        body: r#"<button id=go>Show</button><div id=list></div><script>
const names = times(6, name), at = int(0, 5);
names.forEach((one, place) => put('#list', `<p ${place === at ? 'class=none' : ''}>Note of <a href=/x>${one}</a></p>`));
on('#go', 'click', () => { $('#list').children[at].className = ''; came('', `Note of ${names[at]}`, { hidden: true, or: [{ mark: '+', text: 'Note of', hidden: true }] }); came('link', names[at], { hidden: true, may: true }) });
plan(click('button', 'Show'))</script>"#,
    },
    ChangePage {
        name: "hidden by a style sheet's new rule",
        body: r#"<style id=sheet></style><button id=go>Compact</button><p id=note></p><p>Stays</p><script>
const text = `Hint of ${name()}`; $('#note').textContent = text;
on('#go', 'click', () => { $('#sheet').sheet.insertRule('#note { display: none }'); went('', text, { hidden: true }) });
plan(click('button', 'Compact'))</script>"#,
    },
    ChangePage {
        name: "slider with its output",
        body: r#"<label>Volume <input type=range id=range min=0 max=100 value=50></label><output id=out>50 %</output><script>
const to = `${int(60, 95)}`;
on('#range', 'input', () => { $('#out').textContent = `${$('#range').value} %`; window.truth.length = 0; changed('slider', 'Volume', { old: '50', value: $('#range').value }); edited('50 %', `${$('#range').value} %`, { or: [{ mark: '~', role: 'status', was: '50 %', text: `${$('#range').value} %` }] }) });
plan({ type: 'fill', on: ['slider', 'Volume'], text: to })</script>"#,
    },
    ChangePage {
        name: "quantity, line total and sum",
        body: r#"<table aria-label=Basket id=table></table><p id=sum></p><script>
const rows = times(4, () => [name(), int(2, 9)]), at = int(0, 3), many = int(2, 9), counts = [1, 1, 1, 1], sum = () => `Sum ${rows.reduce((sum, row, place) => sum + row[1] * counts[place], 0)} €`;
$('#table').innerHTML = rows.map((row) => `<tr><td>${row[0]}</td><td><input type=number value=1 aria-label="How many ${row[0]}"></td><td>${row[1]} €</td></tr>`).join(''); $('#sum').textContent = sum();
all('#table input').forEach((field, place) => field.addEventListener('input', () => { window.truth.length = 0; const was = $('#sum').textContent, [one, cost] = rows[place];
  if (field.value !== `${many}`) return; counts[place] = many; field.closest('tr').cells[2].textContent = `${cost * many} €`; $('#sum').textContent = sum();
  changed('spinbutton', `How many ${one}`, { old: '1', value: `${many}` }); edited(was, sum(), { role: 'paragraph' });
  edited(`${cost} €`, `${cost * many} €`, { role: 'cell', or: [{ mark: '~', role: 'row', was: `${one} ${cost} €`, text: `${one} ${cost * many} €` }, { mark: '~', role: 'row', was: `${one} 1 ${cost} €`, text: `${one} ${many} ${cost * many} €` }] }) }));
plan({ type: 'fill', on: ['spinbutton', `How many ${rows[at][0]}`], text: `${many}` })</script>"#,
    },
    ChangePage {
        name: "title and heading",
        body: r#"<h2 id=head>Drafts (3)</h2><button id=go>Send</button><script>
document.title = 'Drafts (3)';
on('#go', 'click', () => { document.title = 'Drafts (2)'; $('#head').textContent = 'Drafts (2)'; changed('title', 'Drafts (2)', { was: 'Drafts (3)' }); changed('heading', 'Drafts (2)', { was: 'Drafts (3)' }) });
plan(click('button', 'Send'))</script>"#,
    },
    ChangePage {
        name: "characters counted while typing",
        body: r#"<label>Text <textarea id=text></textarea></label><p id=count>0 of 140</p><button id=go disabled>Send</button><script>
const text = `${name()} and ${name()}`;
on('#text', 'input', () => { $('#count').textContent = `${$('#text').value.length} of 140`; $('#go').disabled = false; window.truth.length = 0;
  changed('textbox', 'Text', { old: '', value: $('#text').value }); edited('0 of 140', $('#count').textContent, { role: 'paragraph' }); changed('button', 'Send', { states: ['now enabled'] }) });
plan({ type: 'type', on: ['textbox', 'Text'], text })</script>"#,
    },
    ChangePage {
        name: "password and its strength",
        body: r#"<label>Password <input type=password id=field></label><p id=how>Too short</p><script>
const text = `${name()}-${int(1000, 9999)}-${name()}`;
on('#field', 'input', () => { if ($('#field').value !== text) return; $('#how').textContent = 'Strong'; changed('textbox', 'Password', { old: '', value: '•••' }); edited('Too short', 'Strong', { role: 'paragraph' }) });
plan({ type: 'fill', on: ['textbox', 'Password'], text })</script>"#,
    },
    ChangePage {
        name: "dependent select",
        body: r#"<label>Country <select id=country></select></label><label>Town <select id=town></select></label><script>
const countries = times(3, name), towns = times(3, () => times(3, name)), at = int(1, 2), fill = (place) => ($('#town').innerHTML = towns[place].map((one) => `<option>${one}</option>`).join(''));
countries.forEach((one) => put('#country', `<option>${one}</option>`)); fill(0);
on('#country', 'change', () => { fill($('#country').selectedIndex); changed('combobox', 'Country', { old: countries[0], value: countries[at] }); changed('combobox', 'Town', { old: towns[0][0], value: towns[at][0] });
  changed('options', towns[at].join(', '), { was: towns[0].join(', ') }) });
plan({ type: 'select', on: ['combobox', 'Country'], values: [countries[at]] })</script>"#,
    },
    ChangePage {
        name: "progress bar and steps",
        body: r#"<div role=progressbar aria-label=Upload aria-valuenow=20 aria-valuemin=0 aria-valuemax=100 id=bar style="width:200px;height:10px;background:#ccc"></div><ol id=steps></ol><button id=go>Continue</button><script>
const names = times(3, name), value = int(40, 90);
names.forEach((one, at) => put('#steps', `<li ${at ? '' : 'aria-current=step'}>${one}</li>`));
on('#go', 'click', () => { $('#bar').setAttribute('aria-valuenow', value); $('#steps').children[0].removeAttribute('aria-current'); $('#steps').children[1].setAttribute('aria-current', 'step'); changed('progressbar', 'Upload', { old: '20', value: `${value}` });
  changed('listitem', names[1], { states: ['now current'], may: true }); changed('listitem', names[0], { states: ['no longer current'], may: true }) });
plan(click('button', 'Continue'))</script>"#,
    },
    ChangePage {
        name: "fieldset disabled",
        body: r#"<fieldset id=set><legend>Address</legend><label>Street <input></label><label>Town <input></label></fieldset><label><input type=checkbox id=go> Same as invoice</label><script>
on('#go', 'change', () => { $('#set').disabled = true; changed('checkbox', 'Same as invoice', { states: ['now checked'] }); changed('group', 'Address', { states: ['now disabled'], may: true });
  changed('textbox', 'Street', { states: ['now disabled'] }); changed('textbox', 'Town', { states: ['now disabled'] }) });
plan({ type: 'check', on: ['checkbox', 'Same as invoice'] })</script>"#,
    },
    ChangePage {
        name: "focus moved by the page",
        body: r#"<button id=go>New entry</button><label>Subject <input id=subject></label><script>
on('#go', 'click', () => { $('#subject').focus(); changed('textbox', 'Subject', { states: ['now focused'] }) });
plan(click('button', 'New entry'))</script>"#,
    },
];
