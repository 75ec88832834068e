// Builds the page: one file with the module, the scripts, the style and the samples in it, and a policy that allows nothing
// else. Each failure ends the build.
//
//   node build.mjs [--out FILE]
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

const here = import.meta.dirname;
const root = resolve(here, "../..");
const target = resolve(root, process.env.CARGO_TARGET_DIR ?? "target", "web");
const args = process.argv.slice(2);
const outAt = args.indexOf("--out");
const out = resolve(outAt < 0 ? join(target, "index.html") : args[outAt + 1]);
const TRIPLE = "wasm32-unknown-unknown";

const read = (...path) => readFileSync(join(...path), "utf8");
const sum = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

function moduleBytes() {
  const cargo = ["build", "--locked", "--manifest-path", join(here, "Cargo.toml"), "--target", TRIPLE, "--target-dir", target, "--release"];
  try {
    execFileSync("cargo", cargo, { stdio: "inherit" });
  } catch {
    console.error(`error: cannot build the module; try: rustup target add ${TRIPLE}`);
    process.exit(1);
  }
  return readFileSync(join(target, TRIPLE, "release", "transfeed_web.wasm"));
}

// What the module may ask of its surroundings: to be told of progress, and nothing else.
function checkImports(compiled) {
  const imports = WebAssembly.Module.imports(compiled).map(({ module, name, kind }) => `${kind} ${module}.${name}`);
  if (imports.join() !== "function page.bytes_read") throw new Error(`the module imports ${imports}`);
}

// The hashes in the policy of the reports: a report in a frame of the page has the policy of the page, too.
function reportHashes(compiled) {
  const { exports } = new WebAssembly.Instance(compiled, { page: { bytes_read: () => {} } });
  const put = (bytes) => {
    const at = exports.input(bytes.length) >>> 0;
    new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
  };
  const request = { do: "convert", input: { name: "a.txt" }, now: 0, to: "text", output: "b.txt" };
  put(Buffer.from(JSON.stringify(request)));
  put(Buffer.from("https://example.com/\n"));
  const last = exports.answer() - 1;
  const report = Buffer.from(exports.memory.buffer, exports.output_at(last) >>> 0, exports.output_length(last)).toString();
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(report)?.[1].replaceAll("&#39;", "'").replaceAll("&#x27;", "'");
  const hashes = (directive) => new RegExp(`${directive} ([^;]*)`).exec(policy ?? "")?.[1];
  const [style, script] = [hashes("style-src"), hashes("script-src")];
  if (!/sha256/.test(style ?? "") || !/sha256/.test(script ?? "")) throw new Error(`a report without hashes: ${policy}`);
  return { style, script };
}

const bytes = moduleBytes();
const compiled = new WebAssembly.Module(bytes);
checkImports(compiled);
const report = reportHashes(compiled);
const version = /^version = "([^"]+)"/m.exec(read(root, "Cargo.toml"))[1];
// the variables and elements of the reports come first; the page adds what they do not have
const style = read(root, "src/html/page.css") + read(here, "page/style.css");
const app = read(here, "page/app.js");
const worker = read(here, "page/worker.js");
if (/<\/script/i.test(app + worker) || /<\/style/i.test(style)) throw new Error("a script or style ends itself");
const names = readdirSync(join(root, "samples")).filter((name) => name !== "README.md").sort();
const samples = JSON.stringify(Object.fromEntries(names.map((name) => [name, read(root, "samples", name)]))).replaceAll("<", "\\u003c");
const policy = [
  "default-src 'none'",
  `script-src ${sum(app)} ${report.script} 'wasm-unsafe-eval'`,
  `style-src ${sum(style)} ${report.style}`,
  "worker-src blob:",
  "frame-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types worker",
].join("; ");
const parts = { POLICY: policy, STYLE: style, VERSION: version, SAMPLES: samples, WORKER: worker, MODULE: gzipSync(bytes, { level: 9 }).toString("base64"), APP: app };
const page = read(here, "page/index.html").replace(/@([A-Z]+)@/g, (mark, name) => parts[name] ?? mark);
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, page);
console.log(`${out}: ${page.length} bytes; the module has ${bytes.length} bytes`);
