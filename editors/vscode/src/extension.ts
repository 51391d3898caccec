// resy in the editor: a client of `resy lsp`, pages beside the text, and a debugger of runs.
//
// Everything is computed by the command. The commands of the lenses are the server's own; here they get the model
// in the editor if they are called from the palette.

import * as vscode from "vscode";
import { LanguageClient, Trace, type ExecuteCommandSignature } from "vscode-languageclient/node";
import * as debugging from "./debugging";
import { program, tellMissing } from "./program";
import { type View, Views } from "./views";

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const views = new Views();
  context.subscriptions.push(views);
  debugging.register(context);
  context.subscriptions.push(
    vscode.commands.registerCommand("resy.restart", async () => {
      await stop();
      await start(context, views);
    }),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("resy.path")) {
        await stop();
        await start(context, views);
      }
    }),
  );
  await start(context, views);
}

export async function deactivate(): Promise<void> {
  await stop();
}

async function start(context: vscode.ExtensionContext, views: Views): Promise<void> {
  const command = program(context);
  const started = new LanguageClient(
    "resy",
    "resy",
    { command, args: ["lsp"] },
    {
      documentSelector: [
        { scheme: "file", language: "promela" },
        { scheme: "file", language: "fsp" },
      ],
      initializationOptions: { views: true, debugs: true },
      middleware: { executeCommand: executed },
    },
  );
  started.onNotification("resy/view", (view: View) => views.show(view));
  try {
    await started.start();
    await started.setTrace(traceOf(vscode.workspace.getConfiguration("resy").get("trace.server", "off")));
    client = started;
  } catch (error) {
    void tellMissing(command, error);
  }
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.stop();
}

function traceOf(word: string): Trace {
  return word === "verbose" ? Trace.Verbose : word === "messages" ? Trace.Messages : Trace.Off;
}

/** Passes a command to the server, with what is missing if it was called from the palette or a button. */
async function executed(command: string, given: unknown[], next: ExecuteCommandSignature): Promise<unknown> {
  const document = vscode.window.activeTextEditor?.document;
  const uri = typeof given[0] === "string" ? given[0] : document?.uri.toString();
  if (uri === undefined) {
    void vscode.window.showInformationMessage("Open a model first.");
    return undefined;
  }
  let argument = typeof given[1] === "string" ? given[1] : undefined;
  if (command === "resy.assume" && argument === undefined) {
    argument = await chosenProcess(uri);
    if (argument === undefined) {
      return undefined;
    }
  }
  return next(command, [uri, argument ?? null]);
}

/** A process of a model, chosen by the user. */
async function chosenProcess(uri: string): Promise<string | undefined> {
  const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>(
    "vscode.executeDocumentSymbolProvider",
    vscode.Uri.parse(uri),
  );
  const processes = (symbols ?? []).filter((symbol) => symbol.kind === vscode.SymbolKind.Class);
  const names = processes.map((symbol) => symbol.name);
  return vscode.window.showQuickPick(names, { title: "What must this process guarantee?" });
}
