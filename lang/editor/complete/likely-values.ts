/** Likely values of types, of kinds and of names, and the items of lists of them. */
import type { ClassInfo, Type } from '../../3-infer/types.ts';
import { shownType } from '../view.ts';
import { type Given, kinds, namedKinds, standardKinds, usualKinds } from './kinds.ts';

export type Likely =
  | { readonly of: 'type'; readonly type: Type }
  /** `isClass`: the class itself, whose call makes one. */
  | {
      readonly of: 'kind';
      readonly kind: string;
      readonly isClass: boolean;
      /** Tag of the element that an event comes from, where markup tells. */
      readonly tag?: string;
      /** Values that the walker of an answer reports. */
      readonly reports?: Likely;
    }
  /** An object of which only some keys are known. */
  | { readonly of: 'keys'; readonly keys: readonly string[]; readonly values: ReadonlyMap<string, Likely> }
  | { readonly of: 'list' | 'promise'; readonly item: Likely | undefined }
  /** A function of a kind: what calls of it give. */
  | { readonly of: 'call'; readonly gives: Likely | undefined }
  /** Properties that a component is given. */
  | { readonly of: 'props'; readonly component: string };

export function isBareDict(type: Type): boolean {
  if (type.t === 'union') return type.of.every((part) => part.t === 'none' || isBareDict(part));
  return type.t === 'dict' && (type.entries === undefined || type.entries.size === 0);
}

/** A list of anything. */
export function isBareList(type: Type): boolean {
  if (type.t === 'union') return type.of.every((part) => part.t === 'none' || isBareList(part));
  return type.t === 'list' && (type.of.t === 'any' || type.of.t === 'never');
}

export function saysNoItems(value: Likely | undefined): boolean {
  return value?.of === 'list' ? value.item === undefined : value?.of === 'type' && isBareList(value.type);
}

export function one(kind: string): Likely {
  return { of: 'kind', kind, isClass: false };
}

export function asPromise(item: Likely | undefined): Likely {
  return item?.of === 'promise' ? item : { of: 'promise', item };
}

export function given(gives: Given | undefined): Likely | undefined {
  if (gives === undefined) return undefined;
  if (gives.endsWith('!')) return { of: 'promise', item: given(gives.slice(0, -1)) };
  if (gives.endsWith('[]')) return { of: 'list', item: given(gives.slice(0, -2)) };
  return kinds.has(gives) ? one(gives) : undefined;
}

export function itemOf(value: Likely | undefined): Likely | undefined {
  if (value?.of === 'list') return value.item;
  if (value?.of !== 'type') return undefined;
  const { type } = value;
  return type.t === 'list' || type.t === 'set' || type.t === 'tuple' || type.t === 'iterator'
    ? ofType(type.of)
    : undefined;
}

/** A type that says something. */
export function ofType(type: Type): Likely | undefined {
  const shown = shownType(type);
  switch (shown.t) {
    case 'any':
    case 'never':
    case 'none':
    case 'module':
    case 'builtin':
    case 'function':
    case 'method':
      return undefined;
    case 'std':
      return ofStandard(`${shown.module}.${shown.name}`);
    case 'awaitable':
      return { of: 'promise', item: ofType(shown.of) };
    case 'union':
      return shown.of.every((part) => part.t === 'any' || part.t === 'none' || part.t === 'never')
        ? undefined
        : { of: 'type', type: shown };
    case 'class':
    case 'instance':
      return shown.t === 'instance' && (isKnownKind(shown.cls) || isAnswerOfAnything(shown.cls))
        ? undefined
        : { of: 'type', type: shown };
    default:
      return { of: 'type', type: shown };
  }
}

function isKnownKind({ kind, name }: ClassInfo): boolean {
  return kind === 'runtime' && kinds.has(name);
}

/** The answer of a walker of which the types do not say what it reports. */
function isAnswerOfAnything({ name, fields }: ClassInfo): boolean {
  const reports = fields.get('reports')?.type;
  return name === 'SpawnResult' && reports !== undefined && isBareList(shownType(reports));
}

export function ofStandard(name: string): Likely | undefined {
  const known = standardKinds.get(name);
  if (known === undefined)
    return name === 'datetime.timezone' ? { of: 'kind', kind: 'timezone', isClass: true } : undefined;
  const value = given(known.gives);
  if (!known.isMethod) return value;
  // A class is one that is called after its kind.
  return value?.of === 'kind' && kinds.has(`new ${value.kind}`)
    ? { of: 'kind', kind: value.kind, isClass: true }
    : { of: 'call', gives: value };
}

/** A name of the browser or of a package. */
export function ofKnownName(name: string): Likely | undefined {
  const known = namedKinds.get(name);
  if (known !== undefined)
    return !known.isMethod
      ? given(known.gives)
      : kinds.has(`new ${name}`)
        ? { of: 'kind', kind: name, isClass: true }
        : { of: 'call', gives: given(known.gives) };
  const isClass = /^[A-Z]/.test(name) && (kinds.has(name) || kinds.has(`new ${name}`));
  return isClass ? { of: 'kind', kind: name, isClass: true } : undefined;
}

export function ofUsualName(name: string): Likely | undefined {
  const usual = usualKinds.get(name);
  return usual === undefined ? undefined : given(usual.gives);
}

export function elementOf(tag: string | undefined): Likely {
  const named = tag === 'audio' ? 'video' : tag;
  return one(kinds.has(`Element.${named}`) ? `Element.${named}` : 'Element');
}
