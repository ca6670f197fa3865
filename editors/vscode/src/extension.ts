/** The extension for VS Code and editors that run its extensions. */
import { type ExtensionContext, window, workspace } from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node.js';
import { registerCommands } from './commands.ts';
import { registerDebugger } from './debugger.ts';
import { registerGraphPanel } from './graph-panel.ts';
import { createClient } from './language-client.ts';
import { registerTests } from './test-explorer.ts';
import { registerToml } from './toml-completion.ts';

let client: LanguageClient | undefined;

export function activate(context: ExtensionContext): void {
  registerToml(context);
  // Programs of a workspace that is not trusted are shown, never run.
  if (!workspace.isTrusted) {
    context.subscriptions.push(workspace.onDidGrantWorkspaceTrust(() => begin(context)));
    return;
  }
  begin(context);
}

export async function deactivate(): Promise<void> {
  await client?.stop().catch(() => {});
}

function begin(context: ExtensionContext): void {
  const graph = registerGraphPanel(context);
  const controller = registerTests(context);
  registerDebugger(context);
  registerCommands(context, { controller, graph, restart });
  // Nothing else waits for the server.
  restart().catch(() => {});

  async function restart(): Promise<void> {
    await client?.stop().catch(() => {});
    client = createClient(context);
    await start(client);
  }
}

/** A server that cannot be started takes nothing else along. */
async function start(server: LanguageClient): Promise<void> {
  try {
    await server.start();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    window
      .showErrorMessage(`The language server of svc did not start: ${why}. The setting svc.path names the program.`)
      .then(undefined, () => {});
  }
}
