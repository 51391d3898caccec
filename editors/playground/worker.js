// The checker in a thread of its own: each request starts a new instance, which reads it from standard input and
// writes the answer to standard output. What an instance may use is here: two clocks, random numbers, and nothing else.
"use strict";

class Exit extends Error {}

/** The functions of the system interface (WASI, preview 1) for an instance that reads `input`. */
function system(input) {
  const said = { out: [], err: [] };
  let memory;
  let at = 0;
  const view = () => new DataView(memory.buffer);
  const BAD_FILE = 8;
  const NOT_HERE = 52;
  /** Goes through the buffers that the instance names. */
  function each(buffers, count, visit) {
    let total = 0;
    for (let i = 0; i < count; i += 1) {
      const start = view().getUint32(buffers + 8 * i, true);
      const length = view().getUint32(buffers + 8 * i + 4, true);
      total += visit(new Uint8Array(memory.buffer, start, length));
    }
    return total;
  }
  const none = (counts, bytes) => {
    view().setUint32(counts, 0, true);
    view().setUint32(bytes, 0, true);
    return 0;
  };
  const known = {
    args_sizes_get: none,
    environ_sizes_get: none,
    args_get: () => 0,
    environ_get: () => 0,
    clock_time_get(id, _precision, place) {
      const milliseconds = id === 0 ? Date.now() : performance.now();
      view().setBigUint64(place, BigInt(Math.round(milliseconds * 1e6)), true);
      return 0;
    },
    random_get(start, length) {
      for (let done = 0; done < length; done += 65536) {
        crypto.getRandomValues(new Uint8Array(memory.buffer, start + done, Math.min(65536, length - done)));
      }
      return 0;
    },
    fd_read(file, buffers, count, place) {
      if (file !== 0) return BAD_FILE;
      const total = each(buffers, count, (buffer) => {
        const part = input.subarray(at, at + buffer.length);
        buffer.set(part);
        at += part.length;
        return part.length;
      });
      view().setUint32(place, total, true);
      return 0;
    },
    fd_write(file, buffers, count, place) {
      const sink = { 1: said.out, 2: said.err }[file];
      if (!sink) return BAD_FILE;
      const total = each(buffers, count, (buffer) => (sink.push(buffer.slice()), buffer.length));
      view().setUint32(place, total, true);
      return 0;
    },
    fd_prestat_get: () => BAD_FILE,
    sched_yield: () => 0,
    proc_exit(code) {
      throw new Exit(`exit ${code}`);
    },
  };
  const text = (parts) => {
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    parts.reduce((start, part) => (bytes.set(part, start), start + part.length), 0);
    return new TextDecoder().decode(bytes);
  };
  return {
    imports: new Proxy(known, { get: (all, name) => all[name] ?? (() => NOT_HERE) }),
    start: (instance) => (memory = instance.exports.memory),
    output: () => text(said.out),
    errors: () => text(said.err),
  };
}

/** The answer of a new instance to a request. */
function ask(module, request) {
  const given = system(new TextEncoder().encode(JSON.stringify(request)));
  const needed = WebAssembly.Module.imports(module).map(({ name }) => [name, given.imports[name]]);
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: Object.fromEntries(needed) });
  given.start(instance);
  try {
    instance.exports._start();
  } catch (error) {
    if (!(error instanceof Exit)) {
      return { error: trouble(error, given.errors()) };
    }
  }
  try {
    return JSON.parse(given.output());
  } catch {
    return { error: given.errors() || "there is no answer" };
  }
}

/** Why an instance has ended, in a sentence. */
function trouble(error, told) {
  if (error instanceof RangeError) {
    return "the text is nested too deeply for a browser; the command `resy` has more room";
  }
  const memory = /memory|alloc/.test(told);
  return memory ? "there is not enough memory in a browser; the command `resy` has more" : `the checker has ended: ${told || error.message}`;
}

if (typeof self !== "undefined" && typeof window === "undefined") {
  self.onmessage = ({ data: { id, module, request } }) => self.postMessage({ id, answer: ask(module, request) });
}
