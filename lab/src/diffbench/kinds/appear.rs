//! Elements that appear and disappear: toasts, dialogs, errors, menus, panels.

use super::ChangePage;

pub const KINDS: &[ChangePage] = &[
    ChangePage {
        name: "toast (status)",
        body: r#"<button id=go>Save</button><div id=toasts></div><script>
const said = `${name()} was saved`;
on('#go', 'click', () => { put('#toasts', `<div role=status>${said}</div>`); came('status', said) });
plan(click('button', 'Save'))</script>"#,
    },
    ChangePage {
        name: "toast (alert, standing region)",
        body: r#"<div role=alert id=region></div><form onsubmit="return false"><label>Card <input id=card></label><button id=go>Pay</button></form><script>
const said = `Card of ${name()} was refused`;
on('#go', 'click', () => { $('#region').textContent = said; came('alert', said) });
plan(click('button', 'Pay'))</script>"#,
    },
    ChangePage {
        name: "toast without a role, undo in it",
        body: r#"<ul id=list></ul><script>
const names = times(5, name), at = int(0, 4);
names.forEach((one) => put('#list', `<li>${one} <button>Archive ${one}</button></li>`));
all('#list button').forEach((button, place) => button.addEventListener('click', () => {
  button.parentElement.remove(); went('listitem', names[place], { or: [{ mark: '-', role: 'button', text: `Archive ${names[place]}` }] });
  document.body.insertAdjacentHTML('beforeend', `<div class=box><span>${names[place]} was archived.</span> <button>Undo</button></div>`);
  came('', `${names[place]} was archived.`); came('button', 'Undo');
}));
plan(click('button', `Archive ${names[at]}`))</script>"#,
    },
    ChangePage {
        name: "toast that disappears before the reply",
        body: r#"<button id=go>Copy</button><p id=count>Copied 0 times</p><script>
let copies = 0;
on('#go', 'click', () => {
  edited(`Copied ${copies} times`, `Copied ${copies + 1} times`, { role: 'paragraph' }); $('#count').textContent = `Copied ${++copies} times`;
  const toast = document.createElement('div'); toast.textContent = 'Copied!'; toast.className = 'box'; document.body.append(toast); setTimeout(() => toast.remove(), 60);
});
plan(click('button', 'Copy'))</script>"#,
    },
    ChangePage {
        name: "modal (dialog element)",
        body: r#"<ul id=list></ul><dialog id=dialog aria-labelledby=title><h2 id=title></h2><form method=dialog><label>Name <input id=field></label><label>Owner <select id=owner></select></label><button>Apply</button><button>Cancel</button></form></dialog><script>
const names = times(4, name), owners = times(3, name), at = int(0, 3);
names.forEach((one) => put('#list', `<li>${one} <button>Edit ${one}</button></li>`));
owners.forEach((one) => put('#owner', `<option>${one}</option>`));
all('#list button').forEach((button, place) => button.addEventListener('click', () => {
  const title = `Edit ${names[place]} now`, of = title;
  $('#title').textContent = title; $('#field').value = names[place]; $('#dialog').showModal();
  came('dialog', title, { hidden: true }); came('heading', title, { of, may: true });
  came('textbox', 'Name', { value: names[place], of }); came('combobox', 'Owner', { value: owners[0], of });
  came('', `options: ${owners.join(', ')}`, { of, may: true });
  came('button', 'Apply', { of }); came('button', 'Cancel', { of });
}));
plan(click('button', `Edit ${names[at]}`))</script>"#,
    },
    ChangePage {
        name: "modal (div, aria-modal)",
        body: r#"<button id=go>Delete all</button><script>
const count = int(3, 90), text = `This removes ${count} files for good.`;
on('#go', 'click', () => {
  document.body.insertAdjacentHTML('beforeend', `<div class=overlay><div class=box role=dialog aria-modal=true aria-label="Delete ${count} files?"><p>${text}</p><button>Delete</button><button>Keep</button></div></div>`);
  const of = `Delete ${count} files?`;
  came('dialog', of); came('', text, { of }); came('button', 'Delete', { of }); came('button', 'Keep', { of });
});
plan(click('button', 'Delete all'))</script>"#,
    },
    ChangePage {
        name: "modal closed, list behind it changed",
        body: r#"<p id=sum></p><dialog id=dialog aria-label="Rename it"><label>Name <input id=field></label><button id=go>Apply</button></dialog><script>
const old = name(), fresh = name();
$('#sum').textContent = `Project ${old}`; $('#field').value = fresh; $('#dialog').showModal();
on('#go', 'click', () => { $('#dialog').close(); $('#sum').textContent = `Project ${fresh}`;
  went('dialog', 'Rename it', { hidden: true }); edited(`Project ${old}`, `Project ${fresh}`, { role: 'paragraph' }) });
plan(click('button', 'Apply'))</script>"#,
    },
    ChangePage {
        name: "inline error",
        body: r#"<form onsubmit="return false" novalidate><label>Mail <input id=mail></label><div id=slot></div><label>Town <input></label><button id=go>Send</button></form><script>
const text = `${name()} is no address`;
on('#go', 'click', () => { $('#mail').setAttribute('aria-invalid', 'true'); $('#slot').innerHTML = `<p>${text}</p>`;
  changed('textbox', 'Mail', { states: ['now invalid'] }); came('', text) });
plan(click('button', 'Send'))</script>"#,
    },
    ChangePage {
        name: "validation of a form, with a summary",
        body: r#"<div id=summary></div><form onsubmit="return false" novalidate id=form></form><script>
const labels = times(4, name), bad = shuffled([0, 1, 2, 3]).slice(0, 2).sort();
labels.forEach((label, at) => put('#form', `<div><label>${label} <input id=f${at} aria-describedby=e${at}></label><span id=e${at}></span></div>`));
put('#form', '<button id=go>Register</button>');
on('#go', 'click', () => {
  $('#summary').innerHTML = `<div role=alert>${bad.length} fields need attention</div>`; came('alert', `${bad.length} fields need attention`);
  for (const at of bad) { $(`#f${at}`).setAttribute('aria-invalid', 'true'); $(`#e${at}`).textContent = `${labels[at]} is missing`;
    changed('textbox', labels[at], { states: ['now invalid'] }); came('', `${labels[at]} is missing`) }
});
plan(click('button', 'Register'))</script>"#,
    },
    ChangePage {
        name: "validation fixed while typing",
        body: r#"<form onsubmit="return false"><label>Code <input id=code aria-invalid=true value=x></label><p id=error></p><button id=go disabled>Next</button></form><script>
const good = `${name()}${int(100, 999)}`; $('#error').textContent = `Codes begin with a letter like ${name()}`;
on('#code', 'input', () => { if ($('#code').value !== good) return;
  $('#code').removeAttribute('aria-invalid'); went('', $('#error').textContent); $('#error').remove(); $('#go').disabled = false;
  changed('textbox', 'Code', { old: 'x', value: good, states: ['now valid'] }); changed('button', 'Next', { states: ['now enabled'] }) });
plan({ type: 'fill', on: ['textbox', 'Code'], text: good })</script>"#,
    },
    ChangePage {
        name: "accordion",
        body: r#"<div id=parts></div><script>
const titles = times(4, name), texts = times(4, () => `About ${name()} and ${name()}`), at = int(0, 3);
titles.forEach((title, place) => put('#parts', `<h3><button aria-expanded=false aria-controls=p${place}>${title}</button></h3><div id=p${place} hidden>${texts[place]}</div>`));
all('#parts button').forEach((button, place) => button.addEventListener('click', () => {
  button.setAttribute('aria-expanded', 'true'); $(`#p${place}`).hidden = false;
  changed('button', titles[place], { states: ['now expanded'] }); came('', texts[place], { hidden: true }) }));
plan(click('button', titles[at]))</script>"#,
    },
    ChangePage {
        name: "accordion, one closes another",
        body: r#"<div id=parts></div><script>
const titles = times(3, name), texts = times(3, () => `About ${name()} and ${name()}`);
titles.forEach((title, place) => put('#parts', `<h3><button aria-expanded=${place === 0}>${title}</button></h3><div id=p${place} ${place ? 'hidden' : ''}>${texts[place]}</div>`));
all('#parts button').forEach((button, place) => button.addEventListener('click', () => {
  all('#parts button').forEach((other, at) => { other.setAttribute('aria-expanded', at === place); $(`#p${at}`).hidden = at !== place });
  changed('button', titles[place], { states: ['now expanded'] }); came('', texts[place], { hidden: true });
  changed('button', titles[0], { states: ['now collapsed'] }); went('', texts[0], { hidden: true }) }));
plan(click('button', titles[int(1, 2)]))</script>"#,
    },
    ChangePage {
        name: "details opened",
        body: r#"<details id=more><summary></summary><p></p></details><script>
const title = `More on ${name()}`, text = `It was found by ${name()} in ${int(1700, 1999)}`;
$('summary').textContent = title; $('details p').textContent = text;
on('#more', 'toggle', () => { came('', text, { hidden: true }); changed('button', title, { states: ['now expanded'], or: [{ mark: '~', role: 'disclosure', text: title, states: ['now expanded'] }, { mark: '~', role: 'summary', text: title, states: ['now expanded'] }, { mark: '~', role: 'group', text: title, states: ['now expanded'] }] }) });
plan({ type: 'click', on: ['*', title] })</script>"#,
    },
    ChangePage {
        name: "tab switch",
        body: r#"<div role=tablist aria-label=Views id=tabs></div><div id=panels></div><script>
const titles = times(3, name), texts = times(3, () => `Figures of ${name()}: ${int(10, 99)}`), to = int(1, 2);
titles.forEach((title, at) => { put('#tabs', `<button role=tab id=t${at} aria-selected=${at === 0}>${title}</button>`); put('#panels', `<div role=tabpanel aria-labelledby=t${at} ${at ? 'hidden' : ''}><p>${texts[at]}</p><button>Print ${title}</button></div>`) });
all('[role=tab]').forEach((tab, at) => tab.addEventListener('click', () => {
  all('[role=tab]').forEach((other, place) => other.setAttribute('aria-selected', place === at));
  all('[role=tabpanel]').forEach((panel, place) => (panel.hidden = place !== at));
  changed('tab', titles[at], { states: ['now selected'] }); changed('tab', titles[0], { states: ['no longer selected'] });
  came('tabpanel', titles[at], { hidden: true }); came('', texts[at], { of: titles[at] }); came('button', `Print ${titles[at]}`, { of: titles[at] });
  went('tabpanel', titles[0], { hidden: true }) }));
plan(click('tab', titles[to]))</script>"#,
    },
    ChangePage {
        name: "menu opened",
        body: r#"<button id=go aria-haspopup=menu aria-expanded=false>Actions</button><div id=slot></div><script>
const titles = times(4, name);
on('#go', 'click', () => { $('#go').setAttribute('aria-expanded', 'true'); $('#slot').innerHTML = `<div role=menu aria-label="All actions">${titles.map((title) => `<div role=menuitem tabindex=0>${title}</div>`).join('')}</div>`;
  changed('button', 'Actions', { states: ['now expanded'] }); came('menu', 'All actions'); titles.forEach((title) => came('menuitem', title, { of: 'All actions' })) });
plan(click('button', 'Actions'))</script>"#,
    },
    ChangePage {
        name: "menu closed by Escape",
        body: r#"<button id=go aria-haspopup=menu aria-expanded=true>Actions</button><div id=slot></div><script>
const titles = times(4, name);
$('#slot').innerHTML = `<div role=menu aria-label="All actions">${titles.map((title) => `<div role=menuitem tabindex=0>${title}</div>`).join('')}</div>`;
document.addEventListener('keydown', (event) => { if (event.key !== 'Escape') return; $('#slot').innerHTML = ''; $('#go').setAttribute('aria-expanded', 'false');
  changed('button', 'Actions', { states: ['now collapsed'] }); went('menu', 'All actions') });
plan({ type: 'press', key: 'Escape' })</script>"#,
    },
    ChangePage {
        name: "auto-complete list",
        body: r#"<label>City <input id=city role=combobox aria-expanded=false aria-autocomplete=list aria-controls=options></label><div id=slot></div><script>
const found = times(int(3, 6), () => `${name()} ${name()}`), start = name();
on('#city', 'input', () => { if ($('#city').value !== start) return; late(120).then(() => {
  $('#city').setAttribute('aria-expanded', 'true');
  $('#slot').innerHTML = `<ul role=listbox id=options aria-label=Cities>${found.map((one) => `<li role=option tabindex=-1>${one}</li>`).join('')}</ul>`;
  changed('combobox', 'City', { old: '', value: start, states: ['now expanded'], may_states: ['no longer collapsed'] });
  came('listbox', 'Cities'); found.forEach((one) => came('option', one, { of: 'Cities' })) }) });
plan({ type: 'fill', on: ['combobox', 'City'], text: start })</script>"#,
    },
    ChangePage {
        name: "auto-complete chosen",
        body: r#"<label>City <input id=city></label><div id=slot></div><script>
const found = times(4, () => `${name()} ${name()}`), at = int(0, 3);
$('#slot').innerHTML = `<ul role=listbox aria-label=Cities>${found.map((one) => `<li role=option tabindex=-1>${one}</li>`).join('')}</ul>`;
all('[role=option]').forEach((option, place) => option.addEventListener('click', () => { $('#city').value = found[place]; $('#slot').innerHTML = '';
  changed('textbox', 'City', { old: '', value: found[place] }); went('listbox', 'Cities') }));
plan(click('option', found[at]))</script>"#,
    },
    ChangePage {
        name: "popover",
        body: r#"<button popovertarget=pop>Details of the order</button><div popover id=pop></div><script>
const text = `Ordered by ${name()} from ${name()}`; $('#pop').textContent = text;
$('#pop').addEventListener('toggle', () => { came('', text, { hidden: true }); changed('button', 'Details of the order', { states: ['now expanded'], may: true }) });
plan(click('button', 'Details of the order'))</script>"#,
    },
    ChangePage {
        name: "tooltip on hover",
        body: r#"<button id=go>Weight</button><div role=tooltip id=tip class=none></div><script>
const text = `Net weight in ${name()}`; $('#tip').textContent = text;
$('#go').onmouseenter = () => { $('#tip').className = ''; came('tooltip', text, { hidden: true }) };
plan({ type: 'hover', on: ['button', 'Weight'] })</script>"#,
    },
    ChangePage {
        name: "loaded late, behind a spinner",
        body: r#"<button id=go>Load</button><section aria-label=Result id=out></section><script>
const names = times(3, name);
on('#go', 'click', async () => { $('#out').innerHTML = '<p aria-busy=true>Loading…</p>'; await late(int(150, 700)); await late(int(50, 300));
  $('#out').innerHTML = `<p>${names.length} found</p><ul>${names.map((one) => `<li>${one}</li>`).join('')}</ul>`;
  came('region', 'Result', { may: true, or: [{ mark: '+', role: 'region', text: 'Result', hidden: true }] }); came('', `${names.length} found`); names.forEach((one) => came('listitem', one)); came('list', '', { may: true }) });
plan(click('button', 'Load'))</script>"#,
    },
    ChangePage {
        name: "wizard: next step",
        body: r#"<section id=step aria-label=Wizard><h2>Step 1 of 3</h2><label>Name <input></label><button id=go>Next</button></section><script>
const field = `${name()} number`;
on('#go', 'click', () => { $('#step').innerHTML = `<h2>Step 2 of 3</h2><label>${field} <input></label><label><input type=checkbox> Ship to ${field}</label><button>Back</button><button>Next</button>`;
  changed('heading', 'Step 2 of 3', { was: 'Step 1 of 3' }); went('textbox', 'Name'); came('textbox', field); came('checkbox', `Ship to ${field}`); came('button', 'Back') });
plan(click('button', 'Next'))</script>"#,
    },
];
