// The browser's own modal dialog.
import { FIELDS, show } from "./behind.js";

document.querySelector("#root").innerHTML = `<dialog aria-labelledby=title><h2 id=title>Your profile</h2>${FIELDS}
  <form method=dialog><button>Cancel</button> <button>Save profile</button></form></dialog>`;
show(() => document.querySelector("dialog").showModal());
