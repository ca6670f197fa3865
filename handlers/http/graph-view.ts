import { READ } from '../../core/access/rules.ts';
import { type Edge, type GraphObject, Node } from '../../core/archetypes/classes.ts';
import { oid } from '../../core/graph/lookup.ts';
import type { Session } from '../../core/memory/session.ts';
import type { GraphView } from './serialize/writer.ts';

/** The graph as the caller of a unit sees it. */
export class SessionView implements GraphView {
  private readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  isReadable(object: GraphObject): boolean {
    if (object.$row === null) return true;
    if (object instanceof Node) return this.session.nodeLevel(object) >= READ;
    return this.session.edgeLevel(object as Edge) >= READ;
  }

  idOf(object: GraphObject): string | undefined {
    // Without a session an object is not part of what will be saved.
    return object.$s === null ? undefined : oid(object);
  }

  storedFields(_object: GraphObject): string | undefined {
    return undefined;
  }
}
