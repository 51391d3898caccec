// What a user does in the editor, from an unknown name to the violation and back.
//
//   node test/story.mjs SERVER EXTENSIONS RESY
//
// SERVER is an unpacked code-server, EXTENSIONS a folder with the unpacked extension.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Editor, until } from "./editor.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const [server, extensions, resy] = process.argv.slice(2);
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "resy-story-"));
const folder = path.join(scratch, "models");
fs.mkdirSync(folder);
const model = path.join(folder, "turn.pml");
fs.copyFileSync(path.join(here, "turn.pml"), model);
fs.copyFileSync(path.join(here, "../../../docs/examples/lock.pml"), path.join(folder, "lock.pml"));

const LENS = ".codelens-decoration a";
const LINES = ".view-lines .view-line";
const editor = await Editor.start({ server, extensions, resy, folder, file: model });
const { page } = editor;

/** The line before which the debugger stands, in the editor. */
const standing = () =>
  page.evaluate(() => {
    const mark = document.querySelector(".debug-top-stack-frame-line, .debug-focused-stack-frame-line");
    const top = mark?.getBoundingClientRect().top;
    const lines = [...document.querySelectorAll(".view-lines .view-line")];
    const line = lines.find((l) => Math.abs(l.getBoundingClientRect().top - top) < 2);
    // Marks of the debugger and verdicts stand in the line, too.
    return line?.textContent.replaceAll(/[^!-~]/g, "");
  });

const steps = [
  ["the grammar colours the text", async () => {
    await until("a keyword in its colour", () =>
      page.evaluate(() => {
        const spans = [...document.querySelectorAll(".view-line span span")];
        const of = (word) => spans.find((s) => s.textContent.trim() === word)?.className;
        return of("proctype") !== undefined && of("proctype") !== of("Worker");
      }));
  }],
  ["an unknown name is underlined", async () => {
    await editor.shown(".squiggly-error", "the wave under `cuont`");
    await editor.command("Go to Next Problem in Files");
    await editor.says(".zone-widget, .peekview-widget, .monaco-editor", "did you mean `count`", "the message");
    await editor.picture("vscode-error");
    await page.keyboard.press("Escape");
  }],
  ["the quick fix mends it", async () => {
    await until("the fix in the menu", async () => {
      await page.keyboard.down("Control");
      await page.keyboard.press(".");
      await page.keyboard.up("Control");
      const isOffered = async () => (await editor.texts(".action-widget .action-item, .action-widget .monaco-list-row")).some((t) => t.includes("count"));
      return until("the menu", isOffered, 10_000).catch(() => false);
    });
    await page.keyboard.press("Enter");
    await editor.gone(".squiggly-error", "no wave any more");
    await editor.says(LINES, ":: count < 2 ->", "the mended line");
    await page.keyboard.down("Control");
    await page.keyboard.press("s");
    await page.keyboard.up("Control");
    await until("the saved file", () => fs.readFileSync(model, "utf8").includes(":: count < 2 ->"));
  }],
  ["a lens checks the property, the verdict is behind it", async () => {
    await editor.says(LENS, "check", "the lens");
    await editor.clickUntil(LENS, "check", "the verdict", async () =>
      (await editor.texts(LINES)).some((line) => line.includes("ltl bounded") && line.includes("fails")));
    await editor.shown(".squiggly-error", "the violation where the run goes wrong");
    await editor.says(LENS, "debug", "the lens of the debugger");
    await editor.says(LENS, "report", "the lens of the report");
  }],
  ["the report is shown beside the text, in the editor's colours", async () => {
    // The system is dark, the editor is light.
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
    let frame;
    await editor.clickUntil(LENS, "report", "the report", async () =>
      (frame = await editor.pageBeside("bounded")));
    await until("the chart", () => frame.evaluate(() => document.querySelectorAll("svg").length > 0));
    const ground = await frame.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    if (ground !== "light") {
      throw new Error(`the report is ${ground} in a light editor`);
    }
    await editor.picture("vscode-report");
    await editor.command("View: Close Editors in Other Groups");
    await until("the text alone", async () => (await page.$$(".editor-group-container")).length === 1);
  }],
  ["the debugger stands at the start of the run", async () => {
    await editor.clickUntil(LENS, "debug", "the debugger", async () => (await standing()) !== undefined);
    await until("the first statement", async () => (await standing()) === "::count<2->");
  }],
  ["a step forwards, and back", async () => {
    await editor.press("debug-step-into");
    await until("the second statement", async () => (await standing()) === "!busy;");
    await editor.press("debug-step-into");
    await until("the third statement", async () => (await standing()) === "busy=true;");
    await editor.press("debug-step-back");
    await until("the second statement again", async () => (await standing()) === "!busy;");
  }],
  ["it goes on to the violation, and shows the values there", async () => {
    await editor.press("debug-continue");
    await editor.says(".exception-widget", "count <= 2", "the violation in the text");
    await editor.clickUntil(".debug-variables .monaco-list-row .monaco-tl-contents", "Globals", "the values", async () =>
      (await editor.texts(".debug-variables .monaco-list-row")).some((t) => /count\s*=\s*3/.test(t)));
    await editor.picture("vscode-debug");
    await editor.press("debug-reverse-continue");
    await until("the start again", async () => (await standing()) === "::count<2->");
    await editor.press("debug-stop");
    await until("the end of the session", async () => (await standing()) === undefined);
  }],
  ["a simulation lets the user choose a step", async () => {
    await editor.command("resy: Simulate step by step");
    await until("the initial state", async () => (await standing()) === "::count<2->");
    await editor.command("Debug: Step Into Target");
    const rows = ".quick-input-list .monaco-list-row";
    await editor.says(rows, "Worker(1): count < 2", "the possible steps");
    // The steps of the process in focus come first.
    await page.keyboard.press("Enter");
    await until("the statement after the step", async () => (await standing()) === "!busy;");
    await editor.press("debug-stop");
    await until("the end of the session", async () => (await standing()) === undefined);
  }],
  ["what a process must guarantee is shown as a graph", async () => {
    await editor.command("View: Show Explorer");
    await editor.clickUntil(".explorer-folders-view .label-name", "lock.pml", "the other model", async () =>
      (await editor.texts(LINES)).some((line) => line.includes("Rival")));
    let frame;
    await editor.clickUntil(LENS, "what must it guarantee?", "the requirement", async () =>
      (frame = await editor.pageBeside("In words")));
    await until("the graph", () => frame.evaluate(() => document.querySelectorAll("svg").length > 0));
    await editor.picture("vscode-requirement");
  }],
];

let passed = 0;
let failed = 0;
try {
  for (const [name, step] of steps) {
    await step();
    passed += 1;
    console.log(`ok: ${name}`);
  }
} catch (error) {
  failed += 1;
  console.log(`failed: ${steps[passed][0]}\n${error.stack}`);
  console.log((await editor.texts(".notification-list-item-message").catch(() => [])).join("\n"));
  await page.screenshot({ path: path.join(os.tmpdir(), "resy-editor-failed.png") }).catch(() => undefined);
} finally {
  await editor.stop();
  fs.rmSync(scratch, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
