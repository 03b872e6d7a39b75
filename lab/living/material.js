// The home dashboard with Material Web (Lit).
import "@material/web/button/filled-tonal-button.js";
import "@material/web/button/text-button.js";
import "@material/web/chips/assist-chip.js";
import "@material/web/dialog/dialog.js";
import "@material/web/progress/linear-progress.js";
import "@material/web/switch/switch.js";
import "@material/web/textfield/outlined-text-field.js";
import { start } from "./dashboard.js";
import { h } from "./parts.js";

start({
  name: "Material Web",
  cards: 24,
  button: (text, onClick) => h("md-filled-tonal-button", { click: onClick }, text),
  toggle: (label, isOn) =>
    h("label", {}, h("md-switch", { selected: isOn, "aria-label": label }), h("span", {}, " On")),
  meter: (label, value) => h("md-linear-progress", { "aria-label": label, value: value / 100 }),
  setMeter: (meter, value) => (meter.value = value / 100),
  badge: (text) => h("md-assist-chip", { label: text }),
  field: (label, value) => h("md-outlined-text-field", { label, value }),
  dialog(heading, body, close) {
    body.slot = "content";
    const element = h("md-dialog", {}, h("div", { slot: "headline" }, heading), body);
    const button = h("md-text-button", { click: () => element.close() }, close);
    element.append(h("div", { slot: "actions" }, button));
    return { element, open: () => element.show() };
  },
});
