// The page: an editor, and what the checker answers. The checker runs in a worker, which is ended and started anew to
// stop it.
"use strict";

const SECONDS = 10;
const get = (id) => document.getElementById(id);
const [text, colours, numbers] = [get("text"), document.querySelector(".colours"), document.querySelector(".numbers")];
const keep = "resy-playground";
let words = { promela: new Set(), fsp: new Set() };
let name = "model.pml";
let findings = [];

/** The name of an element with text and children. */
function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// --- The checker ---

/** Where the checker comes from: beside the page, or from a script if the page was opened as a file. */
async function load() {
  if (location.protocol !== "file:") {
    const answer = await fetch("resy.wasm");
    if (!answer.ok) throw new Error(`resy.wasm: ${answer.status}`);
    return { worker: "worker.js", module: await WebAssembly.compile(await answer.arrayBuffer()) };
  }
  await new Promise((resolve, reject) => {
    document.head.append(element("script", { src: "offline.js", onload: resolve, onerror: () => reject(new Error("offline.js is missing")) }));
  });
  const { worker, wasm } = globalThis.OFFLINE;
  const bytes = Uint8Array.from(atob(wasm), (letter) => letter.charCodeAt(0));
  const source = URL.createObjectURL(new Blob([worker], { type: "text/javascript" }));
  return { worker: source, module: await WebAssembly.compile(bytes) };
}

/** One worker; requests are answered in turn. */
class Checker {
  constructor(parts) {
    this.parts = parts;
    this.start();
  }
  start() {
    this.waiting = new Map();
    this.next = 0;
    this.worker = new Worker(this.parts.worker);
    this.worker.onmessage = ({ data: { id, answer } }) => {
      const resolve = this.waiting.get(id);
      this.waiting.delete(id);
      resolve?.(answer);
    };
    this.worker.onerror = (event) => this.end(event.message || "the worker has failed");
  }
  ask(request) {
    return new Promise((resolve) => {
      const id = (this.next += 1);
      this.waiting.set(id, resolve);
      this.worker.postMessage({ id, module: this.parts.module, request });
    });
  }
  /** Ends what is going on. */
  end(why) {
    const waiting = [...this.waiting.values()];
    this.worker.terminate();
    this.start();
    waiting.forEach((resolve) => resolve({ error: why }));
  }
}

// Reading the text must not wait for a check, so that it has a worker of its own.
let reader;
let checker;

// --- The editor ---

/** The places of findings in the text; columns count characters, not UTF-16. */
function marks(lines) {
  const starts = lines.reduce((all, line) => (all.push(all.at(-1) + line.length + 1), all), [0]);
  const place = (line, column) => starts[Math.min(line, lines.length) - 1] + [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
  return findings.filter(({ span, file }) => span?.line && (file ?? name) === name).map(({ span, severity }) => {
    const start = place(span.line, span.column);
    return [start, Math.max(place(span.end_line, span.end_column), start + 1), severity];
  });
}

/** The height of a line, and how many lines beyond those in sight are drawn. */
const [HEIGHT, BEYOND] = [20, 100];
let sheet;

/** Draws the text anew. */
function draw() {
  const lines = text.value.split("\n");
  const language = name.endsWith(".lts") ? "fsp" : "promela";
  const starts = lines.reduce((all, line) => (all.push(all.at(-1) + line.length + 1), all), [0]);
  sheet = { starts, pieces: pieces(text.value, words[language]), marks: marks(lines), first: -1 };
  const worst = new Map();
  for (const { line, severity } of findings) {
    if (line && worst.get(line) !== "error") worst.set(line, severity);
  }
  const number = (_, i) => (worst.has(i + 1) ? element("span", { className: worst.get(i + 1) }, `${i + 1}\n`) : `${i + 1}\n`);
  numbers.replaceChildren(...(worst.size > 0 ? lines.map(number) : [lines.map(number).join("")]));
  follow();
}

/** Moves colours and numbers with the text; only lines in sight have colours. */
function follow() {
  const top = Math.floor(text.scrollTop / HEIGHT);
  const n = sheet.starts.length - 1;
  if (sheet.first < 0 || (top < sheet.first && sheet.first > 0) || top + text.clientHeight / HEIGHT > sheet.last) {
    sheet.first = Math.max(0, top - BEYOND);
    sheet.last = Math.min(n, top + Math.ceil(text.clientHeight / HEIGHT) + BEYOND);
    const [from, to] = [sheet.starts[sheet.first], Math.min(sheet.starts[sheet.last], text.value.length)];
    colours.replaceChildren(coloured(text.value, from, to, sheet.pieces, sheet.marks));
  }
  colours.style.transform = `translate(${-text.scrollLeft}px, ${HEIGHT * sheet.first - text.scrollTop}px)`;
  numbers.style.transform = `translateY(${-text.scrollTop}px)`;
}

/** Goes to a place of the text. */
function show(line, column) {
  const before = text.value.split("\n").slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0);
  text.focus();
  text.setSelectionRange(before + column - 1, before + column - 1);
  text.scrollTop = Math.max(0, (line - 5) * 20);
}

