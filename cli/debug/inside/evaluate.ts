import { caught } from '../../../core/runtime.ts';
import type { Node } from '../../../lang/1-parse/ast.ts';
import { parse } from '../../../lang/1-parse/parse.ts';
import { containsNode, walkInOrder } from '../../../lang/2-resolve/children.ts';
import { changingMethods, type DebugFunction, type DebugName } from '../../../lang/5-emit/debug-tables.ts';
import { identifier } from '../../../lang/5-emit/identifiers.ts';
import { compileModule } from '../../../lang/compile.ts';
import { createReporter } from '../../../lang/diagnostics.ts';
import type { ClassMeta } from '../../../library/classes/meta.ts';
import type { TypeRef } from '../../../library/classes/spec.ts';
import { typeText } from '../../../library/classes/type-text.ts';
import { signatures } from '../../../library/signatures/signatures.ts';
import { bare, boxed } from '../../../library/values/numbers/float-box.ts';
import { titleOfException } from '../../../library/values/objects/exception-text.ts';
import { $uncatchable } from '../../../library/values/objects/protocol.ts';
import { typeName } from '../../../library/values/objects/type-name.ts';
import type { GraphForm } from '../../program/compile-request.ts';
import type { Call } from './calls.ts';
import type { DebuggedModule } from './tables.ts';

/** An expression or assignment of the language, as JavaScript for the variables of one function. */
export interface Snippet {
  readonly code: string;
}

/** Sentence about a text that cannot be evaluated. */
export class SnippetError extends Error {}

/** A text reads a variable that was not assigned yet. */
export class NoValueYet extends SnippetError {}

const known = new Map<string, Snippet | SnippetError>();

/** The names that code of a function sees, innermost first. */
export function visibleNames({ tables }: DebuggedModule, fn: DebugFunction): readonly DebugName[] {
  const found = new Map<string, DebugName>();
  for (
    let at: DebugFunction | undefined = fn;
    at !== undefined;
    at = at.outer === undefined ? undefined : tables.functions[at.outer]
  )
    for (const name of at.names) if (!found.has(name[0])) found.set(name[0], name);
  for (const name of tables.names) if (!found.has(name[0])) found.set(name[0], name);
  return [...found.values()];
}

/**
 * Compiles a text as the function would see it: its variables are parameters of unknown type of a function that stands where `self`, `here` and
 * `visitor` mean what they mean in the function.
 *
 * @throws SnippetError
 */
export function compileSnippet(
  module: DebuggedModule,
  fn: DebugFunction,
  text: string,
  { mayWait = false, mayAssign = false }: Rights = {},
): Snippet {
  const key = `${mayWait}\0${mayAssign}\0${module.id}\0${fn.file}:${fn.line}:${fn.name}\0${text}`;
  let found = known.get(key);
  if (found === undefined) {
    const names = visibleNames(module, fn);
    const trimmed = text.trim().replace(/;$/, '');
    found =
      !mayAssign && changes(trimmed) !== undefined
        ? new SnippetError(changes(trimmed)!)
        : compile(names, fn, trimmed, { graph: module.graph, mayWait });
    const owner = classAround(module, fn, names);
    // The place that `super` begins from is the class of the function, not that of its stand-in.
    if ('code' in found && owner !== undefined) found = { code: found.code.replaceAll(/\bSvcDebugPlace\b/g, owner) };
    if (known.size > 1000) known.clear();
    known.set(key, found);
  }
  if (found instanceof SnippetError) throw found;
  return found;
}

/** Code of the class whose method or ability a function is, or stands in. */
function classAround({ tables }: DebuggedModule, fn: DebugFunction, names: readonly DebugName[]): string | undefined {
  for (let at: DebugFunction | undefined = fn; at?.around !== undefined; at = tables.functions[at.outer ?? 0]) {
    const owner = at.name.slice(0, Math.max(0, at.name.lastIndexOf('.')));
    const found = names.find(([name]) => name === owner);
    if (found !== undefined) return found[1];
  }
  return undefined;
}

/** Sentence for places that do not wait. */
export const wouldWait = 'this would have to wait, and nothing else runs while the program stands';

/** Sentence for places that are only looked at. */
export const wouldWrite = 'this would change the graph, which only the console may';

const wouldAssign = 'this would assign, which only the console may: == compares';

