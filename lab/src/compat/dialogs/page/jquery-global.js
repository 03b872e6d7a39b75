// jQuery UI looks for jQuery among the globals.
import $ from "jquery";

window.jQuery = window.$ = $;
export default $;
