"use strict";
// Filters, sorts and copies. Nothing here makes markup of what it reads, and the page can be read without it.
(() => {
  const FIRST = 200;
  const words = new Intl.Collator(undefined, { numeric: true });
  const element = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };
  const many = (count, one, more) => `${count.toLocaleString("en")} ${count === 1 ? one : more}`;

  // A list is a table whose items are its rows, or its bodies where an item has several rows.
  class List {
    constructor(table) {
      this.table = table;
      this.bodies = table.dataset.unit === "body";
      this.body = table.tBodies[0];
      this.items = this.bodies ? [...table.tBodies] : [...this.body.rows];
      this.shown = this.items;
      this.first = Number(table.dataset.first ?? FIRST);
      this.room = this.first;
      this.tools = document.querySelector(`form.tools[data-for="${table.id}"]`);
      this.further = element("button", { type: "button", className: "further" });
      this.further.addEventListener("click", () => {
        const next = this.shown[this.room];
        this.everything();
        // where the button was, reading goes on
        next.tabIndex = -1;
        next.focus();
      });
      table.after(this.further);
      this.sortable();
      if (this.tools) this.filterable();
      this.show();
    }

    row(item) {
      return this.bodies ? item.rows[0] : item;
    }

    sortable() {
      for (const head of this.table.tHead.rows[0].cells) {
        if (!head.dataset.sort) continue;
        const button = element("button", { type: "button" }, ...head.childNodes);
        head.append(button);
        button.addEventListener("click", () => this.sort(head));
      }
    }

    sort(head) {
      const numbers = head.dataset.sort === "number";
      const before = head.getAttribute("aria-sort");
      const down = before ? before === "ascending" : numbers;
      const key = (item) => {
        // a row may say in one wide cell why it has no figures
        const cell = this.row(item).cells[head.cellIndex];
        if (!numbers) return cell?.textContent ?? "";
        return Number(cell?.dataset.v ?? cell?.textContent.replace(/[^\d.-]/g, "") ?? 0);
      };
      const keyed = this.items.map((item) => [key(item), item]);
      const compare = numbers ? (a, b) => a[0] - b[0] : (a, b) => words.compare(a[0], b[0]);
      keyed.sort(down ? (a, b) => compare(b, a) : compare);
      this.items = keyed.map(([, item]) => item);
      for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      this.filter();
    }

    filterable() {
      const tools = this.tools;
      this.kinds = this.offer("kind");
      const fields = this.offer("field");
      const box = tools.querySelector(".kinds");
      if (this.kinds.length > 1) {
        for (const kind of this.kinds) {
          box.append(element("label", { className: kind }, element("input", { type: "checkbox", name: "kind", value: kind }), kind));
        }
        box.hidden = false;
      }
      if (fields.length > 1) {
        const select = tools.elements.field;
        fields.sort(words.compare);
        select.append(...fields.map((field) => element("option", { value: field }, field)));
        select.parentNode.hidden = false;
      }
      const open = tools.querySelector(".open-all");
      open.hidden = !this.table.querySelector("details");
      open.addEventListener("click", () => this.open(open));
      let wait;
      const changed = () => {
        clearTimeout(wait);
        wait = setTimeout(() => this.filter(), 60);
      };
      tools.addEventListener("input", (event) => {
        if (event.target === tools.elements.field) this.wanted = "";
        changed();
      });
      tools.addEventListener("reset", () => {
        for (const list of lists.values()) if (list.wanted) list.want("");
        changed();
      });
      tools.addEventListener("submit", (event) => event.preventDefault());
      tools.hidden = this.items.length < 2;
    }

    offer(name) {
      return [...new Set(this.items.flatMap((item) => (item.dataset[name] ?? "").split(" ")).filter(Boolean))];
    }

    has(field) {
      return this.items.some((item) => (item.dataset.field ?? "").split(" ").includes(field));
    }

    // Only the rows of a field, also where the tools do not offer it; empty for all.
    want(field) {
      this.wanted = field;
      if (this.tools) {
        const select = this.tools.elements.field;
        select.value = field;
        if (select.value !== field) select.value = "";
        this.tools.hidden = this.items.length < 2 && !field;
      }
      this.filter();
    }

    open(button) {
      const opened = button.dataset.opened !== "yes";
      for (const item of this.shown.slice(0, this.room)) {
        for (const details of item.querySelectorAll("details")) details.open = opened;
      }
      button.dataset.opened = opened ? "yes" : "no";
      button.textContent = opened ? "Close all" : "Open all";
    }

    filter() {
      if (!this.tools) {
        this.shown = this.wanted ? this.items.filter((item) => item.dataset.field?.split(" ").includes(this.wanted)) : this.items;
        this.show();
        return;
      }
      const given = new FormData(this.tools);
      const sought = (given.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
      const kinds = new Set(given.getAll("kind"));
      const field = given.get("field") || this.wanted;
      this.shown = this.items.filter((item) => {
        if (kinds.size && !kinds.has(item.dataset.kind)) return false;
        if (field && !item.dataset.field.split(" ").includes(field)) return false;
        if (!sought.length) return true;
        item.words ??= item.textContent.toLowerCase();
        return sought.every((word) => item.words.includes(word));
      });
      const all = this.shown.length === this.items.length;
      this.tools.querySelector("output").value = all
        ? ""
        : `${this.shown.length.toLocaleString("en")} of ${many(this.items.length, "row", "rows")}`;
      this.room = this.first;
      this.show();
    }

    // Thousands of rows are laid out when somebody asks for them; the others wait outside of the page.
    show() {
      const visible = this.shown.slice(0, this.room);
      if (this.bodies) {
        for (const body of [...this.table.tBodies]) body.remove();
        this.table.append(...visible);
      } else {
        this.body.replaceChildren(...visible);
      }
      const rest = this.shown.length - visible.length;
      this.further.hidden = rest === 0;
      this.further.textContent = `Show ${many(rest, "more row", "more rows")}`;
      this.table.classList.toggle("rest", rest > 0);
    }

    // All rows, also those that wait to be asked for.
    everything() {
      this.room = Infinity;
      this.show();
    }
  }

  const lists = new Map();
  try {
    for (const table of document.querySelectorAll("table.list")) lists.set(table.id, new List(table));
  } finally {
    document.documentElement.classList.remove("begin");
  }

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = element("textarea", { value: text, className: "sr" });
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  };

  // A page that shows this one in a frame does not see its keys. A filter with text in it is emptied first.
  document.addEventListener("keydown", ({ key, target }) => {
    if (key === "Escape" && parent !== window && !(target.type === "search" && target.value)) parent.postMessage("close", "*");
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest(".copy");
    if (button) {
      copy(button.previousElementSibling.textContent).then(() => {
        button.textContent = "copied";
        setTimeout(() => (button.textContent = "copy"), 1500);
      });
    }
    const field = event.target.closest("a[data-field]");
    if (field) {
      const section = document.querySelector(field.getAttribute("href"))?.closest("section");
      const here = [...lists.values()].filter((list) => list.bodies && section?.contains(list.table));
      for (const list of here) {
        const fold = list.table.closest("details");
        list.tools?.reset();
        setTimeout(() => list.want(field.dataset.field));
        if (fold) fold.open = list.has(field.dataset.field);
      }
    }
  });
})();
