// The pages that resy writes, as a reader has them: narrow and wide, light and dark, with a keyboard, and for a screen
// reader (axe-core, which measures contrast too).
//
//   node test/pages.mjs RESY

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, "../../..");
const [resy] = process.argv.slice(2);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "resy-pages-"));
const axe = fs.readFileSync(path.join(here, "../node_modules/axe-core/axe.min.js"), "utf8");

/** Runs resy; verdicts other than `holds` are no mistake here. */
function page(name, words) {
  const file = path.join(folder, `${name}.html`);
  try {
    execFileSync(resy, [...words, file], { cwd: root, stdio: "ignore" });
  } catch (error) {
    if (![1, 3].includes(error.status)) {
      throw error;
    }
  }
  return file;
}

const pages = {
  violation: page("violation", ["check", "models/violated/lock_order.pml", "--report"]),
  holds: page("holds", ["check", "docs/examples/lock.pml", "--report"]),
  lasso: page("lasso", ["check", "--property", "served", "models/liveness/26_semaphore_strong.pml", "--report"]),
  network: page("network", ["check", "docs/examples/mutual_exclusion.net", "--report"]),
  fsp: page("fsp", ["check", "docs/examples/table.lts", "--report"]),
  twelve: page("twelve", ["check", "editors/vscode/test/twelve.pml", "--report"]),
  abstraction: page("abstraction", ["abstract", "models/unbounded/bakery_broken.pml", "--without", "end-states", "--report"]),
  requirement: page("requirement", ["assume", "docs/examples/lock.pml", "--module", "Client", "-o"]),
  failed: page("failed", ["assume", "docs/examples/server.pml", "--module", "Server", "-o"]),
};

const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
  protocolTimeout: 180_000,
});
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

try {
  const tab = await browser.newPage();
  const errors = [];
  tab.on("pageerror", (error) => errors.push(String(error)));
  for (const [name, file] of Object.entries(pages)) {
    for (const scheme of ["light", "dark"]) {
      for (const width of [420, 900, 1600]) {
        const title = `${name}, ${scheme}, ${width} pixels`;
        await tab.setViewport({ width, height: 900 });
        await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
        await tab.goto(pathToFileURL(file).href, { waitUntil: "load" });
        if (process.env.PICTURES) {
          const picture = path.join(process.env.PICTURES, `page-${name}-${scheme}-${width}.png`);
          await tab.screenshot({ path: picture, fullPage: true });
        }
        const wide = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        check(`${title}: nothing sticks out`, wide > 0 ? [`${wide} pixels`] : []);
        await tab.evaluate(axe);
        const found = await tab.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
        const told = found.violations.flatMap((v) =>
          v.nodes.slice(0, 3).map((n) => `${v.id}: ${n.target.join(" ")}: ${n.any[0]?.message ?? v.help}`));
        check(`${title}: axe-core`, told);
      }
    }
  }
  // With the keyboard: the slider of a run moves, and what has the focus can be seen.
  await tab.goto(pathToFileURL(pages.violation).href, { waitUntil: "load" });
  const slider = await tab.$("input[type=range]");
  await slider.focus();
  const value = () => tab.$eval("input[type=range]", (e) => Number(e.value));
  const before = await value();
  await tab.keyboard.press("ArrowLeft");
  check("the slider moves by the keyboard", (await value()) === before - 1 ? [] : [`${before} to ${await value()}`]);
  const outlines = await tab.evaluate(() => {
    const all = [...document.querySelectorAll("a, button, input, summary, [tabindex='0']")];
    const shown = all.filter((e) => e.checkVisibility());
    return shown.filter((e) => (e.focus({ focusVisible: true }), e === document.activeElement)).length - shown.length;
  });
  check("everything that acts takes the focus", outlines === 0 ? [] : [`${-outlines} do not`]);
  // A chart of twelve processes is wider than its pane: at each step what happens is in sight, and the names stay above.
  await tab.setViewport({ width: 900, height: 900 });
  await tab.goto(pathToFileURL(pages.twelve).href, { waitUntil: "load" });
  const unseen = await tab.evaluate(() => {
    const picture = document.querySelector(".picture");
    const slider = document.querySelector("input[type=range]");
    const out = [];
    for (let step = 0; step <= Number(slider.max); step += 1) {
      slider.value = step;
      slider.dispatchEvent(new Event("input"));
      const marks = [...picture.querySelectorAll(`g[data-step="${step}"] :is(circle, line)`)];
      const outer = picture.getBoundingClientRect();
      const seen = marks.every((mark) => {
        const box = mark.getBoundingClientRect();
        const fits = box.width > picture.clientWidth || (box.left >= outer.left && box.right <= outer.right);
        return fits && box.bottom >= outer.top && box.top <= outer.bottom;
      });
      const heads = picture.querySelector(".heads .name").getBoundingClientRect();
      if (!seen) out.push(`step ${step}`);
      const under = heads.top - outer.top;
      if (under < 0 || under > 60) out.push(`names of step ${step}: ${under} pixels under the edge`);
      const line = document.querySelector(".text code.now")?.getBoundingClientRect();
      const pane = document.querySelector(".text").getBoundingClientRect();
      if (step > 0 && !(line && line.top >= pane.top && line.bottom <= pane.bottom)) out.push(`line of step ${step}`);
    }
    if (picture.scrollWidth <= picture.clientWidth) out.push("the chart is not wide");
    if (picture.scrollHeight <= picture.clientHeight) out.push("the chart is not high");
    return out;
  });
  check("a wide chart and the text follow the steps", unseen);
  // Who scrolls the chart without the steps has the names in sight a frame later; on paper they are at its start again.
  const names = () => tab.evaluate(() => {
    const pane = document.querySelector(".picture");
    return pane.querySelector(".heads .name").getBoundingClientRect().top - pane.getBoundingClientRect().top;
  });
  const first = await names();
  await tab.evaluate(() => { document.querySelector(".picture").scrollTop = 100; });
  const followed = await tab.waitForFunction(() => {
    return document.querySelector(".picture .heads").getAttribute("transform") === "translate(0 100)";
  }, { timeout: 10_000 }).then(() => [], () => ["they do not"]);
  check("the names follow the chart", followed.concat(Math.abs((await names()) - first) > 1 ? ["they are elsewhere"] : []));
  const printed = await tab.evaluate(() => {
    dispatchEvent(new Event("beforeprint"));
    return document.querySelector(".picture .heads").getAttribute("transform");
  });
  check("on paper the names are at the start of the chart", printed === "translate(0 0)" ? [] : [printed]);
  // The text has colours, and says what is executed.
  await tab.goto(pathToFileURL(pages.holds).href, { waitUntil: "load" });
  const listing = await tab.evaluate(() => {
    const count = (selector) => document.querySelectorAll(`.model ${selector}`).length;
    return { keywords: count(".keyword"), comments: count(".comment"), executed: count("code.executed") };
  });
  const missing = Object.entries(listing).filter(([, n]) => n === 0).map(([what]) => `no ${what}`);
  check("the text has colours and coverage", missing);
  // On paper nothing is cut off and nothing floats.
  await tab.emulateMediaType("print");
  const cut = await tab.evaluate(() => [...document.querySelectorAll(".pane")].filter((pane) =>
    pane.checkVisibility() && pane.scrollHeight > pane.clientHeight + 1).map((pane) => pane.className));
  check("on paper nothing is cut off", cut);
  await tab.emulateMediaType("screen");
  check("no script fails", errors);
} finally {
  await browser.close();
  fs.rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
