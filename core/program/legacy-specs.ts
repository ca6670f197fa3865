/** `obj __specs__` of older walkers (docs/server/programs.md#older-endpoints). */
import type { RestSpec } from '../../library/classes/spec.ts';
import { Dict } from '../../library/values/containers/dict.ts';
import { Tuple } from '../../library/values/containers/tuple.ts';
import { truth } from '../../library/values/objects/truth.ts';
import { plainRest } from './rest-spec.ts';

export interface LegacySpecs {
  readonly rest: RestSpec;
  readonly methods: readonly RestSpec['method'][];
  /** Path template; undefined: the generated one. */
  readonly path: string | undefined;
  readonly queryFields: readonly string[] | 'all';
  /** Fields that callers may not set (docs/server/programs.md#older-endpoints). */
  readonly excludedFields: readonly string[] | 'all';
  /** `auth = False` */
  readonly isPublic: boolean;
  /** `private = True` */
  readonly isHidden: boolean;
  readonly isScheduled: boolean;
  readonly warnings: readonly string[];
}

/** The options of the nested class, or undefined when the walker has none. */
export function legacySpecsOf(walker: any, name: string): LegacySpecs | undefined {
  const specs = Object.hasOwn(walker, '__specs__') ? walker.__specs__ : undefined;
  if (typeof specs !== 'function') return undefined;
  const methods = itemsOf(specs.methods).map((method) => method.toUpperCase()) as RestSpec['method'][];
  const [path, prefix] = [textOf(specs.path), textOf(specs.path_prefix)];
  const protocol = isSet(specs.webhook) ? 'WEBHOOK' : isSet(specs.websocket) ? 'WEBSOCKET' : 'HTTP';
  const ignored = specs.webhook instanceof Dict && specs.webhook.size > 0;
  return {
    rest: { ...plainRest, protocol, method: methods[0] ?? 'POST' },
    methods: methods.length > 0 ? methods : ['POST'],
    path:
      protocol === 'HTTP' && (path !== '' || prefix !== '')
        ? `${prefix === '' ? '/walker' : prefix}/${name}${path}`
        : undefined,
    queryFields: specs.as_query === '*' ? 'all' : itemsOf(specs.as_query),
    excludedFields: specs.excluded === '*' ? 'all' : itemsOf(specs.excluded),
    isPublic: specs.auth === false,
    isHidden: specs.private === true,
    isScheduled: isSet(specs.schedule),
    warnings: ignored ? [`${name}: the options inside webhook are ignored`] : [],
  };
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && (value instanceof Dict || truth(value));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function itemsOf(value: unknown): string[] {
  const items = value instanceof Tuple ? value.items : typeof value === 'string' && value !== '' ? [value] : value;
  return Array.isArray(items) ? items.filter((item): item is string => typeof item === 'string') : [];
}
