// Items and rows that react as a whole although something in them is usable, too.
import { checkAll } from "./check.mjs";

const MINOR = "<input type=checkbox aria-label=pick><button aria-label=star></button>";

checkAll(`
a row that is clicked, with a check box and icons in it | <div style="cursor:pointer"><span>Ann: lunch</span>${MINOR}</div> | [] clickable: Ann: lunch pick star | [] checkbox: pick | [] button: star
a row that has a link to the same place | <div style="cursor:pointer"><a href=/1>Ann: lunch</a>${MINOR}</div> | [] link: Ann: lunch | ! clickable
a row that has a button with words | <div style="cursor:pointer">Ann: lunch <button>Open</button></div> | [] button: Open | ! clickable
a container of many controls | <div style="cursor:pointer">All ${MINOR.repeat(5)}</div> | ! clickable
items that can be dragged | <div draggable=true>One</div><div draggable=false>Two</div> | [] clickable: One | ! clickable: Two
items that can be dragged, with controls in them | <div draggable=true>Card <a href=/1>Open</a></div> | [] clickable: Card Open | [] link: Open
a sortable list | <ul class=ui-sortable><li class="ui-sortable-handle">One</li></ul><div class="cdk-drag x">Two</div><div data-rbd-draggable-id=3>Three</div><div aria-roledescription=sortable>Four</div> | [] listitem: One | [] clickable: Two | [] clickable: Three | [] clickable: Four
`);
