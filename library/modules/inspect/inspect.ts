/** Module `inspect`: what can be asked of functions, classes and values. */

import { functions, type Members } from '../../builtins/module.ts';
import { makeNamedTuple } from '../../builtins/namedtuple.ts';
import { dir } from '../../builtins/objects.ts';
import { stillMissing } from '../../classes/archetype.ts';
import { metaOf } from '../../classes/meta.ts';
import type { FunctionSpec, ParamSpec, TypeRef } from '../../classes/spec.ts';
import { std } from '../../registry.ts';
import { call } from '../../values/calls/calls.ts';
import { AsyncGeneratorObject, GeneratorObject } from '../../values/calls/generators.ts';
import { signatureOf } from '../../values/calls/signature.ts';
import { framesOf } from '../../values/calls/stack-frames.ts';
import { Dict } from '../../values/containers/dict.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { $moduleName, getattr, getattrOr, lookup } from '../../values/objects/attributes.ts';
import { $target } from '../../values/objects/class-methods.ts';
import { AttributeError, OSError, TypeError } from '../../values/objects/exceptions.ts';
import { compareStrings } from '../../values/objects/ordering.ts';
import { Property } from '../../values/objects/property.ts';
import { $await, $bound, $spec } from '../../values/objects/protocol.ts';
import { reprOf } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import { $builtin, isClass, typeName } from '../../values/objects/type-name.ts';
import { mroOf, typeOf } from '../../values/objects/types.ts';
import { requireText } from '../../values/text/text-arguments.ts';
import { BoundArguments } from './bind.ts';
import { annotationOf, Empty, Parameter, Signature } from './signature.ts';

const anyType: TypeRef = { t: 'any' };

function specOf(f: any): FunctionSpec | undefined {
  const spec = f?.[$spec];
  return typeof spec === 'function' ? spec() : spec;
}

interface Described {
  readonly params: readonly ParamSpec[];
  readonly result: TypeRef;
}

function signature(f: unknown): Signature {
  const { params, result } = described(f);
  return new Signature(params, result);
}

/** The function that this one stands in for (`functools.wraps`); undefined when it is itself what is meant. */
function wrappedBy(f: any): unknown {
  return typeof f === 'function' ? getattrOr(f, '__wrapped__', undefined) : undefined;
}

function unwrapped(f: unknown): unknown {
  const inner = wrappedBy(f);
  return inner === undefined ? f : unwrapped(inner);
}

/**
 * Gives the signature of `partial(f, *args, **keywords)`: the parameters left, those behind one that has a keyword by
 * name only.
 */
function partly(f: { args: Tuple; keywords: Dict }, { params, result }: Described): Described {
  const left = params.filter(({ kind }, i) => i >= f.args.items.length || (kind !== 'pos' && kind !== 'any'));
  const first = left.findIndex(({ name, kind }) => kind === 'any' && f.keywords.has(name));
  const named = left.map((param, i): ParamSpec => {
    const value = f.keywords.get(param.name);
    const given = value === undefined ? param : { ...param, default: () => value };
    return first >= 0 && i >= first && param.kind === 'any' ? { ...given, kind: 'kw' } : given;
  });
  return { params: named.filter(({ kind }) => first < 0 || kind !== 'args'), result };
}

/** `follows`: of what stands behind the function, not of itself. */
function described(f: any, follows = true): Described {
  const inner = follows ? wrappedBy(f) : undefined;
  if (inner !== undefined) return withoutReceiver(f, described(inner));
  const meta = isClass(f) ? metaOf(f) : undefined;
  if (meta !== undefined)
    return { params: meta.params, result: meta.constructorFields.length > 0 ? { t: 'none' } : anyType };
  if (typeName(f) === 'partial') return partly(f, described(f.func, follows));
  const target = typeof f === 'function' ? f : f?.__call__;
  if (typeof target !== 'function') throw new TypeError(`${reprOf(f)} is not a callable object`);
  const made = target[$target] ?? target[$bound]?.fn?.[$target]; // a method that decorators made
  if (typeof made === 'function') return withoutReceiver(target, described(made, follows));
  const spec = specOf(target);
  if (spec !== undefined) return { params: signatureOf(target)!.params, result: spec.result };
  const unknown = (_: unknown, i: number) => ({ name: `arg${i}`, kind: 'pos', type: anyType }) as const;
  return { params: Array.from({ length: target.length }, unknown), result: anyType };
}

/** A method that was bound to its instance is called without it. */
function withoutReceiver(f: any, whole: Described): Described {
  const [first] = whole.params;
  const takes = f[$bound] !== undefined && (first?.kind === 'any' || first?.kind === 'pos');
  return takes ? { ...whole, params: whole.params.slice(1) } : whole;
}

const isMethod = (x: any): boolean => typeof x === 'function' && x[$bound] !== undefined;
const isFunction = (x: any): boolean =>
  typeof x === 'function' && !isClass(x) && x[$bound] === undefined && x[$builtin] !== true;

function getmembers(x: unknown, predicate?: unknown): Tuple[] {
  const names = (call(dir, x) as string[]).slice().sort(compareStrings);
  return names
    .map((name) => [name, getattrOr(x, name, undefined)] as const)
    .filter(
      ([, value]) =>
        value !== undefined && (predicate === undefined || predicate === null || truth(call(predicate, value))),
    )
    .map((pair) => new Tuple(pair));
}

/** Documentation text with the margin of its lines taken off. */
function cleandoc(given: unknown): string {
  const lines = requireText(given).split('\n');
  const margin = Math.min(
    ...lines
      .slice(1)
      .filter((line) => line.trim() !== '')
      .map((line) => line.length - line.trimStart().length),
  );
  const out = [
    lines[0]!.trimStart(),
    ...lines.slice(1).map((line) => (Number.isFinite(margin) ? line.slice(margin) : line)),
  ];
  while (out.length > 0 && out.at(-1)!.trim() === '') out.pop();
  while (out.length > 0 && out[0]!.trim() === '') out.shift();
  return out.join('\n');
}

