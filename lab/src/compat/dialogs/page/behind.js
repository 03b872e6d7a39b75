// The page behind the dialogs: 300 controls, and the button that opens the dialog.
export const library = new URLSearchParams(location.search).get("library");
export const COUNTRIES = ["Austria", "Norway", "Portugal"];

export function show(open) {
  let html = "<header><h1>Accounts</h1><button id=opener>Edit profile</button></header><main>";
  for (let row = 1; row <= 100; row++) {
    if (row % 10 === 1) html += `<h2>Group ${Math.ceil(row / 10)}</h2>`;
    html += `<div class=row><span>Account ${row}</span><input aria-label="Limit ${row}" value=${row}><label><input type=checkbox> Active ${row}</label><button>Remove ${row}</button></div>`;
  }
  document.querySelector("#app").innerHTML = `${html}</main>`;
  document.querySelector("#opener").onclick = open;
}

// The contents, for libraries without fields of their own.
export const FIELDS = `<p>Changes are visible to your team.</p>
  <p><label>Display name <input value=Ann></label></p>
  <p><label>Email <input type=email value=ann@example.org></label></p>
  <p><label>Country <select>${COUNTRIES.map((name) => `<option>${name}</option>`).join("")}</select></label></p>
  <p><label><input type=checkbox> Notify me</label></p>`;
