// The home dashboard with UI5 Web Components.
import "@ui5/webcomponents/dist/Button.js";
import "@ui5/webcomponents/dist/Dialog.js";
import "@ui5/webcomponents/dist/Input.js";
import "@ui5/webcomponents/dist/Label.js";
import "@ui5/webcomponents/dist/ProgressIndicator.js";
import "@ui5/webcomponents/dist/Switch.js";
import "@ui5/webcomponents/dist/Tag.js";
import { start } from "./dashboard.js";
import { h } from "./parts.js";

start({
  name: "UI5",
  cards: 27,
  button: (text, onClick) => h("ui5-button", { click: onClick }, text),
  toggle: (label, isOn) => h("ui5-switch", { checked: isOn, "accessible-name": label }),
  meter: (label, value) => h("ui5-progress-indicator", { value, "accessible-name": label }),
  setMeter: (meter, value) => (meter.value = value),
  badge: (text) => h("ui5-tag", { "color-scheme": "6" }, text),
  field: (label, value) => h("ui5-input", { value, "accessible-name": label }),
  dialog(heading, body, close) {
    const element = h("ui5-dialog", { "header-text": heading }, body);
    const button = h("ui5-button", { slot: "footer", click: () => (element.open = false) }, close);
    element.append(button);
    return { element, open: () => (element.open = true) };
  },
});
