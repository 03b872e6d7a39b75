// A home dashboard as a shell of custom elements around the components of a library: app, main,
// panel, view, section, card, list, row and control each have a shadow root. It loads its
// configuration first and renders section after section. Values change in place every 200 ms to
// 2 s; it has a video, a graph that is redrawn and a spinner.
//
// A library is an object with `name`, `cards` (how many of the configuration are shown) and
// functions that make its components: `button(text, onClick)`, `toggle(label, isOn)`,
// `meter(label, value)` with its `setMeter(meter, value)`, `badge(text)`, `field(label, value)` and
// `dialog(heading, body, close)`, which returns `{ element, open, close }`.
import { h, part } from "./parts.js";

/** How often values change, in milliseconds. */
const PERIODS = [200, 300, 500, 700, 1000, 1300, 1600, 2000];
/** Of so many rows with a value one changes. */
const LIVE = 3;

const ICONS = {
  sensor: "M15 13V5a3 3 0 0 0-6 0v8a5 5 0 1 0 6 0m-3-9a1 1 0 0 1 1 1v3h-2V5a1 1 0 0 1 1-1",
  toggle: "M17 7H7a5 5 0 0 0 0 10h10a5 5 0 0 0 0-10m0 8a3 3 0 1 1 0-6 3 3 0 0 1 0 6",
  action: "M8 5.14v14l11-7-11-7",
  label: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20m1 15h-2v-6h2zm0-8h-2V7h2z",
};

