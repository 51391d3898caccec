// Writes what the page needs beside its own files: the examples, and the checker as a script for a page that is opened
// as a file, where a browser loads scripts only.
//
//   node build.mjs FOLDER

import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, "../..");
const [folder] = process.argv.slice(2);

/** The examples: a title, and the file. */
const examples = [
  ["A lock, and what it rests on", "docs/examples/lock.pml"],
  ["A deadlock by the order of two locks", "models/violated/lock_order.pml"],
  ["Mutual exclusion that fails", "models/violated/naive_mutex.pml"],
  ["Peterson's algorithm", "models/mutex/peterson.pml"],
  ["The bakery", "docs/examples/bakery.pml"],
  ["A server and its clients", "docs/examples/server.pml"],
  ["Alternating bits", "models/protocols/alternating_bit.pml"],
  ["A table and its philosophers, in FSP", "docs/examples/table.lts"],
];

const texts = examples.map(([title, file]) => ({
  title,
  name: path.basename(file),
  text: fs.readFileSync(path.join(root, file), "utf8"),
}));
fs.writeFileSync(path.join(folder, "examples.js"), `"use strict";\nconst EXAMPLES = ${JSON.stringify(texts, null, 1)};\n`);

const wasm = fs.readFileSync(path.join(folder, "resy.wasm")).toString("base64");
const worker = fs.readFileSync(path.join(here, "worker.js"), "utf8");
fs.writeFileSync(path.join(folder, "offline.js"), `globalThis.OFFLINE = ${JSON.stringify({ worker, wasm })};\n`);