const FullArgSpec = makeNamedTuple(
  'FullArgSpec',
  ['args', 'varargs', 'varkw', 'defaults', 'kwonlyargs', 'kwonlydefaults', 'annotations'],
  { module: 'inspect' },
);

/** Unlike the signature, of the very function, and that of a method begins with its receiver. */
function fullArgSpec(f: any): unknown {
  const { params, result } = described(f, false);
  const of = (...wanted: ParamSpec['kind'][]) => params.filter(({ kind }) => wanted.includes(kind));
  const [placed, named] = [of('pos', 'any'), of('kw')];
  const names = (params: readonly ParamSpec[]) => params.map(({ name }) => name);
  const defaults = placed.flatMap((param) => (param.default === undefined ? [] : [param.default()]));
  const namedDefaults = named.flatMap((param) =>
    param.default === undefined ? [] : [[param.name, param.default()] as const],
  );
  const types = params.map((param) => [param.name, annotationOf(param.type)] as const);
  return new FullArgSpec([
    [...(f[$bound] === undefined ? [] : ['self']), ...names(placed)],
    of('args')[0]?.name ?? null,
    of('kwargs')[0]?.name ?? null,
    defaults.length === 0 ? null : new Tuple(defaults),
    names(named),
    namedDefaults.length === 0 ? null : Dict.from(namedDefaults),
    Dict.from([['return', annotationOf(result)] as const, ...types].filter(([, type]) => type !== Empty)),
  ]);
}

const FrameInfo = makeNamedTuple('FrameInfo', ['frame', 'filename', 'lineno', 'function', 'code_context', 'index'], {
  module: 'inspect',
});

const generatorStates = {
  new: 'GEN_CREATED',
  running: 'GEN_RUNNING',
  suspended: 'GEN_SUSPENDED',
  done: 'GEN_CLOSED',
} as const;

function takesValues(x: any): boolean {
  return !isClass(x) && ['__set__', '__delete__'].some((name) => typeof x?.[name] === 'function');
}

/** Gives the value kept under a name in an object or its classes, without asking a property or a descriptor. */
function staticAttribute(x: any, name: string, fallback?: unknown): unknown {
  const classes = mroOf(isClass(x) ? x : typeOf(x));
  const places: any[] = [...(isClass(x) ? [] : [x]), ...classes].map((one) => getattrOr(one, '__dict__', undefined));
  for (const place of places) if (place?.has(name)) return place.get(name);
  if (fallback !== undefined) return fallback;
  throw new AttributeError(name);
}

export function makeInspect(): Members {
  const noSource = () => {
    throw new OSError('could not get source code');
  };
  return {
    Parameter,
    Signature,
    BoundArguments,
    _empty: Empty,
    ...functions('inspect', {
      cleandoc: ['doc', cleandoc],
      currentframe: ['', () => null],
      getdoc: [
        'object',
        (x: unknown) => {
          const doc = lookup(x, '__doc__');
          return typeof doc === 'string' ? cleandoc(doc) : null;
        },
      ],
      getfile: ['object', noSource],
      getfullargspec: ['func', fullArgSpec],
      getattr_static: ['obj, attr, default=None', staticAttribute],
      getgeneratorstate: ['generator', (x: GeneratorObject) => generatorStates[x.state]],
      getmembers: ['object, predicate=None', getmembers],
      getmodule: [
        'object',
        (x: unknown) => getattr(std('sys'), 'modules').get(getattrOr(x, '__module__', null)) ?? null,
      ],
      getmro: ['cls', (cls: unknown) => new Tuple(mroOf(cls))],
      getsource: ['object', noSource],
      getsourcelines: ['object', noSource],
      isabstract: ['object', (x: any) => isClass(x) && stillMissing(x).length > 0],
      isasyncgen: ['object', (x: unknown) => x instanceof AsyncGeneratorObject],
      isasyncgenfunction: ['obj', (x: any) => specOf(x)?.async === true && specOf(x)?.generator === true],
      isawaitable: [
        'object',
        (x: any) => x instanceof Promise || typeof x?.[$await] === 'function' || typeof x?.__await__ === 'function',
      ],
      isbuiltin: ['object', (x: any) => typeof x === 'function' && !isClass(x) && x[$builtin] === true],
      isclass: ['object', (x: unknown) => isClass(x)],
      iscoroutine: ['object', (x: unknown) => typeName(x) === 'coroutine'],
      iscoroutinefunction: [
        'obj',
        (x: any) => typeof x === 'function' && specOf(x)?.async === true && specOf(x)?.generator !== true,
      ],
      isdatadescriptor: ['object', (x: any) => x instanceof Property || takesValues(x)],
      isfunction: ['object', isFunction],
      isgenerator: ['object', (x: unknown) => x instanceof GeneratorObject],
      isgeneratorfunction: ['obj', (x: any) => typeof x === 'function' && specOf(x)?.generator === true],
      ismethod: ['object', isMethod],
      ismodule: ['object', (x: any) => typeof x === 'object' && x !== null && x[$moduleName] !== undefined],
      isroutine: ['object', (x: any) => typeof x === 'function' && !isClass(x)],
      signature: ['callable', signature],
      stack: [
        'context=1',
        () =>
          framesOf(new Error().stack).map(
            (frame) => new FrameInfo([null, frame.file, frame.line, frame.name, null, null]),
          ),
      ],
      unwrap: ['func', unwrapped],
    }),
  };
}
