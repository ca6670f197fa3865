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
import { createNeighbours } from './neighbours.ts';
import { checkingParams } from './params.ts';
import { tellIndexing } from './progress.ts';
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
  const connection = createConnection(
    (logger) => checkingParams(createProtocolConnection(input, output, logger)),
    watchDog,
  );
  const documents = new TextDocuments(TextDocument);
  const folders = new Set<string>();
  const onFailure = (error: unknown) => log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const units = createUnits({
    env,
    textOf: (path) => documents.get(uriOfPath(path))?.getText(),
    onFailure,
    indexing: (entry) => tellIndexing(connection, entry),
    folders: () => [...folders].flatMap((uri) => pathOfUri(uri) ?? []),
  });
  const neighbours = createNeighbours({
    units,
    onFailure,
    changed(paths) {
      for (const path of paths) {
        const uri = uriOfPath(path);
        void connection.sendDiagnostics({ uri, diagnostics: [...neighbours.findingsIn(path)] }).catch(onFailure);
      }
      pushing.again();
      if (refreshes) connection.languages.diagnostics.refresh().catch(onFailure);
    },
  });
  const open = (): readonly OpenFile[] => documents.all().map(({ uri, version: at }) => ({ uri, version: at }));
  const sources = { units, neighbours, open, onFailure };
  const pushing = pushDiagnostics(connection, sources);
  let [watches, asksBeforeEdits] = [false, false];
  let [hasFolders, refreshes] = [false, false];
  connection.onInitialize(({ capabilities: { workspace }, workspaceFolders, rootUri }) => {
    for (const uri of workspaceFolders?.map((folder) => folder.uri) ?? (rootUri === null ? [] : [rootUri]))
      folders.add(uri);
    hasFolders = workspace?.workspaceFolders === true;
    refreshes = workspace?.diagnostics?.refreshSupport === true;
    watches = workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    asksBeforeEdits =
      workspace?.workspaceEdit?.changeAnnotationSupport !== undefined &&
      workspace.workspaceEdit.documentChanges === true;
    return { capabilities, serverInfo: { name: 'svc', version } };
  });
  connection.onInitialized(() => {
    if (hasFolders)
      connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        for (const { uri } of added) folders.add(uri);
        for (const { uri } of removed) folders.delete(uri);
        forgetClosed();
        refresh();
      });
    if (watches) void watchFiles(connection).catch(onFailure);
  });
  const forgetClosed = () => {
    const paths = new Set(open().flatMap((one) => pathOfUri(one.uri) ?? []));
    units.close((one) => paths.has(one));
  };
  const refresh = () => {
    units.changeAll();
    pushing.again();
    neighbours.look();
  };
  connection.onDidChangeWatchedFiles(refresh);
  documents.onDidChangeContent(({ document: { uri } }) => {
    const path = pathOfUri(uri);
    if (path === undefined) return;
    units.change(path, false);
    pushing.changed(uri);
  });
  documents.onDidOpen(({ document: { uri } }) => {
    const path = pathOfUri(uri);
    if (path !== undefined) units.change(path, true);
    neighbours.look();
  });
  documents.onDidClose(({ document: { uri } }) => {
    const path = pathOfUri(uri);
    pushing.closed(uri);
    if (path !== undefined) units.change(path, true);
    forgetClosed();
  });
  documents.onDidSave(() => refresh());
  answerRequests(connection, { units, asksBeforeEdits: () => asksBeforeEdits, onFailure });
  answerDiagnostics(connection, sources);
  documents.listen(connection);
  return new Promise((resolve) => {
    hasEnded = (code) => {
      pushing.stop();
      neighbours.stop();
      connection.dispose();
      resolve(code);
    };
    const leave = () => hasEnded(wasShutDown ? 0 : 1);
    input.once('end', leave).once('close', leave);
    connection.listen();
  });
}

async function watchFiles(connection: Connection): Promise<void> {
  const watchers = ['**/*.svc', '**/*.{ts,mts,tsx}', '**/svc.toml', '**/package.json'].map((globPattern) => ({
    globPattern,
  }));
  await connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
}
