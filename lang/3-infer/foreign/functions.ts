/** Functions of TypeScript: what a call gives, and which arguments certainly do not suit. */
import type * as ast from '../../1-parse/ast.ts';
import type { Members, Param, Signature, TypeNode } from '../../declarations/nodes.ts';
import { any, believed, iteratorOf, membersOf, unionOf } from '../classes/type-values.ts';
import type { ArgumentProblem } from '../read/map-arguments.ts';
import type { FunctionInfo, ParamInfo, Type } from '../types.ts';
import type { ForeignTypes, Place } from './types.ts';

interface Overload {
  readonly signature: Signature;
  readonly place: Place;
  result: Type | undefined;
}

/** All overloads of a function. What calls look at is not its `params` but every one of its signatures. */
export class ForeignFunction implements FunctionInfo {
  readonly module = '';
  readonly owner = undefined;
  readonly receiver = undefined;
  readonly decl = undefined;
  readonly direct = false;
  readonly async = false;
  readonly generator = false;
  readonly streams = false;
  readonly givesSelf = false;
  readonly params: readonly ParamInfo[] = [];
  readonly name: string;
  private readonly foreign: ForeignTypes;
  private readonly signatures: readonly Signature[];
  private readonly place: Place;
  private known: readonly Overload[] | undefined;

  constructor(foreign: ForeignTypes, name: string, signatures: readonly Signature[], place: Place) {
    this.foreign = foreign;
    this.name = name;
    // The signature that has the body is none of those that callers see.
    this.signatures = signatures.length > 1 ? signatures.filter(({ hasBody }) => !hasBody) : signatures;
    this.place = place;
    this.known = undefined;
  }

  private get overloads(): readonly Overload[] {
    this.known ??= this.signatures.map((signature) => ({
      signature,
      place: withGenerics(this.place, signature.generics),
      result: undefined,
    }));
    return this.known;
  }

  get result(): Type {
    return unionOf(this.overloads.map((one) => this.resultOf(one)));
  }

  /**
   * Gives the type of a call: by the first overload that suits, as TypeScript chooses, with those in front of it that
   * may suit too.
   */
  resultFor(args: readonly ast.Argument[], types: readonly Type[]): Type {
    if (this.overloads.length === 1) return this.resultOf(this.overloads[0]!);
    const results: Type[] = [];
    for (const one of this.overloads) {
      const suits = this.suits(one, args, types);
      if (suits === 'no') continue;
      results.push(this.resultOf(one));
      if (suits === 'yes') break;
    }
    return results.length === 0 ? any : unionOf(results);
  }

  /** Finds the reason why no overload takes that many arguments; undefined: one does. */
  countProblem(args: readonly ast.Argument[]): ArgumentProblem | undefined {
    // A keyword is an entry of an object behind the others, `*` any number of arguments.
    if (this.overloads.length === 0 || args.some(({ sort }) => sort !== 'positional')) return undefined;
    const counts = this.overloads.map((one) => ({ least: this.least(one), most: most(one.signature), one }));
    if (counts.some(({ least, most: limit }) => args.length >= least && args.length <= limit)) return undefined;
    const limit = Math.max(...counts.map(({ most: one }) => one));
    const callee = this.name;
    if (args.length > limit) return { form: 'many', param: '', arg: args[limit], callee };
    const short = counts.find(({ least }) => least > args.length)?.one;
    const missing = short?.signature.params.find((param, i) => i >= args.length && this.isNeeded(param, short.place));
    return missing === undefined ? undefined : { form: 'missing', param: missing.name, arg: undefined, callee };
  }

  /** The parameter that certainly does not take this argument, of a function with one signature. */
  misfit(arg: ast.Argument, at: number, type: Type): { readonly name: string; readonly type: Type } | undefined {
    const [one, ...more] = this.overloads;
    const param = one === undefined || more.length > 0 ? undefined : paramAt(one.signature, at);
    if (param?.type === undefined || this.accepts(itemOf(param), one!.place, arg.value, type) !== 'no')
      return undefined;
    const expected = this.foreign.typeOf(itemOf(param), one!.place);
    // Another text than those that are listed is no other kind of value.
    const isOfKind = membersOf(expected).some(({ t }) => kindOf(t) === kindOf(type.t));
    return expected.t === 'any' || isOfKind ? undefined : { name: param.name, type: expected };
  }

