// Makes elements and defines custom elements with a shadow root, for the pages of `cargo lab
// living`.

/** Makes an element. Attributes that are functions are listeners; `true` is an empty attribute. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/**
 * Defines a custom element. `render` fills its open shadow root when it is first connected, from
 * what was passed to the returned function, which makes such elements.
 */
export function part(tag, css, render) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`:host { display: block } ${css}`);
  class Part extends HTMLElement {
    connectedCallback() {
      if (this.shadowRoot) return;
      const root = this.attachShadow({ mode: "open" });
      root.adoptedStyleSheets = [sheet];
      render(root, this.data, this);
    }
  }
  customElements.define(tag, Part);
  return (data) => Object.assign(document.createElement(tag), { data });
}

/** Adds the text of a style sheet to the document. */
export function style(text) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
