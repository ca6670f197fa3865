/** Diagnostics: pushed for open files whenever their programs rest, and given when a client asks. */
import {
  type Connection,
  DocumentDiagnosticReportKind,
  type WorkspaceDocumentDiagnosticReport,
} from 'vscode-languageserver';
import { viewsOf } from '../../lang/editor/view.ts';
import { diagnosticsIn, uriOfSource } from './answers.ts';
import type { Units } from './units.ts';
import { pathOfUri } from './uris.ts';

/** A file that is open in the editor. */
export interface OpenFile {
  readonly uri: string;
  readonly version: number;
}

export interface Pushing {
  /** A file was opened or changed: its diagnostics follow, then those of other open files. */
  changed(uri: string): void;
  closed(uri: string): void;
  stop(): void;
}

/** Milliseconds of rest before work begins: what is typed at once is looked at once. */
const rest = 5;

/** Pushes with the version that was looked at, also when nothing is different; a newer edit takes the place of what has not begun. */
export function pushDiagnostics(
  connection: Connection,
  units: Units,
  open: () => readonly OpenFile[],
  onFailure: (error: unknown) => void,
): Pushing {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  const push = async (uri: string): Promise<void> => {
    const file = open().find((one) => one.uri === uri);
    const path = pathOfUri(uri);
    if (file === undefined || path === undefined) return;
    const view = await units.viewOf(path, 'open');
    // A newer version has been announced meanwhile: it gets an answer of its own.
    if (open().find((one) => one.uri === uri)?.version !== file.version) return;
    const diagnostics = view === undefined ? [] : diagnosticsIn(view.analysis, view.source);
    await connection.sendDiagnostics({ uri, version: file.version, diagnostics });
  };
  const run = async (): Promise<void> => {
    timer = undefined;
    if (isRunning) return;
    isRunning = true;
    try {
      while (waiting.size > 0) {
        const [uri] = waiting;
        waiting.delete(uri!);
        await push(uri!).catch(onFailure);
        // Messages that have come are read before the next file.
        await new Promise((resolve) => setImmediate(resolve));
      }
    } catch (error) {
      onFailure(error);
    } finally {
      isRunning = false;
    }
  };
  return {
    changed(uri) {
      const others = [...waiting, ...open().map((one) => one.uri)].filter((one) => one !== uri);
      waiting.clear();
      for (const one of [uri, ...others]) waiting.add(one);
      clearTimeout(timer);
      timer = setTimeout(() => void run().catch(onFailure), rest);
    },
    closed(uri) {
      waiting.delete(uri);
      void connection.sendDiagnostics({ uri, diagnostics: [] }).catch(onFailure);
    },
    stop() {
      waiting.clear();
      clearTimeout(timer);
    },
  };
}

/** Answers clients that ask for diagnostics themselves. */
export function answerDiagnostics(
  connection: Connection,
  units: Units,
  open: () => readonly OpenFile[],
  onFailure: (error: unknown) => void,
): void {
  connection.languages.diagnostics.on(async ({ textDocument: { uri } }) => {
    try {
      const path = pathOfUri(uri);
      const view = path === undefined ? undefined : await units.viewOf(path, 'open');
      return {
        kind: DocumentDiagnosticReportKind.Full,
        items: view === undefined ? [] : diagnosticsIn(view.analysis, view.source),
      };
    } catch (error) {
      onFailure(error);
      return { kind: DocumentDiagnosticReportKind.Full, items: [] };
    }
  });
  connection.languages.diagnostics.onWorkspace(async () => {
    const items = new Map<string, WorkspaceDocumentDiagnosticReport>();
    try {
      for (const analysis of await units.all()) {
        for (const view of viewsOf(analysis)) {
          const uri = uriOfSource(analysis.project, view.source);
          const version = open().find((one) => one.uri === uri)?.version ?? null;
          if (!items.has(uri))
            items.set(uri, {
              kind: DocumentDiagnosticReportKind.Full,
              uri,
              version,
              items: diagnosticsIn(analysis, view.source),
            });
        }
      }
    } catch (error) {
      onFailure(error);
    }
    return { items: [...items.values()] };
  });
}
