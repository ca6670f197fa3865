/** Types that are inferred and names of parameters, shown between the words of a program. */
import type * as ast from '../1-parse/ast.ts';
import { namesOfTarget } from '../2-resolve/target-names.ts';
import { typeText } from '../3-infer/classes/type-values.ts';
import type { ModuleTypes } from '../3-infer/infer.ts';
import type { Type } from '../3-infer/types.ts';
import { callableOf } from './signature.ts';
import { forEachNode, shownType, typesAt, type View } from './view.ts';

export interface Hint {
  readonly at: number;
  readonly text: string;
  readonly kind: 'type' | 'parameter';
}

/** Hints between two offsets: types of variables and results that are not written, names of positional arguments that are literals. */
export function hintsIn(view: View, start: number, end: number): readonly Hint[] {
  const found = new Map<string, Hint>();
  const seen = new Set<unknown>();
  const add = (hint: Hint) => {
    if (hint.at >= start && hint.at <= end) found.set(`${hint.at} ${hint.kind}`, hint);
  };
  forEachNode(view, (node, element) => {
    if (node.end < start || node.start > end) return;
    const types = typesAt(view, element.kind === 'PlacedBlock' ? undefined : element);
    if (node.kind === 'AssignStatement' && node.value !== undefined) {
      const isPlain = isLiteral(node.value);
      for (const target of node.targets.flatMap(namesOfTarget))
        if (isPlain) seen.add(view.names.binding(target));
        else variableHint(view, types, target, seen, add);
    } else if (node.kind === 'ForIn')
      for (const target of namesOfTarget(node.target)) variableHint(view, types, target, seen, add);
    else if (node.kind === 'FunctionDecl') resultHint(node, types, add);
    else if (node.kind === 'Call') argumentHints(view, node, types, add);
  });
  return [...found.values()].sort((a, b) => a.at - b.at);
}

function variableHint(
  view: View,
  types: ModuleTypes,
  target: ast.NameRef,
  seen: Set<unknown>,
  add: (hint: Hint) => void,
): void {
  const binding = view.names.binding(target);
  // Declarations say their type themselves, as do cells of state and variables with a type.
  if (binding.sort !== 'local' || seen.has(binding) || binding.decl !== undefined) return;
  seen.add(binding);
  const text = worthTelling(types.ofBinding(binding));
  if (text !== undefined) add({ at: target.end, text: `: ${text}`, kind: 'type' });
}

function resultHint(decl: ast.FunctionDecl, types: ModuleTypes, add: (hint: Hint) => void): void {
  const { signature, body } = decl;
  if (signature.result !== undefined || body.kind !== 'Block' || !signature.hasList) return;
  const found = types.program.functions.get(decl);
  const text = found === undefined ? undefined : worthTelling(found.info.result);
  if (text !== undefined && text !== 'None') add({ at: signature.end, text: ` -> ${text}`, kind: 'type' });
}

function argumentHints(view: View, call: ast.Call, types: ModuleTypes, add: (hint: Hint) => void): void {
  if (!call.args.some(({ sort, value }) => sort === 'positional' && isLiteral(value))) return;
  const plan = types.callPlan(call);
  if (plan.how !== 'direct' && plan.how !== 'construct') return;
  const params = callableOf(view, call, types)?.params ?? [];
  for (const [i, { sort, value, start }] of call.args.entries()) {
    const param = params[i];
    if (sort !== 'positional' || param === undefined || param.kind === 'args' || param.kind === 'kwargs') return;
    if (isLiteral(value)) add({ at: start, text: `${param.name}=`, kind: 'parameter' });
  }
}

function isLiteral({ kind }: ast.Expression): boolean {
  return kind === 'NumberLiteral' || kind === 'StringLiteral' || kind === 'Constant' || kind === 'Joined';
}

const longest = 40;

function worthTelling(type: Type): string | undefined {
  const shown = shownType(type);
  if (['any', 'never', 'function', 'method', 'builtin', 'std', 'module', 'class'].includes(shown.t)) return undefined;
  const text = typeText(shown);
  return text.length > longest ? undefined : text;
}