const svg = (path) => {
  const name = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(name, "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  const shape = document.createElementNS(name, "path");
  shape.setAttribute("d", path);
  picture.append(shape);
  return picture;
};

const icon = part(
  "home-icon",
  ":host { width: 24px; height: 24px; flex: none } svg { width: 24px; height: 24px; fill: #57606a }",
  (root, kind) => root.append(svg(ICONS[kind])),
);

const state = part("home-state", ":host { min-width: 60px; text-align: right }", (root, data) => {
  const value = h("span", { class: "value" }, data.text);
  root.append(value);
  // The text node stays, as with Lit.
  data.show = (text) => (value.firstChild.data = text);
});

/** Wraps a component of the library, as dashboards do to give it actions. */
const control = part("home-control", ":host { min-width: 110px }", (root, data) => {
  root.append(h("div", { class: "control" }, data.component));
});

const row = part(
  "home-row",
  ".row { display: flex; gap: 10px; align-items: center; height: 46px } .name { flex: 1; min-width: 0; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }",
  (root, { library, device }) => {
    const value = { text: device.text };
    root.append(
      h(
        "div",
        { class: "row" },
        icon(device.kind),
        h("div", { class: "name", title: device.name }, h("span", {}, device.name)),
        state(value),
        control({ component: component(library, device) }),
      ),
    );
    device.show = (level, text) => {
      value.show(text);
      if (device.meter) library.setMeter(device.meter, level);
    };
  },
);

function component(library, device) {
  switch (device.kind) {
    case "sensor":
      return (device.meter = library.meter(device.name, device.level));
    case "toggle":
      return library.toggle(device.name, device.level > 50);
    case "action":
      return library.button("Run", () => device.show(device.level, "ran"));
    default:
      return library.badge(device.text);
  }
}

const list = part("home-list", ".list { padding: 4px 14px }", (root, { library, devices }) => {
  root.append(
    h("div", { class: "list", role: "list" }, ...devices.map((device) => row({ library, device }))),
  );
});

const camera = part(
  "home-camera",
  "video { display: block; width: 100%; height: 160px; object-fit: cover; background: #000 }",
  (root) => {
    const video = h("video", { src: "clip.webm", autoplay: true, loop: true, playsinline: true });
    video.muted = true;
    // It was recorded with few pictures per second.
    video.playbackRate = 4;
    root.append(video);
    video.play();
  },
);

const graph = part("home-graph", "canvas { display: block; width: 100% }", (root, label) => {
  const canvas = h("canvas", { width: 360, height: 60, role: "img", "aria-label": label });
  root.append(h("div", { class: "graph" }, canvas));
  const pen = canvas.getContext("2d");
  const points = Array.from({ length: 60 }, (_, at) => 30 + 20 * Math.sin(at / 5));
  let turn = 0;
  setInterval(() => {
    points.push(30 + 20 * Math.sin(++turn / 3));
    points.shift();
    pen.clearRect(0, 0, 360, 60);
    pen.beginPath();
    points.forEach((y, x) => pen.lineTo(x * 6, y));
    pen.stroke();
  }, 500);
});

const card = part(
  "home-card",
  ":host { margin-bottom: 14px } .card { background: #fff; border: 1px solid #d8dee4; border-radius: 10px; overflow: hidden } .head { display: flex; align-items: center; gap: 8px; padding: 10px 14px 0 } h3 { flex: 1; margin: 0; font-size: 16px }",
  (root, data) => {
    const head = h("div", { class: "head" }, h("h3", {}, data.title), icon("label"));
    const content = h("div", { class: "card" }, head);
    if (data.camera) content.append(camera(null));
    if (data.graph) content.append(graph(`${data.title}, last hour`));
    content.append(list(data));
    root.append(content);
  },
);

const section = part(
  "home-section",
  "h2 { margin: 4px 0 8px; font-size: 18px }",
  (root, { library, title, cards }) => {
    root.append(
      h("h2", {}, title),
      h("div", { class: "cards" }, ...cards.map((one) => card({ library, ...one }))),
    );
  },
);

const view = part(
  "home-view",
  ".view { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 16px; padding: 16px; align-items: start }",
  (root, data) => root.append((data.element = h("div", { class: "view" }))),
);

const panel = part("home-panel", "", (root, data) => {
  root.append(h("main", { "aria-label": "Overview" }, view(data)));
});

const bar = part(
  "home-bar",
  ":host { position: sticky; top: 0; z-index: 5 } header { display: flex; gap: 12px; align-items: center; height: 56px; padding: 0 16px; background: #fff; border-bottom: 1px solid #d8dee4 } h1 { font-size: 20px; margin: 0 } p { flex: 1; margin: 0 } .spinner { width: 18px; height: 18px; border: 3px solid #d0d7de; border-top-color: #0969da; border-radius: 50%; animation: turn 1s linear infinite } @keyframes turn { to { transform: rotate(360deg) } }",
  (root, { library, open }) => {
    const out = h("p", { role: "status" });
    let clicks = 0;
    root.append(
      h(
        "header",
        {},
        h("h1", {}, "Home"),
        library.button("Count", () => (out.textContent = `clicked ${++clicks}`)),
        library.button("Open settings", open),
        out,
        h("div", { class: "spinner", title: "Connected" }),
      ),
    );
  },
);

const main = part(
  "home-main",
  ".main { display: flex } nav { flex: none; width: 180px; padding: 16px; background: #fff; border-right: 1px solid #d8dee4; min-height: 100vh; box-sizing: border-box } nav a { display: flex; gap: 8px; padding: 8px 0; color: inherit; text-decoration: none } .content { flex: 1; min-width: 0 }",
  (root, data) => {
    const link = (name) => h("a", { href: `#${name}` }, icon("label"), h("span", {}, name));
    const nav = ["Overview", "Map", "Energy", "Logbook", "History", "Media", "To-do lists"];
    root.append(
      h(
        "div",
        { class: "main" },
        h("nav", { "aria-label": "Panels" }, ...nav.map(link)),
        h("div", { class: "content" }, bar(data), panel(data)),
      ),
    );
  },
);

const app = part("home-app", "", (root, data) => {
  const body = h("div", { class: "settings" });
  body.append(
    data.library.field("Name of the home", "Maple Street"),
    data.library.toggle("Quiet hours", true),
    data.library.toggle("Guests may switch lights", false),
  );
  // Libraries name what is made here, so the elements exist before the dialog is opened.
  const dialog = data.library.dialog("Home settings", body, "Done");
  data.open = () => dialog.open();
  root.append(main(data), dialog.element);
});

/** Changes values in place, each at its own steady rhythm. */
function live(devices) {
  let turn = 0;
  const changing = devices.filter((device) => device.kind === "sensor");
  changing.forEach((device, at) => {
    if (at % LIVE) return;
    setInterval(() => {
      const level = Math.round(50 + 40 * Math.sin(++turn / 7 + at));
      device.show(level, `${level / 2} °C`);
    }, PERIODS[(at / LIVE) % PERIODS.length]);
  });
}

/** Shows the dashboard with the components of a library. */
export async function start(library) {
  document.title = `Home, ${library.name}`;
  const data = { library };
  document.body.append(app(data));
  const home = await (await fetch("home.json")).json();
  const all = [];
  for (const room of home.rooms) {
    const cards = home.cards.map((name, at) => {
      const title = `${room} ${name}`;
      const made = { title, devices: devices(title, home.devices, at) };
      made.camera = home.cameras.includes(title);
      made.graph = home.graphs.includes(title);
      return made;
    });
    const shown = cards.slice(0, Math.max(0, library.cards - all.length / home.devices.length));
    if (shown.length === 0) break;
    all.push(...shown.flatMap((one) => one.devices));
    data.element.append(section({ library, title: room, cards: shown }));
    // The next section waits for its turn, as when each is drawn on its own.
    await new Promise((done) => setTimeout(done));
  }
  live(all);
}

/** The devices of a card; kinds and levels follow from their places. */
function devices(title, names, place) {
  const kinds = ["sensor", "toggle", "sensor", "action", "label"];
  return names.map((name, at) => {
    const level = (place * 37 + at * 23) % 100;
    const kind = kinds[at % kinds.length];
    const text = kind === "sensor" ? `${level / 2} °C` : kind === "label" ? "idle" : "ready";
    return { name: `${title} ${name}`, kind, level, text };
  });
}
