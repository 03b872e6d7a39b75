// The items of every menu. All of them contain the text that is typed into fields, so that a menu
// has several items to choose from.
export const ITEMS = [
  "Solomon Islands",
  "Somalia",
  "South Africa",
  "South Georgia",
  "South Korea",
  "South Sudan",
];
export const OTHERS = ["Norway", "Sweden", "Denmark"];
export const kind = new URLSearchParams(location.search).get("kind");
export const choose = (item) => window.chosen.push(item);
