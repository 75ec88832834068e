// Uses the page in Chromium as a reader would, and compares what it gives with what the program gives, byte by byte.
//
//   node test/check.mjs [--page FILE] [--program FILE] [--shots DIR] [--megabytes N]
//
// Exit code 77: no browser, or npm ci has not been run.
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const here = import.meta.dirname;
const root = resolve(here, "../../..");
const target = resolve(root, process.env.CARGO_TARGET_DIR ?? "target");
const args = process.argv.slice(2);
const option = (name, otherwise) => (args.includes(name) ? args[args.indexOf(name) + 1] : otherwise);
const pageFile = resolve(option("--page", join(target, "web/index.html")));
const program = resolve(option("--program", join(target, "debug/transfeed")));
const shots = option("--shots") && resolve(option("--shots"));
const megabytes = Number(option("--megabytes", "20"));
// a busy machine takes longer, which is no fault of the page
const patience = 600_000;

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

function browserPath() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const found = ["chromium", "chromium-browser", "google-chrome"].map((name) => spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim());
  return found.find(Boolean);
}

const executablePath = browserPath();
if (!executablePath) skip("no browser (chromium, chromium-browser or google-chrome, or CHROMIUM=/path/to/one)");
let puppeteer, axeSource;
try {
  ({ default: puppeteer } = await import("puppeteer-core"));
  axeSource = readFileSync(join(here, "../node_modules/axe-core/axe.min.js"), "utf8");
} catch {
  skip("npm ci has not been run in packages/web");
}
for (const file of [pageFile, program]) {
  if (!existsSync(file)) {
    console.error(`error: no ${file}; run node build.mjs, and cargo build`);
    process.exit(1);
  }
}

const problems = [];
let checks = 0;
let part = "";
const check = (fine, says) => {
  checks++;
  if (!fine) problems.push(`${part}: ${says}`);
  return fine;
};

// what was found before the test itself fails is worth knowing
process.on("uncaughtExceptionMonitor", () => {
  for (const says of problems) console.error(`! ${says}`);
  console.error(`in ${part}`);
});

