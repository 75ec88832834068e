// Opens the pages that transfeed writes in Chromium and looks at what happens: nothing is asked for, nothing runs that is
// not the page's own, filters and sorts do what they say, and the page can be read without them. Of some pages it is known what
// they have to tell first, what is folded and red, and that a print takes at most four sheets.
//
//   node check.js [--shots DIR] [PAGE.html …]
//
// Without pages it takes those that `cargo test --test pages` left in the target folder. It is skipped, and says so,
// where no browser is installed.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const root = resolve(import.meta.dirname, "../..");
const target = resolve(root, process.env.CARGO_TARGET_DIR ?? "target");

function browserPath() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
    try {
      return execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
    } catch {
      // the next one
    }
  }
  return undefined;
}

function pagesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".html"))
    .map((name) => join(folder, name))
    .sort();
}

const executablePath = browserPath();
if (!executablePath) {
  console.log("skipped: no browser is installed (chromium, chromium-browser or google-chrome, or CHROMIUM=/path/to/one)");
  process.exit(0);
}
let puppeteer;
try {
  ({ default: puppeteer } = await import("puppeteer-core"));
} catch {
  console.log("skipped: npm ci has not been run in tests/browser");
  process.exit(0);
}

const args = process.argv.slice(2);
const shotsAt = args.indexOf("--shots");
const shots = shotsAt < 0 ? undefined : resolve(args.splice(shotsAt, 2)[1]);
const folder = join(target, "tmp/pages");
const files = args.length ? args.map((name) => resolve(name)) : pagesIn(folder);
if (!files.length) {
  console.error(`no pages in ${folder}; cargo test --test pages makes them`);
  process.exit(1);
}

const problems = [];
let current = "";
const wrong = (says) => problems.push(`${current}: ${says}`);
const check = (fine, says) => fine || wrong(says);

