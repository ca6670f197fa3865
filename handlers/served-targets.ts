/** Walkers and functions that clients can reach, read off the program once. Every protocol makes its routes from them. */
import type { FunctionTarget, Program, WalkerTarget } from '../core/program/program.ts';
import type { ClassMeta } from '../library/classes/meta.ts';
import type { FunctionSpec, ParamSpec, RestSpec, TypeRef } from '../library/classes/spec.ts';
import { Dict } from '../library/values/containers/dict.ts';
import type { BindField } from './http/bind/binder.ts';
import { coercerFor } from './http/bind/coercer.ts';
import { isUpload } from './http/bind/is-upload.ts';

/** A walker or function that clients can reach, in the form the request path and the API description work with. */
export interface ServedTarget {
  readonly kind: 'walker' | 'function';
  readonly name: string;
  readonly access: 'pub' | 'default' | 'protect' | 'priv';
  readonly isPublic: boolean;
  readonly rest: RestSpec;
  /** Methods it answers to; one, unless an older program lists several. */
  readonly methods: readonly RestSpec['method'][];
  /** Path template it is served at. */
  readonly path: string;
  readonly isAsync: boolean;
  readonly doc: string;
  readonly fields: readonly TargetField[];
  /** Fields read from the query whatever the method (older programs). */
  readonly queryFields: readonly string[] | 'all';
  /** Class of a walker; undefined for functions. */
  readonly meta: ClassMeta | undefined;
  /** Function itself; undefined for walkers. */
  readonly fn: ((...args: any[]) => unknown) | undefined;
  readonly spec: FunctionSpec | undefined;
}

export interface TargetField {
  readonly name: string;
  readonly type: TypeRef;
  readonly isRequired: boolean;
  /** Value of one evaluation of the default, for descriptions; undefined where there is none. */
  readonly default: unknown;
  /** Never filled from requests, never described: private fields, `_` names, what a walker's constructor gathers. */
  readonly isHidden: boolean;
}

/** The targets of a program in order of declaration, walkers first. */
export function servedTargets({ walkers, functions }: Program): readonly ServedTarget[] {
  return [
    ...walkers.map((target) => {
      const fields = target.meta.params.map((param) => fieldOf(param, target));
      return { ...target, fields, fn: undefined, spec: undefined };
    }),
    ...functions.map((target) => {
      const fields = target.spec.params.map((param) => fieldOf(param, target));
      return { ...target, fields, meta: undefined };
    }),
  ];
}

function fieldOf(param: ParamSpec, target: WalkerTarget | FunctionTarget): TargetField {
  const { name } = param;
  const taken = gathered(param);
  const { type, default: makeDefault } = taken;
  const isPrivate = target.kind === 'walker' && (taken !== param || target.meta.byName.get(name)?.isPublic === false);
  return {
    name,
    type,
    isRequired: makeDefault === undefined,
    default: makeDefault === undefined ? undefined : evaluate(makeDefault),
    isHidden: isPrivate || isExcluded(target, name) || name.startsWith('_'),
  };
}

/** The parameter as a request gives it: `*rest` is one list there, `**more` one dict (docs/server/requests.md#gathered). */
function gathered(param: ParamSpec): Pick<ParamSpec, 'type' | 'default'> {
  const { type, kind } = param;
  if (kind === 'args') return { type: { t: 'list', of: type }, default: () => [] };
  if (kind === 'kwargs') return { type: { t: 'dict', key: { t: 'str' }, value: type }, default: () => new Dict() };
  return param;
}

function isExcluded(target: WalkerTarget | FunctionTarget, name: string): boolean {
  const excluded = target.kind === 'walker' ? target.excludedFields : undefined;
  return excluded === 'all' || excluded?.includes(name) === true;
}

// A default may need a unit of work that is not there yet; then the description goes without its value.
function evaluate(make: () => unknown): unknown {
  try {
    return make();
  } catch {
    return null;
  }
}

/** A field as the binder takes it. */
export function bindField(field: TargetField): BindField {
  const upload = isUpload(field.type) ? (hasUploadList(field.type) ? 'list' : 'one') : undefined;
  const { name, type, isRequired, isHidden } = field;
  return { name, type, coerce: coercerFor(type), isRequired, isHidden, upload };
}

function hasUploadList(type: TargetField['type']): boolean {
  return type.t === 'list' || (type.t === 'union' && type.of.some(hasUploadList));
}

/** Tells whether a type names a declaration of the program. */
export function mayReferTo(type: TargetField['type']): boolean {
  switch (type.t) {
    case 'ref':
      return true;
    case 'list':
    case 'set':
    case 'frozenset':
    case 'iterator':
      return mayReferTo(type.of);
    case 'tuple':
      return (type.items?.some(mayReferTo) ?? false) || (type.of !== undefined && mayReferTo(type.of));
    case 'dict':
      return mayReferTo(type.key) || mayReferTo(type.value);
    case 'union':
      return type.of.some(mayReferTo);
    default:
      return false;
  }
}

/** Sentence that tells where a target is served. */
export function placeOf(target: ServedTarget): string {
  const kind = target.kind === 'walker' ? 'Walker' : 'Function';
  return `${kind} ${target.name} is served at ${target.rest.protocol === 'WEBSOCKET' ? '' : `${target.methods[0]} `}${target.path}.`;
}