function list() {
  get("findings").replaceChildren(...findings.map((finding) => {
    const place = finding.line ? `line ${finding.line}` : "text";
    const more = [...(finding.notes ?? []).map((note) => note.message), finding.help].filter(Boolean);
    const small = more.map((words_) => element("small", {}, words_));
    const button = element("button", { className: finding.severity }, element("b", {}, place), element("span", {}, finding.message), ...small);
    button.onclick = () => finding.line && show(finding.line, finding.column ?? 1);
    return element("li", {}, button);
  }));
}

function take(found) {
  findings = found ?? [];
  list();
  draw();
}

/** Reads the text a moment after the last change. */
let due;
function changed() {
  findings = [];
  draw();
  try {
    localStorage.setItem(keep, JSON.stringify({ name, text: text.value }));
  } catch {
    // Some pages have no storage.
  }
  clearTimeout(due);
  due = setTimeout(read, 200);
}

async function read() {
  if (!reader) return;
  if (reader.waiting.size > 0) reader.end("another text came");
  const asked = text.value;
  const answer = await reader.ask({ do: "read", name, text: asked, seconds: 5 });
  if (asked !== text.value || !answer.findings) return;
  take(answer.findings);
  const [select, chosen] = [get("modules"), get("modules").value];
  if (answer.modules.length > 0) {
    select.replaceChildren(...answer.modules.map((module) => element("option", {}, module)));
    if (answer.modules.includes(chosen)) select.value = chosen;
  }
}

function open(example) {
  name = example.name;
  text.value = example.text;
  text.scrollTop = 0;
  get("modules").replaceChildren();
  changed();
}

// --- What is asked ---

function tell(kind, word, sentence) {
  get("status").className = kind;
  get("status").replaceChildren(...(word ? [element("b", {}, word)] : []), sentence);
}

function busy(is) {
  get("stop").hidden = !is;
  for (const id of ["check", "assume", "format"]) get(id).disabled = is;
}

/** The first line of a text that says something. */
const sentence = (answer) => `in ${answer.seconds.toFixed(2)} s${answer.states ? `, ${answer.states.toLocaleString("en")} states` : ""}`;

async function ask(request, doing) {
  busy(true);
  tell("", "", doing);
  const answer = await checker.ask({ name, text: text.value, seconds: SECONDS, ...request });
  busy(false);
  if (answer.findings) take(answer.findings);
  if (answer.error) {
    tell("mistake", "", answer.error);
  } else if (answer.verdict) {
    const word = { holds: "holds", fails: "fails", unknown: "unknown" }[answer.verdict];
    tell(answer.verdict, word, sentence(answer));
    get("page").srcdoc = answer.page;
    get("page").hidden = false;
    get("hint").hidden = true;
    // On a narrow screen the result is below the text.
    if (matchMedia("(max-width: 820px)").matches) get("status").scrollIntoView({ block: "start" });
  } else {
    tell("mistake", "", "The text has errors; the list below it says where.");
  }
  return answer;
}

get("check").onclick = () => ask({ do: "check" }, "Checking …");
get("assume").onclick = () => ask({ do: "assume", module: get("modules").value }, `What must ${get("modules").value} guarantee? …`);
get("stop").onclick = () => checker.end("It was stopped.");
get("format").onclick = async () => {
  const answer = await reader.ask({ do: "format", name, text: text.value });
  if (answer.text === undefined) return tell("mistake", "", answer.error);
  if (answer.text !== text.value) {
    // Typed, so that it can be undone.
    text.focus();
    text.select();
    document.execCommand("insertText", false, answer.text);
  }
};
text.addEventListener("input", changed);
text.addEventListener("scroll", follow);
text.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    if (!get("check").disabled) get("check").click();
  } else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    // A new line begins where the one before it does.
    event.preventDefault();
    const line = text.value.slice(text.value.lastIndexOf("\n", text.selectionStart - 1) + 1, text.selectionStart);
    document.execCommand("insertText", false, `\n${/^[ \t]*/.exec(line)[0]}`);
  }
});
get("examples").onchange = ({ target }) => open(EXAMPLES[target.value]);

// --- The beginning ---

get("limit").textContent = SECONDS;
get("examples").replaceChildren(...EXAMPLES.map((example, i) => element("option", { value: i }, example.title)));
busy(true);
get("stop").hidden = true;
let begin = EXAMPLES[0];
try {
  begin = JSON.parse(localStorage.getItem(keep)) ?? begin;
} catch {
  // What was kept cannot be read.
}
open(begin);
load().then(async (parts) => {
  // Until this is answered there is no reader: a new text would cut the question short.
  const first = new Checker(parts);
  const told = await first.ask({ do: "words" });
  if (told.error) throw new Error(told.error);
  [reader, checker] = [first, new Checker(parts)];
  words = { promela: new Set(told.promela), fsp: new Set(told.fsp) };
  draw();
  await read();
  busy(false);
  tell("", "", `Ready: resy ${told.version}.`);
}).catch((error) => tell("mistake", "", `The checker cannot be loaded: ${error.message}`));
