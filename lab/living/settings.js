// A small settings page with Shoelace, in a shell of custom elements; two values change in place.
import "@shoelace-style/shoelace/dist/components/button/button.js";
import "@shoelace-style/shoelace/dist/components/dialog/dialog.js";
import "@shoelace-style/shoelace/dist/components/input/input.js";
import "@shoelace-style/shoelace/dist/components/option/option.js";
import "@shoelace-style/shoelace/dist/components/progress-bar/progress-bar.js";
import "@shoelace-style/shoelace/dist/components/select/select.js";
import "@shoelace-style/shoelace/dist/components/switch/switch.js";
import { h, part } from "./parts.js";
import { library } from "./shoelace_parts.js";

const ZONES = ["Amsterdam", "Lima", "Nairobi", "Tokyo"];

const group = part(
  "settings-group",
  "section { max-width: 640px; margin: 16px; padding: 8px 16px 16px; background: #fff; border-radius: 10px } .field { margin: 10px 0 }",
  (root, { title, fields }) => {
    const content = fields.map((field) => h("div", { class: "field" }, field));
    root.append(h("section", {}, h("h2", {}, title), ...content));
  },
);

const select = (label, values) =>
  h("sl-select", { label, value: values[0] }, ...values.map((value) => h("sl-option", { value }, value)));

const app = part("settings-app", "h1 { margin: 16px }", (root, data) => {
  const out = h("p", { role: "status" });
  const dialog = library.dialog("Home settings", h("p", {}, "Quiet hours begin at ten."), "Done");
  let clicks = 0;
  const memory = library.meter("Memory", 40);
  const uptime = h("output", {}, "up for 0 s");
  let seconds = 0;
  setInterval(() => (uptime.firstChild.data = `up for ${++seconds} s`), 1000);
  setInterval(() => library.setMeter(memory, 30 + (Date.now() / 250) % 40), 250);
  const { rooms } = data.home;
  root.append(
    h("main", {},
      h("h1", {}, "Settings"),
      library.button("Count", () => (out.textContent = `clicked ${++clicks}`)),
      library.button("Open settings", () => dialog.open()),
      out,
      group({
        title: "General",
        fields: [
          library.field("Name", "Maple Street"),
          library.field("City", "Utrecht"),
          select("Time zone", ZONES),
          select("Units", ["Metric", "Imperial"]),
        ],
      }),
      group({ title: "Rooms", fields: rooms.map((room) => library.field(`Name of ${room}`, room)) }),
      group({
        title: "Notifications",
        fields: rooms.map((room) => library.toggle(`Alerts in ${room}`, room.length % 2 === 0)),
      }),
      group({ title: "System", fields: [memory, uptime] }),
    ),
    dialog.element,
  );
});

document.title = "Settings";
document.body.append(app({ home: await (await fetch("home.json")).json() }));
