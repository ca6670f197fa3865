/** A session as its objects know it: what fields, edges and stored values ask of the `$s` of their object. */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { DecodeContext } from '../../library/values/stored-form.ts';
import { CONNECT, WRITE } from '../access/rules.ts';
import { mayArrive, mayRead, mayRemoveEdge, permits } from '../access/session-access.ts';
import type { Hop } from '../graph/hop.ts';
import type { Edge, GraphObject, Node } from '../graph/objects.ts';
import { chain } from './chain.ts';
import { hopFromStore } from './hop-from-store.ts';
import { requireOpen, Session } from './session.ts';
import { hydrate, openPlain, touch, unfold } from './session-fields.ts';
import { adopt, noteRemoved } from './session-graph.ts';
import { idInSession } from './session-ids.ts';
import { findById } from './session-lookup.ts';

export class LiveSession extends Session implements DecodeContext {
  // ---- fields (library/classes/constructors.ts)

  hydrate(x: GraphObject): void {
    hydrate(this, x);
  }

  unfold(x: GraphObject, index: number): void {
    unfold(this, x, index);
  }

  openPlain(x: GraphObject, json: unknown): unknown {
    return openPlain(this, x, json);
  }

  /** False: the field must stay as it is. */
  touch(x: GraphObject, _field: string): boolean {
    return touch(this, x);
  }

  // ---- stored values

  /** The class behind a stored name. */
  classNamed(name: string): unknown {
    return this.runtime.types.classNamed(name);
  }

  /** Gives the object that a field refers to; None once it is deleted. */
  reference(uid: string): GraphObject | null {
    const found = findById(this, uid);
    if (found instanceof Promise) throw new Error('a reference was read before it was loaded');
    if (found === null && this.missing?.has(uid) !== true) {
      this.missing ??= new Set();
      this.missing.add(uid);
      this.runtime.warn('a reference to a deleted object reads as None', { id: uid });
    }
    return found;
  }

  // ---- edges

  idOf(x: GraphObject): string {
    return idInSession(this, x);
  }

  hop(node: Node, hop: Hop, wantEdges: boolean): MaybePromise<any[]> {
    requireOpen(this, node);
    return chain(hopFromStore(this, [node], hop, wantEdges), (lists) => lists[0]!);
  }

  hopMany(nodes: readonly Node[], hop: Hop, wantEdges: boolean): MaybePromise<any[][]> {
    return hopFromStore(this, nodes, hop, wantEdges);
  }

  adopt(edge: Edge): void {
    adopt(this, edge);
  }

  removed(x: GraphObject): void {
    noteRemoved(this, x);
  }

  // ---- what its caller may do

  mayRead(node: Node): boolean {
    return mayRead(this, node);
  }

  mayArrive(node: Node): boolean {
    return mayArrive(this, node);
  }

  mayConnect(node: Node): boolean {
    requireOpen(this, node);
    return node.$row === null || permits(this, node, CONNECT, 'connect');
  }

  mayDelete(node: Node): boolean {
    requireOpen(this, node);
    return node.$row === null || permits(this, node, WRITE, 'delete');
  }

  mayRemove(edge: Edge, operation: 'disconnect' | 'delete'): boolean {
    requireOpen(this, edge);
    return mayRemoveEdge(this, edge, operation);
  }
}