/** Reason for which a text changes something by itself; undefined: as far as its words say, it only reads. */
function changes(text: string): string | undefined {
  if (isAssignment.test(text)) return wouldAssign;
  const source = { path: 'debug.svc', text: `with entry { ${text}; }` };
  let found: string | undefined;
  walkInOrder(parse(source, createReporter(source)), (node) => {
    if (node.kind === 'Walrus') found ??= wouldAssign;
    if (node.kind === 'Call' && node.callee.kind === 'Attribute' && changingMethods.has(node.callee.name.text))
      found ??= `${node.callee.name.text}() would change what it is called on, which only the console may`;
    return true;
  });
  return found;
}

/** Refuses that the running evaluation writes; the program cannot catch it. */
class WriteRefused extends SnippetError {}
Object.defineProperty(WriteRefused.prototype, $uncatchable, { value: true });

/** @throws WriteRefused where a call of what is only looked at is about to write a field, unless that of an object that it makes */
export function requireReading({ module, fn, statement }: Call): void {
  const { writes, changes } = module.tables.statements[statement] ?? {};
  const written = writes?.[0]?.[0] ?? changes;
  if (written === undefined || /\.(init|postinit|__init__|__post_init__)$/.test(fn.name)) return;
  throw new WriteRefused(`${fn.name} would write ${written}, which only the console may`);
}

/** A value that a field is set to. @throws SnippetError where it is not of the type of the field, as an assignment of the program would be wrong */
export function fitting(object: any, name: string, value: unknown): unknown {
  const field = (object?.$meta as ClassMeta | undefined)?.fields.find((one) => one.name === name);
  if (field !== undefined && !isOf(value, field.type))
    throw new SnippetError(`cannot assign ${typeName(value)} to \`${name}\` of type ${typeText(field.type)}`);
  return value;
}

/** Tells whether a value is of a type, as far as its outermost part says; None is of each. */
function isOf(value: unknown, type: TypeRef): boolean {
  if (value === null || value === undefined) return true;
  const is = (...names: readonly string[]) => names.includes(typeName(value));
  switch (type.t) {
    case 'str':
    case 'bytes':
    case 'bool':
      return is(type.t);
    case 'int':
      return is('int', 'bool') || !is('str', 'bytes', 'float', 'dict', 'set', 'tuple', 'list');
    case 'float':
      return is('float', 'int', 'bool');
    case 'list':
      return Array.isArray(value) || !is('str', 'bytes', 'int', 'float', 'bool', 'dict', 'set', 'tuple');
    case 'dict':
    case 'set':
    case 'tuple':
      return is(type.t) || !is('str', 'bytes', 'int', 'float', 'bool', 'dict', 'set', 'tuple', 'list');
    case 'union':
      return type.of.some((one) => isOf(value, one));
    case 'ref':
      return !is('str', 'bytes', 'int', 'float', 'bool', 'dict', 'set', 'tuple', 'list');
    default:
      return true;
  }
}

/** The value of a text that assigns nothing; what it raises is thrown. */
export function evaluate(call: Call, text: string): unknown {
  const value = begin(call, text);
  if (value instanceof Promise) {
    value.catch(() => {});
    throw new SnippetError(wouldWait);
  }
  return value;
}

export interface Rights {
  /** Somebody can wait for the value. */
  readonly mayWait?: boolean;
  readonly mayAssign?: boolean;
}

/** Begins to evaluate a text: gives its value, or a promise of it where it has to be waited for. */
export function begin(call: Call, text: string, rights: Rights = {}): unknown {
  return call.read(compileSnippet(call.module, call.fn, text, rights).code);
}

/** Conditions under which a text is compiled. */
interface Form {
  readonly graph: GraphForm;
  readonly mayWait: boolean;
}

const wrapper = '__svc_debug__';

function compile(names: readonly DebugName[], fn: DebugFunction, text: string, form: Form): Snippet | SnippetError {
  if (text === '') return new SnippetError('nothing to evaluate');
  const assigned = /^([A-Za-z_]\w*)\s*=(?!=)\s*(.*)$/s.exec(text);
  const bareName =
    assigned === null ? undefined : names.find(([name, , form]) => name === assigned[1] && form === 'bare');
  if (assigned !== null && bareName !== undefined) {
    const value = compileBody(names, fn, `return (${assigned[2]});`, form);
    const assigning = `($value) => ${bareName[1]} = globalThis[Symbol.for("svc.debug")].bare($value)`;
    return value instanceof SnippetError
      ? value
      : {
          code: `(($set, $value) => $value instanceof Promise ? $value.then($set) : $set($value))(${assigning}, ${value.code})`,
        };
  }
  const field = isFieldAssignment.exec(text);
  if (field !== null) {
    const [, object, name, value] = field;
    const set: DebugName = ['svc_debug_fitting', 'globalThis[Symbol.for("svc.debug")].fitting'];
    const body = `${object}.${name} = svc_debug_fitting(${object}, "${name}", (${value})); return None;`;
    return compileBody([...names, set], fn, body, form);
  }
  if (isAssignment.test(text)) return compileBody(names, fn, `${text}; return None;`, form);
  return compileBody(names, fn, `return (${text});`, form);
}

