// Pages beside the text: the report of a check, and the requirement of a process.
//
// The pages are those that the command writes. They need no network, and a view is not allowed any. A page
// follows the colours of the system; in a view it follows those of the editor.

import * as fs from "node:fs/promises";
import * as vscode from "vscode";

/** What the server asks to show. */
export interface View {
  title: string;
  /** The model that it is about. */
  uri: string;
  /** The file of the page. */
  path: string;
}

export class Views implements vscode.Disposable {
  private readonly open = new Map<string, { panel: vscode.WebviewPanel; page: string }>();
  private readonly subscription: vscode.Disposable;

  constructor() {
    this.subscription = vscode.window.onDidChangeActiveColorTheme(() => {
      for (const { panel, page } of this.open.values()) {
        panel.webview.html = dressed(page);
      }
    });
  }

  /** Shows a page, in the view that it was shown in before. */
  async show(view: View): Promise<void> {
    let page: string;
    try {
      page = await fs.readFile(view.path, "utf8");
    } catch (error) {
      void vscode.window.showErrorMessage(`The page cannot be read: ${String(error)}`);
      return;
    }
    const key = `${view.uri} ${view.title}`;
    const known = this.open.get(key);
    if (known !== undefined) {
      known.page = page;
      known.panel.webview.html = dressed(page);
      known.panel.reveal(undefined, true);
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      "resy",
      `${view.title} · ${basename(view.uri)}`,
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, enableFindWidget: true, retainContextWhenHidden: true, localResourceRoots: [] },
    );
    this.open.set(key, { panel, page });
    panel.onDidDispose(() => this.open.delete(key));
    panel.webview.html = dressed(page);
  }

  dispose(): void {
    this.subscription.dispose();
    for (const { panel } of [...this.open.values()]) {
      panel.dispose();
    }
  }
}

function basename(uri: string): string {
  return vscode.Uri.parse(uri).path.split("/").pop() ?? "";
}

/** A page in the colours of the editor, without access to anything. */
function dressed(page: string): string {
  const kind = vscode.window.activeColorTheme.kind;
  const isDark = kind === vscode.ColorThemeKind.Dark || kind === vscode.ColorThemeKind.HighContrast;
  const policy =
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; ` +
    `style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">`;
  return page
    .replaceAll("(prefers-color-scheme: dark)", isDark ? "all" : "not all")
    .replaceAll("color-scheme: light dark", isDark ? "color-scheme: dark" : "color-scheme: light")
    .replace("<head>", `<head>${policy}`);
}
