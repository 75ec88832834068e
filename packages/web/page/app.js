"use strict";
// The page: takes a feed, asks the worker, and shows the answers. Nothing here makes markup of what a feed contains: text
// is set as text, and whole reports are shown in a frame without access to this page.
(() => {
  const id = (name) => document.getElementById(name);
  const make = (name, properties = {}, ...children) => {
    const { data, ...own } = properties;
    const made = Object.assign(document.createElement(name), own);
    Object.assign(made.dataset, data);
    made.append(...children.filter((child) => child !== undefined && child !== ""));
    return made;
  };
  const number = (count) => count.toLocaleString("en");
  const many = (count, one, more) => `${number(count)} ${count === 1 ? one : more}`;
  const size = (bytes) => {
    for (const [unit, per] of [["MB", 1e6], ["KB", 1e3]]) {
      if (bytes >= per) return `${(bytes / per).toLocaleString("en", { maximumFractionDigits: 1 })} ${unit}`;
    }
    return many(bytes, "byte", "bytes");
  };
  // characters that are obeyed or not seen
  const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
  const visible = (text) => text.replace(HIDDEN, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);
  const value = (text) => make("bdi", {}, visible(String(text)));
  const now = () => Math.floor(Date.now() / 1000);

  // the ending of file names of each target
  let endings = new Map();

  // ---- the worker

  const scriptUrl = (() => {
    const url = URL.createObjectURL(new Blob([id("worker").textContent], { type: "text/javascript" }));
    // only this one script may be a worker
    const policy = window.trustedTypes?.createPolicy("worker", { createScriptURL: (given) => (given === url ? given : "") });
    return policy ? policy.createScriptURL(url) : url;
  })();
  const packed = id("module").textContent;
  let worker;
  let jobs = new Map();
  let next = 1;
  let ready;
  // why no job can be done any more
  let dead = "";

  function start() {
    ready = false;
    worker = new Worker(scriptUrl);
    worker.onmessage = ({ data }) => {
      if (data.ready) {
        ready = true;
        document.documentElement.dataset.ready = "yes";
      }
      const job = jobs.get(data.job);
      if (data.read !== undefined) job?.progress(data.read);
      if (data.done) finish(data.job, () => (data.done.error ? job?.fail(new Error(data.done.error)) : job?.done(data.done)));
      if (data.unreadable) finish(data.job, () => job?.fail(new Error(data.unreadable)));
      if (data.broken && !ready) end(data.broken);
      else if (data.broken) restart(`The converter stopped: ${data.broken}. It was started again; the feed may contain something that it cannot handle.`);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      if (ready) restart(`The converter stopped: ${event.message}. It was started again.`);
      else end(event.message ?? "its script did not start");
    };
    worker.postMessage({ packed });
  }

  // One that did not start would not start the next time either.
  function end(why) {
    dead = `This browser cannot run the converter: ${why}. Try Chrome 97, Firefox 113 or Safari 16.4, or later ones, with WebAssembly allowed.`;
    worker.terminate();
    const failed = [...jobs.values()];
    jobs = new Map();
    id("progress").hidden = true;
    id("error").replaceChildren(failure(dead));
    failed.forEach((job) => job.fail(new Error(dead)));
  }

  const failure = (says, ...more) => make("div", { className: "card failed-card" }, make("p", {}, value(says)), ...more);

  function finish(number, then) {
    then();
    jobs.delete(number);
    if (!jobs.size) id("progress").hidden = true;
  }

  // What was under way is lost; the page stays. Without a message it was stopped.
  function restart(says) {
    worker.terminate();
    const failed = [...jobs.values()];
    jobs = new Map();
    id("progress").hidden = true;
    start();
    failed.forEach((job) => job.fail(says && new Error(says)));
  }

  function ask(says, request, files) {
    if (dead) return Promise.reject(new Error(dead));
    const total = files.reduce((sum, file) => sum + file.size, 0);
    return new Promise((done, fail) => {
      const job = next++;
      let before = 0;
      let pass = 1;
      const progress = (read) => {
        if (read < before) pass++;
        before = read;
        id("bar").value = Math.min(1, read / (total || 1));
        id("progress-says").textContent = pass > 1 ? `${says} (pass ${pass})` : says;
      };
      jobs.set(job, { done, fail, progress });
      id("progress-says").textContent = says;
      id("bar").removeAttribute("value");
      id("progress").hidden = false;
      worker.postMessage({ job, request, files });
    });
  }

  // the user ended the work, and is told so
  let stopped = false;
  id("stop").addEventListener("click", () => {
    restart();
    stopped = true;
    id("status").textContent = "Stopped.";
    id("file").focus();
  });

  // ---- outputs

  const TYPES = { json: "application/json", html: "text/html;charset=utf-8" };

  function save({ name, kind, blob }) {
    const url = URL.createObjectURL(new Blob([blob], { type: TYPES[kind] ?? "application/octet-stream" }));
    make("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  }

  function saver(output, primary) {
    const button = make("button", { type: "button", className: primary ? "primary save" : "save", data: { name: output.name } }, "Download ", value(output.name), primary ? ` (${size(output.blob.size)})` : "");
    button.addEventListener("click", () => save(output));
    return button;
  }

  let shownUrl;
  function viewer(output, title) {
    const button = make("button", { type: "button", className: "view" }, title);
    button.addEventListener("click", () => {
      shownUrl = URL.createObjectURL(new Blob([output.blob], { type: TYPES.html }));
      const frame = make("iframe", { title, src: shownUrl });
      // no access to this page, no forms; links open elsewhere
      frame.setAttribute("sandbox", "allow-scripts allow-popups allow-popups-to-escape-sandbox");
      id("viewer-title").textContent = title;
      id("viewer-frame").replaceChildren(frame);
      id("viewer").showModal();
    });
    return button;
  }

  id("viewer-close").addEventListener("click", () => id("viewer").close());
  // Escape in the report, whose keys the dialog does not get
  addEventListener("message", ({ source, data }) => {
    if (data === "close" && source === id("viewer-frame").firstChild?.contentWindow) id("viewer").close();
  });
  id("viewer").addEventListener("close", () => {
    // the event comes late, and another report may be open by then
    if (id("viewer").open) return;
    id("viewer-frame").replaceChildren();
    URL.revokeObjectURL(shownUrl);
  });

  const byKind = (answer, kind) => answer.outputs.find((output) => output.kind === kind);
  const reports = (answer, title) => make("p", { className: "actions" }, viewer(byKind(answer, "html"), title), saver(byKind(answer, "html")), ...(byKind(answer, "json") ? [saver(byKind(answer, "json"))] : []));

  // ---- views

  const KINDS = ["kept", "merged", "changed", "unread", "lost"];
  const WORDS = { kept: "kept", merged: "merged", changed: "changed", unread: "unread", lost: "lost" };

  function bar(totals) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("class", "bar");
    svg.setAttribute("viewBox", "0 0 1000 10");
    svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("aria-hidden", "true");
    let at = 0;
    for (const kind of KINDS) {
      const width = (totals[kind] / (totals.leaves || 1)) * 1000;
      if (!width) continue;
      const part = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      for (const [name, given] of Object.entries({ x: at, width, height: 10, class: kind })) part.setAttribute(name, given);
      svg.append(part);
      at += width;
    }
    return svg;
  }

  const legend = (totals) => make("ul", { className: "legend" }, ...[...KINDS, "made"].filter((kind) => totals[kind]).map((kind) => make("li", {}, make("span", { className: `dot ${kind}` }), `${number(totals[kind])} ${kind === "made" ? "generated" : WORDS[kind]}`)));
  const badge = (severity) => make("span", { className: `badge ${severity}` }, severity);
  const heads = (...names) => make("thead", {}, make("tr", {}, ...names.map(([name, className = ""]) => make("th", { scope: "col", className }, name))));

  function point(severity, says, places, fix) {
    return make("div", { className: `point ${severity}` }, make("h3", {}, value(says)), fix ? make("p", { className: "fix" }, "Options of the program that help: ", make("code", {}, visible(fix))) : "", fix ? help(fix) : "", places ? make("p", { className: "where" }, value(places)) : "");
  }

  function showDocument(view, answer) {
    const { feed } = current;
    id("h-document").replaceChildren(value(feed.name));
    const facts = [view.is, view.encoding, view.compression, size(view.bytes)].filter(Boolean);
    const problems = view.problems.map((says) => make("li", {}, value(says)));
    const actions = reports(answer, "All fields and values");
    // on a phone the targets take several screens
    actions.append(make("a", { href: "#h-convert" }, "To the conversion"));
    id("document").replaceChildren(
      make("p", { className: "lead" }, value(facts.join(" · "))),
      problems.length ? make("ul", { className: "problems" }, ...problems) : make("p", { className: "fine" }, "Read without repairs."),
      feed.isUrl ? make("p", { className: "note" }, "This is a list of one URL: the page fetches nothing. To read the feed there, open the URL, save the feed, and drop the file here.") : "",
      actions,
    );
  }

  function showTargets(view) {
    const rows = view.targets.map((target) => {
      const name = make("th", { scope: "row" }, make("code", {}, target.to), make("div", { className: "says" }, target.title));
      if (target.refused) return make("tr", {}, name, make("td", { colSpan: 4 }, value(target.refused)));
      const { totals, attention } = target;
      const choose = make("button", { type: "button" }, "Choose", make("span", { className: "sr" }, ` ${target.to}`));
      choose.addEventListener("click", () => {
        id("to").value = target.to;
        command();
        id("h-convert").scrollIntoView();
        id("to").focus();
      });
      return make("tr", { data: { to: target.to } }, name,
        make("td", {}, make("div", { className: "writes" }, target.writes), bar(totals)),
        make("td", { className: `num ${attention ? "t-attention" : "zero"}`, data: { label: "need attention" } }, number(attention)),
        make("td", { className: totals.lost ? "num" : "num zero", data: { label: "lost" } }, number(totals.lost)),
        make("td", { className: "choose" }, choose));
    });
    const table = make("table", { className: "targets" }, make("caption", {}, `What a conversion of ${number(view.targets[0]?.totals.leaves ?? 0)} values would write and lose`), heads(["Target"], ["Writes"], ["Need attention", "num"], ["Values lost", "num"], ["", ""]), make("tbody", {}, ...rows));
    table.tHead.rows[0].lastElementChild.replaceWith(make("td"));
    id("targets").replaceChildren(table, make("ul", { className: "legend" }, ...KINDS.map((kind) => make("li", {}, make("span", { className: `dot ${kind}` }), WORDS[kind]))));
    const usable = view.targets.filter((target) => !target.refused);
    endings = new Map(view.targets.map((target) => [target.to, target.ending]));
    id("to").replaceChildren(...usable.map((target) => make("option", { value: target.to }, `${target.to}: ${target.title}`)));
    const wanted = /sitemap|text/.test(view.format) ? (view.videos ? "mrss" : "rss") : view.videos ? "video-sitemap" : "sitemap";
    if (usable.some((target) => target.to === wanted)) id("to").value = wanted;
    command();
  }

  const FINDINGS = 40;
  function showFindings(view, answer) {
    if (view.unchecked) {
      id("findings").replaceChildren(make("p", { className: "note" }, view.unchecked));
      return;
    }
    const { error, warning } = view.totals;
    const sum = error + warning;
    const rules = `Checked against the rules of ${view.profiles.join(", ")}.`;
    // what was not checked
    const notes = view.notes.map((says) => make("p", { className: "note" }, value(`Note: ${says}`)));
    if (!sum) {
      const says = notes.length ? "No errors and no warnings in what was checked." : "No errors and no warnings.";
      id("findings").replaceChildren(make("p", { className: "fine" }, says), ...notes, make("p", { className: "note" }, rules));
      return;
    }
    const rows = view.rules.slice(0, FINDINGS).map((rule) => {
      const found = rule.found.map((one) => make("li", {}, make("span", { className: "at" }, `line ${one.line}`), " ", value(one.says)));
      const rest = rule.count - rule.found.length;
      if (rest > 0) found.push(make("li", { className: "dim" }, `and ${number(rest)} more`));
      return make("details", { className: "rule" },
        make("summary", {}, badge(rule.severity), " ", make("b", {}, rule.title ?? rule.code), " ", make("span", { className: "dim" }, `${rule.code} ×${number(rule.count)}`)),
        make("ul", { className: "places-of" }, ...found),
        make("p", { className: "note" }, rule.why ?? "", " ", rule.mend ?? ""));
    });
    const json = make("button", { type: "button" }, "Download all findings as JSON");
    json.addEventListener("click", async () => {
      const all = await work("Checking all rules", { do: "validate", input: facts(current.feed), now: now(), json: true }, [current.feed.file]);
      if (all) save(all.outputs[0]);
    });
    const actions = reports(answer, "All findings");
    actions.append(json);
    const rest = view.rules.length - FINDINGS;
    id("findings").replaceChildren(
      make("p", { className: "lead" }, [error && many(error, "error", "errors"), warning && many(warning, "warning", "warnings")].filter(Boolean).join(", ")),
      make("div", { className: "rules" }, ...rows),
      rest > 0 ? make("p", { className: "note" }, `${many(rest, "more rule", "more rules")} in all findings`) : "",
      ...notes,
      make("p", { className: "note" }, rules),
      actions,
    );
  }

  const PREVIEW = 6000;
  // so many parts of an output are beside each other; the others unfold
  const PARTS = 20;
  async function showConverted(answer) {
    const { view, outputs } = answer;
    const written = outputs.filter((output) => output.kind === "document");
    const points = view.attention.slice(0, FINDINGS).map(({ severity, says, places, fix }) => point(severity, says, places, fix));
    const heading = make("h3", { tabIndex: -1 }, value(view.refused ? "Nothing was written" : view.headline));
    const beginning = written.length ? await written[0].blob.slice(0, PREVIEW).text() : "";
    const cut = written.length && written[0].blob.size > PREVIEW;
    const preview = make("pre", { className: "preview", tabIndex: 0, role: "region", ariaLabel: "The beginning of the output" }, visible(beginning.replaceAll("\r\n", "\n")), cut ? "…" : "");
    id("converted").replaceChildren(make("div", { className: "card" },
      heading,
      view.refused ? make("p", { className: "t-attention" }, value(view.refused)) : "",
      view.empty ? make("p", { className: "t-attention" }, view.empty) : "",
      ...points,
      view.attention.length ? "" : make("p", { className: "fine" }, "Nothing needs attention."),
      bar(view.totals), legend(view.totals),
      make("p", { className: "actions" }, ...written.slice(0, PARTS).map((output) => saver(output, true))),
      written.length > PARTS ? make("details", {}, make("summary", {}, many(written.length - PARTS, "more file", "more files")), make("p", { className: "actions" }, ...written.slice(PARTS).map((output) => saver(output, false)))) : "",
      reports(answer, "Every loss"),
      written.length ? make("details", { className: "preview-of" }, make("summary", {}, "Beginning of the output"), preview) : "",
    ));
    heading.focus();
  }

  function showCompared(answer) {
    const { view } = answer;
    const kinds = ["added", "removed", "moved", "changed"].filter((kind) => view[kind]);
    const heading = make("h3", { tabIndex: -1 }, kinds.length ? `${many(view.same, "entry is", "entries are")} equal` : "No differences");
    const fields = Object.entries(view.fields).sort(([, a], [, b]) => b - a).slice(0, FINDINGS);
    id("compared").replaceChildren(make("div", { className: "card" },
      heading,
      make("p", {}, value(view.a.name), " → ", value(view.b.name)),
      make("ul", { className: "legend" }, ...kinds.map((kind) => make("li", {}, make("span", { className: `dot ${kind}` }), `${number(view[kind])} ${kind}`))),
      fields.length ? make("table", { className: "plain-table" }, make("caption", {}, "Changes by field"), heads(["Field"], ["Changes", "num"]), make("tbody", {}, ...fields.map(([field, count]) => make("tr", {}, make("th", { scope: "row" }, make("code", {}, field)), make("td", { className: "num" }, number(count)))))) : "",
      ...view.remarks.slice(0, FINDINGS).map((says) => make("p", { className: "note" }, value(says))),
      reports(answer, "All differences"),
    ));
    heading.focus();
  }

  // ---- the order of events

  const current = { feed: undefined, run: 0 };
  const facts = ({ name, modified, from }) => ({ name, modified, from });

  // Messages are those of the program. Where one names an option, the page says what that is here.
  function help(says, feed) {
    if (/--from html\b/.test(says) && feed && !feed.from) {
      const button = make("button", { type: "button", id: "as-html" }, "Read it as an HTML page");
      button.addEventListener("click", () => open({ ...feed, from: "html" }));
      return make("p", { className: "actions" }, button);
    }
    const labels = [...id("convert").querySelectorAll("[data-option]")].filter((input) => new RegExp(`--${flagOf(input)}\\b`).test(says)).map((input) => `“${id("convert").querySelector(`label[for=${input.id}]`).textContent}”`);
    if (labels.length) return make("p", { className: "fix" }, `Options of this page that help: ${labels.join(", ")}.`);
    return /(^|\s)--?[a-z]/.test(says) ? make("p", {}, "Options that begin with a hyphen are those of the program on the command line.") : "";
  }

  async function work(says, request, files) {
    id("error").replaceChildren();
    try {
      const answer = await ask(says, request, files);
      return answer;
    } catch (error) {
      if (error) id("error").replaceChildren(failure(error.message, help(error.message, current.feed)));
      return undefined;
    }
  }

  async function open(feed) {
    const run = ++current.run;
    // a new feed ends the work on the one before
    if (jobs.size) restart();
    current.feed = feed;
    stopped = false;
    id("status").textContent = `Reading ${visible(feed.name)}`;
    for (const name of ["document", "findings", "targets", "converted", "compared", "error"]) id(name).replaceChildren();
    id("work").hidden = true;
    const input = facts(feed);
    const read = await work(`Reading ${visible(feed.name)}`, { do: "inspect", input, now: now() }, [feed.file]);
    if (run !== current.run) return;
    if (!read) {
      if (!stopped) id("status").textContent = "";
      return;
    }
    id("work").hidden = false;
    showDocument(read.view, read);
    showTargets(read.view);
    id("findings").replaceChildren(make("p", { className: "note" }, "Checking the rules…"));
    id("h-document").focus({ preventScroll: true });
    id("h-document").scrollIntoView();
    const checked = await work("Checking the rules", { do: "validate", input, now: now() }, [feed.file]);
    if (run !== current.run) return;
    if (checked) showFindings(checked.view, checked);
    else id("findings").replaceChildren(make("p", { className: "note" }, "The rules could not be checked."));
    if (!stopped) id("status").textContent = `${visible(feed.name)} was read.`;
    document.documentElement.dataset.opened = String(run);
  }

  const ofFile = (file) => ({ name: file.name, modified: Math.floor(file.lastModified / 1000), file });
  const ofText = (name, text) => ({ name, file: new File([text], name) });
  function openPasted(text) {
    // as a file with this content would be called
    const ending = /^\s*</.test(text) ? "xml" : /^\s*[[{]/.test(text) ? "json" : "txt";
    open({ ...ofText(`pasted.${ending}`, text), isUrl: /^\s*https?:\/\/\S+\s*$/.test(text) });
  }

  id("file").addEventListener("change", ({ target }) => {
    if (target.files[0]) open(ofFile(target.files[0]));
    target.value = "";
  });
  id("paste-open").addEventListener("click", () => {
    const form = id("paste");
    form.hidden = !form.hidden;
    id("paste-open").setAttribute("aria-expanded", String(!form.hidden));
    if (!form.hidden) id("text").focus();
  });
  id("paste").addEventListener("submit", (event) => {
    event.preventDefault();
    openPasted(id("text").value);
  });
  for (const [name, text] of Object.entries(JSON.parse(id("samples").textContent))) {
    const button = make("button", { type: "button", className: "link" }, name);
    button.addEventListener("click", () => open(ofText(name, text)));
    id("examples").append(button);
  }

  // the whole page takes a file, so that one dropped beside the field does not replace the page
  const drop = id("drop");
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
  document.addEventListener("dragleave", (event) => event.relatedTarget || drop.classList.remove("over"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    const [file] = event.dataTransfer.files;
    if (file) open(ofFile(file));
    else if (event.dataTransfer.getData("text")) openPasted(event.dataTransfer.getData("text"));
  });

  // the options that differ from their defaults: name in the library, flag of the command line, value
  const flagOf = (input) => input.dataset.flag ?? input.dataset.option.replaceAll("_", "-");
  function chosen() {
    const fields = [...id("convert").querySelectorAll("[data-option]")];
    const given = fields.map((input) => [input.dataset.option, flagOf(input), input.type === "checkbox" ? input.checked && (input.getAttribute("value") ?? true) : input.value.trim()]);
    return given.filter(([, , value]) => value);
  }

  function output() {
    const to = id("to").value;
    const stem = current.feed.name.replace(/\.gz$/, "").replace(/\.[^.]*$/, "") || "feed";
    const ending = endings.get(to) ?? to;
    return to === ending ? `${stem}.${to}` : `${stem}-${to}.${ending}`;
  }

  // as a shell takes it back
  const quoted = (word) => (/^[\w./+,=:@%-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
  // a name that begins with a hyphen would be an option, also in quotes, and a hyphen alone a stream
  const quotedFile = (name) => quoted(name.startsWith("-") ? `./${name}` : name);

  function command() {
    if (!current.feed) return;
    let name = output();
    // an output never replaces its input
    if (name === current.feed.name) name = `new-${name}`;
    current.output = name;
    const given = chosen().map(([, flag, value]) => (value === true ? ` --${flag}` : value.startsWith("-") ? ` --${flag}=${quoted(value)}` : ` --${flag} ${quoted(value)}`));
    const from = current.feed.from ? ` --from ${current.feed.from}` : "";
    id("command").textContent = visible(`transfeed convert ${quotedFile(current.feed.name)}${from} --to ${id("to").value}${given.join("")} -o ${quotedFile(name)}`);
  }

  id("convert").addEventListener("input", command);
  id("convert").addEventListener("submit", async (event) => {
    event.preventDefault();
    command();
    const { feed, output: name } = current;
    const request = { do: "convert", input: facts(feed), now: now(), to: id("to").value, output: name, options: Object.fromEntries(chosen().map(([option, , value]) => [option, value])) };
    const answer = await work(`Converting ${visible(feed.name)}`, request, [feed.file]);
    if (answer && feed === current.feed) await showConverted(answer);
    if (answer) id("status").textContent = "";
  });
  id("other").addEventListener("change", async ({ target }) => {
    const other = target.files[0] && ofFile(target.files[0]);
    target.value = "";
    if (!other) return;
    const { feed } = current;
    const answer = await work("Comparing", { do: "compare", a: facts(feed), b: facts(other) }, [feed.file, other.file]);
    if (answer && feed === current.feed) showCompared(answer);
  });

  start();
})();
