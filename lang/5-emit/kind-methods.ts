/**
 * Methods of built-in kinds where the kind of the receiver is known: `xs.append(v)`, `d.get(k, 0)`, `s.upper()`. The hottest are written
 * out, other common ones call the method table directly; both stand behind a guard unless the kind is certain. What is not listed
 * below is dispatched at run time.
 */
import type * as ast from '../1-parse/ast.ts';
import { dynamicCall, dynamicMethod } from './calls.ts';
import { type Cx, mark, temp } from './context.ts';
import { expr, inOrder, runtime } from './expressions.ts';
import { hintOf } from './hints.ts';
import { isListCode, isSimple, isSure } from './kinds.ts';

export type BuiltinKind = 'str' | 'list' | 'dict' | 'set' | 'tuple' | 'bytes';

/** Methods whose functions take their arguments by position: what the table of signatures says of them has been compared by inference. */
const direct: Readonly<Record<BuiltinKind, ReadonlySet<string>>> = {
  str: names(
    'capitalize casefold isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper',
    'lower swapcase title upper lstrip rstrip strip rsplit split count endswith find index rfind rindex startswith join partition',
    'removeprefix removesuffix rpartition zfill center ljust rjust replace',
  ),
  list: names('append count extend remove clear copy reverse insert pop index'),
  dict: names('clear copy items keys popitem values get pop setdefault'),
  set: names('add discard remove isdisjoint issubset issuperset clear copy pop'),
  tuple: names('count index'),
  bytes: names(),
};

function names(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(' ')));
}

export function methodOfKind(c: Cx, e: ast.Call, callee: ast.Attribute, kind: BuiltinKind, name: string): string {
  if (kind === 'str' && name === 'format') return formatCall(c, e, callee);
  if (!direct[kind].has(name) || e.args.some((arg) => arg.sort !== 'positional')) return dynamicCall(c, e);
  const sure = isSure(c, callee.object, kind);
  const values = e.args.map((arg) => arg.value);
  const single = sure && !needsReuse(kind, name);
  if (single && isSimple(c, callee.object)) {
    return (
      mark(c, callee.name) +
      written(
        c,
        e,
        kind,
        name,
        expr(c, callee.object),
        values.map((value) => expr(c, value)),
      )
    );
  }
  const { before, codes } = inOrder(c, [callee.object, ...values]);
  const [self, ...args] = codes as [string, ...string[]];
  const fast = written(c, e, kind, name, self, args);
  if (sure) return `(${before}${mark(c, callee.name)}${fast})`;
  const slow = dynamicMethod(self, name, e.args, args, runtime(c, e));
  return `(${before}${guard(c, kind, self)} ? ${mark(c, callee.name)}${fast} : ${mark(c, callee.name)}${slow})`;
}

/** `text.format(…)`: floats are shown as such where the compiler knows of them. */
function formatCall(c: Cx, e: ast.Call, callee: ast.Attribute): string {
  const hints = e.args.map((arg) => (arg.sort === 'star' ? undefined : hintOf(c, arg.value)));
  if (hints.every((hint) => hint === undefined)) return dynamicCall(c, e);
  const { before, codes } = inOrder(c, [callee.object, ...e.args.map((arg) => arg.value)]);
  const [self, ...values] = codes as [string, ...string[]];
  const hinted = values.map((code, i) => {
    if (hints[i] === undefined) return code;
    return `$.${e.args[i]!.sort === 'doublestar' ? 'hintedValues' : 'hinted'}(${code}, ${hints[i]})`;
  });
  const at = mark(c, callee.name);
  const fast = at + dynamicMethod(self, 'format', e.args, hinted, runtime(c, e));
  if (isSure(c, callee.object, 'str') || callee.object.kind === 'StringLiteral') return `(${before}${fast})`;
  return `(${before}${guard(c, 'str', self)} ? ${fast} : ${at}${dynamicMethod(self, 'format', e.args, values, runtime(c, e))})`;
}

/** JavaScript test for a built-in kind, subclasses left out where they may override. */
export function guard(c: Cx, kind: BuiltinKind, code: string): string {
  switch (kind) {
    case 'str':
      return `typeof ${code} === "string"`;
    case 'list':
      return isListCode(c, code);
    case 'dict':
      return `${code}?.constructor === $.Dict`;
    case 'set':
      return `${code}?.constructor === $.PySet`;
    case 'tuple':
      return `${code}?.constructor === $.Tuple`;
    case 'bytes':
      return `${code}?.constructor === $.Bytes`;
  }
}

function needsReuse(kind: BuiltinKind, name: string): boolean {
  return kind === 'list' && name === 'pop';
}

const tables: Readonly<Record<BuiltinKind, string>> = {
  str: 'strM',
  list: 'listM',
  dict: 'dictM',
  set: 'setM',
  tuple: 'tupleM',
  bytes: 'bytesM',
};

function written(c: Cx, e: ast.Call, kind: BuiltinKind, name: string, self: string, args: readonly string[]): string {
  const rt = runtime(c, e);
  if (kind === 'list' && name === 'append') return `(${self}.push(${args[0]}), null)`;
  if (kind === 'list' && name === 'pop' && args.length === 0)
    return `(${self}.length > 0 ? ${self}.pop() : $.listM.pop(${self}))`;
  if (kind === 'dict' && name === 'get' && rt === '$') {
    const t = temp(c);
    const fallback = args[1] ?? 'null';
    // A fallback with an effect is evaluated whether or not it is needed.
    if (isRepeatable(fallback)) return `((${t} = ${self}.get(${args[0]})) === undefined ? ${fallback} : ${t})`;
  }
  return `${rt}.${tables[kind]}.${name}(${[self, ...args].join(', ')})`;
}

function isRepeatable(code: string): boolean {
  return /^(-?[\w.$]+|"[^"\\]*"|\$\d+)$/.test(code);
}

/** `xs.append(v);` as a statement, without the value of the call. */
export function methodStatement(c: Cx, e: ast.Call): string | undefined {
  const { callee } = e;
  if (callee.kind !== 'Attribute' || callee.safe || e.args.length !== 1 || e.args[0]!.sort !== 'positional')
    return undefined;
  const plan = c.u.types.callPlan(e);
  if (plan.how !== 'method' || plan.receiver !== 'list' || plan.name !== 'append') return undefined;
  const sure = isSure(c, callee.object, 'list');
  const at = mark(c, e);
  if (sure && isSimple(c, callee.object)) return `${at}${expr(c, callee.object)}.push(${expr(c, e.args[0]!.value)});`;
  const { before, codes } = inOrder(c, [callee.object, e.args[0]!.value]);
  const [self, value] = codes as [string, string];
  if (sure) return `${at}${before}${self}.push(${value});`;
  const head = before === '' ? '' : `${before.slice(0, -2)}; `;
  return `${at}${head}if (${isListCode(c, self)}) ${self}.push(${value}); else $.callMethod(${self}, "append", ${value});`;
}
