// What moves in the report: filters, search, keys, the theme, and which box belongs to which
// change. Without it everything can still be read.
(() => {
  "use strict";
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);
  const cards = all(".card");
  const form = one(".controls");
  const search = one("#search");
  const WORSE = { info: 0, warning: 1, error: 2 };

  // The theme: the system's, until somebody chooses.
  const theme = one("#theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const store = (value) => {
    try {
      if (value === undefined) return localStorage.getItem("pagesight-theme");
      localStorage.setItem("pagesight-theme", value);
    } catch {}
    return null;
  };
  const isDark = () => (document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
  const showTheme = () => {
    theme.textContent = isDark() ? "Light" : "Dark";
    theme.setAttribute("aria-label", isDark() ? "Switch to the light theme" : "Switch to the dark theme");
  };
  const chosen = store();
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  theme.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    store(document.documentElement.dataset.theme);
    showTheme();
  });
  system.addEventListener("change", showTheme);
  theme.hidden = form.hidden = false;
  showTheme();

  // Filters.
  const texts = new Map();
  const textOf = (card) => {
    let text = texts.get(card);
    if (text === undefined) texts.set(card, (text = card.textContent.toLowerCase()));
    return text;
  };
  const value = (id) => document.getElementById(id)?.value ?? "";
  function filter() {
    const verdicts = new Set(all(".chip[aria-pressed=true]").map((chip) => chip.dataset.verdict));
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const [severity, kind, browser, viewport] = ["severity", "kind", "browser", "viewport"].map(value);
    const emulated = value("emulated");
    let shown = 0;
    for (const card of cards) {
      const { verdict, worst } = card.dataset;
      const fits =
        (verdicts.size === 0 || verdicts.has(verdict)) &&
        (!browser || card.dataset.browser === browser) &&
        (!viewport || card.dataset.viewport === viewport) &&
        (!emulated || (card.dataset.emulated || "-") === emulated) &&
        (!severity || (worst && WORSE[worst] >= WORSE[severity])) &&
        (!kind || card.dataset.kinds.split(" ").includes(kind)) &&
        words.every((word) => textOf(card).includes(word));
      card.hidden = !fits;
      if (!fits) continue;
      shown++;
      for (const part of all("[data-severity]", card)) {
        const other = Boolean(kind) && Boolean(part.dataset.kind) && part.dataset.kind !== kind;
        const hidden = other || (Boolean(severity) && WORSE[part.dataset.severity] < WORSE[severity]);
        if (part.hidden !== hidden) part.hidden = hidden;
      }
      for (const section of all(".changes section", card)) section.hidden = !section.querySelector("li:not([hidden])");
    }
    one("#shown").textContent = shown === cards.length ? `${shown} shown` : `${shown} of ${cards.length} shown`;
    one("#none").hidden = shown > 0 || cards.length === 0;
  }
  let later = 0;
  search.addEventListener("input", () => {
    clearTimeout(later);
    later = setTimeout(filter, cards.length > 100 ? 120 : 0);
  });
  form.addEventListener("change", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const chip of all(".chip")) {
    chip.addEventListener("click", () => {
      chip.setAttribute("aria-pressed", String(chip.getAttribute("aria-pressed") !== "true"));
      filter();
    });
  }
  filter();

  // A change and its boxes light up together.
  const about = (target) => target.closest?.("[data-change]");
  function light(target, on) {
    const part = about(target);
    const card = part?.closest(".card");
    if (!card) return;
    const number = part.dataset.change;
    for (const other of all("[data-change]", card)) {
      const same = other.dataset.change === number;
      other.classList.toggle("on", on && same);
      if (other.classList.contains("mark")) other.classList.toggle("dim", on && !same);
    }
    if (on && part.classList.contains("change")) for (const mark of all(`.mark[data-change="${number}"]`, card)) reveal(mark);
  }
  /** Brings a box into sight within its picture, without moving the page. */
  function reveal(mark) {
    const frame = mark.closest(".frame");
    const top = mark.offsetTop - 24;
    const bottom = mark.offsetTop + mark.offsetHeight + 24;
    if (top < frame.scrollTop || bottom > frame.scrollTop + frame.clientHeight) {
      frame.scrollTop = Math.max(0, top - Math.max(0, (frame.clientHeight - mark.offsetHeight) / 2 - 24));
    }
  }
  for (const [event, on] of [["mouseover", true], ["mouseout", false], ["focusin", true], ["focusout", false]]) {
    document.addEventListener(event, ({ target }) => light(target, on));
  }
  document.addEventListener("click", (event) => {
    const mark = event.target.closest?.(".mark");
    if (!mark) return;
    event.preventDefault();
    const row = document.getElementById(mark.getAttribute("href").slice(1));
    const folded = row?.closest("details:not([open])");
    if (folded) folded.open = true;
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "nearest" });
  });
  // A picture is opened large, with its boxes; a click beside it, or Escape, closes it.
  const large = one("#large");
  const sheet = one("#large .sheet");
  document.addEventListener("click", (event) => {
    const image = event.target.closest?.(".canvas img");
    if (!image || large.contains(image)) return;
    const canvas = image.parentElement.cloneNode(true);
    canvas.style.width = `max(${image.getAttribute("width")}px, 100%)`;
    sheet.replaceChildren(canvas);
    large.showModal();
    const ratio = image.clientWidth / Number(image.getAttribute("width"));
    const box = image.getBoundingClientRect();
    // The point that was clicked stays in the middle.
    sheet.scrollTo((event.clientX - box.left) / ratio - sheet.clientWidth / 2, (event.clientY - box.top) / ratio - sheet.clientHeight / 2);
  });
  large.addEventListener("click", (event) => {
    if (event.target === large || event.target.closest(".mark")) large.close();
  });
  large.addEventListener("close", () => sheet.replaceChildren());

  // Times are those of the reader.
  for (const time of all("time")) {
    const date = new Date(time.dateTime);
    if (!Number.isNaN(date.getTime())) time.textContent = date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  }

  // Two pictures of a page are looked at together.
  for (const pair of all(".pictures")) {
    const frames = all(".frame", pair);
    let leading = null;
    for (const frame of frames) {
      for (const sign of ["pointerenter", "wheel", "focusin", "touchstart"]) frame.addEventListener(sign, () => (leading = frame), { passive: true });
      frame.addEventListener("scroll", () => {
        if (frame === leading) for (const other of frames) if (other !== frame) other.scrollTop = frame.scrollTop;
      }, { passive: true });
    }
  }

  // Both pictures in one place: cut by a slider, or one over the other.
  for (const views of all(".views")) {
    const pair = views.closest(".pictures");
    const buttons = all("[data-view]", views);
    const share = views.querySelector(".share");
    const range = share.querySelector("input");
    let stage = null;
    const draw = () => {
      const after = stage?.querySelector(".after");
      if (!after) return;
      const cut = pair.dataset.view === "slider";
      after.style.clipPath = cut ? `inset(0 0 0 ${range.value}%)` : "";
      after.style.opacity = cut ? "" : String(range.value / 100);
      stage.style.setProperty("--cut", `${range.value}%`);
    };
    const make = () => {
      stage = document.createElement("div");
      stage.className = "stage frame";
      stage.tabIndex = 0;
      stage.setAttribute("role", "region");
      stage.setAttribute("aria-label", "Both pictures");
      for (const [at, canvas] of all("figure .canvas", pair).entries()) {
        const copy = canvas.cloneNode(true);
        copy.classList.add(at === 0 ? "before" : "after");
        stage.append(copy);
      }
      pair.append(stage);
    };
    for (const button of buttons) {
      button.addEventListener("click", () => {
        const view = button.dataset.view;
        pair.dataset.view = view;
        for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
        if (!stage && view !== "beside") make();
        if (stage) stage.hidden = view === "beside";
        share.hidden = view === "beside";
        for (const figure of all("figure", pair)) figure.hidden = view !== "beside";
        draw();
      });
    }
    range.addEventListener("input", draw);
    views.hidden = false;
  }

  // Keys.
  const seen = () => cards.filter((card) => !card.hidden);
  function go(step) {
    const open = seen();
    const here = open.findIndex((card) => card.contains(document.activeElement));
    let at = here + step;
    if (here < 0) {
      const below = open.findIndex((card) => card.getBoundingClientRect().bottom > 8);
      at = step > 0 ? Math.max(0, below) : below - 1;
    }
    const card = open[Math.min(Math.max(at, 0), open.length - 1)];
    card?.scrollIntoView({ block: "start" });
    card?.querySelector("summary").focus({ preventScroll: true });
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || large.open) return;
    const typing = event.target.closest?.("input, select, textarea");
    if (event.key === "Escape") {
      if (typing) event.target.blur();
      if (search.value) {
        search.value = "";
        filter();
      }
    } else if (typing) return;
    else if (event.key === "/") {
      event.preventDefault();
      search.focus();
      search.select();
    } else if (event.key === "j" || event.key === "k") {
      event.preventDefault();
      go(event.key === "j" ? 1 : -1);
    }
  });

  // A link into a page that is folded opens it; on paper everything is open.
  function unfold() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const card = target && target.closest(".card");
    if (!card) return;
    card.hidden = false;
    card.querySelector("details").open = true;
    const several = target.closest(".several details");
    if (several) several.open = true;
    target.scrollIntoView({ block: "start" });
  }
  addEventListener("hashchange", unfold);
  unfold();
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = all(".card:not([hidden]) > details:not([open]), .card:not([hidden]) .several > details:not([open])");
    for (const details of folded) details.open = true;
    for (const image of all(".card:not([hidden]) img")) image.loading = "eager";
  });
  addEventListener("afterprint", () => folded.forEach((details) => (details.open = false)));
})();
