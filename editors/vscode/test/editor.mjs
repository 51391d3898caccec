// A real editor for tests: code-server with the extension, in a browser without a display.
//
// Nothing waits for a time: every wait is for a condition, and fails with a sentence if that does not come true.

import { spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import puppeteer from "puppeteer-core";

/** The longest wait for a condition; a busy machine needs a part of it. */
export const LIMIT = Number(process.env.LIMIT ?? 180_000);

/** A port that is free now. */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Waits until `condition` answers something; `words` say what is waited for. */
export async function until(words, condition, limit = LIMIT) {
  const end = Date.now() + limit;
  let last;
  while (Date.now() < end) {
    try {
      const answer = await condition();
      if (answer) {
        return answer;
      }
    } catch (error) {
      // A page that is being drawn anew loses its elements: it is asked again.
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`waited in vain for: ${words}${last ? ` (${last.message})` : ""}`);
}

export class Editor {
  /** Starts the server and a browser at the folder, with a file open. */
  static async start({ server, extensions, resy, folder, file }) {
    const home = fs.mkdtempSync(path.join(os.tmpdir(), "resy-editor-"));
    fs.mkdirSync(path.join(home, "User"));
    const settings = {
      "security.workspace.trust.enabled": false,
      "workbench.startupEditor": "none",
      "workbench.tips.enabled": false,
      "workbench.secondarySideBar.defaultVisibility": "hidden",
      "telemetry.telemetryLevel": "off",
      "extensions.autoUpdate": false,
      "extensions.autoCheckUpdates": false,
      "files.autoSave": "off",
      "editor.minimap.enabled": false,
      "editor.inlayHints.enabled": "on",
      "workbench.reduceMotion": "on",
      "debug.showInStatusBar": "always",
      "debug.toolBarLocation": "docked",
      "debug.internalConsoleOptions": "neverOpen",
      "git.enabled": false,
    };
    fs.writeFileSync(path.join(home, "User/settings.json"), JSON.stringify(settings));
    // Where a command is found belongs to the machine.
    fs.mkdirSync(path.join(home, "Machine"));
    fs.writeFileSync(path.join(home, "Machine/settings.json"), JSON.stringify({ "resy.path": resy }));
    fs.writeFileSync(path.join(home, "config.yaml"), "");
    const port = await freePort();
    const words = ["--config", path.join(home, "config.yaml"), "--auth", "none"];
    words.push("--bind-addr", `127.0.0.1:${port}`, "--user-data-dir", home, "--extensions-dir", extensions);
    words.push("--disable-telemetry", "--disable-update-check", "--disable-getting-started-override");
    const log = fs.openSync(path.join(home, "server.log"), "w");
    const entry = path.join(server, "out/node/entry.js");
    const editor = new Editor();
    editor.home = home;
    editor.process = spawn(process.execPath, [entry, ...words], { stdio: ["ignore", log, log], detached: true });
    try {
      const base = `http://127.0.0.1:${port}`;
      await until("the editor's server", async () => (await fetch(`${base}/healthz`)).ok);
      editor.browser = await puppeteer.launch({
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
        args: ["--no-sandbox", "--disable-dev-shm-usage", "--force-color-profile=srgb", "--lang=en-US"],
        protocolTimeout: LIMIT,
        defaultViewport: { width: 1120, height: 700 },
      });
      editor.page = await editor.browser.newPage();
      const payload = JSON.stringify([["openFile", `vscode-remote://127.0.0.1:${port}${file}`]]);
      const address = `${base}/?folder=${encodeURIComponent(folder)}&payload=${encodeURIComponent(payload)}`;
      await editor.page.goto(address, { waitUntil: "domcontentloaded", timeout: LIMIT });
      await editor.shown(".monaco-editor .view-line", "the text of the model");
    } catch (error) {
      console.error(fs.readFileSync(path.join(home, "server.log"), "utf8"));
      await editor.stop();
      throw error;
    }
    return editor;
  }

  async stop() {
    await this.browser?.close();
    if (this.process.exitCode === null) {
      const ended = new Promise((resolve) => this.process.once("exit", resolve));
      // The server has processes of its own.
      process.kill(-this.process.pid, "SIGKILL");
      await ended;
    }
    fs.rmSync(this.home, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  }

  /** Waits for an element. */
  shown(selector, words) {
    return until(words, () => this.page.$(selector));
  }

  /** Waits until there is no such element. */
  gone(selector, words) {
    return until(words, async () => (await this.page.$(selector)) === null);
  }

  /** The texts of all elements. */
  texts(selector) {
    return this.page.$$eval(selector, (all) => all.map((e) => e.textContent.replaceAll("\u00a0", " ")));
  }

  /** Waits until an element has a text. */
  says(selector, text, words) {
    return until(words, async () => (await this.texts(selector)).some((t) => t.includes(text)));
  }

  /** Clicks at an element with exactly this text, with the mouse, until `condition` holds. */
  async clickUntil(selector, text, words, condition) {
    await until(words, async () => {
      const [at] = await this.page.$$eval(
        selector,
        (all, text) => {
          const fits = all.filter((e) => e.textContent.trim() === text);
          const boxes = fits.map((e) => e.getBoundingClientRect()).filter((b) => b.width > 0);
          return boxes.map((b) => ({ x: b.x + b.width / 2, y: b.y + b.height / 2 }));
        },
        text,
      );
      if (at === undefined) {
        return condition();
      }
      await this.page.mouse.click(at.x, at.y);
      return until(words, condition, 10_000).catch(() => false);
    });
  }

  /** Presses a button of a toolbar, once. */
  async press(icon) {
    const at = await until(`the button ${icon}`, () =>
      this.page.$$eval(`a.action-label.codicon-${icon}`, (all) => {
        const ready = all.filter((e) => !e.classList.contains("disabled"));
        const [b] = ready.map((e) => e.getBoundingClientRect()).filter((b) => b.width > 0);
        return b && { x: b.x + b.width / 2, y: b.y + b.height / 2 };
      }));
    await this.page.mouse.click(at.x, at.y);
  }

  /** Runs a command by its name in the palette. */
  async command(name) {
    const { page } = this;
    await until(`the command ${name}`, async () => {
      await page.keyboard.press("F1");
      await until("the palette", () => page.$(".quick-input-widget input"), 10_000);
      const isOpen = () =>
        page.$eval(".quick-input-widget", (e) => e.style.display !== "none" && e.querySelector("input").value);
      await until("the sign of commands", async () => (await isOpen()) === ">", 10_000);
      await page.keyboard.type(name);
      const rows = ".quick-input-list .monaco-list-row.focused .label-name";
      const fits = async () => (await this.texts(rows)).some((t) => t.includes(name));
      await until("the command in the list", fits, 10_000).catch(async (error) => {
        await page.keyboard.press("Escape");
        throw error;
      });
      await page.keyboard.press("Enter");
      return true;
    });
  }

  /** The page beside the text that contains the words, if it is there. */
  async pageBeside(text) {
    for (const frame of this.page.frames()) {
      const all = await frame.evaluate(() => document.body?.innerText ?? "").catch(() => "");
      if (frame !== this.page.mainFrame() && all.includes(text)) {
        return frame;
      }
    }
    return undefined;
  }

  /** Writes a picture, if the folder for them is given. */
  async picture(name) {
    const folder = process.env.PICTURES;
    if (folder) {
      await this.page.screenshot({ path: path.join(folder, `${name}.png`) });
    }
  }
}
