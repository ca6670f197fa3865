/** Phase 4: the static checks (docs/language/diagnostics.md#static-checks). One file per rule; this is their list. */

import type * as ast from '../1-parse/ast.ts';
import type { ProjectNames } from '../2-resolve/resolve.ts';
import type { ProjectTypes } from '../3-infer/infer.ts';
import type { Type } from '../3-infer/types.ts';
import type { Project, ProjectModule } from '../project.ts';
import { argumentRule } from './arguments.ts';
import { assignedLiteralRule } from './assigned-literals.ts';
import { attributeRule } from './attributes.ts';
import { awaitingRule } from './awaiting.ts';
import { baseKindRule } from './base-kinds.ts';
import { blockingRule } from './blocking.ts';
import { clientCodeRule } from './client-code.ts';
import { clientNameRule } from './client-names.ts';
import { clientOperatorRule } from './client-operators.ts';
import { clientSymbolRule } from './client-symbols.ts';
import { clientWaitingRule } from './client-waiting.ts';
import { connectRule } from './connections.ts';
import { deletionRule } from './deletions.ts';
import { duplicateMemberRule } from './duplicate-members.ts';
import { endpointRule } from './endpoints.ts';
import { entryOfPageRule } from './entry-of-pages.ts';
import { fieldOrderRule } from './field-order.ts';
import { filterRule } from './filters.ts';
import { hookRule } from './hooks.ts';
import { identityRule } from './identity.ts';
import { implicitOriginRule } from './implicit-origin.ts';
import { legacyFilterRule } from './legacy-filters.ts';
import { liveWriteRule } from './live-writes.ts';
import { memberAccessRule } from './member-access.ts';
import { moduleAccessRule } from './module-access.ts';
import { neverAssignedRule } from './never-assigned.ts';
import { scheduleNotYetRule } from './not-yet.ts';
import { oldStateRule } from './old-state.ts';
import { operatorRule } from './operators.ts';
import { overrideRule } from './overrides.ts';
import { parameterRule, receiverRule } from './parameters.ts';
import { postinitRule } from './postinit.ts';
import { propertyRule } from './properties.ts';
import { remoteWalkRule } from './remote-walks.ts';
import { resultRule } from './results.ts';
import type { ClientHalf, Half, Mode, Rule, RuleContext } from './rule.ts';
import { semRule } from './sem.ts';
import { servedFunctionRule } from './served-functions.ts';
import { spawnRule } from './spawns.ts';
import { standardMemberRule } from './standard-members.ts';
import { stateCellRule } from './state-cells.ts';
import { triggerRule } from './triggers.ts';
import { typeTestRule } from './type-tests.ts';
import { undeclaredFieldRule } from './undeclared-fields.ts';
import { unimplementedRule } from './unimplemented.ts';
import { unreachableRule } from './unreachable.ts';
import { unusedRule } from './unused.ts';
import type { VisitorTable } from './visitor-table.ts';
import { walkModule } from './walk-module.ts';
import { withoutEffectRule } from './without-effect.ts';

export const rules: readonly Rule[] = [
  argumentRule,
  assignedLiteralRule,
  attributeRule,
  awaitingRule,
  baseKindRule,
  blockingRule,
  clientCodeRule,
  clientNameRule,
  hookRule,
  liveWriteRule,
  stateCellRule,
  oldStateRule,
  clientOperatorRule,
  clientWaitingRule,
  propertyRule,
  remoteWalkRule,
  clientSymbolRule,
  entryOfPageRule,
  connectRule,
  deletionRule,
  duplicateMemberRule,
  endpointRule,
  fieldOrderRule,
  filterRule,
  identityRule,
  implicitOriginRule,
  legacyFilterRule,
  memberAccessRule,
  moduleAccessRule,
  neverAssignedRule,
  scheduleNotYetRule,
  operatorRule,
  overrideRule,
  parameterRule,
  receiverRule,
  postinitRule,
  resultRule,
  semRule,
  servedFunctionRule,
  spawnRule,
  standardMemberRule,
  triggerRule,
  typeTestRule,
  undeclaredFieldRule,
  unimplementedRule,
  unreachableRule,
  unusedRule,
  withoutEffectRule,
];

