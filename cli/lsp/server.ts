/** The language server: one client, on a pair of streams. */
import type { Readable, Writable } from 'node:stream';
import {
  type Connection,
  createConnection,
  DidChangeWatchedFilesNotification,
  TextDocuments,
  type WatchDog,
} from 'vscode-languageserver';
import { createProtocolConnection } from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { version } from '../version.ts';
import { capabilities } from './capabilities.ts';
import { answerDiagnostics, type OpenFile, pushDiagnostics } from './diagnostics.ts';
import { answerRequests } from './requests.ts';
import { createUnits } from './units.ts';
import { pathOfUri, uriOfPath } from './uris.ts';

export interface ServerOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Words for a log: what went wrong in the server itself. */
  readonly log: (text: string) => void;
}

/** Serves until the client says `exit` or closes the streams. Resolves with the exit code: 0 when `shutdown` came before. */
export function serveEditor({ input, output, env, log }: ServerOptions): Promise<number> {
  input.on('error', () => {});
  output.on('error', () => {});
  let [hasEnded, wasShutDown] = [(_code: number) => {}, false];
  // The process is not the library's to end.
  const watchDog: WatchDog = {
    get shutdownReceived() {
      return wasShutDown;
    },
    set shutdownReceived(is) {
      wasShutDown = is;
    },
    initialize() {},
    exit: (code) => hasEnded(code),
  };
  const connection = createConnection((logger) => createProtocolConnection(input, output, logger), watchDog);
  const documents = new TextDocuments(TextDocument);
  const onFailure = (error: unknown) => log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const units = createUnits({
    env,
    textOf: (path) => documents.get(uriOfPath(path))?.getText(),
    onFailure,
  });
  const open = (): readonly OpenFile[] => documents.all().map(({ uri, version: at }) => ({ uri, version: at }));
  const pushing = pushDiagnostics(connection, units, open, onFailure);
  let [watches, asksBeforeEdits] = [false, false];
  let hasFolders = false;
  connection.onInitialize(({ capabilities: { workspace } }) => {
    hasFolders = workspace?.workspaceFolders === true;
    watches = workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    asksBeforeEdits =
      workspace?.workspaceEdit?.changeAnnotationSupport !== undefined &&
      workspace.workspaceEdit.documentChanges === true;
    return { capabilities, serverInfo: { name: 'svc', version } };
  });
  connection.onInitialized(() => {
    if (hasFolders) connection.workspace.onDidChangeWorkspaceFolders(refresh);
    if (watches) void watchFiles(connection).catch(onFailure);
  });
  const refresh = () => {
    units.changeAll();
    for (const { uri } of open()) pushing.changed(uri);
  };
  connection.onDidChangeWatchedFiles(refresh);
  documents.onDidChangeContent(({ document: { uri } }) => {
    const path = pathOfUri(uri);
    if (path === undefined) return;
    units.change(path);
    pushing.changed(uri);
  });
  documents.onDidClose(({ document: { uri } }) => {
    const path = pathOfUri(uri);
    pushing.closed(uri);
    if (path !== undefined) units.change(path);
    const paths = new Set(open().flatMap((one) => pathOfUri(one.uri) ?? []));
    units.close((one) => paths.has(one));
  });
  documents.onDidSave(() => refresh());
  answerRequests(connection, { units, asksBeforeEdits: () => asksBeforeEdits, onFailure });
  answerDiagnostics(connection, units, open, onFailure);
  documents.listen(connection);
  return new Promise((resolve) => {
    hasEnded = (code) => {
      pushing.stop();
      connection.dispose();
      resolve(code);
    };
    const leave = () => hasEnded(wasShutDown ? 0 : 1);
    input.once('end', leave).once('close', leave);
    connection.listen();
  });
}

async function watchFiles(connection: Connection): Promise<void> {
  const watchers = ['**/*.svc', '**/svc.toml', '**/package.json'].map((globPattern) => ({ globPattern }));
  await connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
}
