/** Diagnostics: pushed for open files whenever their programs rest, and given when a client asks. */
import { createHash } from 'node:crypto';
import {
  type Connection,
  type Diagnostic,
  DocumentDiagnosticReportKind,
  type FullDocumentDiagnosticReport,
  type UnchangedDocumentDiagnosticReport,
  type WorkspaceDocumentDiagnosticReport,
} from 'vscode-languageserver';
import type { Analysis } from '../../lang/analysis.ts';
import { viewsOf } from '../../lang/editor/view.ts';
import type { Source } from '../../lang/source.ts';
import { diagnosticsIn, uriOfSource } from './answers.ts';
import { createIdleCollection } from './idle-collection.ts';
import type { Neighbours } from './neighbours.ts';
import { createRehearsal } from './rehearsal.ts';
import type { Units } from './units.ts';
import { pathOfUri, uriOfPath } from './uris.ts';

/** A file that is open in the editor. */
export interface OpenFile {
  readonly uri: string;
  readonly version: number;
}

export interface DiagnosticSources {
  readonly units: Units;
  readonly neighbours: Neighbours;
  readonly open: () => readonly OpenFile[];
  readonly onFailure: (error: unknown) => void;
}

export interface Pushing {
  /** A file was opened or changed: its diagnostics follow, then those of other open files. */
  changed(uri: string): void;
  closed(uri: string): void;
  /** Looks at all open files again: something else than their texts has changed. */
  again(): void;
  stop(): void;
}

/** Milliseconds of rest before work begins: what is typed at once is looked at once. */
const rest = 5;

/** Pushes with the version that was looked at, also when nothing is different; a newer edit takes the place of what has not begun. */
export function pushDiagnostics(
  connection: Connection,
  { units, neighbours, open, onFailure }: DiagnosticSources,
): Pushing {
  const waiting = new Set<string>();
  const collection = createIdleCollection();
  const rehearsal = createRehearsal(
    (turn) => open().some(({ uri }) => units.rehearse(pathOfUri(uri) ?? '', turn)),
    collection.begin,
  );
  const idle = {
    begin() {
      collection.begin();
      rehearsal.begin();
    },
    end() {
      collection.end();
      rehearsal.end();
    },
  };
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  const push = async (uri: string): Promise<void> => {
    const file = open().find((one) => one.uri === uri);
    if (file === undefined) return;
    const diagnostics = await findingsOf(uri, { units, neighbours });
    // A newer version has been announced meanwhile: it gets an answer of its own.
    if (open().find((one) => one.uri === uri)?.version !== file.version) return;
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
      if (timer === undefined) idle.begin();
    }
  };
  /** Begins when what has come meanwhile is read and answered: a question behind an edit does not wait for all its diagnostics. */
  const begin = (): void => {
    setImmediate(() => setImmediate(() => void run().catch(onFailure)));
  };
  return {
    changed(uri) {
      const others = [...waiting, ...open().map((one) => one.uri)].filter((one) => one !== uri);
      waiting.clear();
      for (const one of [uri, ...others]) waiting.add(one);
      idle.end();
      clearTimeout(timer);
      timer = setTimeout(begin, rest);
    },
    closed(uri) {
      waiting.delete(uri);
      const path = pathOfUri(uri);
      const diagnostics = path === undefined ? [] : [...neighbours.findingsIn(path)];
      void connection.sendDiagnostics({ uri, diagnostics }).catch(onFailure);
    },
    again() {
      for (const { uri } of open()) waiting.add(uri);
      idle.end();
      clearTimeout(timer);
      timer = setTimeout(begin, rest);
    },
    stop() {
      waiting.clear();
      idle.end();
      clearTimeout(timer);
    },
  };
}

/** Answers clients that ask for diagnostics themselves: in full, or that they are what the client has. */
export function answerDiagnostics(
  connection: Connection,
  { units, neighbours, open, onFailure }: DiagnosticSources,
): void {
  connection.languages.diagnostics.on(async ({ textDocument: { uri }, previousResultId }) => {
    try {
      return reportOf(await findingsOf(uri, { units, neighbours }), previousResultId);
    } catch (error) {
      onFailure(error);
      return { kind: DocumentDiagnosticReportKind.Full, items: [] };
    }
  });
  connection.languages.diagnostics.onWorkspace(async ({ previousResultIds }) => {
    const known = new Map(previousResultIds.map(({ uri, value }) => [uri, value]));
    const items = new Map<string, WorkspaceDocumentDiagnosticReport>();
    const add = (uri: string, found: Diagnostic[]) => {
      const version = open().find((one) => one.uri === uri)?.version ?? null;
      // A file that several programs share is told once.
      if (!items.has(uri)) items.set(uri, { ...reportOf(found, known.get(uri)), uri, version });
    };
    try {
      for (const analysis of await units.all())
        for (const { source } of viewsOf(analysis))
          add(uriOfSource(analysis.project, source), diagnosticsOf(analysis, source, neighbours));
      for (const path of neighbours.files()) add(uriOfPath(path), [...neighbours.findingsIn(path)]);
    } catch (error) {
      onFailure(error);
    }
    return { items: [...items.values()] };
  });
}

/** The findings with their name, or only the name where the client has them. */
function reportOf(
  items: Diagnostic[],
  known: string | undefined,
): FullDocumentDiagnosticReport | UnchangedDocumentDiagnosticReport {
  const resultId = createHash('sha256').update(JSON.stringify(items)).digest('base64url').slice(0, 16);
  return known === resultId
    ? { kind: DocumentDiagnosticReportKind.Unchanged, resultId }
    : { kind: DocumentDiagnosticReportKind.Full, resultId, items };
}

/** Findings in a file of a program, or in a TypeScript file beside one. */
async function findingsOf(
  uri: string,
  { units, neighbours }: Pick<DiagnosticSources, 'units' | 'neighbours'>,
): Promise<Diagnostic[]> {
  const path = pathOfUri(uri);
  const view = path === undefined ? undefined : await units.viewOf(path, 'open');
  if (view !== undefined) return diagnosticsOf(view.analysis, view.source, neighbours);
  return path === undefined ? [] : [...neighbours.findingsIn(path)];
}

function diagnosticsOf(analysis: Analysis, source: Source, neighbours: Neighbours): Diagnostic[] {
  return [...diagnosticsIn(analysis, source), ...neighbours.missingNames(analysis, source)];
}
