/** `inspect.Signature` and `inspect.Parameter`: read of functions, or made by programs. */

import { nativeClass } from '../../builtins/native-class.ts';
import { typeOfRef } from '../../classes/annotations.ts';
import type { ParamSpec, TypeRef } from '../../classes/spec.ts';
import { Dict } from '../../values/containers/dict.ts';
import { itemsOf } from '../../values/containers/iteration.ts';
import { getattr } from '../../values/objects/attributes.ts';
import { eq } from '../../values/objects/equality.ts';
import { TypeError, ValueError } from '../../values/objects/exceptions.ts';
import { $repr, $str } from '../../values/objects/protocol.ts';
import { reprOf } from '../../values/objects/repr.ts';
import { isClass, typeName } from '../../values/objects/type-name.ts';
import { type BoundArguments, bindTo } from './bind.ts';
import { isFactory, parametersText, parameterText, typeWords } from './type-words.ts';

/** Stand-in for a default or an annotation that is not there. */
export class Empty {}
nativeClass(Empty, { name: '_empty', module: 'inspect' });

class Kind {
  readonly name: string;
  readonly description: string;

  constructor(name: string, description: string) {
    this.name = name;
    this.description = description;
  }

  [$str](): string {
    return this.name;
  }

  [$repr](): string {
    return `<_ParameterKind.${this.name}>`;
  }
}
const kinds = {
  pos: new Kind('POSITIONAL_ONLY', 'positional-only'),
  any: new Kind('POSITIONAL_OR_KEYWORD', 'positional or keyword'),
  args: new Kind('VAR_POSITIONAL', 'variadic positional'),
  kw: new Kind('KEYWORD_ONLY', 'keyword-only'),
  kwargs: new Kind('VAR_KEYWORD', 'variadic keyword'),
} as const;
const order = Object.keys(kinds) as readonly ParamSpec['kind'][];

class Factory {
  [$repr](): string {
    return '<factory>';
  }
}

export class Parameter {
  readonly name: string;
  readonly kind: Kind;
  readonly default: unknown;
  readonly annotation: unknown;
  readonly $spec: ParamSpec;

  constructor(spec: ParamSpec) {
    this.name = spec.name;
    this.kind = kinds[spec.kind];
    this.default = spec.default === undefined ? Empty : isFactory(spec.default) ? new Factory() : spec.default();
    this.$spec = spec;
    this.annotation = annotationOf(spec.type);
  }

  replace(name?: unknown, kind?: unknown, annotation?: unknown, fallback?: unknown): Parameter {
    return parameterOf(
      name ?? this.name,
      kind ?? this.kind,
      fallback === undefined ? this.default : fallback,
      annotation === undefined ? this.annotation : annotation,
    );
  }

  __eq__(other: unknown): boolean {
    return (
      other instanceof Parameter &&
      this.name === other.name &&
      this.kind === other.kind &&
      eq(this.default, other.default) &&
      eq(this.annotation, other.annotation)
    );
  }

  [$str](): string {
    return parameterText(this.$spec);
  }

  [$repr](): string {
    return `<Parameter "${this[$str]()}">`;
  }
}
nativeClass(Parameter, {
  name: 'Parameter',
  module: 'inspect',
  params: 'name, kind, *, default=None, annotation=None',
  make: (_cls, name, kind, fallback, annotation) => parameterOf(name, kind, fallback, annotation),
  values: { empty: Empty, ...Object.fromEntries(Object.values(kinds).map((kind) => [kind.name, kind])) },
  methods: { replace: '*, name=None, kind=None, annotation=None, default=None' },
});

