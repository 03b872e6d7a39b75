// Shoelace and Vaadin, with their own fields.
import "@shoelace-style/shoelace/dist/components/button/button.js";
import "@shoelace-style/shoelace/dist/components/checkbox/checkbox.js";
import "@shoelace-style/shoelace/dist/components/dialog/dialog.js";
import "@shoelace-style/shoelace/dist/components/input/input.js";
import "@shoelace-style/shoelace/dist/components/option/option.js";
import "@shoelace-style/shoelace/dist/components/select/select.js";
import lightTheme from "@shoelace-style/shoelace/dist/themes/light.css";
import "@vaadin/button";
import "@vaadin/checkbox";
import "@vaadin/dialog";
import "@vaadin/select";
import "@vaadin/text-field";
import { COUNTRIES, library, show } from "./behind.js";

const root = document.querySelector("#root");
if (library === "shoelace") {
  const style = document.createElement("style");
  style.textContent = lightTheme;
  document.head.append(style);
  const options = COUNTRIES.map((name) => `<sl-option value=${name}>${name}</sl-option>`).join("");
  root.innerHTML = `<sl-dialog label="Your profile"><p>Changes are visible to your team.</p>
    <sl-input label="Display name" value=Ann></sl-input><sl-input label=Email value=ann@example.org></sl-input>
    <sl-select label=Country value=Norway>${options}</sl-select><sl-checkbox>Notify me</sl-checkbox>
    <sl-button slot=footer>Cancel</sl-button> <sl-button slot=footer variant=primary>Save profile</sl-button></sl-dialog>`;
  show(() => root.querySelector("sl-dialog").show());
} else {
  const dialog = document.createElement("vaadin-dialog");
  dialog.headerTitle = "Your profile";
  dialog.renderer = (inner) => {
    if (inner.firstChild) return;
    inner.innerHTML = `<p>Changes are visible to your team.</p>
      <vaadin-text-field label="Display name" value=Ann></vaadin-text-field><vaadin-text-field label=Email value=ann@example.org></vaadin-text-field>
      <vaadin-select label=Country></vaadin-select><vaadin-checkbox label="Notify me"></vaadin-checkbox>`;
    const select = inner.querySelector("vaadin-select");
    select.items = COUNTRIES.map((name) => ({ label: name, value: name }));
    select.value = "Norway";
  };
  dialog.footerRenderer = (inner) => {
    inner.firstChild || (inner.innerHTML = "<vaadin-button>Cancel</vaadin-button><vaadin-button>Save profile</vaadin-button>");
  };
  root.append(dialog);
  show(() => (dialog.opened = true));
}
