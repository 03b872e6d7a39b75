// jQuery UI's autocomplete, selectmenu and menu, and Select2.
import $ from "./jquery-global.js";
import "jquery-ui/dist/jquery-ui.js";
import "jquery-ui/dist/themes/base/jquery-ui.css";
import select2 from "select2/dist/js/select2.full.js";
import "select2/dist/css/select2.css";
import { choose, ITEMS, kind, OTHERS } from "./items.js";

const options = [...ITEMS, ...OTHERS].map((item) => `<option>${item}</option>`).join("");
const root = $("#root");
if (kind === "jquery-autocomplete") {
  root.html("<label for=field>Country</label> <input id=field>");
  $("#field").autocomplete({
    source: [...ITEMS, ...OTHERS],
    select: (_, ui) => choose(ui.item.value),
  });
} else if (kind === "jquery-selectmenu") {
  root.html(`<label for=field>Country</label> <select id=field><option>Choose</option>${options}</select>`);
  $("#field").selectmenu({ change: (_, ui) => choose(ui.item.value) });
} else if (kind === "jquery-menu") {
  const items = ITEMS.map((item) => `<li><div>${item}</div></li>`).join("");
  root.html(`<button id=field>Country</button><ul id=menu style="width:200px;display:none">${items}</ul>`);
  $("#menu").menu({ select: (_, ui) => choose(ui.item.text()) });
  $("#field").on("click", () => $("#menu").toggle());
} else {
  if (typeof select2 === "function") select2(window, $);
  root.html(`<label for=field>Country</label> <select id=field><option></option>${options}</select>`);
  $("#field").select2({ placeholder: "Country" });
  $("#field").on("select2:select", (event) => choose(event.params.data.text));
}