/** @throws ValueError for a name that no parameter can have, TypeError for what is no name */
function parameterOf(name: unknown, kind: unknown, fallback: unknown = Empty, annotation: unknown = Empty): Parameter {
  if (typeof name !== 'string') throw new TypeError(`name must be a str, not a ${typeName(name)}`);
  if (!/^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(name))
    throw new ValueError(`${reprOf(name)} is not a valid parameter name`);
  const place = order.find((one) => kinds[one] === kind);
  if (place === undefined) throw new ValueError(`value ${reprOf(kind)} is not a valid Parameter.kind`);
  if (fallback !== Empty && (place === 'args' || place === 'kwargs'))
    throw new ValueError(`${kinds[place].description} parameters cannot have default values`);
  return new Parameter({
    name,
    kind: place,
    type: refOf(annotation),
    ...(fallback === Empty ? {} : { default: () => fallback }),
  });
}

function refOf(annotation: unknown): TypeRef {
  return annotation === Empty ? { t: 'any' } : { t: 'ref', name: wordsOf(annotation), get: () => annotation };
}

function wordsOf(annotation: any): string {
  if (!isClass(annotation)) return reprOf(annotation).replaceAll('typing.', '');
  const [module, name] = ['__module__', '__qualname__'].map((attribute) => getattr(annotation, attribute));
  return module === 'builtins' || module === '__main__' ? `${name}` : `${module}.${name}`;
}

export function annotationOf(type: TypeRef): unknown {
  return type.t === 'any' ? Empty : type.t === 'unknown' ? type.text : typeOfRef(type);
}

export class Signature {
  readonly parameters: Dict;
  readonly return_annotation: unknown;
  readonly $result: TypeRef;
  readonly $params: readonly ParamSpec[];

  constructor(params: readonly ParamSpec[], result: TypeRef) {
    this.$params = params;
    this.parameters = Dict.from(params.map((param) => [param.name, new Parameter(param)] as const));
    this.return_annotation = annotationOf(result);
    this.$result = result;
  }

  [$str](): string {
    const words = typeWords(this.$result);
    return `(${parametersText(this.$params)})${words === undefined ? '' : ` -> ${words}`}`;
  }

  bind(args: unknown[] = [], kwargs?: Dict): BoundArguments {
    return bindTo(this, this.$params, args, kwargs, false);
  }

  bind_partial(args: unknown[] = [], kwargs?: Dict): BoundArguments {
    return bindTo(this, this.$params, args, kwargs, true);
  }

  replace(parameters?: unknown, result?: unknown): Signature {
    return new Signature(
      parameters === undefined ? this.$params : specsOf(parameters),
      result === undefined ? this.$result : refOf(result),
    );
  }

  __eq__(other: unknown): boolean {
    return (
      other instanceof Signature &&
      eq(this.return_annotation, other.return_annotation) &&
      eq([...this.parameters.values()], [...other.parameters.values()])
    );
  }

  [$repr](): string {
    return `<Signature ${this[$str]()}>`;
  }
}
nativeClass(Signature, {
  name: 'Signature',
  module: 'inspect',
  params: 'parameters=None, *, return_annotation=None',
  make: (_cls, parameters, result) => new Signature(specsOf(parameters ?? null), refOf(result ?? Empty)),
  values: { empty: Empty },
  methods: {
    bind: '*args, **kwargs',
    bind_partial: '*args, **kwargs',
    replace: '*, parameters=None, return_annotation=None',
  },
});

/** @throws ValueError where they stand in an order that no function can have */
function specsOf(parameters: unknown): readonly ParamSpec[] {
  const specs = parameters === null ? [] : (itemsOf(parameters) as Parameter[]).map((one) => one.$spec);
  specs.forEach((spec, i) => {
    const before = specs[i - 1];
    if (before !== undefined && order.indexOf(before.kind) > order.indexOf(spec.kind))
      throw new ValueError(
        `wrong parameter order: ${kinds[before.kind].description} parameter before ${kinds[spec.kind].description} parameter`,
      );
    if (specs.findIndex(({ name }) => name === spec.name) < i)
      throw new ValueError(`duplicate parameter name: ${reprOf(spec.name)}`);
  });
  return specs;
}
