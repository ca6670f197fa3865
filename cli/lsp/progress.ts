/** Progress that an editor shows: a large program is read for the first time. */
import { basename } from 'node:path';
import type { Connection } from 'vscode-languageserver';
import type { Indexing } from './units.ts';

/** Milliseconds that an editor has for taking note; one that does not answer is told nothing. */
const patience = 200;

/** Begins to tell; undefined when the client shows no progress. */
export async function tellIndexing(connection: Connection, entry: string): Promise<Indexing | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, patience, undefined);
  });
  const made = connection.window.createWorkDoneProgress();
  made.catch(() => {});
  const progress = await Promise.race([made, late]);
  clearTimeout(timer);
  if (progress === undefined) return undefined;
  progress.begin('svc', 0, `Reading ${basename(entry)}`, false);
  await sent();
  return {
    async found(files) {
      progress.report(50, `Checking ${files} ${files === 1 ? 'file' : 'files'}`);
      await sent();
    },
    end: () => progress.done(),
  };
}

/** Messages are written before the process is busy again. */
function sent(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
