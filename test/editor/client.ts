/** A client of the language server: over pipes to a server in this process, or to `svc lsp` in one of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import {
  createProtocolConnection,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { serveEditor } from '../../cli/lsp/server.ts';

export interface Client {
  readonly connection: ProtocolConnection;
  /** Everything that went wrong inside of the server. */
  readonly failures: string[];
  readonly pushed: readonly PublishDiagnosticsParams[];
  /** Diagnostics of the version, when they come. */
  diagnosticsOf(path: string, version: number): Promise<PublishDiagnosticsParams>;
  /** Resolves when diagnostics come. */
  next(): Promise<void>;
  open(path: string, text: string): Promise<void>;
  /** Replaces the text as a whole, or a part of it. */
  change(path: string, version: number, text: string): Promise<void>;
  end(): Promise<number>;
}

const repository = join(import.meta.dirname, '../..');

export async function startClient(
  root: string,
  where: 'here' | 'process' = 'here',
  capabilities: object = {},
  folders: readonly string[] = [root],
): Promise<Client> {
  const failures: string[] = [];
  const pushed: PublishDiagnosticsParams[] = [];
  const waiting = new Set<() => void>();
  let ended: Promise<number>;
  let child: ChildProcess | undefined;
  let connection: ProtocolConnection;
  if (where === 'here') {
    const [toServer, toClient] = [new PassThrough(), new PassThrough()];
    ended = serveEditor({ input: toServer, output: toClient, env: {}, log: (text) => failures.push(text) });
    connection = createProtocolConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer));
  } else {
    child = spawn(process.execPath, [join(repository, 'bin/svc.mjs'), 'lsp'], { stdio: ['pipe', 'pipe', 'pipe'] });
    child.stderr!.on('data', (data) => failures.push(String(data)));
    child.stdin!.on('error', () => {});
    ended = new Promise((resolve) => child!.once('exit', (code) => resolve(code ?? -1)));
    connection = createProtocolConnection(
      new StreamMessageReader(child.stdout!),
      new StreamMessageWriter(child.stdin!),
    );
  }
  connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
    pushed.push(params);
    for (const look of [...waiting]) look();
  });
  connection.onError(() => {});
  connection.listen();
  const uri = pathToFileURL(root).href;
  await connection.sendRequest('initialize', {
    processId: null,
    rootUri: uri,
    capabilities,
    workspaceFolders: folders.map((path) => ({ uri: pathToFileURL(path).href, name: 'root' })),
  });
  await connection.sendNotification('initialized', {});
  const uriOf = (path: string) => pathToFileURL(path).href;
  return {
    connection,
    failures,
    pushed,
    diagnosticsOf: (path, version) =>
      new Promise((resolve) => {
        const look = () => {
          const found = pushed.findLast((one) => one.uri === uriOf(path) && one.version === version);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    next: () =>
      new Promise((resolve) => {
        const look = () => {
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
      }),
    open: (path, text) =>
      connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri: uriOf(path), languageId: 'svc', version: 1, text },
      }),
    change: (path, version, text) =>
      connection.sendNotification('textDocument/didChange', {
        textDocument: { uri: uriOf(path), version },
        contentChanges: [{ text }],
      }),
    async end() {
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      const code = await ended;
      connection.dispose();
      return code;
    },
  };
}
