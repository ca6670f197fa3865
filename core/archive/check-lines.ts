/** An archive looked through to its end before any of it is written: the same demands whichever store takes it (decisions/0087). */
import { SHARED_ROOT_ID, SYSTEM_ROOT_ID } from '../graph/ids.ts';
import { accountOf } from './account-lines.ts';
import { ARCHIVE_FORMAT, ArchiveError, type ArchiveLine, type EndLine, type Loaded } from './archive.ts';
import { createKeptCounts, isKept } from './kept-lines.ts';
import type { KnownNodes } from './known-nodes.ts';

/** `known`: empty. @throws ArchiveError with the line that is wrong */
export async function checkLines(lines: AsyncIterable<string>, known: KnownNodes): Promise<Loaded> {
  const check = createCheck(known);
  let number = 0;
  for await (const text of lines) {
    number++;
    if (text.trim() === '') continue;
    try {
      check.take(parseLine(text));
    } catch (cause) {
      throw cause instanceof ArchiveError ? cause : new ArchiveError(number, (cause as Error).message);
    }
  }
  try {
    return check.finish();
  } catch (cause) {
    throw new ArchiveError(number, (cause as Error).message);
  }
}

/** @throws Error */
export function parseLine(text: string): ArchiveLine {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    throw new Error('the line is not JSON');
  }
  if (line === null || typeof line !== 'object' || Array.isArray(line)) throw new Error('not an object');
  return line as ArchiveLine;
}

function createCheck(known: KnownNodes) {
  const counts = { nodes: 0, edges: 0, accounts: 0 };
  const kept = createKeptCounts();
  let begun = false;
  let end: EndLine | undefined;
  const take = (line: ArchiveLine): void => {
    if (end !== undefined) throw new Error('there is something behind the end');
    if (line.kind === 'svc-graph') {
      if (begun) throw new Error('a second header');
      if (line.format !== ARCHIVE_FORMAT)
        throw new Error(`format ${line.format}, this version knows ${ARCHIVE_FORMAT}`);
      begun = true;
      return;
    }
    if (!begun) throw new Error('it does not begin with the header of an export');
    if (line.kind === 'end') end = line;
    else if (line.kind === 'node') {
      const isRoot = requireId(line.owner) === requireId(line.id);
      known.add(line.id, isRoot);
      if (!isRoot && !known.isRoot(line.owner)) throw new Error('a node belongs to a root that is not there');
      counts.nodes++;
    } else if (line.kind === 'edge') {
      requireId(line.id);
      for (const id of [line.source, line.target])
        if (!known.has(id)) throw new Error(`an end of the edge ${line.id} is not there`);
      if (line.owner !== null && !known.isRoot(line.owner))
        throw new Error('an edge belongs to a root that is not there');
      counts.edges++;
    } else if (line.kind === 'account') {
      const { userId, rootId } = accountOf(line);
      if (!known.isRoot(rootId)) throw new Error(`the account ${userId} has no root`);
      known.own(rootId);
      counts.accounts++;
    } else if (isKept(line)) kept.take(line);
    else throw new Error(`unknown kind of line: ${JSON.stringify((line as { kind?: unknown }).kind)}`);
  };
  const finish = (): Loaded => {
    if (end === undefined) throw new Error('it is cut off: the line that ends it is missing');
    const loaded = { ...counts, ...kept.found() };
    requireCounts(end, loaded);
    const lone = known.loneRoot([SYSTEM_ROOT_ID, SHARED_ROOT_ID]);
    if (lone !== undefined) throw new Error(`the root ${lone} has no account`);
    return loaded;
  };
  return { take, finish };
}

/** @throws Error when something is missing, or there is too much */
export function requireCounts(end: EndLine, found: Loaded): void {
  for (const name of ['nodes', 'edges', 'accounts', 'documents', 'keys'] as const) {
    const [wanted, there] = [end[name] ?? 0, found[name] ?? 0];
    if (wanted !== there) throw new Error(`it should have ${wanted} ${name} and has ${there}`);
  }
}

function requireId(id: unknown): string {
  if (typeof id === 'string' && /^[0-9a-f]{32}$/.test(id)) return id;
  throw new Error(`not an id: ${JSON.stringify(id)}`);
}
