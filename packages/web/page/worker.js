"use strict";
// Runs the module, away from the page: it receives a request and its files, and answers with outputs that can be saved.
// It cannot reach the network: the policy of the page applies here too, and the module imports one function that takes a number.
let module;

async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

// An instance for each request: its memory is given back, and one that failed is not used again.
async function instance(job) {
  const page = { bytes_read: (bytes) => postMessage({ job, read: bytes }) };
  const { exports } = await WebAssembly.instantiate(await module, { page });
  return exports;
}

const copy = (exports, at, length) => new Uint8Array(exports.memory.buffer, at, length).slice();
const text = (bytes) => new TextDecoder().decode(bytes);

function put(exports, bytes) {
  const at = exports.input(bytes.length);
  new Uint8Array(exports.memory.buffer, at >>> 0, bytes.length).set(bytes);
}

// What a file cannot give is no fault of the converter.
async function bytesOf(file) {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch (error) {
    throw new Unreadable(`cannot read ${file.name}: it was changed, moved or removed since it was chosen; choose it again (${error.message})`);
  }
}

class Unreadable extends Error {}

async function run({ job, request, files }) {
  const exports = await instance(job);
  try {
    put(exports, new TextEncoder().encode(JSON.stringify(request)));
    for (const file of files) put(exports, await bytesOf(file));
    const count = exports.answer();
    const part = (number) => copy(exports, exports.output_at(number) >>> 0, exports.output_length(number));
    const head = JSON.parse(text(part(0)));
    const outputs = (head.outputs ?? []).map((output, number) => ({ ...output, blob: new Blob([part(number + 1)]) }));
    if (outputs.length && outputs.length !== count - 1) throw new Error("an output is missing");
    postMessage({ job, done: { ...head, outputs } });
  } catch (error) {
    if (error instanceof Unreadable) return postMessage({ job, unreadable: error.message });
    const length = exports.panic_length();
    const says = length ? text(copy(exports, exports.panic_at() >>> 0, length)) : String(error.message ?? error);
    postMessage({ job, broken: says });
  }
}

onmessage = ({ data }) => {
  if (data.packed) {
    module = unpack(data.packed);
    module.then(() => postMessage({ ready: true }), (error) => postMessage({ broken: String(error.message ?? error) }));
  } else {
    run(data).catch((error) => postMessage({ job: data.job, broken: String(error.message ?? error) }));
  }
};