  /** Lists the declared types of the argument at this place, one for each overload that has it. */
  parametersAt(at: number): readonly Type[] {
    return this.overloads.flatMap(({ signature, place }) => {
      const param = paramAt(signature, at);
      return param === undefined ? [] : [this.foreign.typeOf(itemOf(param), place)];
    });
  }

  /**
   * Is a promise certainly no result of this function, which somebody else is to write? Where nothing is declared, anything is, or the
   * result is ignored (`void`), it may be one; a type parameter stands for the value itself.
   */
  get givesNoPromise(): boolean {
    return this.overloads.every(({ signature, place }) => isNoPromise(signature.result, place, this.foreign));
  }

  private resultOf(one: Overload): Type {
    if (one.result !== undefined) return one.result;
    // A function whose result is its own, in a circle of types.
    one.result = any;
    const { signature, place } = one;
    const type = this.foreign.typeOf(signature.result, place);
    if (signature.isGenerator) one.result = iteratorOf(any);
    else if (signature.isAsync && type.t !== 'awaitable') one.result = { t: 'awaitable', of: any, sure: true };
    else one.result = type;
    return one.result;
  }

  private least({ signature, place }: Overload): number {
    return signature.params.findLastIndex((param) => this.isNeeded(param, place)) + 1;
  }

  /** Tells whether a parameter needs an argument: one whose type takes anything, or nothing, may be left out. */
  private isNeeded({ type, isOptional, isRest }: Param, place: Place): boolean {
    if (isOptional || isRest || type === undefined) return false;
    return membersOf(this.foreign.typeOf(type, place)).every(({ t }) => t !== 'any' && t !== 'none');
  }

  private suits(one: Overload, args: readonly ast.Argument[], types: readonly Type[]): Suits {
    if (args.some(({ sort }) => sort !== 'positional')) return 'maybe';
    const { signature, place } = one;
    if (args.length > most(signature) || args.length < this.least(one)) return 'no';
    return allOf(
      args.map((arg, i) => {
        const param = paramAt(signature, i);
        return param?.type === undefined ? 'maybe' : this.accepts(itemOf(param), place, arg.value, types[i] ?? any);
      }),
    );
  }

  /** Tells whether a value of this type may be given where the node stands. */
  private accepts(node: TypeNode, place: Place, e: ast.Expression, type: Type, depth = 0): Suits {
    const kinds = new Set(membersOf(believed(type)).map(({ t }) => kindOf(t)));
    if (kinds.has('other') || depth > 8) return 'maybe';
    const among = (...accepted: readonly string[]): Suits => {
      const fitting = [...kinds].filter((kind) => accepted.includes(kind)).length;
      return fitting === kinds.size ? 'yes' : fitting === 0 ? 'no' : 'maybe';
    };
    switch (node.k) {
      case 'plain':
        if (node.of === 'int') return 'maybe';
        return node.of === 'number' ? among('number', 'bool') : among(node.of);
      case 'text':
        if (e.kind === 'StringLiteral') return e.value === node.value ? 'yes' : 'no';
        return among('str') === 'no' ? 'no' : 'maybe';
      case 'list':
        return among('list') === 'no' ? 'no' : 'maybe';
      case 'function':
        return 'no';
      case 'union':
        return anyOf(node.of.map((one) => this.accepts(one, place, e, type, depth + 1)));
      case 'object':
        return acceptsPlain(node.members);
      case 'name':
        return this.acceptsNamed(node, place, e, type, depth);
      default:
        return 'maybe';
    }
  }

