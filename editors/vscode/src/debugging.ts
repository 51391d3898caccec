// Debugging of runs, by `resy dap`.

import * as vscode from "vscode";
import { program } from "./program";

/** Makes the debugger known; the commands `resy.debug` and `resy.simulate` start it. */
export function register(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory("resy", {
      createDebugAdapterDescriptor: () => new vscode.DebugAdapterExecutable(program(context), ["dap"]),
    }),
    vscode.debug.registerDebugConfigurationProvider("resy", { resolveDebugConfiguration: completed }),
    vscode.commands.registerCommand("resy.debug", async (uri?: string, property?: string | null) => {
      await start(uri, property ? { name: `Debug ${property}`, property } : { name: "Debug a violation" });
    }),
    vscode.commands.registerCommand("resy.simulate", async (uri?: string) => {
      await start(uri, { name: "Simulate", simulate: true });
    }),
  );
}

async function start(uri: string | undefined, rest: { name: string; [key: string]: unknown }): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  // A button of the editor's title passes an object, a lens passes a text.
  const asked = typeof uri === "string" ? vscode.Uri.parse(uri) : editor?.document.uri;
  if (asked === undefined) {
    void vscode.window.showInformationMessage("Open a Promela model first.");
    return;
  }
  const document = vscode.workspace.textDocuments.find((d) => d.uri.toString() === asked.toString());
  // The debugger reads the file.
  if (document?.isDirty && !(await document.save())) {
    return;
  }
  const configuration = { type: "resy", request: "launch", program: asked.fsPath, ...rest };
  await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(asked), configuration);
}

/** Without a `launch.json`, the model in the editor is debugged. */
function completed(
  _folder: vscode.WorkspaceFolder | undefined,
  configuration: vscode.DebugConfiguration,
): vscode.ProviderResult<vscode.DebugConfiguration> {
  if (!configuration.type && !configuration.request && !configuration.name) {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== "promela") {
      return undefined;
    }
    return { type: "resy", request: "launch", name: "Debug a violation", program: document.fileName };
  }
  return configuration;
}
