// The home dashboard with Vaadin's components.
import "@vaadin/button";
import "@vaadin/checkbox";
import "@vaadin/dialog";
import "@vaadin/progress-bar";
import "@vaadin/text-field";
import { start } from "./dashboard.js";
import { h } from "./parts.js";

start({
  name: "Vaadin",
  cards: 30,
  button: (text, onClick) => h("vaadin-button", { click: onClick }, text),
  toggle: (label, isOn) => h("vaadin-checkbox", { label: "On", checked: isOn, "aria-label": label }),
  meter: (label, value) => h("vaadin-progress-bar", { "aria-label": label, value: value / 100 }),
  setMeter: (meter, value) => (meter.value = value / 100),
  badge: (text) => h("span", { theme: "badge" }, text),
  field: (label, value) => h("vaadin-text-field", { label, value }),
  dialog(heading, body, close) {
    const element = h("vaadin-dialog", { "header-title": heading });
    const button = h("vaadin-button", { click: () => (element.opened = false) }, close);
    element.renderer = (root) => root.firstChild || root.append(body);
    element.footerRenderer = (root) => root.firstChild || root.append(button);
    return { element, open: () => (element.opened = true) };
  },
});
