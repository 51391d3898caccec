// The playground as a visitor has it: from a server and as a file, narrow and wide, light and dark, with a keyboard and
// for a screen reader. Then the checker alone, in WebAssembly, beside the command: every verdict and every number of
// states is the same.
//
//   node test/playground.mjs FOLDER RESY

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import vm from "node:vm";
import puppeteer from "puppeteer-core";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, "../../..");
const [folder, resy] = process.argv.slice(2).map((word) => path.resolve(word));
const axe = fs.readFileSync(path.join(here, "../node_modules/axe-core/axe.min.js"), "utf8");
// A busy machine takes minutes to compile the checker that the tests build.
const LIMIT = Number(process.env.LIMIT ?? 300_000);
let passed = 0;
let failed = 0;
function check(name, problems) {
  if (problems.length === 0) {
    passed += 1;
  } else {
    failed += 1;
    console.log(`failed: ${name}\n  ${problems.join("\n  ")}`);
  }
}
const equal = (found, wanted) => (found === wanted ? [] : [`${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`]);

// --- The checker alone ---

const context = vm.createContext({ TextEncoder, TextDecoder, WebAssembly, performance, crypto, window: {} });
vm.runInContext(`${fs.readFileSync(path.join(folder, "worker.js"), "utf8")}\nglobalThis.ask = ask;`, context);
const module = new WebAssembly.Module(fs.readFileSync(path.join(folder, "resy.wasm")));

/** What the command says about a file. */
function command(file) {
  try {
    return JSON.parse(execFileSync(resy, ["check", "--json", "--quiet", "--all-properties", "--engine", "monolithic", "--threads", "1", "--timeout", "30", "--memory", "1GB", file], { cwd: root, stdio: ["ignore", "pipe", "ignore"] }));
  } catch (error) {
    return error.stdout.length > 0 ? JSON.parse(error.stdout) : { verdict: null };
  }
}

const folders = (process.env.MODELS ?? "models/violated models/mutex models/ltl models/channels models/refused docs/examples").split(" ");
const files = folders.flatMap((name) => fs.readdirSync(path.join(root, name)).sort().map((file) => path.join(name, file)));
const models = files.filter((file) => /\.(pml|lts)$/.test(file));
const differences = [];
let decided = 0;
for (const file of models) {
  const text = fs.readFileSync(path.join(root, file), "utf8");
  // There are no files in a page.
  if (/^\s*#\s*include/m.test(text)) continue;
  const answer = context.ask(module, { do: "check", name: file, text, seconds: 30 });
  const wanted = command(file);
  const found = answer.verdict ?? null;
  // A limit may be reached by one of them.
  if (found === "unknown" || wanted.verdict === "unknown") continue;
  const refused = wanted.verdict === "error" ? null : wanted.verdict;
  if (found !== refused) differences.push(`${file}: ${found} (${answer.error ?? ""}), and the command says ${wanted.verdict}`);
  if (found === "holds" && answer.states !== wanted.stats?.states) differences.push(`${file}: ${answer.states} states, and the command has ${wanted.stats?.states}`);
  if (found === "holds" || found === "fails") decided += 1;
}
check(`${models.length} models have the verdicts and the numbers of the command`, differences);
check("most of them are decided", decided * 2 > models.length ? [] : [`${decided} of ${models.length}`]);
// What is nested as deeply as may be, and more, is answered with a sentence.
for (const depth of [100, 10_000]) {
  const text = `int x; active proctype P() { x = ${"(".repeat(depth)}1${")".repeat(depth)} }`;
  const answer = context.ask(module, { do: "read", name: "deep.pml", text });
  check(`${depth} parentheses are read or refused`, answer.findings || /nested/.test(answer.error) ? [] : [JSON.stringify(answer)]);
}

// --- The page ---

const kinds = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".wasm": "application/wasm" };
const server = http.createServer((request, response) => {
  const file = path.join(folder, path.basename(new URL(request.url, "http://x").pathname) || "index.html");
  if (!fs.existsSync(file)) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { "content-type": kinds[path.extname(file)] }).end(fs.readFileSync(file));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const served = `http://127.0.0.1:${server.address().port}/`;

const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
  protocolTimeout: LIMIT,
});
const status = (tab, words) => tab.waitForFunction((wanted) => new RegExp(wanted).test(document.getElementById("status").textContent), { timeout: LIMIT }, words);
const told = (tab) => tab.$eval("#status", (element) => element.textContent);
/** The text of the report. */
const report = async (tab) => {
  const frame = await (await tab.waitForSelector("#page:not([hidden])", { timeout: LIMIT })).contentFrame();
  await frame.waitForSelector("footer", { timeout: LIMIT });
  return frame;
};
async function write(tab, text) {
  await tab.$eval("#text", (element, given) => {
    element.value = given;
    element.dispatchEvent(new Event("input"));
  }, text);
}
const example = (tab, words) => tab.$eval("#examples", (element, wanted) => {
  element.selectedIndex = [...element.options].findIndex((option) => option.text.includes(wanted));
  element.dispatchEvent(new Event("change"));
}, words);

