/** The ambient names of the graph and the server (language.md 5, 6.4; server.md 4.1), with signatures for dynamic calls. */

import { Archetype } from '../../library/classes/classes.ts';
import { functionsOf, walkersOf } from '../../library/classes/registry.ts';
import { builtin } from '../../library/values/calls/builtin.ts';
import { native } from '../../library/values/calls/signature.ts';
import { allow_root, disallow_root, perm_grant, perm_revoke } from '../access/grants.ts';
import { Anchor } from '../graph/anchors.ts';
import { destroy } from '../graph/connect.ts';
import { oget, oid, oref, root } from '../graph/lookup.ts';
import { Edge, GenericEdge, Node, Root, Walker } from '../graph/objects.ts';
import { allroots, commit, on_commit, reset_graph, save } from '../graph/persistence.ts';
import { printgraph } from '../graph/printgraph.ts';
import { now, spawn } from '../walkers/spawn.ts';
import { report } from '../walkers/statements.ts';
import { request } from './incoming-request.ts';
import { AccessLevel, APIProtocol, ScheduleTrigger } from './protocol-enums.ts';
import { get_context } from './request-context.ts';
import { restspec, schedule } from './rest-spec.ts';

const functions = {
  oid,
  oget,
  oref,
  perm_grant,
  perm_revoke,
  allow_root,
  disallow_root,
  allroots,
  save,
  commit,
  on_commit,
  reset_graph,
  request,
  printgraph,
} as const;
for (const [name, fn] of Object.entries(functions)) builtin(name, fn);

/** Names of the calling module's walkers. */
export function get_module_walkers(module: string): string[] {
  return walkersOf(module);
}

/** Names of the calling module's functions. */
export function get_module_functions(module: string): string[] {
  return functionsOf(module);
}

/** The handle that `in region { … }` opens: without effect, like the statement (3.13). */
class Region {
  drop(): null {
    return null;
  }
}

const levels = AccessLevel as any;

export const programBuiltins: Readonly<Record<string, unknown>> = {
  ...functions,
  jid: functions.oid,
  jobj: functions.oget,
  jref: functions.oref,
  grant: functions.perm_grant,
  revoke: functions.perm_revoke,
  dotgen: functions.printgraph,
  Root,
  Node,
  Edge,
  Walker,
  Archetype,
  GenericEdge,
  AccessLevel,
  APIProtocol,
  ScheduleTrigger,
  Region,
  NoPerm: levels.NO_ACCESS,
  ReadPerm: levels.READ,
  ConnectPerm: levels.CONNECT,
  WritePerm: levels.WRITE,
  restspec,
  schedule,
};

/**
 * Members that the facade `Svc` and the module `svclang` offer besides: among them those that older programs call by
 * other names (decisions/0196).
 */
export const facadeMembers: Record<string, unknown> = {
  ...programBuiltins,
  get_root: native('get_root', '', root),
  root: native('root', '', root),
  get_context: native('get_context', '', get_context),
  report: native('report', 'expr, custom=False', (value: unknown) => (report(undefined, value), null)),
  get_object: functions.oget,
  object_ref: functions.oid,
  unrestrict: functions.perm_grant,
  restrict: native('restrict', 'archetype, level=None', (x: unknown) => perm_revoke(x)),
  node_dot: functions.printgraph,
  destroy: native('destroy', 'objs', destroy),
  spawn: native('spawn', 'op1, op2', (a: unknown, b: unknown) => spawn(a, b, undefined, now)),
  Anchor,
  NodeAnchor: Anchor,
  EdgeAnchor: Anchor,
  WalkerAnchor: Anchor,
};
