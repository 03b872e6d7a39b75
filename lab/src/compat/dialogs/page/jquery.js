// jQuery UI's modal dialog.
import $ from "./jquery-global.js";
import "jquery-ui/dist/jquery-ui.js";
import "jquery-ui/dist/themes/base/jquery-ui.css";
import { FIELDS, show } from "./behind.js";

const close = function () {
  $(this).dialog("close");
};
const dialog = $(`<div title="Your profile">${FIELDS}</div>`).dialog({
  autoOpen: false,
  modal: true,
  width: 450,
  buttons: { Cancel: close, "Save profile": close },
});
show(() => dialog.dialog("open"));
const style = document.createElement("link");
style.rel = "stylesheet";
style.href = "jquery-bundle.css";
document.head.append(style);