try {
  for (const [kind, address] of [["from a server", served], ["as a file", pathToFileURL(path.join(folder, "index.html")).href]]) {
    const tab = await browser.newPage();
    const errors = [];
    tab.on("pageerror", (error) => errors.push(String(error)));
    const asked = [];
    tab.on("request", (request) => asked.push(request.url()));
    await tab.setViewport({ width: 1600, height: 900 });
    await tab.goto(address, { waitUntil: "load" });
    await status(tab, "^Ready");
    await tab.click("#check");
    await status(tab, "^holds");
    await report(tab);
    await example(tab, "order of two locks");
    await tab.click("#check");
    await status(tab, "^fails");
    check(`${kind}: a run is shown`, equal((await (await report(tab)).$$("input[type=range]")).length > 0, true));
    await example(tab, "A lock");
    await tab.waitForFunction(() => document.querySelectorAll("#modules option").length === 2, { timeout: LIMIT });
    await tab.click("#assume");
    await status(tab, "^holds");
    const drawn = await (await report(tab)).$$eval("svg .state", (states) => states.length);
    check(`${kind}: a requirement is drawn`, drawn > 0 ? [] : ["no states"]);
    const outside = asked.filter((url) => !/^(blob|about|data):/.test(url) && !url.startsWith(address.replace(/[^/]*$/, "")));
    check(`${kind}: nothing is sent anywhere`, outside);
    check(`${kind}: no script fails`, errors);
    await tab.close();
  }

  const tab = await browser.newPage();
  const errors = [];
  tab.on("pageerror", (error) => errors.push(String(error)));
  await tab.goto(served, { waitUntil: "load" });
  await status(tab, "^Ready");
  // A mistake is underlined where it is, beside characters of any width, and listed.
  await write(tab, "/* 🔒 é */ active proctype P() {\n\tint x;\n\t/* 🔒 */ y = 1\n}\n");
  await tab.waitForSelector("#findings .error", { timeout: LIMIT });
  const underlined = await tab.$$eval(".colours .error", (spans) => spans.map((span) => span.textContent).join(""));
  check("a mistake is underlined", equal(underlined, "y"));
  await tab.click("#findings .error");
  const line = await tab.$eval("#text", (e) => e.value.slice(0, e.selectionStart).split("\n").length);
  check("its line is shown", equal(line, 3));
  await tab.click("#check");
  await status(tab, "errors");
  // The overlay has the text of the editor, letter by letter, in the same place.
  for (const { text } of vm.runInNewContext(`${fs.readFileSync(path.join(folder, "examples.js"), "utf8")}; EXAMPLES`)) {
    await write(tab, text);
    check("the colours are of the same text", equal(await tab.$eval(".colours", (e) => e.textContent), `${text}\n`));
  }
  await example(tab, "Peterson");
  const colours = await tab.evaluate(() => ["keyword", "comment"].filter((name) => !document.querySelector(`.colours .${name}`)));
  check("words have colours", colours);
  // Layout, and back.
  await write(tab, "byte  x ;active proctype P(){x=1}");
  const before = await tab.$eval("#text", (e) => e.value);
  await tab.click("#format");
  await tab.waitForFunction(() => document.getElementById("text").value.includes("byte x;"), { timeout: LIMIT });
  await tab.focus("#text");
  await tab.keyboard.down("Control");
  await tab.keyboard.press("z");
  await tab.keyboard.up("Control");
  check("the layout can be undone", equal(await tab.$eval("#text", (e) => e.value), before));
  // What takes for ever can be stopped, and ends by itself.
  await write(tab, "int x, y, z; active [3] proctype P() { do :: x++ :: y++ :: z-- od }");
  await tab.click("#check");
  await tab.waitForSelector("#stop:not([hidden])", { timeout: LIMIT });
  await tab.click("#stop");
  await status(tab, "stopped");
  await tab.focus("#text");
  await tab.keyboard.down("Control");
  await tab.keyboard.press("Enter");
  await tab.keyboard.up("Control");
  await status(tab, "^unknown");
  check("what was found is said", /states/.test(await told(tab)) ? [] : [await told(tab)]);
  // A long text stays quick: colours and numbers of 10,000 lines.
  await write(tab, "// nothing\n".repeat(10_000));
  const took = await tab.evaluate(() => {
    const start = performance.now();
    document.getElementById("text").dispatchEvent(new Event("input"));
    return performance.now() - start;
  });
  check("10,000 lines are coloured", took < 2000 ? [] : [`${took} ms`]);
  // Colours follow to the end of a long text.
  await write(tab, `${"byte x;\n".repeat(5000)}// the end`);
  await tab.$eval("#text", (e) => { e.scrollTop = e.scrollHeight; e.dispatchEvent(new Event("scroll")); });
  const end = await tab.evaluate(() => {
    const [mark, pane] = [[...document.querySelectorAll(".colours .comment")].at(-1), document.querySelector(".sheet")];
    const [inner, outer] = [mark.getBoundingClientRect(), pane.getBoundingClientRect()];
    return mark.textContent === "// the end" && inner.top >= outer.top && inner.bottom <= outer.bottom;
  });
  check("the end of a long text has its colours in sight", end ? [] : ["it has not"]);
  console.log(`ok: 10,000 lines are coloured in ${took.toFixed(0)} ms`);
  // It is there after a reload.
  await write(tab, "byte mine;");
  await tab.reload({ waitUntil: "load" });
  check("the text is kept", equal(await tab.$eval("#text", (e) => e.value), "byte mine;"));
  await status(tab, "^Ready");

  for (const scheme of ["light", "dark"]) {
    for (const width of [420, 900, 1600]) {
      const title = `${scheme}, ${width} pixels`;
      await tab.setViewport({ width, height: 900 });
      await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      await write(tab, fs.readFileSync(path.join(root, "models/violated/lock_order.pml"), "utf8").replace("}", "int unused; y = 1 }"));
      await tab.waitForSelector("#findings .error", { timeout: LIMIT });
      await tab.evaluate(axe);
      const found = await tab.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"], iframes: false }));
      check(`${title}: axe-core`, found.violations.flatMap((v) => v.nodes.slice(0, 3).map((n) => `${v.id}: ${n.target.join(" ")}: ${n.any[0]?.message ?? v.help}`)));
      await example(tab, "order of two locks");
      await tab.click("#check");
      await status(tab, "^fails");
      await report(tab);
      const wide = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      check(`${title}: nothing sticks out`, wide > 0 ? [`${wide} pixels`] : []);
      if (process.env.PICTURES) {
        await new Promise((resolve) => setTimeout(resolve, 300));
        await tab.screenshot({ path: path.join(process.env.PICTURES, `playground-${scheme}-${width}.png`) });
      }
    }
  }
  check("no script fails", errors);
} finally {
  await browser.close();
  server.close();
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
