import { READ } from '../../../core/access/rules.ts';
import { levelOfEdge, nodeLevel } from '../../../core/access/session-access.ts';
import { oid } from '../../../core/graph/lookup.ts';
import { type Edge, type GraphObject, Node } from '../../../core/graph/objects.ts';
import type { Row } from '../../../core/memory/rows.ts';
import type { Runtime } from '../../../core/memory/runtime.ts';
import type { Session } from '../../../core/memory/session.ts';
import { noteRead } from '../../../core/memory/session-fields.ts';
import { DELETED, DIRTY, WATCHED } from '../../../library/classes/state.ts';
import type { GraphView } from '../serialize/writer.ts';

/** The graph as the caller of a unit sees it. */
export class SessionView implements GraphView {
  private readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  isReadable(object: GraphObject): boolean {
    if (object.$row === null) return true;
    if (object instanceof Node) return nodeLevel(this.session, object) >= READ;
    return levelOfEdge(this.session, object as Edge) >= READ;
  }

  idOf(object: GraphObject): string | undefined {
    // Without a session an object is not part of what will be saved.
    return object.$s === null ? undefined : oid(object);
  }

  storedFields(object: GraphObject): string | undefined {
    const row = object.$row as Row | null;
    if (row === null || (object.$st & changeable) !== 0) return undefined;
    if (row.raw === undefined) row.raw = rawFields(row, object, this.session.runtime);
    if (row.raw === null) return undefined;
    // Objects that are shown were read, as far as conflicts are concerned.
    noteRead(this.session, object);
    return row.raw;
  }
}

/** Changed since it was stored, or handed out something that can be changed in place. */
const changeable = DIRTY | WATCHED | DELETED;
const mostBrackets = 16;

/**
 * The stored text of an object without its braces, when an answer would have the same text: it was written by this version of the
 * type, all its fields are public, and no value needs another form outside the store or could be nested too deeply.
 */
function rawFields(row: Row, { $meta }: GraphObject, { types }: Runtime): string | null {
  if ($meta.hasPrivateFields || types.of(row.type)?.isCurrent !== true) return null;
  const { data } = row;
  if (data === '' || data.includes('"$t"') || data.includes(':-0')) return null;
  let brackets = 0;
  for (let i = 0; i < data.length; i++) {
    const code = data.charCodeAt(i);
    if ((code === 0x7b || code === 0x5b) && ++brackets > mostBrackets) return null;
  }
  return data.slice(1, -1);
}