  private acceptsNamed(
    node: Extract<TypeNode, { k: 'name' }>,
    place: Place,
    e: ast.Expression,
    type: Type,
    depth: number,
  ): Suits {
    const target = this.foreign.targetOf(node.path, place);
    if (target === undefined) {
      const [name = '', ...below] = node.path;
      if (below.length > 0 || place.generics.has(name)) return 'maybe';
      if (name === 'BufferEncoding' && e.kind === 'StringLiteral') return encodings.has(e.value) ? 'yes' : 'no';
      return objects.has(name) ? 'no' : 'maybe';
    }
    const [entry, ...more] = target.of === 'entries' ? target.entries : [];
    const found = entry === undefined || more.length > 0 ? undefined : this.foreign.declaration(entry, target.home);
    if (found?.k === 'interface' || found?.k === 'class') return acceptsPlain(found.members);
    if (found?.k !== 'alias' || found.generics.length > 0) return 'maybe';
    return this.accepts(found.type, { ...place, home: target.home }, e, type, depth + 1);
  }
}

function isNoPromise(node: TypeNode | undefined, place: Place, foreign: ForeignTypes): boolean {
  if (node === undefined) return false;
  if (node.k === 'union') {
    const some = node.of.filter((one) => !(one.k === 'plain' && one.of === 'none'));
    return some.length > 0 && some.every((one) => isNoPromise(one, place, foreign));
  }
  const generic = node.k === 'name' && node.path.length === 1 ? place.generics.get(node.path[0]!) : undefined;
  const type = generic ?? foreign.typeOf(node, place);
  if (type === any) return generic !== undefined;
  return membersOf(type).every(({ t }) => t !== 'any' && t !== 'awaitable' && t !== 'none');
}

type Suits = 'yes' | 'no' | 'maybe';

function allOf(answers: readonly Suits[]): Suits {
  return answers.includes('no') ? 'no' : answers.includes('maybe') ? 'maybe' : 'yes';
}

function anyOf(answers: readonly Suits[]): Suits {
  return answers.includes('yes') ? 'yes' : answers.includes('maybe') ? 'maybe' : 'no';
}

/** Is a text, number or bool an object with these members? */
function acceptsPlain({ all }: Members): Suits {
  return all.length === 0 || all.some(({ name }) => ofEverything.has(name)) ? 'maybe' : 'no';
}

/** Members that texts and numbers have too. */
const ofEverything = new Set(['length', 'toString', 'valueOf', 'toLocaleString', 'constructor']);

/** Global types of objects: no text, number or bool is one. */
const objects = new Set(
  'Buffer URL Uint8Array ArrayBuffer Date RegExp Map Set Promise Function AbortSignal'.split(' '),
);

function kindOf(t: Type['t']): string {
  switch (t) {
    case 'str':
    case 'bool':
    case 'none':
      return t;
    case 'int':
    case 'float':
      return 'number';
    default:
      return 'other';
  }
}

/** Node's global type `BufferEncoding`. */
const encodings = new Set('ascii utf8 utf-8 utf16le utf-16le ucs2 ucs-2 base64 base64url latin1 binary hex'.split(' '));

function withGenerics(place: Place, names: readonly string[]): Place {
  if (names.length === 0) return place;
  return { ...place, generics: new Map([...place.generics, ...names.map((name) => [name, any] as const)]) };
}

function most({ params }: Signature): number {
  return params.some(({ isRest }) => isRest) ? Number.POSITIVE_INFINITY : params.length;
}

function paramAt({ params }: Signature, at: number): Param | undefined {
  const last = params[params.length - 1];
  return params[at] ?? (last?.isRest === true ? last : undefined);
}

/** Gives the type that a single argument for the parameter must have. */
function itemOf({ type, isRest, isOptional }: Param): TypeNode {
  if (isRest) return type?.k === 'list' ? type.of : { k: 'unknown' };
  return isOptional && type !== undefined
    ? { k: 'union', of: [type, { k: 'plain', of: 'none' }] }
    : (type ?? { k: 'unknown' });
}
