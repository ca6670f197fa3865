/**
 * Answers of the disk that outlive a reading of a program (decisions/0905). What is typed changes no file: completion reads the program with the
 * answers that the last diagnostics had, and whoever comes next asks the disk whether they still hold.
 */
import type { ProjectFiles } from '../../lang/project/files.ts';

export interface RememberedDisk {
  readonly files: ProjectFiles;
  /** Asks the disk again what is remembered. True when nothing is different; else nothing is remembered any more. */
  holds(): boolean;
  forget(): void;
}

/** Texts of other files than those of the language are not remembered: who reads them has a memory of its own. */
export function rememberDisk(disk: ProjectFiles): RememberedDisk {
  const texts = remember(disk.readFile, (one, other) => one === other);
  const kinds = remember(disk.exists, (one, other) => one === other);
  const lists = remember(
    disk.listDir,
    (one, other) => one.length === other.length && one.every((name, i) => name === other[i]),
  );
  const all = [texts, kinds, lists];
  /** Number of answers that are remembered at most. Names that were typed on the way to another one are asked for too. */
  let most: number | undefined;
  const forget = () => {
    for (const one of all) one.forget();
    most = undefined;
  };
  return {
    files: {
      ...disk,
      readFile: (path) => (path.endsWith('.svc') ? texts.ask(path) : disk.readFile(path)),
      exists: kinds.ask,
      listDir: lists.ask,
    },
    holds() {
      const isSame = all.every((one) => one.holds());
      const count = all.reduce((sum, one) => sum + one.count(), 0);
      most ??= 2 * count + 100;
      if (!isSame || count > most) forget();
      return isSame;
    },
    forget,
  };
}

function remember<T>(ask: (path: string) => T, isSame: (one: T, other: T) => boolean) {
  const known = new Map<string, { readonly answer: T }>();
  return {
    ask(path: string): T {
      let one = known.get(path);
      if (one === undefined) known.set(path, (one = { answer: ask(path) }));
      return one.answer;
    },
    holds: () => [...known].every(([path, { answer }]) => isSame(answer, ask(path))),
    count: () => known.size,
    forget: () => known.clear(),
  };
}
