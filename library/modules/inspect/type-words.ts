/** Declared parameters as `inspect` shows them: `x: int, *, y: list[str] = []`. */
import type { ParamSpec, TypeRef } from '../../classes/spec.ts';
import { reprOf } from '../../values/objects/repr.ts';

/** A declared type; undefined where none is. */
export function typeWords(type: TypeRef): string | undefined {
  const of = (one: TypeRef) => typeWords(one) ?? 'Any';
  switch (type.t) {
    case 'any':
      return undefined;
    case 'none':
      return 'None';
    case 'list':
    case 'set':
    case 'frozenset':
      return type.of.t === 'any' ? type.t : `${type.t}[${of(type.of)}]`;
    case 'tuple':
      if (type.items !== undefined) return `tuple[${type.items.map(of).join(', ')}]`;
      return type.of === undefined ? 'tuple' : `tuple[${of(type.of)}, ...]`;
    case 'dict':
      return type.key.t === 'any' && type.value.t === 'any' ? 'dict' : `dict[${of(type.key)}, ${of(type.value)}]`;
    case 'union':
      return type.of.map(of).join(' | ');
    case 'literal':
      return `Literal[${type.values.map((value) => reprOf(value)).join(', ')}]`;
    case 'ref':
      return type.name;
    case 'unknown':
      return type.text;
    default:
      return type.t;
  }
}

const factories = new WeakSet<object>();

/** Marks a default that each call makes anew. */
export function asFactory<F extends () => unknown>(make: F): F {
  factories.add(make);
  return make;
}

export function isFactory(make: () => unknown): boolean {
  return factories.has(make);
}

/** Shows one parameter. */
export function parameterText(param: ParamSpec): string {
  const mark = param.kind === 'args' ? '*' : param.kind === 'kwargs' ? '**' : '';
  const words = typeWords(param.type);
  const type = words === undefined ? '' : `: ${words}`;
  if (param.default === undefined) return `${mark}${param.name}${type}`;
  const value = isFactory(param.default) ? '<factory>' : reprOf(param.default());
  return `${mark}${param.name}${type}${type === '' ? '=' : ' = '}${value}`;
}

export function parametersText(params: readonly ParamSpec[]): string {
  const shown: string[] = [];
  params.forEach((param, i) => {
    const before = params[i - 1]?.kind;
    if (before === 'pos' && param.kind !== 'pos') shown.push('/');
    if (param.kind === 'kw' && before !== 'kw' && before !== 'args') shown.push('*');
    shown.push(parameterText(param));
  });
  if (params.at(-1)?.kind === 'pos') shown.push('/');
  return shown.join(', ');
}
