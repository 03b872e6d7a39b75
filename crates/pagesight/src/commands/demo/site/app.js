// The behaviour of the demo page, and the faults it can be asked to show, so that pagesight has
// something to catch.
//
// ?fault=missing-save   the edit dialog has lost its Save button
// ?fault=covered        a cookie banner lies over the Add task button until it is answered
// ?fault=error          /api/summary answers 500 and an error banner appears
// ?fault=empty          the list of tasks comes back empty
// ?fault=hidden-search  a style rule hides the search box
// ?fault=slow           the data arrives after 1.5 s; a spinner turns until then
// (none)                everything works

const fault = new URLSearchParams(location.search).get("fault") ?? "";
document.documentElement.dataset.fault = fault;

const find = (id) => document.getElementById(id);
const body = find("tasks").tBodies[0];
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

// A task keeps its row for as long as it lives, as a framework with keyed lists would do it.
const rows = new WeakMap();
let tasks = [];
let editing = null;

// Faults of the data are the server's to make, so that the network shows them too.
async function load(path) {
  const answer = await fetch(fault ? `${path}?fault=${encodeURIComponent(fault)}` : path);
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return answer.json();
}

function matches(task) {
  const words = find("search").value.trim().toLowerCase();
  return `${task.title} ${task.assignee} ${task.status}`.toLowerCase().includes(words);
}

function row(task) {
  let line = rows.get(task);
  if (!line) {
    line = find("row").content.firstElementChild.cloneNode(true);
    line.querySelector(".edit").addEventListener("click", () => openEdit(task));
    line.querySelector(".delete").addEventListener("click", () => remove(task));
    rows.set(task, line);
    fill(line, task);
  }
  return line;
}

function fill(line, task) {
  const set = (selector, text) => (line.querySelector(selector).textContent = text);
  set(".task", task.title);
  line.querySelector(".mark").hidden = task.priority !== "High";
  set(".name", task.assignee);
  set(".face", task.assignee.split(" ").map((word) => word[0]).join(""));
  line.querySelector(".face").dataset.who = task.assignee[0];
  set(".chip", task.status);
  line.querySelector(".chip").dataset.status = task.status;
  set(".due", task.due ? day.format(new Date(`${task.due}T00:00:00Z`)) : "No date");
}

function show() {
  const shown = tasks.filter(matches);
  body.replaceChildren(...shown.map(row));
  find("tasks").hidden = false;
  find("empty").hidden = shown.length > 0;
  const plural = tasks.length === 1 ? "task" : "tasks";
  find("status").textContent =
    shown.length === tasks.length ? `${tasks.length} ${plural}` : `${shown.length} of ${tasks.length} ${plural}`;
}

function complain(place, message, field) {
  place.textContent = message;
  place.hidden = !message;
  if (field) {
    field.setAttribute("aria-invalid", "true");
    field.focus();
  }
}

function remove(task) {
  if (!confirm(`Delete “${task.title}”?`)) return;
  tasks = tasks.filter((other) => other !== task);
  show();
}

function openEdit(task) {
  editing = task;
  complain(find("edit-error"), "");
  find("edit-name").removeAttribute("aria-invalid");
  find("edit-name").value = task.title;
  find("edit").showModal();
  find("edit-name").select();
}

find("edit-cancel").addEventListener("click", () => find("edit").close());

find("edit-form").addEventListener("submit", (event) => {
  const title = find("edit-name").value.trim();
  if (!title) {
    event.preventDefault();
    complain(find("edit-error"), "Enter a title.", find("edit-name"));
    return;
  }
  editing.title = title;
  fill(row(editing), editing);
  show();
});

find("new-task").addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target;
  for (const field of [form.elements.title, form.elements.assignee]) field.removeAttribute("aria-invalid");
  const { title, assignee, due, priority } = Object.fromEntries(new FormData(form));
  if (!title.trim()) return complain(find("form-error"), "Enter a title for the task.", form.elements.title);
  if (!assignee) return complain(find("form-error"), "Choose who does it.", form.elements.assignee);
  complain(find("form-error"), "");
  tasks.unshift({ title: title.trim(), assignee, due, priority, status: "To do" });
  form.reset();
  form.elements.title.focus();
  show();
});

find("search").addEventListener("input", show);
find("search-form").addEventListener("submit", (event) => event.preventDefault());
find("compact").addEventListener("change", (event) => document.body.classList.toggle("compact", event.target.checked));

addEventListener("hashchange", () => {
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === (location.hash || "#board")) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
});

if (fault === "missing-save") find("edit-save").remove();
if (fault === "covered") {
  const cookies = find("cookies").content.firstElementChild.cloneNode(true);
  for (const button of cookies.querySelectorAll("button")) button.addEventListener("click", () => cookies.remove());
  document.body.append(cookies);
}

load("/api/tasks")
  .then((answer) => {
    tasks = answer;
    show();
  })
  .catch((error) => {
    find("status").textContent = "Tasks could not be loaded";
    console.error(error);
  })
  .finally(() => {
    find("spinner").hidden = true;
    find("tasks-section").setAttribute("aria-busy", "false");
  });

load("/api/summary")
  .then((summary) => {
    for (const place of document.querySelectorAll("[data-figure]")) place.textContent = summary[place.dataset.figure];
  })
  .catch((error) => {
    complain(find("error-banner"), "The report could not be loaded. Reload the page to try again.");
    console.error(error);
  });
