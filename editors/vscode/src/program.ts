// Which `resy` is run: the one of the settings, the one inside the extension, or the one in the path.

import * as fs from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";

export function program(context: vscode.ExtensionContext): string {
  const set = vscode.workspace.getConfiguration("resy").get<string>("path", "").trim();
  if (set !== "") {
    return set;
  }
  const own = path.join(context.extensionPath, "bin", process.platform === "win32" ? "resy.exe" : "resy");
  return fs.existsSync(own) ? own : "resy";
}

/** Tells that the command cannot be run, and offers the setting. */
export async function tellMissing(command: string, why: unknown): Promise<void> {
  const words = why instanceof Error ? why.message : String(why);
  const settings = "Open the setting";
  const message = `\`${command}\` cannot be run: ${words}. Install resy, or say where it is.`;
  if ((await vscode.window.showErrorMessage(message, settings)) === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "resy.path");
  }
}
