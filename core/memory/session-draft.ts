/** A commit in the making. */
import type { Edge, Node } from '../graph/objects.ts';
import type { Session } from './session.ts';
import type { EdgeChange, NewEdge, NewNode, NodeChange, RemovedEdge, RemovedNode } from './store.ts';

/** Everything a commit writes, with the objects it comes from. */
export interface Draft {
  readonly session: Session;
  readonly newNodes: NewNode[];
  readonly nodeOf: Map<NewNode, Node>;
  readonly placeOf: Map<Node, NewNode>;
  readonly newEdges: NewEdge[];
  readonly edgeOf: Map<NewEdge, Edge>;
  readonly nodeChanges: NodeChange[];
  readonly edgeChanges: EdgeChange[];
  removedNodes: RemovedNode[];
  removedEdges: RemovedEdge[];
}
