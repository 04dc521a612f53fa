// Sorting, filtering, unfolding. Everything that is read is in the page without this script, too;
// of many nodes only the tables of one.
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const settings = JSON.parse(byId("settings").textContent);
  const form = byId("filter");
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, key) => values[key]);
  const button = (clicked) => {
    const made = document.createElement("button");
    made.type = "button";
    made.addEventListener("click", clicked);
    return made;
  };

  // One table: its rows in the order of the ladder, of which those that match are shown.
  class Grid {
    constructor(table) {
      this.body = table.tBodies[0];
      this.rows = [...this.body.rows];
      this.column = null;
      this.direction = "none";
      this.most = settings.most;
      this.shown = 0;
      this.section = table.closest(".variants, section");
      this.more = button(() => {
        this.most += settings.step;
        this.show();
        report();
      });
      this.more.className = "more";
      table.parentElement.after(this.more);
      this.headings = [...table.tHead.rows[0].cells];
      this.headings.forEach((heading, column) => this.makeSortable(heading, column));
    }

    makeSortable(heading, column) {
      const sorting = button(() => {
        const next = { none: "ascending", ascending: "descending", descending: "none" };
        this.direction = this.column === column ? next[this.direction] : "ascending";
        this.column = column;
        this.headings.forEach((other) => other.setAttribute("aria-sort", "none"));
        heading.setAttribute("aria-sort", this.direction);
        this.show();
      });
      sorting.append(...heading.childNodes);
      heading.append(sorting);
      heading.setAttribute("aria-sort", "none");
    }

    // What a row is sorted by: a number, a text, or null, which always comes last.
    key(row) {
      const cell = row.cells[this.column];
      if (!cell || (cell.colSpan > 1 && this.column > 0)) return null;
      if (this.headings[this.column].dataset.numeric === undefined) {
        return (cell.firstChild ? cell.firstChild.textContent : "").trim();
      }
      return cell.dataset.value === undefined ? null : Number(cell.dataset.value);
    }

    sorted(rows) {
      if (this.direction === "none") return rows;
      const sign = this.direction === "ascending" ? 1 : -1;
      const compare = ([a], [b]) => {
        if (a === null || b === null) return (a === null) - (b === null);
        return sign * (typeof a === "number" ? a - b : collator.compare(a, b));
      };
      return rows.map((row) => [this.key(row), row]).sort(compare).map(([, row]) => row);
    }

    filter(state) {
      const words = state.variant.toLowerCase().split(/\s+/).filter(Boolean);
      const about = this.section.dataset;
      this.matching = this.rows.filter((row) => {
        const facts = row.dataset;
        for (const key of ["workload", "dtype", "size", "node", "verdict"]) {
          const value = facts[key] ?? about[key];
          if (state[key] && value !== undefined && value !== state[key]) return false;
        }
        const name = facts.variant?.toLowerCase();
        return name === undefined || words.every((word) => name.includes(word));
      });
      this.most = settings.most;
      this.show();
    }

    show() {
      const matching = this.sorted(this.matching ?? this.rows);
      const rows = matching.slice(0, this.most);
      this.shown = rows.length;
      this.body.replaceChildren(...rows);
      const left = matching.length - rows.length;
      this.more.hidden = left <= 0;
      this.more.textContent = fill(settings.words.more, { count: Math.min(left, settings.step) });
    }
  }

  const collator = new Intl.Collator(document.documentElement.lang, { numeric: true });
  const comparison = byId("comparison") ? new Grid(byId("comparison")) : null;
  const gridsOf = (part) => [...part.querySelectorAll(".variants table")].map((one) => new Grid(one));
  let grids = gridsOf(byId("runs"));
  let opened = settings.opened;
  let latest = 0;

  // A part of the page that came compressed.
  async function unpacked(kind, name) {
    const packed = [...document.querySelectorAll("script[data-packed]")].find(
      (one) => one.dataset.packed === kind && one.dataset.name === name);
    if (!packed) return null;
    const bytes = Uint8Array.from(atob(packed.textContent), (one) => one.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    const template = document.createElement("template");
    template.innerHTML = await new Response(stream).text();
    return template.content;
  }

  async function open(node) {
    const part = await unpacked("node", node);
    if (!part || node !== wantedNode(state())) return;
    byId("runs").replaceChildren(part);
    grids = gridsOf(byId("runs"));
    opened = node;
  }

  const state = () => Object.fromEntries(new FormData(form));
  const wantedNode = (now) => now.node || settings.opened;

  function report() {
    const all = [...grids, ...(comparison ? [comparison] : [])];
    const sum = (f) => all.reduce((total, grid) => total + f(grid), 0);
    const shown = sum((grid) => grid.shown);
    byId("status").textContent = shown === 0
      ? settings.words.nothing
      : fill(settings.words.shown, { shown, all: sum((grid) => grid.rows.length) });
  }

  async function apply() {
    const now = state();
    const turn = ++latest;
    if (settings.opened !== null && wantedNode(now) !== opened) {
      try {
        await open(wantedNode(now));
      } catch {
        byId("status").textContent = settings.words.no_inflate;
        return;
      }
      if (turn !== latest) return;
    }
    const chosen = now.workload || now.dtype || now.size || now.variant;
    for (const grid of grids) {
      grid.filter(now);
      grid.section.hidden = grid.shown === 0;
      if (chosen) grid.section.open = true;
    }
    for (const run of document.querySelectorAll("#runs > .run")) {
      const tables = [...run.querySelectorAll(".variants")];
      run.hidden = tables.length > 0 && tables.every((one) => one.hidden);
    }
    comparison?.filter(now);
    report();
  }

  // The filter is in the address, so that a view can be passed on.
  function remember() {
    const set = Object.entries(state()).filter(([, value]) => value !== "");
    const fragment = new URLSearchParams(set).toString();
    history.replaceState(null, "", fragment ? `#${fragment}` : location.pathname + location.search);
  }

  // A link leads to a table that is folded, or to a view.
  function recall() {
    const fragment = location.hash.slice(1);
    const table = byId(fragment);
    if (table?.matches(".variants")) table.open = true;
    if (!fragment.includes("=")) return false;
    const wanted = new URLSearchParams(fragment);
    for (const name of Object.keys(state())) {
      const field = form.elements.namedItem(name);
      field.value = wanted.get(name) ?? "";
      if (field.value !== (wanted.get(name) ?? "")) field.value = "";
    }
    return true;
  }

  const changed = () => {
    remember();
    apply();
  };
  form.addEventListener("input", (event) => {
    if (event.target.id !== "ideas") changed();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => {
    document.body.classList.remove("no-ideas");
    changed();
  }));
  byId("ideas").addEventListener("change", (event) => {
    document.body.classList.toggle("no-ideas", !event.target.checked);
  });
  addEventListener("hashchange", async () => {
    if (!recall()) return;
    await apply();
    byId("tables").scrollIntoView();
    byId("tables").focus({ preventScroll: true });
  });

  const theme = byId("theme");
  const preferred = matchMedia("(prefers-color-scheme: dark)");
  const page = document.documentElement.dataset;
  const dark = () => (page.theme ? page.theme === "dark" : preferred.matches);
  const showTheme = () => theme.setAttribute("aria-pressed", String(dark()));
  theme.addEventListener("click", () => {
    page.theme = dark() ? "light" : "dark";
    showTheme();
  });
  preferred.addEventListener("change", showTheme);
  showTheme();

  // For browsers whose style sheets cannot open what is folded.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details.prints:not([open])")];
    closed.forEach((one) => { one.open = true; });
  });
  addEventListener("afterprint", () => closed.forEach((one) => { one.open = false; }));

  async function start() {
    if (comparison) {
      try {
        const rest = await unpacked("rows", "");
        if (rest) comparison.rows.push(...rest.querySelectorAll("tr"));
      } catch {
        byId("status").textContent = settings.words.no_inflate;
      }
    }
    recall();
    await apply();
    theme.hidden = form.hidden = false;
    page.ready = "";
  }
  start();
})();
