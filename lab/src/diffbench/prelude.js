// The start of every page of the diff benchmark: random numbers from a seed, so that no answer can
// be learnt by heart, and the page's own list of what it changes. The list is a variable; nothing
// of it is visible.
let chance = SEED;
const random = () => {
  chance = (chance + 0x6d2b79f5) | 0;
  let mixed = Math.imul(chance ^ (chance >>> 15), 1 | chance);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
};
const int = (low, high) => low + Math.floor(random() * (high - low + 1));
const shuffled = (list) => {
  const out = [...list];
  for (let at = out.length - 1; at > 0; at--) {
    const other = int(0, at);
    [out[at], out[other]] = [out[other], out[at]];
  }
  return out;
};
const words = shuffled('Apollo Borealis Cygnus Draco Eridanus Fornax Gemini Hydra Indus Juno Kepler Lyra Mensa Norma Orion Pavo Quasar Rigel Scutum Taurus Ursa Vela Wezen Xenon Yara Zeus Atlas Bellona Ceres Dione Europa Freya Galatea Halley Iris Janus Kale Leda Metis Nereid Oberon Phoebe Rhea Sedna Titan Umbriel Vesta Ymir'.split(' '));
/** A name that no other thing on this page has. */
const name = () => words.pop();
const price = () => `${int(1, 99)}.${int(10, 99)}`;

window.truth = [];
const note = (entry) => (parent === window ? window.truth.push(entry) : parent.postMessage({ truth: entry }, '*'));
addEventListener('message', (event) => event.data?.truth && note(event.data.truth));
/** Record a change where it is made. */
const came = (role, text, more = {}) => note({ mark: '+', role, text: `${text}`, ...more });
const went = (role, text, more = {}) => note({ mark: '-', role, text: `${text}`, ...more });
const changed = (role, text, more = {}) => note({ mark: '~', role, text: `${text}`, ...more });
/** A text that changed. */
const edited = (was, text, more = {}) => changed(more.role ?? '', text, { was: `${was}`, ...more });

const $ = (selector) => document.querySelector(selector);
const all = (selector) => [...document.querySelectorAll(selector)];
const on = (selector, event, done) => $(selector).addEventListener(event, done);
const put = (selector, html) => $(selector).insertAdjacentHTML('beforeend', html);
const late = (ms) => fetch(`/late/${ms}`).then((answer) => answer.text());
const times = (count, make) => Array.from({ length: count }, (_, at) => make(at));
/** The actions to do; the lab looks for role and name in the outline. */
const plan = (...actions) => (window.plan = actions);
const click = (role, name) => ({ type: 'click', on: [role, name] });