/** `here.n = 1`: the object, the field and the value. */
const isFieldAssignment = /^([A-Za-z_]\w*(?:\.\w+|\[[^\]]*\])*)\.(\w+)\s*=(?!=)\s*(.*)$/s;

/** `x = 1`, `here.n += 1`, `words[i] = "a"`. */
const isAssignment = /^[A-Za-z_]\w*(?:\.\w+|\[[^\]]*\])*\s*(?:[-+*/%|&^@]|\/\/|\*\*|<<|>>)?=(?!=)/;

function compileBody(names: readonly DebugName[], fn: DebugFunction, body: string, form: Form): Snippet | SnippetError {
  const params = names.filter(([name]) => !reserved.has(name)).map(([name]) => name);
  const head = `def ${wrapper}(${params.map((name) => `${name}: any`).join(', ')}) -> any { ${body} }`;
  const text = `${waiting(body, form.mayWait)}\n${around[fn.around ?? 'none'].replace('%', () => head)}`;
  const { modules, diagnostics } = compileModule(
    { path: 'debug.svc', text },
    // Whether a walk waits is not known here.
    {
      target: 'server',
      graph: /\bspawn\b/.test(body) ? 'async' : form.graph,
      runtime: '#runtime',
      signatures,
      mode: 'run',
      isEvaluated: true,
    },
  );
  const code = modules[0]?.output.code;
  const wrong = diagnostics.find(({ severity, code: id }) => severity === 'error' && !tolerated.has(id));
  if (wrong !== undefined) return new SnippetError(wrong.message);
  const found = code === undefined ? undefined : functionText(code);
  if (found === undefined) return new SnippetError('this cannot be evaluated');
  const given = names.filter(
    ([name, js, form]) => params.includes(name) && (form === 'bare' || js !== identifier(name)),
  );
  const values = given.map(([, js, form]) =>
    form === 'bare' ? `globalThis[Symbol.for("svc.debug")].boxed(${js})` : js,
  );
  const read = readBy(body);
  const checks = names
    .filter(([name]) => params.includes(name) && read.has(name))
    .map(([name, js]) => `globalThis[Symbol.for("svc.debug")].given(${JSON.stringify(name)}, ${js}), `);
  const inner = `(${checks.join('')}${found.isAsync ? kept(found) : `(() => ${found.body})()`})`;
  if (given.length === 0) return { code: inner };
  return { code: `((${given.map(([name]) => identifier(name)).join(', ')}) => ${inner})(${values.join(', ')})` };
}

/**
 * Declarations by which the compiler takes it that whatever is not known may wait: functions, and methods that the text calls. What does not give a
 * promise then is not waited for. Special methods and properties do only with `mayWait`: what has the value of a lambda then
 * is a promise.
 */
