/** Values that fit a schema. */
/** @import { Spec, Schema } from './types.d.ts' */
import { resolve } from './description.js';
import { isAny } from './schemas.js';

/**
 * A value that fits a schema, to start editing from.
 *
 * @param {Spec} spec
 * @param {Schema | undefined} schema
 * @param {readonly string[]} [seen]
 * @returns {unknown}
 */
export function exampleOf(spec, schema, seen = []) {
  if (schema?.$ref && seen.includes(schema.$ref)) return null;
  const trail = schema?.$ref ? [...seen, schema.$ref] : seen;
  const found = resolve(spec, schema);
  if (found.examples && found.examples.length > 0) return found.examples[0];
  if ('default' in found) return found.default;
  if ('const' in found) return found.const;
  if (found.enum) return found.enum[0];
  const options = found.anyOf || found.oneOf;
  if (options) return exampleOf(spec, options.find((option) => resolve(spec, option).type !== 'null') || {}, trail);
  if (found.allOf) return Object.assign({}, ...found.allOf.map((part) => exampleOf(spec, part, trail)));
  const type = Array.isArray(found.type) ? found.type.find((one) => one !== 'null') : found.type;
  switch (type || (found.properties ? 'object' : undefined)) {
    case 'object':
      return Object.fromEntries(
        Object.entries(found.properties || {}).map(([name, member]) => [name, exampleOf(spec, member, trail)]),
      );
    case 'array':
      if (found.prefixItems) return found.prefixItems.map((item) => exampleOf(spec, item, trail));
      return isSeen(found.items, trail) || isAny(found.items) ? [] : [exampleOf(spec, found.items, trail)];
    case 'integer':
      return found.minimum || 0;
    case 'number':
      return found.minimum || 0.5;
    case 'boolean':
      return false;
    case 'string':
      return textExample(found);
    case 'null':
      return null;
    default:
      return {};
  }
}

/**
 * @param {Schema | undefined} schema
 * @param {readonly string[]} trail
 */
function isSeen(schema, trail) {
  return Boolean(schema?.$ref && trail.includes(schema.$ref));
}

/** @param {Schema} schema */
function textExample(schema) {
  /** @type {Record<string, string>} */
  const known = {
    'date-time': '2026-01-01T12:00:00Z',
    date: '2026-01-01',
    time: '12:00:00',
    uuid: '00000000-0000-4000-8000-000000000001',
    password: 'correct horse 1',
  };
  if (schema.pattern === '^[0-9a-f]{32}$') return '0'.repeat(32);
  return known[schema.format ?? ''] || (schema.contentEncoding === 'base64' ? 'aGVsbG8=' : 'string');
}
