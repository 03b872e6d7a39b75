// The autocomplete of jQuery UI 1.12. If its menu opens under the mouse, it repeats the event of
// the item there as soon as the mouse moves.
import $ from "./jquery-global.js";
import "jquery-ui-dist/jquery-ui.js";
import "jquery-ui-dist/jquery-ui.css";
import { choose, ITEMS, OTHERS } from "./items.js";

$("#root").html("<label for=field>Country</label> <input id=field>");
$("#field").autocomplete({
  source: [...ITEMS, ...OTHERS],
  select: (_, ui) => choose(ui.item.value),
});
