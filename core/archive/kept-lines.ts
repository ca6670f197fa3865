/** Lines of an archive with the content of `kvstore`: they stand before the last one, and are counted there. */
import type { ArchiveLine, EndLine, KeptLine, Loaded } from './archive.ts';

/** Puts the lines of `kept` into an archive. */
export async function* withKept(
  lines: Iterable<ArchiveLine> | AsyncIterable<ArchiveLine>,
  kept: AsyncIterable<KeptLine>,
): AsyncGenerator<ArchiveLine> {
  for await (const line of lines) {
    if (line.kind !== 'end') {
      yield line;
      continue;
    }
    const counts = createKeptCounts();
    for await (const one of kept) {
      counts.take(one);
      yield one;
    }
    yield { ...line, ...counts.found() } satisfies EndLine;
  }
}

export function isKept(line: ArchiveLine): line is KeptLine {
  return line.kind === 'collection' || line.kind === 'document' || line.kind === 'key';
}

/** Counts lines, and looks at each. */
export function createKeptCounts() {
  const counts = { documents: 0, keys: 0 };
  const collections = new Set<string>();
  return {
    /** @throws Error saying what is wrong with it */
    take(line: KeptLine): void {
      requireShape(line);
      if (line.kind === 'collection') collections.add(JSON.stringify([line.db, line.name]));
      else if (line.kind === 'key') counts.keys++;
      else if (collections.has(JSON.stringify([line.db, line.collection]))) counts.documents++;
      else throw new Error(`a document is in a collection that is not there: ${line.db}.${line.collection}`);
    },
    /** Gives those numbers that are not zero. */
    found: (): Pick<Loaded, 'documents' | 'keys'> => ({
      ...(counts.documents > 0 && { documents: counts.documents }),
      ...(counts.keys > 0 && { keys: counts.keys }),
    }),
  };
}

function requireShape(line: KeptLine): void {
  const isText = (...values: readonly unknown[]) => values.every((value) => typeof value === 'string');
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  const isIndex = (one: any) =>
    isObject(one) && isText(one.name) && Array.isArray(one.keys) && typeof one.unique === 'boolean';
  const isGood =
    line.kind === 'collection'
      ? isText(line.db, line.name) && Array.isArray(line.indexes) && line.indexes.every(isIndex)
      : line.kind === 'document'
        ? isText(line.db, line.collection) && isObject(line.doc)
        : Number.isInteger(line.number) &&
          isText(line.key, line.value) &&
          (line.expires_at === null || typeof line.expires_at === 'number');
  if (!isGood) throw new Error(`not a ${line.kind} of an export`);
}