function waiting(text: string, mayWait: boolean): string {
  const named = [...text.matchAll(/\.\s*([A-Za-z]\w*)\s*(\(?)/g)];
  const methods = new Set(named.flatMap(([, name, call]) => (call === '' ? [] : [name!])));
  const fields = new Set(named.flatMap(([, name]) => (methods.has(name!) ? [] : [name!])));
  const declared = (name: string) => `def ${name}(*args: any, **kwargs: any) -> any { __svc_time__.sleep(0); }`;
  const members = [
    ...[...methods, ...(mayWait ? specialMethods : [])].map(declared),
    ...(mayWait ? [...fields] : []).map((name) => `@property def ${name} -> any { __svc_time__.sleep(0); }`),
  ].join(' ');
  return `import time as __svc_time__; ${declared('__svc_any__')} glob __svc_all__: any = [__svc_any__]; obj SvcDebugMethods { ${members} }`;
}

/** Special methods of which an operator, a loop or a built-in function waits for the answer. */
const specialMethods = (
  '__abs__ __add__ __and__ __bool__ __bytes__ __call__ __complex__ __contains__ __divmod__ __eq__ __float__ __floordiv__ __format__ __ge__ ' +
  '__getattr__ __getitem__ __gt__ __hash__ __iadd__ __index__ __int__ __iter__ __invert__ __le__ __len__ __lshift__ __lt__ __matmul__ __mod__ __mul__ ' +
  '__ne__ __neg__ __or__ __pos__ __pow__ __radd__ __repr__ __rmul__ __round__ __rshift__ __rsub__ __rtruediv__ __setitem__ __str__ __sub__ ' +
  '__truediv__ __xor__'
).split(' ');

/** Code that runs the body at once: its value or its error when nothing had to be waited for, else the promise. */
function kept({ body, indent }: FunctionText): string {
  const text = body
    .replace(new RegExp(`^${indent}return `, 'gm'), 'return $kept.value = ')
    .replace(/^\s*if \(\$\.isLong\(\)\) await \$\.rest\(\);$/gm, 'if ($due) $.look();');
  return `(($kept) => {
  const $later = (async () => { try ${text} catch ($x) { $kept.error = $x; throw $x; } })();
  if ("value" in $kept) return $kept.value;
  if (!("error" in $kept)) return $later;
  $later.catch(() => {});
  throw $kept.error;
})({})`;
}

/** The variables that statements read at once: neither those they only assign, nor those of a lambda or a comprehension of theirs. */
function readBy(body: string): ReadonlySet<string> {
  const source = { path: 'debug.svc', text: `with entry { ${body} }` };
  const [found, own] = [new Set<string>(), new Set<string>()];
  const targets = new Set<Node>();
  walkInOrder(parse(source, createReporter(source)), (node) => {
    if (node.kind === 'AssignStatement') for (const target of node.targets) targets.add(target);
    if (node.kind === 'CompClause') containsNode(node.target, (one) => one.kind === 'NameRef' && !own.add(one.name));
    if (node.kind === 'NameRef' && !targets.has(node)) found.add(node.name);
    return node.kind !== 'Lambda' && node.kind !== 'FunctionExpr';
  });
  for (const name of own) found.delete(name);
  return found;
}

/** A variable that a text reads. @throws NoValueYet before its first assignment, where generated code would read none */
export function given(name: string, value: unknown): void {
  if (value === undefined) throw new NoValueYet(`${name} has no value yet`);
}

const reserved = new Set(['self', 'here', 'visitor', 'root']);
/** Members of `self` are those of another class here, and `await` may stand anywhere. */
const tolerated = new Set(['E0413', 'E0405', 'E0310']);

const around = {
  none: '%',
  self: 'obj SvcDebugPlace { def place -> any { % return None; } }',
  walker: 'walker SvcDebugPlace { can place with entry { % } }',
  location: 'node SvcDebugPlace { can place with SvcDebugOther entry { % } } walker SvcDebugOther { }',
} as const;

interface FunctionText {
  readonly body: string;
  readonly isAsync: boolean;
  /** Space in front of its statements. */
  readonly indent: string;
}

/** The body of the wrapper in generated code: `{ … }`, found by its indentation. */
function functionText(code: string): FunctionText | undefined {
  const lines = code.split('\n');
  const first = lines.findIndex(
    (line) => line.includes(`function ${wrapper}(`) || new RegExp(`^\\s*${wrapper} = `).test(line),
  );
  if (first < 0) return undefined;
  const line = lines[first]!;
  const indent = /^\s*/.exec(line)![0];
  const last = lines.findIndex((one, i) => i > first && (one === `${indent}}` || one === `${indent}};`));
  const open = line.lastIndexOf('{');
  if (last < 0 || open < 0) return undefined;
  return {
    body: ['{', ...constantsOf(lines), ...lines.slice(first + 1, last), '}'].join('\n'),
    isAsync: /\basync\b/.test(line.slice(0, open)),
    indent: `${indent}  `,
  };
}

/** Constants of the generated module, each on a line: what is known of lambdas. They hide those of the program, which have such names too. */
function constantsOf(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => /^const \$\w+ = /.test(line) && !line.includes(`${wrapper}",`));
}

/** For code that holds floats as numbers. */
export { bare, boxed };

/** The text of a log point with its `{…}` replaced. */
export function logText(call: Call, template: string, show: (value: unknown) => string): string {
  return template.replace(/\{([^{}]+)\}/g, (_, text: string) => {
    try {
      return show(evaluate(call, text));
    } catch (error) {
      return `<${messageOf(error)}>`;
    }
  });
}

/** Text of a failure: the class of an exception of the program and its message. */
export function messageOf(error: unknown): string {
  if (error instanceof SnippetError) return error.message;
  return titleOfException(caught(error));
}
