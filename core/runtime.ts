/** Functions that generated code may use, as one namespace: `import * as $ from 'svc-scale/runtime'`. */

import { classes } from '../library/builtins/conversions.ts';
import { makeModule } from '../library/builtins/module.ts';
import { addBuiltins, b as builtins } from '../library/builtins/table.ts';
import { makeClass } from '../library/classes/make-class.ts';
import { remember } from '../library/classes/registry.ts';
import { addModule } from '../library/registry.ts';
import { setBorderReader } from '../library/values/calls/border.ts';
import { waitingRuntime } from '../library/values/calls/waiting.ts';
import { type EnumSpec, enumeration as registerEnum } from '../library/values/objects/enums.ts';
import { fileBuiltins } from './files/builtins.ts';
import { SYSTEM_ROOT_ID } from './graph/ids.ts';
import { ambientModel } from './llm/models.ts';
import { setStandingContext } from './memory/context.ts';
import { LiveSession } from './memory/live-session.ts';
import { createRuntime } from './memory/runtime.ts';
import { openVolatileStore } from './memory/volatile-store.ts';
import { facadeMembers, programBuiltins } from './program/builtins.ts';
import '../library/builtins/stored-values.ts';
import './modules/modules.ts';
import * as values from '../library/values/index-of-runtime.ts';

export { base, derive, form } from '../library/builtins/class-base.ts';
export { flow } from '../library/builtins/flow.ts';
export { asMapping, asSequence } from '../library/builtins/match-subjects.ts';
export { b } from '../library/builtins/table.ts';
export { archetype } from '../library/classes/archetype.ts';
export { Archetype, Obj } from '../library/classes/classes.ts';
export { construct, superNew } from '../library/classes/construct.ts';
export { describe } from '../library/classes/describe.ts';
export { closure, func } from '../library/classes/func.ts';
export { enumBase, mix, settle, superMethod, superObject } from '../library/classes/mro.ts';
export { isLong, look, rest } from '../library/limits/look.ts';
export { importedMember, load, std, stdMember } from '../library/registry.ts';
export * from '../library/values/index-of-runtime.ts';
export { allow_root, disallow_root, perm_grant, perm_revoke } from './access/grants.ts';
export { connect, destroy, disconnect } from './graph/connect.ts';
export { assign, filter } from './graph/filter.ts';
export { out } from './graph/hop.ts';
export { hops } from './graph/hops.ts';
export { borrow, oget, oid, oref, root, sharedRoot } from './graph/lookup.ts';
export { Edge, GenericEdge, Node, Root, Walker } from './graph/objects.ts';
export { allroots, commit, on_commit, reset_graph, save } from './graph/persistence.ts';
export { printgraph } from './graph/printgraph.ts';
export { askModel, delegate } from './llm/models.ts';
export { get_module_functions, get_module_walkers } from './program/builtins.ts';
export { get_context } from './program/request-context.ts';
export { restspec, schedule } from './program/rest-spec.ts';
export { sourcePath } from './program/source-path.ts';
export { decoratedAbility } from './walkers/decorated-ability.ts';
export { now, spawn, spawnPrefix } from './walkers/spawn.ts';
export { spawnFrom, spawnPrefixFrom } from './walkers/spawn-from.ts';
export { currentWalk, disengage, here, report, visit, visitEdges, visitOut, visitor } from './walkers/statements.ts';

/** Registers an enum, so that stored members find it again. */
export function enumeration<C>(cls: C & any, spec: EnumSpec): C {
  const made = registerEnum<C>(cls, spec);
  remember({ module: spec.module, name: spec.name, cls: made });
  return made;
}

/** Runtime functions that compiled code calls where something of the program may wait (decisions/0210). */
const { bytesM, dictM, frozensetM, listM, setM, strM, tupleM } = values;
export const w = waitingRuntime(values, { b: builtins, bytesM, dictM, frozensetM, listM, setM, strM, tupleM });

classes.make = makeClass;
setBorderReader(() => import('../library/builtins/open-border.ts'));
const facade = makeModule('Svc', facadeMembers);
addBuiltins({ ...programBuiltins, ...fileBuiltins, Svc: facade, llm: ambientModel });
/** Every ambient name can be imported from `svclang` too, as older programs do (docs/language/standard-modules.md#modules). */
const ambient = () => ({ ...builtins, ...facadeMembers, Svc: facade, SvcRuntime: facade });
addModule('svclang', ambient);
addModule('svclang.', ambient);

// Code that runs outside `svc` has a graph in memory, as the system.
setStandingContext(() => {
  const runtime = createRuntime({ store: openVolatileStore(), sharedIsOwn: true });
  const warnings: string[] = [];
  const session = new LiveSession(
    runtime,
    { rootId: SYSTEM_ROOT_ID, kind: 'system', commitsAfterWalks: true },
    warnings,
  );
  return { runtime, session, rootId: SYSTEM_ROOT_ID, userId: null, callerKind: 'system', warnings };
});
