// What the dashboard and the settings page use of Shoelace.
import theme from "@shoelace-style/shoelace/dist/themes/light.css";
import { h, style } from "./parts.js";

style(theme);

export const library = {
  name: "Shoelace",
  cards: 31,
  button: (text, onClick) => h("sl-button", { size: "small", click: onClick }, text),
  toggle: (label, isOn) => h("sl-switch", { size: "small", checked: isOn, "aria-label": label }, h("span", {}, "On")),
  meter: (label, value) => h("sl-progress-bar", { label, value }),
  setMeter: (meter, value) => (meter.value = value),
  badge: (text) => h("sl-badge", { pill: true }, text),
  field: (label, value) => h("sl-input", { label, value }),
  dialog(heading, body, close) {
    const element = h("sl-dialog", { label: heading }, body);
    element.append(
      h("sl-button", { slot: "footer", variant: "primary", click: () => element.hide() }, close),
    );
    return { element, open: () => element.show() };
  },
};
