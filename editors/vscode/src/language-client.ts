/** The language server `svc lsp`, started when the first program is opened. */
import { type CodeLens, type ExtensionContext, workspace } from 'vscode';
import { LanguageClient, vsdiag } from 'vscode-languageclient/node.js';
import { findSvc, folderOf } from './find-svc.ts';

/** Makes the client; `start` runs the server. */
export function createClient(context: ExtensionContext): LanguageClient {
  const { command, args } = findSvc(folderOf());
  const cwd = folderOf()?.uri.fsPath;
  const run = { command, args: [...args, 'lsp'], ...(cwd === undefined ? {} : { options: { cwd } }) };
  const client = new LanguageClient('svc', 'Svc', run, {
    documentSelector: [{ scheme: 'file', language: 'svc' }],
    middleware: {
      provideCodeLenses: async (document, token, next) => known(await next(document, token)),
      // The server pushes what is wrong: asking as well would show all of it twice.
      provideDiagnostics: () => ({ kind: vsdiag.DocumentDiagnosticReportKind.full, items: [] }),
      provideWorkspaceDiagnostics: () => ({ items: [] }),
    },
    synchronize: { fileEvents: workspace.createFileSystemWatcher('**/{svc.toml,*.svc,*.ts,*.mts,*.tsx,package.json}') },
  });
  context.subscriptions.push(client);
  return client;
}

/** Lenses whose command this extension has: an older one may meet a newer server. */
function known(lenses: CodeLens[] | null | undefined): CodeLens[] {
  return (lenses ?? []).filter(({ command }) => command === undefined || lensCommands.has(command.command));
}

const lensCommands = new Set(['run', 'debug', 'runTest', 'debugTest', 'call', 'stories'].map((name) => `svc.${name}`));
