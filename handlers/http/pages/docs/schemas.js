/** Schemas in words and as lists of members. */
/** @import { Spec, Schema } from './types.d.ts' */
import { resolve } from './description.js';
import { el, prose } from './elements.js';

/**
 * A type in words: 'integer', 'list of Task', 'string or null'.
 *
 * @param {Schema | undefined} schema
 * @returns {string}
 */
export function typeText(schema) {
  if (isAny(schema)) return 'any';
  if (schema.$ref) return decodeURIComponent(schema.$ref.split('/').at(-1) ?? '');
  const options = schema.anyOf || schema.oneOf;
  if (options) return [...new Set(options.map(typeText))].join(' or ');
  if (schema.allOf) return schema.allOf.map(typeText).join(' and ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum && !schema.type) return 'one of';
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeText({ ...schema, type })).join(' or ');
  if (schema.type === 'array') return `list of ${schema.prefixItems ? 'fixed items' : typeText(schema.items)}`;
  if (schema.type === 'object' && schema.additionalProperties && !schema.properties) {
    return schema.additionalProperties === true ? 'object' : `object of ${typeText(schema.additionalProperties)}`;
  }
  if (schema.contentMediaType) return 'file';
  const format = schema.contentEncoding || schema.format;
  return (schema.type || schema['x-svc-type'] || 'any') + (format ? ` (${format})` : '');
}

/**
 * The parts of a schema worth a look inside: those with members.
 *
 * @param {Spec} spec
 * @param {Schema} schema
 * @returns {Schema[]}
 */
function innerOf(spec, schema) {
  const found = resolve(spec, schema);
  if (found.properties || found.prefixItems) return [found];
  if (found.items) return innerOf(spec, found.items);
  if (found.additionalProperties && found.additionalProperties !== true)
    return innerOf(spec, found.additionalProperties);
  return (found.anyOf || found.oneOf || found.allOf || []).flatMap((option) => innerOf(spec, option));
}

/**
 * A schema as a list of members; those that have members themselves open on demand, so cycles do no harm. What is required matters
 * to those who send: answers are shown without it.
 *
 * @param {Spec} spec
 * @param {Schema} schema
 * @param {boolean} isSent
 * @param {string} [label]
 */
export function schemaView(spec, schema, isSent, label) {
  const parts = innerOf(spec, schema);
  const found = resolve(spec, schema);
  const head = el('div', { class: 'schema-head' }, el('span', { class: 'type' }, label || typeText(schema)));
  const notes = notesOf(found);
  if (notes.length > 0) head.append(...notes);
  if (parts.length === 0) return el('div', { class: 'schema' }, head, prose(found.description));
  return el(
    'div',
    { class: 'schema' },
    head,
    parts.length > 1 ? null : prose(found === parts[0] ? found.description : ''),
    parts.map((part, index) =>
      el(
        'div',
        { class: 'schema-part' },
        parts.length > 1 ? el('p', { class: 'schema-title' }, part.title || `Form ${index + 1}`) : null,
        memberList(spec, part, isSent),
      ),
    ),
  );
}

/**
 * @param {Spec} spec
 * @param {Schema} schema
 * @param {boolean} isSent
 * @returns {HTMLElement}
 */
function memberList(spec, schema, isSent) {
  const required = new Set(schema.required || []);
  const members = Object.entries(schema.properties || {});
  const fixed = (schema.prefixItems || []).map((item, index) => /** @type {const} */ ([String(index), item]));
  const list = [...members, ...fixed];
  if (list.length === 0) return el('p', { class: 'muted' }, 'No members.');
  return el(
    'ul',
    { class: 'members' },
    list.map(([name, member]) => memberView(spec, name, member, isSent, required.has(name))),
  );
}

/**
 * @param {Spec} spec
 * @param {string} name
 * @param {Schema} member
 * @param {boolean} isSent
 * @param {boolean} isRequired
 */
function memberView(spec, name, member, isSent, isRequired) {
  const found = resolve(spec, member);
  const inner = innerOf(spec, member);
  const view = el(
    'li',
    {},
    el(
      'div',
      { class: 'member' },
      el('code', { class: 'member-name' }, name),
      el('span', { class: 'type' }, typeText(member)),
      isSent && isRequired ? el('span', { class: 'required' }, 'required') : null,
      notesOf(found),
    ),
    prose(member.description || found.description),
  );
  if (inner.length > 0) {
    const more = el('details', { class: 'inner' }, el('summary', {}, `Members of ${name}`));
    more.addEventListener('toggle', () => more.append(...inner.map((part) => memberList(spec, part, isSent))), {
      once: true,
    });
    more.open = name === 'data'; // what an envelope is about
    view.append(more);
  }
  return view;
}

/** @param {Schema} schema */
function notesOf(schema) {
  /** @type {[name: string, text: string | number][]} */
  const notes = [];
  if ('default' in schema) notes.push(['default', JSON.stringify(schema.default)]);
  if (schema.enum) notes.push(['one of', schema.enum.map((value) => JSON.stringify(value)).join(', ')]);
  if (schema.pattern) notes.push(['pattern', schema.pattern]);
  if (schema.minLength !== undefined) notes.push(['min length', schema.minLength]);
  if (schema.maxLength !== undefined) notes.push(['max length', schema.maxLength]);
  if (schema.minimum !== undefined) notes.push(['min', schema.minimum]);
  if (schema.maximum !== undefined) notes.push(['max', schema.maximum]);
  if (schema.uniqueItems) notes.push(['', 'no duplicates']);
  return notes.map(([name, text]) =>
    el('span', { class: 'note' }, name === '' ? text : [`${name} `, el('code', {}, String(text))]),
  );
}

/**
 * @param {Schema | boolean | undefined} schema
 * @returns {schema is true | undefined}
 */
export function isAny(schema) {
  return !schema || schema === true || Object.keys(schema).length === 0;
}