export interface RuleOptions {
  readonly mode: Mode;
  readonly enforceAccess?: boolean | undefined;
  readonly warnsLegacy?: boolean | undefined;
  readonly tellsInternal?: boolean | undefined;
  readonly standardMembers?: ((module: string) => ReadonlySet<string> | undefined) | undefined;
  /** The browser's half, when the program has one. */
  readonly client?: ClientHalf | undefined;
  /** Modules that are looked at; all when absent. */
  readonly only?: ReadonlySet<string> | undefined;
  /** Only rules whose errors keep a program from running, or only the others. */
  readonly blocking?: boolean | undefined;
  /** Other rules than all. */
  readonly rules?: readonly Rule[];
}

/** Asks every rule about every element of its half in every module; what they find goes to the modules' reporters. */
export function runRules(project: Project, names: ProjectNames, types: ProjectTypes, options: RuleOptions): void {
  const asked = (options.rules ?? rules).filter(
    (rule) =>
      (options.blocking ?? rule.blocks === true) === (rule.blocks === true) &&
      (rule.checkOnly !== true || options.mode === 'check') &&
      (rule.applies?.(project, names) ?? true),
  );
  runHalf(project, names, () => types, 'server', asked, options);
  const { client } = options;
  if (client !== undefined) runHalf(project, names, () => client.types, 'client', asked, options);
}

function runHalf(
  project: Project,
  names: ProjectNames,
  typesOf: () => ProjectTypes,
  half: Half,
  all: readonly Rule[],
  options: RuleOptions,
): void {
  const asked = all.filter((rule) => (rule.half ?? 'server') === half || rule.half === 'both');
  if (asked.length === 0) return;
  const types = typesOf();
  const visitors = byKind(asked);
  const afterwards = asked.flatMap((rule) => rule.module ?? []);
  for (const module of project.modules.values()) {
    if (options.only?.has(module.id) === false) continue;
    const c = makeContext(project, names, types, module, half, options);
    walkModule(c, visitors);
    for (const ask of afterwards) ask(c);
  }
}

function byKind(asked: readonly Rule[]): VisitorTable {
  const table = new Map<string, ((node: never, c: RuleContext) => void)[]>();
  for (const rule of asked) {
    for (const [kind, visit] of Object.entries(rule.visit ?? {})) {
      const list = table.get(kind);
      if (list === undefined) table.set(kind, [visit as never]);
      else list.push(visit as never);
    }
  }
  return table;
}

function makeContext(
  project: Project,
  names: ProjectNames,
  types: ProjectTypes,
  module: ProjectModule,
  half: Half,
  options: RuleOptions,
): RuleContext {
  const moduleTypes = types.of(module.id);
  let lastExpression: ast.Expression | undefined;
  let lastType: Type | undefined;
  const c: RuleContext = {
    project,
    projectNames: names,
    projectTypes: types,
    module,
    names: names.of(module.id),
    types: moduleTypes,
    typeOf(e) {
      if (e !== lastExpression || lastType === undefined) {
        lastExpression = e;
        lastType = moduleTypes.of(e);
      }
      return lastType;
    },
    mode: options.mode,
    half,
    client: options.client,
    enforceAccess: options.enforceAccess ?? false,
    warnsLegacy: options.warnsLegacy ?? false,
    tellsInternal: options.tellsInternal ?? false,
    standardMembers: options.standardMembers,
    source: module.source,
    fn: undefined,
    owner: undefined,
    parent: module.tree as ast.Node,
    report(code, span, params, details) {
      // A name that a syntax error left out has been reported with it.
      if (params?.['name'] === '' || params?.['a'] === '') return;
      module.reporterOf(c.source).at(code, span, params, details);
    },
  };
  return c;
}