// Everything a page could do that it must not do.
function watch(page, url) {
  page.on("request", (request) => request.url() === url || wrong(`asks for ${request.url()}`));
  page.on("console", (message) => {
    if (["error", "warn", "assert"].includes(message.type())) wrong(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrong(`script: ${error.message}`));
  page.on("dialog", (dialog) => {
    wrong(`dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
  page.on("popup", () => wrong("opens a window"));
  page.on("framenavigated", (frame) => frame.url() === url || frame.url().startsWith(`${url}#`) || wrong(`goes to ${frame.url()}`));
}

// What stands in the page, as the browser understood it.
function anatomy() {
  const all = [...document.querySelectorAll("*")];
  const links = [...document.querySelectorAll("a[href]")];
  return {
    foreign: all.filter((one) => /^(img|iframe|object|embed|link|base|video|audio|source|frame|applet|math)$/i.test(one.localName)).map((one) => one.localName),
    handlers: all.flatMap((one) => [...one.attributes].filter(({ name }) => /^on|^style$|^src|^srcset$|^action$|^formaction$/.test(name)).map(({ name }) => name)),
    scripts: document.scripts.length,
    links: links.filter((one) => !["http:", "https:", "file:"].includes(one.protocol)).map((one) => one.href),
    traceable: links.filter((one) => one.protocol.startsWith("http") && !(one.relList.contains("noreferrer") && one.relList.contains("noopener"))).length,
    unseen: (document.documentElement.textContent.match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g) ?? []).length,
    captions: [...document.querySelectorAll("table.list")].filter((table) => !table.caption && !table.closest(".card")).length,
    scopes: [...document.querySelectorAll("th:not([scope])")].length,
    names: [...document.querySelectorAll("button,input,select")].filter((one) => !(one.ariaLabel || one.textContent.trim() || one.labels?.length)).length,
    headings: document.querySelectorAll("h1").length,
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  };
}

// Sorts by every column both ways, seeks, filters and resets; says what did not come out as it should.
async function exercise() {
  const says = [];
  const frame = () => new Promise((done) => setTimeout(done, 90));
  const times = {};
  for (const table of document.querySelectorAll("table.list")) {
    const items = () => (table.dataset.unit === "body" ? [...table.tBodies] : [...table.tBodies[0].rows]);
    const seen = items;
    const first = (item) => (table.dataset.unit === "body" ? item.rows[0] : item);
    const further = table.nextElementSibling;
    const everything = () => {
      if (further.classList.contains("further") && !further.hidden) further.click();
    };
    everything();
    const all = items().length;
    const kinds = items().map((item) => item.dataset.kind);
    for (const head of table.tHead.rows[0].cells) {
      if (!head.dataset.sort || all < 2) continue;
      const cell = (item) => first(item).cells[head.cellIndex];
      const number = (item) => Number(cell(item)?.dataset.v ?? cell(item)?.textContent.replace(/[^\d.-]/g, "") ?? 0);
      const text = (item) => cell(item)?.textContent ?? "";
      const words = new Intl.Collator(undefined, { numeric: true });
      for (const _ of [1, 2]) {
        const begun = performance.now();
        head.querySelector("button").click();
        table.getBoundingClientRect();
        times.sort = Math.max(times.sort ?? 0, performance.now() - begun);
        everything();
        const down = head.ariaSort === "descending";
        if (!head.ariaSort) says.push(`${table.id}: ${head.textContent} is sorted and does not say so`);
        if (table.tHead.querySelectorAll("[aria-sort]").length !== 1) says.push(`${table.id}: sorted by several columns`);
        const rows = items();
        for (let at = 1; at < rows.length; at++) {
          const order = head.dataset.sort === "number" ? number(rows[at - 1]) - number(rows[at]) : words.compare(text(rows[at - 1]), text(rows[at]));
          if (down ? order < 0 : order > 0) {
            says.push(`${table.id}: not sorted by ${head.textContent}, ${down ? "down" : "up"}`);
            break;
          }
        }
      }
    }
    if (items().length !== all) says.push(`${table.id}: sorting lost rows`);
    const tools = document.querySelector(`form.tools[data-for="${table.id}"]`);
    if (!tools || tools.hidden) continue;
    const last = items().at(-1);
    const word = (first(last).querySelector("th") ?? last).textContent.trim().split(/\s+/)[0];
    tools.elements.q.value = word;
    let begun = performance.now();
    tools.dispatchEvent(new InputEvent("input", { bubbles: true }));
    await frame();
    times.seek = Math.max(times.seek ?? 0, performance.now() - begun - 90);
    if (!seen().length || !seen().every((item) => item.textContent.toLowerCase().includes(word.toLowerCase()))) says.push(`${table.id}: search for ${word}`);
    tools.elements.q.value = "no such thing anywhere";
    tools.dispatchEvent(new InputEvent("input", { bubbles: true }));
    await frame();
    if (seen().length) says.push(`${table.id}: finds what is not there`);
    tools.reset();
    await frame();
    for (const box of tools.querySelectorAll("input[type=checkbox]")) {
      box.click();
      await frame();
      const there = kinds.filter((kind) => kind === box.value).length;
      everything();
      if (seen().length !== there || !seen().every((item) => item.dataset.kind === box.value)) says.push(`${table.id}: kind ${box.value}`);
      const output = tools.querySelector("output").value;
      if (there !== all && !output.startsWith(there.toLocaleString("en"))) says.push(`${table.id}: says ${output} for ${there}`);
      box.click();
      await frame();
    }
    const field = [...(tools.elements.field.options ?? [])].at(-1)?.value;
    if (field) {
      tools.elements.field.value = field;
      tools.dispatchEvent(new InputEvent("input", { bubbles: true }));
      await frame();
      if (!seen().length || !seen().every((item) => item.dataset.field.split(" ").includes(field))) says.push(`${table.id}: field ${field}`);
      tools.reset();
      await frame();
    }
    everything();
    if (seen().length !== all) says.push(`${table.id}: ${seen().length} of ${all} rows after a reset`);
    const open = tools.querySelector(".open-all");
    if (!open.hidden && all < 500) {
      open.click();
      if (table.querySelector("details:not([open])")) says.push(`${table.id}: not all are open`);
      open.click();
    }
  }
  return { says, times };
}

async function look(browser, file) {
  const url = pathToFileURL(file).href;
  const page = await browser.newPage();
  watch(page, url);
  await page.setViewport({ width: 1280, height: 900 });
  const begun = performance.now();
  await page.goto(url);
  const loaded = performance.now() - begun;
  const found = await page.evaluate(anatomy);
  check(!found.foreign.length, `elements that fetch: ${found.foreign}`);
  check(!found.handlers.length, `attributes that run or fetch: ${found.handlers}`);
  check(found.scripts === 2, `${found.scripts} scripts`);
  check(!found.links.length, `links to ${found.links}`);
  check(!found.traceable, `${found.traceable} links that tell where they stand`);
  check(!found.unseen, `${found.unseen} characters that nobody sees`);
  check(!found.captions, `${found.captions} tables without a caption`);
  check(!found.scopes, `${found.scopes} heads of nothing`);
  check(!found.names, `${found.names} controls without a name`);
  check(found.headings === 1, `${found.headings} headings of the page`);
  check(found.wide <= 0, `wider than the window by ${found.wide}`);
  const { says, times } = await page.evaluate(exercise);
  says.forEach(wrong);

  const copy = await page.$(".copy");
  if (copy) {
    await page.evaluate((one) => {
      for (let up = one.closest("details"); up; up = up.parentElement.closest("details")) up.open = true;
      one.closest("tbody[hidden],tr[hidden]")?.removeAttribute("hidden");
      one.click();
    }, copy);
    const said = await page.waitForFunction((one) => one.textContent === "copied", { timeout: 3000 }, copy).catch(() => null);
    check(said, "nothing is copied");
  }
  const field = await page.$("a[data-field]");
  if (field) {
    const name = await page.evaluate((one) => {
      one.click();
      return one.dataset.field;
    }, field);
    await new Promise((done) => setTimeout(done, 120));
    const section = await page.evaluate((one) => one.getAttribute("href"), field);
    const shown = await page.$eval(section, (head) => {
      const all = head.closest("section").querySelectorAll("table.list[data-unit=body] > tbody:not([hidden])");
      return [...all].map((one) => one.dataset.field);
    });
    check(shown.length && shown.every((names) => names.split(" ").includes(name)), `the name ${name} leads to ${shown.length} others`);
  }
  await page.setViewport({ width: 360, height: 800 });
  check((await page.evaluate(anatomy)).wide <= 0, "wider than a phone");
  await page.close();
  return { loaded, ...times };
}

// Pages of which it is known what they tell, and in which order.
const expected = {
  "report/convert.html": {
    headline: "477 of 500 videos written; 23 dropped",
    sections: ["Needs attention", "Other losses", "Values", "By field", "Repairs of the input"],
    objects: 23,
    folds: 3,
  },
  "report/fine.html": { headline: "All 20 videos written", sections: ["Needs attention", "Other losses", "Values", "By field"] },
  "report-files/migrate.html": {
    headline: "1 of 38 files failed; 366 of 370 videos written, 4 dropped",
    sections: ["Needs attention", "Files", "Other losses", "Values"],
    folds: 2,
  },
  "report-inspect/inspect.html": { headline: "100 entries with 100 videos, as mrss 2.0", sections: ["Required fields", "Targets", "Fields"] },
  "report-validate/validate.html": { headline: "40 errors", sections: ["By rule", "Findings"] },
};

// What comes first, what is folded, what is red, and how many sheets a print takes.
async function tells(browser, file, { headline, sections, objects, folds = 0 }) {
  const page = await browser.newPage();
  watch(page, pathToFileURL(file).href);
  await page.goto(pathToFileURL(file).href);
  const found = await page.evaluate(() => {
    const colors = new Set();
    const probe = document.createElement("p");
    document.body.append(probe);
    for (const [property, name] of [["color", "--lost"], ["color", "--on-lost"], ["color", "--bg-lost"]]) {
      probe.className = "error";
      const value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
      const rule = new CSSStyleSheet();
      rule.replaceSync(`p.error{${property}:${value}}`);
      document.adoptedStyleSheets = [rule];
      colors.add(getComputedStyle(probe).color);
    }
    document.adoptedStyleSheets = [];
    probe.remove();
    const red = [...document.querySelectorAll("main *, header *")].filter((one) => {
      const style = getComputedStyle(one);
      const shown = [style.color, style.backgroundColor, one.localName === "rect" ? style.fill : "", style.borderLeftWidth === "0px" ? "" : style.borderLeftColor];
      return shown.some((color) => colors.has(color)) && !one.closest(".attention,.t-attention,.error,.failed,.removed,.t-error,del");
    });
    const zeros = [...document.querySelectorAll("#t-fields, .forecast, .files")].flatMap((table) =>
      [...table.tHead.rows[0].cells].filter((head) => {
        if (head.dataset.sort !== "number") return false;
        const cells = [...table.tBodies].flatMap((body) => [...body.rows]).filter((row) => !row.classList.contains("more")).map((row) => row.cells[head.cellIndex]);
        return cells.every((cell) => !cell || /^0?$/.test(cell.textContent.trim()));
      }),
    );
    return {
      colors: colors.size,
      headline: document.querySelector("h1").textContent.trim(),
      sections: [...document.querySelectorAll("main h2")].map((one) => one.textContent.trim()),
      card: document.querySelector("main > section").className,
      objects: [...document.querySelectorAll(".attention table.objects")].map((table) => ({
        rows: table.tBodies[0].rows.length,
        more: table.nextElementSibling.hidden ? "" : table.nextElementSibling.textContent,
        heads: [...table.tHead.rows[0].cells].map((cell) => cell.textContent.trim()),
        linked: [...table.tBodies[0].rows].every((row) => row.querySelector("a[href^=http]") && /^\d+$/.test(row.cells[0].textContent.trim())),
      })),
      fixes: document.querySelectorAll(".attention .fix code").length,
      folds: document.querySelectorAll("details.fold").length,
      open: document.querySelectorAll("details.fold[open]").length,
      members: document.querySelector("#t-fields .members") ? [...document.querySelectorAll("#t-fields .members tbody th")].every((one) => one.textContent.includes("video.file.")) : true,
      red: red.map((one) => `${one.localName}.${one.getAttribute("class")}`),
      zeros: zeros.map((one) => one.textContent),
      bars: document.querySelectorAll("svg.bar").length,
    };
  });
  check(found.colors === 3, "the reds of the page are not known");
  check(found.headline === headline, `headline: ${found.headline}`);
  const wanted = sections.filter((name) => found.sections.includes(name));
  check(found.sections.filter((name) => sections.includes(name)).join() === wanted.join(), `sections: ${found.sections}`);
  check(sections[0] !== "Needs attention" || objects === undefined || found.sections[0] === sections[0], `first: ${found.sections[0]}`);
  if (objects !== undefined) {
    const [first] = found.objects;
    check(found.card === "card attention", `the first card is ${found.card}`);
    check(first && first.rows === 10 && first.more === `Show ${objects - 10} more rows`, `objects: ${JSON.stringify(first)}`);
    check(first?.linked && first.heads.join().startsWith("Line,Title and URL"), "an object without line, title or URL");
    check(found.fixes > 0, "no fix");
  }
  check(found.folds >= folds && found.open === 0, `${found.open} of ${found.folds} folds are open`);
  check(found.members, "fields of files are not folded");
  check(!found.red.length, `red without attention: ${found.red}`);
  check(!found.zeros.length, `columns of zeros: ${found.zeros}`);
  check(!file.includes("validate") || found.bars === 0, `${found.bars} bars of a single severity`);
  const pdf = Buffer.from(await page.pdf({ format: "A4", margin: { top: "12mm", bottom: "12mm", left: "12mm", right: "12mm" } }));
  const sheets = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  check(sheets >= 1 && sheets <= 4, `${sheets} sheets of paper`);
  if (shots) writeFileSync(join(shots, `${relative(folder, file).replace(/[^\w.-]+/g, "-").replace(/\.html$/, "")}.pdf`), pdf);
  await page.close();
}

// Without its script all rows are there to read, and nothing that would not work.
async function plain(browser, file) {
  const page = await browser.newPage();
  watch(page, pathToFileURL(file).href);
  await page.setJavaScriptEnabled(false);
  await page.goto(pathToFileURL(file).href);
  // handles are evaluated by the browser, not by the page
  const rows = await page.$$eval("table.list > tbody", (all) => all.filter((one) => one.hidden || [...one.rows].some((row) => row.hidden)).length);
  check(rows === 0, `${rows} rows are hidden without the script`);
  const useless = await page.$$eval("button,input,select", (all) => all.filter((one) => one.checkVisibility()).length);
  check(useless === 0, `${useless} controls that do nothing without the script`);
  await page.close();
}

async function shoot(browser, file) {
  const name = (file.startsWith(folder) ? relative(folder, file) : basename(file)).replace(/[^\w.-]+/g, "-").replace(/\.html$/, "");
  for (const scheme of ["light", "dark"]) {
    for (const [size, width] of [["wide", 1280], ["narrow", 390]]) {
      const page = await browser.newPage();
      await page.setViewport({ width, height: 900 });
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      await page.goto(pathToFileURL(file).href);
      await page.evaluate(() => document.querySelectorAll("details").forEach((one, at) => (one.open = at < 4)));
      const high = await page.evaluate(() => document.documentElement.scrollHeight);
      const clip = { x: 0, y: 0, width, height: Math.min(high, 2000) };
      await page.screenshot({ path: join(shots, `${name}-${size}-${scheme}.png`), clip, captureBeyondViewport: true });
      await page.close();
    }
  }
}

const browser = await puppeteer.launch({
  executablePath,
  headless: true,
  // a page of ten thousand rows takes its time on a busy machine
  protocolTimeout: 600_000,
  // a page is opened in a namespace of its own where the system allows it; root in a container has none
  args: [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), "--disable-gpu", "--no-first-run"],
});
if (shots) mkdirSync(shots, { recursive: true });
const begun = performance.now();
const slowest = { loaded: 0, sort: 0, seek: 0 };
let largest = 0;
for (const file of files) {
  current = relative(process.cwd(), file);
  largest = Math.max(largest, statSync(file).size);
  try {
    const times = await look(browser, file);
    for (const name of Object.keys(slowest)) slowest[name] = Math.max(slowest[name], times[name] ?? 0);
    if (process.env.TIMES) console.log(current, times);
    await plain(browser, file);
    const known = expected[relative(folder, file)];
    if (known) await tells(browser, file, known);
    if (shots) await shoot(browser, file);
  } catch (error) {
    wrong(error.stack);
  }
}
await browser.close();
for (const says of problems) console.error(says);
const rounded = Object.entries(slowest).map(([name, ms]) => `${name} ${Math.round(ms)} ms`).join(", ");
console.log(`${files.length} pages, ${problems.length} problems; ${Math.round((performance.now() - begun) / 1000)} s; slowest: ${rounded}; largest page ${(largest / 1e6).toFixed(1)} MB`);
process.exit(problems.length ? 1 : 0);
