/**
 * Parameters of a function as calls need them. Runtime functions write theirs as text, `'iterable, /, *, key=None, reverse=False'`, which is read
 * the first time a call needs more than the plain positional form.
 */
import type { FunctionSpec, ParamSpec } from '../../classes/spec.ts';
import { $spec } from '../objects/protocol.ts';
import { $builtin } from '../objects/type-name.ts';

export interface Signature {
  readonly name: string;
  readonly params: readonly ParamSpec[];
  /** Least and most positional arguments; `most` is infinite with `*args`. */
  readonly least: number;
  readonly most: number;
  /** True when all parameters take positional arguments: arguments are the slots. */
  readonly simple: boolean;
  /** Index of `*args` when a call with positional arguments only needs no more than collecting the rest there; else -1. */
  readonly restAt: number;
  /** Written in the runtime, and in C elsewhere: complaints are worded differently. */
  readonly native: boolean;
}

const $signature: unique symbol = Symbol('svc.signature');
const any = { t: 'any' } as const;
const none = () => null;

/** The signature of a function that has a spec; undefined for JavaScript functions. */
export function signatureOf(fn: any): Signature | undefined {
  const known = fn[$signature];
  if (known !== undefined && known.of === fn[$spec]) return known.signature;
  const given = fn[$spec];
  if (given === undefined) return undefined;
  const spec: FunctionSpec = typeof given === 'function' ? given() : given;
  const signature = makeSignature(spec, fn[$builtin] === true);
  Object.defineProperty(fn, $signature, { value: { of: given, signature }, configurable: true });
  return signature;
}

function makeSignature(spec: FunctionSpec, native: boolean): Signature {
  let [least, most, simple] = [0, 0, true];
  for (const param of spec.params) {
    if (param.kind === 'pos' || param.kind === 'any') {
      most += 1;
      if (param.default === undefined) least += 1;
    } else simple = false;
  }
  const rest = spec.params.findIndex((param) => param.kind === 'args');
  if (rest >= 0) most = Number.POSITIVE_INFINITY;
  const easy = spec.params.every(
    (param) => param.kind !== 'kwargs' && (param.kind !== 'kw' || param.default !== undefined),
  );
  const complainsShort = native && inPython.test(spec.qualname);
  const name = complainsShort ? spec.name : spec.qualname;
  return {
    name,
    params: spec.params,
    least,
    most,
    simple,
    restAt: easy ? rest : -1,
    native: native && !complainsShort,
  };
}

// Modules that Python has in Python: their functions complain as those of programs do.
const inPython = /^(base64|copy|json|logging|posixpath|re|shutil|statistics|string|textwrap|urllib\.parse|uuid)\./;

/** Attaches a signature to a runtime function: its parameters as text, or what gives the text when a call first needs it. */
export function native<F extends (...args: any[]) => unknown>(
  name: string,
  params: string | (() => string),
  fn: F,
  doc?: string,
): F {
  let spec: FunctionSpec | undefined;
  const read = (): FunctionSpec => {
    spec ??= {
      name: name.slice(name.lastIndexOf('.') + 1),
      qualname: name,
      module: 'builtins',
      params: parseParams(typeof params === 'string' ? params : params()),
      result: any,
      ...(doc === undefined ? {} : { doc }),
    };
    return spec;
  };
  (fn as any)[$spec] = read;
  (fn as any)[$builtin] = true;
  return fn;
}

/** Reads `'a, b=None, /, *args, k=1, **kw'`. */
export function parseParams(text: string): ParamSpec[] {
  const params: ParamSpec[] = [];
  let kind: 'any' | 'kw' = 'any';
  for (const part of text.split(',').map((piece) => piece.trim())) {
    if (part === '') continue;
    if (part === '/') {
      for (let i = 0; i < params.length; i += 1) params[i] = { ...params[i]!, kind: 'pos' };
    } else if (part === '*') kind = 'kw';
    else if (part.startsWith('**')) params.push({ name: part.slice(2), kind: 'kwargs', type: any });
    else if (part.startsWith('*')) {
      params.push({ name: part.slice(1), kind: 'args', type: any });
      kind = 'kw';
    } else {
      const [name, written] = part.split('=');
      params.push({
        name: name!.trim(),
        kind,
        type: any,
        ...(written === undefined ? {} : { default: none, written }),
      });
    }
  }
  return params;
}

export type MethodTable = Record<string, (...args: any[]) => any>;

/**
 * A table of methods: name to `[parameters without the receiver, function]`. The functions take the receiver first and then their slots.
 */
export function methodTable<T extends Record<string, readonly [string, (...args: any[]) => any]>>(
  type: string,
  entries: T,
  base?: MethodTable,
): { readonly [K in keyof T]: T[K][1] } & MethodTable {
  const table: any = Object.create(null);
  if (base !== undefined) for (const name of Object.keys(base)) table[name] = base[name];
  for (const name of Object.keys(entries)) {
    const [params, fn] = entries[name]!;
    table[name] = native(`${type}.${name}`, params, fn);
  }
  return table;
}
