/** The call around the cursor: what may be given, and which argument the cursor is in. */
import type * as ast from '../1-parse/ast.ts';
import { typeText } from '../3-infer/classes/type-values.ts';
import type { FunctionInfo, ParamInfo } from '../3-infer/types.ts';
import { paramText } from './describe.ts';
import { docOf } from './docs.ts';
import { bindingMeaningOf, declOf } from './meanings.ts';
import { classesOfSuper } from './members.ts';
import { elementIn, pathAt, shownType, typesAt, type View } from './view.ts';

export interface SignatureHelp {
  readonly label: string;
  /** Offsets of each parameter in the label. */
  readonly params: readonly (readonly [start: number, end: number])[];
  readonly active: number;
  readonly doc: string | undefined;
}

export function signatureAt(view: View, offset: number): SignatureHelp | undefined {
  const call = callAround(view, offset);
  if (call === undefined) return undefined;
  const callable = callableOf(view, call, typesAt(view, elementIn(pathAt(view, call.start))));
  if (callable === undefined) return undefined;
  const { name, params, result, doc } = callable;
  let label = `${name}(`;
  const spans: (readonly [number, number])[] = [];
  for (const [i, param] of params.entries()) {
    const text = paramText(param);
    if (i > 0) label += ', ';
    spans.push([label.length, label.length + text.length]);
    label += text;
  }
  label += result === undefined ? ')' : `) -> ${result}`;
  return { label, params: spans, active: activeParam(view, call, offset, params), doc };
}

/** The innermost call whose parentheses hold the offset. */
function callAround(view: View, offset: number): ast.Call | undefined {
  const { text } = view.source;
  let at = offset;
  while (at > 0 && /\s/.test(text.charAt(at - 1))) at--;
  const path = pathAt(view, Math.max(0, at - 1));
  for (const node of [...path].reverse()) {
    if (node.kind === 'Block' || node.kind === 'Lambda') return undefined;
    if (node.kind !== 'Call' || offset <= node.callee.end) continue;
    const open = text.indexOf('(', node.callee.end);
    const isClosed = text.charAt(node.end - 1) === ')' && offset >= node.end;
    if (open >= 0 && open < offset && !isClosed) return node;
  }
  return undefined;
}

export interface Callable {
  readonly name: string;
  readonly params: readonly ParamInfo[];
  readonly result: string | undefined;
  readonly doc: string | undefined;
  /** True for a class whose fields are given. */
  readonly makes?: boolean;
}

/** The callee of a call, as far as it is known: a function, a class with its constructor fields, or a built-in. */
export function callableOf(view: View, call: ast.Call, types: ReturnType<typeof typesAt>): Callable | undefined {
  const plan = types.callPlan(call);
  const { builtins } = types.program;
  const type = shownType(types.of(call.callee));
  const shown = (text: string) => (text === 'any' || text === 'never' ? undefined : text);
  if (plan.how === 'direct' || type.t === 'function' || type.t === 'method') {
    const fn = plan.how === 'direct' ? plan.fn : (type as { fn: FunctionInfo }).fn;
    return { name: fn.name, params: fn.params, result: shown(typeText(fn.result)), doc: docOf(fn.decl) };
  }
  const cls = plan.how === 'construct' ? plan.cls : type.t === 'class' ? type.cls : undefined;
  if (cls !== undefined) {
    const init = plan.how === 'construct' ? plan.init : cls.methods.get('init');
    const params =
      init?.params ??
      cls.constructorFields.map(
        (field) => ({ name: field.name, kind: 'any', type: field.type, optional: field.hasDefault }) as const,
      );
    return { name: cls.name, params, result: undefined, doc: docOf(cls.decl), makes: true };
  }
  if (plan.how === 'method' && call.callee.kind === 'Attribute') {
    const signature = builtins.methods[plan.receiver].get(plan.name);
    return signature && { name: plan.name, params: signature.params, result: undefined, doc: undefined };
  }
  const behind = call.callee.kind === 'Attribute' ? methodOfSuper(view, types, call.callee) : undefined;
  if (behind !== undefined)
    return {
      name: behind.name,
      params: behind.params,
      result: shown(typeText(behind.result)),
      doc: docOf(behind.decl),
    };
  const name = plan.how === 'builtin' ? plan.name : type.t === 'builtin' ? type.name : undefined;
  const signature =
    name !== undefined
      ? builtins.functions.get(name)
      : plan.how === 'std'
        ? builtins.standard.get(`${plan.module}.${plan.name}`)
        : undefined;
  if (signature !== undefined && signature.params.length > 0)
    return { name: signature.name, params: signature.params, result: undefined, doc: undefined };
  const decl = call.callee.kind === 'NameRef' ? bindingMeaningOf(view, call.callee).map(declOf)[0] : undefined;
  return decl?.kind === 'FunctionDecl'
    ? { name: decl.name?.text ?? '', params: types.functionOf(decl).params, result: undefined, doc: docOf(decl) }
    : undefined;
}

function methodOfSuper(view: View, types: ReturnType<typeof typesAt>, { object, name }: ast.Attribute) {
  const [method] = (classesOfSuper(view, types, object) ?? []).flatMap(({ methods }) => methods.get(name.text) ?? []);
  return method;
}

function activeParam(view: View, call: ast.Call, offset: number, params: readonly ParamInfo[]): number {
  const given = call.args.findLastIndex((arg) => arg.start <= offset);
  const arg = call.args[given];
  if (arg?.name !== undefined && arg.name.text !== '') {
    const named = params.findIndex(({ name }) => name === arg.name?.text);
    if (named >= 0 && offset <= arg.end) return named;
  }
  const open = view.source.text.indexOf('(', call.callee.end);
  const written = view.source.text.slice(open + 1, offset);
  const commas = call.args.filter(
    ({ end }) => end <= offset && /^\s*,/.test(view.source.text.slice(end, offset)),
  ).length;
  const at = written.trim() === '' ? 0 : commas;
  const rest = params.findIndex(({ kind }) => kind === 'args');
  return rest >= 0 && at > rest ? rest : at;
}