// The page is copied to a folder of its own: it works from any.
const folder = mkdtempSync(join(tmpdir(), "transfeed-web-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, "some where"));
const copied = join(folder, "some where", "page of feeds.html");
copyFileSync(pageFile, copied);
const url = pathToFileURL(copied).href;
const NOW = 1790000000;
const environment = { ...process.env, SOURCE_DATE_EPOCH: String(NOW), NO_COLOR: "1" };

const browser = await puppeteer.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"], protocolTimeout: patience });

// Everything that the page must not do is a problem.
function watch(page) {
  const requests = [];
  page.on("request", (request) => request.url().startsWith("blob:") || requests.push(request.url()));
  page.on("console", (message) => ["error", "warn", "assert"].includes(message.type()) && check(false, `console: ${message.text()}`));
  page.on("pageerror", (error) => check(false, `script: ${error.message}`));
  page.on("dialog", (dialog) => {
    check(false, `dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
  return requests;
}

// The clock of the page is that of the program; saved files are kept where the test can read them; pauses of the main
// thread are measured.
function instrument(now) {
  Date.now = () => now * 1000;
  window.saved = {};
  window.worst = 0;
  HTMLAnchorElement.prototype.click = function () {
    const name = this.download;
    window.saved[name] = fetchBlob(this.href);
  };
  const blobs = new Map();
  const create = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (blob) => {
    const url = create(blob);
    blobs.set(url, blob);
    return url;
  };
  const fetchBlob = (url) => blobs.get(url);
  const begin = () => {
    let before = performance.now();
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      const at = performance.now();
      window.worst = Math.max(window.worst, at - before);
      before = at;
      setTimeout(() => channel.port2.postMessage(0), 5);
    };
    channel.port2.postMessage(0);
  };
  addEventListener("load", begin);
}

async function openPage(viewport = { width: 1280, height: 900 }, features = []) {
  const page = await browser.newPage();
  page.requests = watch(page);
  await page.setViewport(viewport);
  // a click lands elsewhere while a page scrolls smoothly
  await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }, ...features]);
  await page.evaluateOnNewDocument(instrument, NOW);
  await page.goto(url);
  await page.waitForSelector("html[data-ready=yes]", { timeout: patience });
  return page;
}

const cleared = (page) => page.evaluate(() => delete document.documentElement.dataset.opened);
const opened = (page) => page.waitForSelector("html[data-opened]", { timeout: patience });

async function openFile(page, file) {
  await cleared(page);
  await (await page.$("#file")).uploadFile(file);
  await opened(page);
}

// The bytes of a file that the page offers.
async function saved(page, name) {
  const text = await page.evaluate(async (name) => {
    const blob = window.saved[name];
    if (!blob) return undefined;
    const reader = new FileReader();
    await new Promise((done) => {
      reader.onload = done;
      reader.readAsDataURL(blob);
    });
    return reader.result.slice(reader.result.indexOf(",") + 1);
  }, name);
  return text === undefined ? undefined : Buffer.from(text, "base64");
}

async function press(page, name, within = "main") {
  await page.waitForFunction((within, name) => [...document.querySelectorAll(`${within} button.save`)].some((one) => one.dataset.name === name), { timeout: 10_000 }, within, name).catch(() => check(false, `no ${name} to download`));
  await page.evaluate((within, name) => [...document.querySelectorAll(`${within} button.save`)].find((one) => one.dataset.name === name)?.click(), within, name);
  return saved(page, name);
}

const shell = (command, cwd) => spawnSync("sh", ["-c", command], { cwd, env: environment, maxBuffer: 1 << 30 });
const bin = `'${program.replaceAll("'", "'\\''")}'`;
const run = (command, cwd) => shell(command.replace(/^transfeed/, bin), cwd);

function same(given, expected, says) {
  if (!check(given !== undefined, `${says}: nothing was saved`)) return;
  const at = given.findIndex((byte, at) => byte !== expected[at]);
  const near = at < 0 ? "" : `: ${given.subarray(Math.max(0, at - 60), at + 60)} instead of ${expected.subarray(Math.max(0, at - 60), at + 60)}`;
  check(given.equals(expected), `${says}: ${given.length} bytes instead of ${expected.length}, other from byte ${at}${near}`);
}

async function convert(page, to, set = () => {}) {
  await page.evaluate(() => document.getElementById("converted").replaceChildren());
  await page.select("#to", to);
  await set(page);
  const command = await page.$eval("#command", (one) => one.textContent);
  await page.click("#convert .primary");
  await page.waitForFunction(() => document.querySelector("#converted h3") || document.querySelector("#error p"), { timeout: patience });
  return command;
}

// ---- the results are those of the program

async function equal(page, folder, name, targets) {
  part = name;
  const stem = name.replace(/\.[^.]*$/, "");
  await openFile(page, join(folder, name));
  const inspected = run(`transfeed inspect ${name} --json`, folder);
  same(await press(page, `${stem}-content.json`), inspected.stdout, "inspect --json");
  same(await press(page, `${stem}-content.html`), run(`transfeed inspect ${name} --html -`, folder).stdout, "inspect --html");
  const findings = await page.$(`#findings .save[data-name="${stem}-findings.html"]`);
  const validated = run(`transfeed validate ${name} --format html`, folder);
  if (findings) {
    same(await press(page, `${stem}-findings.html`), validated.stdout, "validate --format html");
    const label = "Download all findings as JSON";
    await page.evaluate((label) => [...document.querySelectorAll("#findings button")].find((one) => one.textContent === label).click(), label);
    await page.waitForFunction((name) => window.saved[name], { timeout: patience }, `${stem}-findings.json`);
    same(await saved(page, `${stem}-findings.json`), run(`transfeed validate ${name} --format json`, folder).stdout, "validate --format json");
  } else {
    check(validated.status !== 1, "the page has no findings, and the program has");
  }
  const offered = await page.$$eval("#to option", (all) => all.map((one) => one.value));
  for (const to of targets.filter((to) => offered.includes(to))) {
    part = `${name} to ${to}`;
    const command = await convert(page, to);
    const output = /-o '?([^']*)'?$/.exec(command)[1];
    const done = run(`${command} --report losses.json --quiet`, folder);
    check(done.status === 0, `${command}: ${done.stderr}`);
    same(await press(page, output), readFileSync(join(folder, output)), command);
    const reports = output.replace(/\.[^.]*$/, "-losses");
    same(await press(page, `${reports}.json`), readFileSync(join(folder, "losses.json")), "--report losses.json");
    run(`${command} --report losses.html --quiet`, folder);
    same(await press(page, `${reports}.html`), readFileSync(join(folder, "losses.html")), "--report losses.html");
  }
}

const work = join(folder, "work");
mkdirSync(work);
const samples = readdirSync(join(root, "samples")).filter((name) => name !== "README.md");
for (const name of samples) copyFileSync(join(root, "samples", name), join(work, name));
// the program also reads what lies next to an index, and a page cannot
const alone = join(folder, "alone");
mkdirSync(alone);
copyFileSync(join(root, "samples/index.xml"), join(alone, "index.xml"));
const targets = ["rss", "mrss", "rss-podcast", "atom", "atom-media", "sitemap", "video-sitemap", "text", "csv", "jsonfeed", "json", "jsonl", "jsonld", "yandex-video"];
const page = await openPage();
for (const [at, name] of samples.entries()) {
  // each sample to some targets, each target from some samples, and the richest to all
  await equal(page, name === "index.xml" ? alone : work, name, name === "catalogue.mrss" ? targets : targets.filter((_, number) => number % 4 === at % 4));
}

part = "options";
await openFile(page, join(work, "catalogue.mrss"));
const command = await convert(page, "video-sitemap", async (page) => {
  await page.evaluate(() => (document.querySelector("#convert details").open = true));
  await page.click("#thumbnail-from-feed");
  await page.click("#title-from");
  await page.click("#pretty");
  await page.select("#for", "google");
});
check(command.includes("--for google --thumbnail-from-feed --title-from slug --pretty"), `the command is ${command}`);
check(run(`${command} --quiet`, work).status === 0, `${command} fails`);
same(await press(page, "catalogue-video-sitemap.xml"), readFileSync(join(work, "catalogue-video-sitemap.xml")), command);

part = "name that looks like an option";
const dashed = "-$(touch x) 'a'.mrss";
copyFileSync(join(work, "catalogue.mrss"), join(work, dashed));
await openFile(page, join(work, dashed));
const dashedCommand = await convert(page, "text");
check(run(`${dashedCommand} --quiet`, work).status === 0, `${dashedCommand} fails`);
same(await press(page, dashed.replace(".mrss", "-text.txt")), readFileSync(join(work, dashed.replace(".mrss", "-text.txt"))), dashedCommand);
check(!existsSync(join(work, "x")), "a name is run by the shell");

part = "HTML page";
const site = join(work, "site.html");
writeFileSync(site, '<!DOCTYPE html><html><head><title>Tides</title><link rel="canonical" href="https://example.com/tides"></head><body>x</body></html>');
await (await page.$("#file")).uploadFile(site);
await page.waitForSelector("#as-html", { timeout: patience });
await cleared(page);
await page.click("#as-html");
await opened(page);
const siteCommand = await convert(page, "sitemap");
check(siteCommand.includes("--from html"), `the command is ${siteCommand}`);
check(run(`${siteCommand} --quiet`, work).status === 0, `${siteCommand} fails`);
same(await press(page, "site-sitemap.xml"), readFileSync(join(work, "site-sitemap.xml")), siteCommand);

// more than a sitemap may hold: the page says which of its fields helps, and gives all parts and their index
part = "parts";
let list = "";
// enough of them to unfold, where there is time
const urls = megabytes < 20 ? 100_001 : 1_050_001;
for (let at = 0; at < urls; at++) list += `https://example.com/${at}\n`;
writeFileSync(join(work, "list.txt"), list);
list = "";
await openFile(page, join(work, "list.txt"));
await convert(page, "sitemap");
const advice = await page.$eval("#error", (one) => one.textContent);
const label = await page.$eval("label[for=index-base]", (one) => one.textContent);
check(advice.includes("Options of this page that help") && advice.includes(label), `no advice for the page: ${advice}`);
const partsCommand = await convert(page, "sitemap", async (page) => {
  await page.evaluate(() => (document.querySelector("#convert details").open = true));
  await page.type("#index-base", "https://example.com/maps/");
});
check(run(`${partsCommand} --quiet`, work).status === 0, `${partsCommand} fails`);
const partNames = await page.$$eval("#converted .save", (all) => all.map((one) => one.dataset.name).filter((name) => name.endsWith(".xml")));
const written = readdirSync(work).filter((name) => /^list(-\d+)?-?(sitemap)?(-\d+)?\.xml$/.test(name));
const files = Math.ceil(urls / 50_000) + 1;
check(partNames.length === files && written.length === files, `the page has ${partNames.length} files, and the program ${written.length}`);
for (const name of [partNames[0], partNames[1], partNames.at(-1)]) same(await press(page, name), readFileSync(join(work, name)), `${partsCommand}: ${name}`);

part = "compare";
await page.evaluate(() => (document.getElementById("index-base").value = ""));
await openFile(page, join(work, "catalogue.mrss"));
await (await page.$("#other")).uploadFile(join(work, "catalogue-video-sitemap.xml"));
await page.waitForSelector("#compared h3", { timeout: patience });
same(await press(page, "catalogue-to-catalogue-video-sitemap.json"), run("transfeed diff catalogue.mrss catalogue-video-sitemap.xml --json", work).stdout, "diff --json");
same(await press(page, "catalogue-to-catalogue-video-sitemap.html"), run("transfeed diff catalogue.mrss catalogue-video-sitemap.xml --html -", work).stdout, "diff --html");

part = "examples, paste, errors";
await cleared(page);
await page.evaluate(() => [...document.querySelectorAll("#examples button")].find((one) => one.textContent === "news.rss").click());
await opened(page);
check((await page.$eval("#h-document", (one) => one.textContent)) === "news.rss", "the example is not shown");
await cleared(page);
await page.click("#paste-open");
await page.type("#text", "https://example.com/a\nhttps://example.com/b\n");
await page.click("#paste .primary");
await opened(page);
check((await page.$eval("#document", (one) => one.textContent)).includes("text, 2 entries"), "the pasted text is not read");
for (const [text, name, says] of [["https://example.com/feed.xml", "pasted.txt", true], ["https://example.com/a\nhttps://example.com/b", "pasted.txt", false], ['{"transfeed":1,"entries":[{"url":"https://example.com/a"}]}', "pasted.json", false], ["<urlset><url><loc>https://example.com/a</loc></url></urlset>", "pasted.xml", false]]) {
  await cleared(page);
  await page.evaluate((text) => (document.getElementById("text").value = text), text);
  await page.click("#paste .primary");
  await opened(page);
  const heading = await page.$eval("#h-document", (one) => one.textContent);
  check(heading === name, `pasted text is ${heading} instead of ${name}`);
  check((await page.$eval("#document", (one) => one.textContent)).includes("fetches nothing") === says, `what is said of ${text}`);
}
await page.evaluate(() => (document.getElementById("text").value = "no feed at all {"));
await page.click("#paste .primary");
await page.waitForSelector("#error p", { timeout: patience });
const wrote = join(work, "pasted.txt");
writeFileSync(wrote, "no feed at all {");
const expected = run("transfeed inspect pasted.txt --to none", work).stderr.toString().trim().replace(/^error: /, "");
check((await page.$eval("#error p", (one) => one.textContent)) === expected, `the error is not that of the program: ${expected}`);
check(await page.$eval("#work", (one) => one.hidden), "results of another feed are shown beside an error");
check(page.requests.length === 1 && page.requests[0] === url, `requests: ${page.requests}`);
await page.close();

// ---- hostile feeds

part = "hostile";
const payload = `"><img src=https://evil.example/x onerror=alert(1)><script>alert(2)</script><iframe src=javascript:alert(3)></iframe><a href="javascript:alert(4)">x</a>`;
const hostileText = payload.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const hostile = `<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:e="${hostileText}"><channel><title>${hostileText}</title><link>javascript:alert(5)</link>
<item><title>${hostileText}\u202e</title><link>https://evil.example/?${hostileText.replaceAll(" ", "%20")}</link><pubDate>${hostileText}</pubDate><e:x y="${hostileText}">${hostileText}</e:x>
<media:content url="javascript:alert(6)" duration="${hostileText}"><media:title>${hostileText}</media:title></media:content></item></channel></rss>`;
const hostilePage = await openPage();
const hostileFile = join(work, "<img src=x onerror=alert(7)>.rss");
writeFileSync(hostileFile, hostile);
await openFile(hostilePage, hostileFile);
await convert(hostilePage, "rss");
const foreign = await hostilePage.evaluate(() => [...document.querySelectorAll("main *")].filter((one) => /^(img|iframe|script|object|embed)$/.test(one.localName) || [...one.attributes].some(({ name }) => name.startsWith("on"))).length);
check(foreign === 0, `${foreign} elements of the feed in the page`);
check(!(await hostilePage.$eval("main", (one) => one.textContent.includes("\u202e"))), "a mark of direction is obeyed");
for (const label of ["All fields and values", "All findings", "Every loss"]) {
  part = `hostile, ${label}`;
  const pressed = await hostilePage.evaluate((label) => {
    const button = [...document.querySelectorAll("button.view")].find((one) => one.textContent === label);
    button?.click();
    return Boolean(button);
  }, label);
  if (!check(pressed, "no button")) continue;
  const handle = await hostilePage.waitForSelector("#viewer-frame iframe");
  const frame = await handle.contentFrame();
  await frame.waitForSelector("footer", { timeout: 20_000 });
  check(await frame.evaluate(() => document.documentElement.className === "js"), `${label}: the report's own script does not run`);
  check((await frame.evaluate(() => getComputedStyle(document.querySelector("table")).borderCollapse)) === "collapse", `${label}: the report has no style`);
  check((await frame.evaluate(() => origin)) === "null", `${label}: the report has access to the page`);
  check((await frame.evaluate(() => document.querySelectorAll("img,iframe").length)) === 0, `${label}: elements of the feed in the report`);
  await hostilePage.click("#viewer-close");
}
check(hostilePage.requests.length === 1, `requests: ${hostilePage.requests}`);
// the policy forbids what a hole would do
part = "policy";
const blocked = await hostilePage.evaluate(async () => {
  const tries = {
    fetch: () => fetch("https://evil.example/"),
    image: () => new Promise((done, fail) => Object.assign(new Image(), { onload: done, onerror: fail, src: "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" })),
    markup: async () => (document.createElement("p").innerHTML = "<b>x</b>"),
    evaluate: async () => Function("return 1")(),
  };
  const done = [];
  for (const [name, attempt] of Object.entries(tries)) await attempt().then(() => done.push(name), () => {});
  return done;
});
check(!blocked.length, `the policy allows ${blocked}`);
problems.splice(0, problems.length, ...problems.filter((says) => !/^policy: console:/.test(says)));
await hostilePage.close();

// ---- a large feed: progress, a page that answers, and a worker that fails

part = "large";
const item = (number) => `<item><title>Film ${number}</title><link>https://example.com/films/${number}</link><guid>film-${number}</guid><pubDate>Mon, 02 Nov 2026 08:00:00 GMT</pubDate><description>${"The light turns. ".repeat(12)}</description><media:content url="https://cdn.example.com/${number}.mp4" type="video/mp4" duration="77" bitrate="800"><media:title>Film ${number}</media:title><media:description>It turns ${number}.</media:description><media:thumbnail url="https://cdn.example.com/${number}.jpg"/></media:content></item>\n`;
let items = "";
for (let number = 0; items.length < megabytes * 1e6; number++) items += item(number);
const large = join(work, "large.mrss");
writeFileSync(large, `<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Films</title><link>https://example.com/</link><description>All</description>\n${items}</channel></rss>`);
items = "";
const largePage = await openPage();
await largePage.evaluate(() => {
  window.steps = new Set();
  new MutationObserver(() => window.steps.add(document.getElementById("bar").value)).observe(document.getElementById("bar"), { attributes: true });
  window.worst = 0;
});
let began = performance.now();
await openFile(largePage, large);
const readTime = performance.now() - began;
began = performance.now();
const largeCommand = await convert(largePage, "video-sitemap");
const convertTime = performance.now() - began;
const { worst, steps } = await largePage.evaluate(() => ({ worst: window.worst, steps: window.steps.size }));
check(steps >= 5, `the progress had ${steps} steps`);
check(worst < 200, `the main thread was blocked for ${Math.round(worst)} ms`);
const status = run(`${largeCommand} --quiet`, work).status;
check(status === 0, `${largeCommand}: ${status}`);
const offered = await largePage.evaluate(() => [...document.querySelectorAll("#converted .save.primary")].map((one) => one.dataset.name));
check(offered.length >= 1, "no output");
for (const name of offered) same(await press(largePage, name), readFileSync(join(work, name)), largeCommand);
check(largePage.requests.length === 1, `requests: ${largePage.requests}`);

part = "stop and restart";
// at once: the work on a small feed would be over before the pointer is there
const stop = (page) => page.waitForFunction(() => !document.getElementById("progress").hidden && (document.getElementById("stop").click(), true), { polling: 1 });
await largePage.evaluate(() => document.getElementById("converted").replaceChildren());
await largePage.click("#convert .primary");
await stop(largePage);
check(await largePage.$eval("#progress", (one) => one.hidden), "the progress is still shown");
// the same while a feed is opened: a screen reader is told
await (await largePage.$("#file")).uploadFile(large);
await stop(largePage);
await new Promise((done) => setTimeout(done, 300));
check((await largePage.$eval("#status", (one) => one.textContent)) === "Stopped.", "a stop while reading is not told");
check((await largePage.evaluate(() => document.activeElement.id)) === "file", "after a stop, the focus is not on the choice of a file");
await cleared(largePage);
await openFile(largePage, join(work, "urls.txt"));
check((await largePage.$eval("#document", (one) => one.textContent)).includes("text,"), "the page does not read after a stop");
await largePage.close();

// a module that traps: the user is told, and the next feed is read
part = "panic";
const broken = join(folder, "broken.html");
// the worker has a request that the page never sends: a length that no memory has
writeFileSync(broken, readFileSync(copied, "utf8").replace("const count = exports.answer();", 'if (request.input?.name === "trap.txt") exports.input(0xffffffff);\n    const count = exports.answer();'));
const brokenPage = await browser.newPage();
await brokenPage.evaluateOnNewDocument(instrument, NOW);
await brokenPage.goto(pathToFileURL(broken).href);
await brokenPage.waitForSelector("html[data-ready=yes]");
writeFileSync(join(work, "trap.txt"), "https://example.com/\n");
await (await brokenPage.$("#file")).uploadFile(join(work, "trap.txt"));
await brokenPage.waitForSelector("#error p", { timeout: 20_000 });
const told = await brokenPage.$eval("#error", (one) => one.textContent);
check(/^The converter stopped: .*(capacity|memory|unreachable)/.test(told) && told.includes("started again"), `a trap says ${told}`);
await openFile(brokenPage, join(work, "urls.txt"));
check(await brokenPage.$eval("#error", (one) => !one.textContent), "the error stays");
await brokenPage.close();

// a module that cannot start: one message, no second worker, and the same message for a feed
part = "no start";
const damaged = join(folder, "damaged.html");
writeFileSync(damaged, readFileSync(copied, "utf8").replace(/(id="module">.{1000}).{40}/s, `$1${"A".repeat(40)}`));
const damagedPage = await browser.newPage();
await damagedPage.evaluateOnNewDocument(instrument, NOW);
await damagedPage.evaluateOnNewDocument(() => {
  window.workers = 0;
  const Real = Worker;
  window.Worker = function (url) {
    window.workers++;
    return new Real(url);
  };
});
await damagedPage.goto(pathToFileURL(damaged).href);
const cannot = /^This browser cannot run the converter: /;
await damagedPage.waitForSelector("#error p", { timeout: 20_000 }).catch(() => check(false, "a module that cannot start is not told"));
const deadSays = () => damagedPage.$eval("#error", (one) => one.textContent);
check(cannot.test(await deadSays()), `a module that cannot start says ${await deadSays()}`);
await (await damagedPage.$("#file")).uploadFile(join(work, "urls.txt"));
await new Promise((done) => setTimeout(done, 1000));
check(cannot.test(await deadSays()), `then a feed says ${await deadSays()}`);
check((await damagedPage.evaluate(() => window.workers)) === 1, `${await damagedPage.evaluate(() => window.workers)} workers were started`);
await damagedPage.close();

// what was not checked is said, and a file that changed is no fault of the converter
part = "notes";
const noted = join(folder, "noted.html");
writeFileSync(noted, readFileSync(copied, "utf8").replace("postMessage({ job, done: { ...head, outputs } });", 'head.view?.notes?.push("rule <H04> was not checked");\n    postMessage({ job, done: { ...head, outputs } });'));
const notedPage = await browser.newPage();
await notedPage.evaluateOnNewDocument(instrument, NOW);
await notedPage.goto(pathToFileURL(noted).href);
await notedPage.waitForSelector("html[data-ready=yes]");
writeFileSync(join(work, "fine.xml"), '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc></url></urlset>');
for (const name of ["fine.xml", "pages.xml"]) {
  await openFile(notedPage, join(work, name));
  const findings = await notedPage.$eval("#findings", (one) => one.textContent);
  check(findings.includes("Note: rule <H04> was not checked"), `${name}: the note is not shown: ${findings}`);
  if (name === "fine.xml") check(findings.startsWith("No errors and no warnings in what was checked."), `too much is promised: ${findings}`);
}
part = "changed file";
const changing = join(work, "changing.txt");
writeFileSync(changing, "https://example.com/1\n");
await openFile(notedPage, changing);
writeFileSync(changing, "https://example.com/2\nhttps://example.com/3\n");
await convert(notedPage, "sitemap");
const changed = await notedPage.$eval("#error", (one) => one.textContent);
check(/^cannot read changing.txt: it was changed, moved or removed/.test(changed), `a file that changed says ${changed}`);
await openFile(notedPage, join(work, "urls.txt"));
check(await notedPage.$eval("#error", (one) => !one.textContent), "the error stays");
await notedPage.close();

// ---- everybody can use it: axe, keyboard, width

const modes = [
  ["light-wide", { width: 1280, height: 900 }, "light"],
  ["dark-wide", { width: 1280, height: 900 }, "dark"],
  ["light-narrow", { width: 360, height: 800, isMobile: true, hasTouch: true }, "light"],
  ["dark-narrow", { width: 360, height: 800, isMobile: true, hasTouch: true }, "dark"],
];
if (shots) mkdirSync(shots, { recursive: true });
for (const [mode, viewport, scheme] of modes) {
  const page = await openPage(viewport, [{ name: "prefers-color-scheme", value: scheme }]);
  const look = async (state) => {
    part = `${mode}, ${state}`;
    await page.evaluate(axeSource);
    const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
    for (const { id, help, nodes } of violations) check(false, `axe: ${id}: ${help}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
    checks++;
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    check(wide <= 0, `wider than the window by ${wide}`);
    if (shots) await page.screenshot({ path: join(shots, `${mode}-${state}.png`), fullPage: state !== "report" });
  };
  await look("empty");
  await openFile(page, join(work, "catalogue.mrss"));
  await page.evaluate(() => document.querySelectorAll("main details").forEach((one) => (one.open = true)));
  await look("feed");
  await convert(page, "video-sitemap");
  await (await page.$("#other")).uploadFile(join(work, "catalogue-video-sitemap.xml"));
  await page.waitForSelector("#compared h3");
  await page.evaluate(() => document.querySelectorAll("main details").forEach((one) => (one.open = true)));
  await look("converted");
  await page.evaluate(() => document.querySelector("#converted .view").click());
  await page.waitForSelector("#viewer-frame iframe");
  const frame = await (await page.$("#viewer-frame iframe")).contentFrame();
  await frame.waitForSelector("footer");
  await look("report");
  await page.close();
}

part = "keyboard";
const keys = await openPage();
const focused = () => keys.evaluate(() => document.activeElement.id || document.activeElement.textContent.trim().slice(0, 30));
const order = [];
for (let at = 0; at < 5; at++) {
  await keys.keyboard.press("Tab");
  order.push(await focused());
}
check(JSON.stringify(order) === JSON.stringify(["To the content", "file", "paste-open", "blog.atom", "catalogue.mrss"]), `the order of the focus is ${order}`);
await cleared(keys);
await keys.keyboard.press("Enter");
await opened(keys);
check((await focused()) === "h-document", `after reading, the focus is on ${await focused()}`);
await keys.focus("#to");
await keys.keyboard.press("Tab");
await keys.keyboard.press("Tab");
await keys.keyboard.press("Enter");
await keys.waitForSelector("#converted h3", { timeout: 30_000 });
check((await focused()).startsWith("catalogue-video-sitemap.xml"), `after a conversion, the focus is on ${await focused()}`);
await keys.focus("#converted .view");
await keys.keyboard.press("Enter");
await keys.waitForSelector("dialog[open]");
await keys.focus("#viewer-close");
await keys.keyboard.press("Escape");
check(await keys.$eval("#viewer", (one) => !one.open), "Escape does not close the report");
check((await focused()) === "Every loss", `after the report, the focus is on ${await focused()}`);
await keys.keyboard.press("Enter");
const shownFrame = await (await keys.waitForSelector("#viewer-frame iframe")).contentFrame();
await shownFrame.waitForSelector("footer");
await keys.focus("#viewer-close");
await keys.keyboard.press("Tab");
await keys.waitForFunction(() => document.activeElement.localName === "iframe", { timeout: 5000 }).catch(() => check(false, "after Close, the focus is not in the report"));
await keys.keyboard.press("Escape");
await keys.waitForFunction(() => !document.getElementById("viewer").open, { timeout: 5000 }).catch(() => check(false, "Escape in the report does not close it"));
check((await focused()) === "Every loss", `after Escape in the report, the focus is on ${await focused()}`);
check((await keys.$eval("#status", (one) => one.textContent)) === "", "the status is that of the step before");
await keys.close();

await browser.close();
for (const says of problems) console.error(`! ${says}`);
const figures = `${checks} checks; ${Math.round(statSync(pageFile).size / 1000)} KB; ${megabytes} MB read, forecast and checked in ${(readTime / 1000).toFixed(1)} s, converted in ${(convertTime / 1000).toFixed(1)} s; longest pause of the page ${Math.round(worst)} ms`;
console.log(figures);
if (problems.length) {
  console.error(`${problems.length} problems`);
  process.exit(1);
}
