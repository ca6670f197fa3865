/** Editors of the bodies of requests. */
/** @import { Spec, Schema, Operation, BodyEditor, FormFields } from './types.d.ts' */
import { resolve } from './description.js';
import { el, messageOf, newId, prose } from './elements.js';
import { exampleOf } from './examples.js';
import { schemaView, typeText } from './schemas.js';

/**
 * The editor of a request body: JSON text, or one input per part of a form.
 *
 * @param {Spec} spec
 * @param {Operation} operation
 * @returns {BodyEditor}
 */
export function bodyEditor(spec, operation) {
  const content = (operation.requestBody && resolve(spec, operation.requestBody).content) || {};
  const editors = Object.entries(content).map(([type, { schema }]) => ({ type, ...editorOf(spec, type, schema) }));
  const [first] = editors;
  if (first === undefined) return { view: null, read: () => ({}) };
  let chosen = first;
  const holder = el('div', {}, chosen.view);
  /** @type {HTMLSelectElement} */
  const choice = el(
    'select',
    {
      'aria-label': 'Content type',
      change: () => {
        chosen = editors[choice.selectedIndex] ?? chosen;
        holder.replaceChildren(chosen.view);
      },
    },
    editors.map(({ type }) => el('option', {}, type)),
  );
  return {
    view: el(
      'fieldset',
      {},
      el('legend', {}, 'Body'),
      editors.length > 1 ? choice : el('p', { class: 'muted content-type' }, chosen.type),
      holder,
    ),
    read: () => ({ type: chosen.type, ...chosen.read() }),
  };
}

/**
 * @param {Spec} spec
 * @param {string} type
 * @param {Schema} schema
 * @returns {{ readonly view: HTMLElement, read(): { readonly text?: string, readonly fields?: FormFields } }}
 */
function editorOf(spec, type, schema) {
  if (type !== 'multipart/form-data' && type !== 'application/x-www-form-urlencoded') return jsonEditor(spec, schema);
  const { view, fields } = formEditor(spec, schema);
  if (type === 'multipart/form-data') return { view, read: () => ({ fields: fields() }) };
  const textOf = (/** @type {string | File} */ value) => (typeof value === 'string' ? value : String(value));
  const read = () => new URLSearchParams(fields().map(([name, value]) => [name, textOf(value)]));
  return { view, read: () => ({ text: read().toString() }) };
}

/**
 * @param {Spec} spec
 * @param {Schema} schema
 */
export function jsonEditor(spec, schema) {
  const found = resolve(spec, schema);
  const forms =
    found.anyOf && found.anyOf.length > 1 && found.anyOf.every((form) => resolve(spec, form).title) ? found.anyOf : [];
  const text = (/** @type {Schema | undefined} */ one) => JSON.stringify(exampleOf(spec, one), null, 2);
  const id = newId();
  const area = el('textarea', { id, class: 'editor', spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off' });
  const adjust = () => {
    area.rows = Math.min(24, Math.max(3, area.value.split('\n').length + 1));
  };
  area.value = text(forms[0] ?? schema);
  area.addEventListener('input', adjust);
  adjust();
  const problem = el('p', { class: 'problem', role: 'alert' });
  area.addEventListener('input', () => {
    problem.textContent = area.value.trim() === '' ? '' : jsonProblem(area.value);
  });
  /** @type {HTMLSelectElement} */
  const choice = el(
    'select',
    {
      'aria-label': 'Form of the body',
      change: () => {
        area.value = text(forms[choice.selectedIndex]);
        adjust();
      },
    },
    forms.map((form) => el('option', {}, resolve(spec, form).title)),
  );
  const view = el(
    'div',
    { class: 'split' },
    el(
      'div',
      {},
      forms.length > 0 && choice,
      el('label', { for: id, class: 'offscreen' }, 'Request body'),
      area,
      problem,
    ),
    el('details', { class: 'inner' }, el('summary', {}, 'Schema'), schemaView(spec, schema, true)),
  );
  return { view, read: () => ({ text: area.value }) };
}

/** @param {string} text */
function jsonProblem(text) {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return messageOf(error);
  }
}

/**
 * One input per part; files are chosen from disk, lists and objects are written as JSON.
 *
 * @param {Spec} spec
 * @param {Schema} schema
 */
function formEditor(spec, schema) {
  const found = resolve(spec, schema);
  const required = new Set(found.required || []);
  const rows = Object.entries(found.properties || {}).map(([name, member]) => {
    const part = resolve(spec, member);
    const isList = part.type === 'array' && Boolean(resolve(spec, part.items).contentMediaType);
    const isFile = isList || Boolean(part.contentMediaType);
    const id = newId();
    const input = isFile
      ? el('input', { id, type: 'file', multiple: isList })
      : el('input', { id, type: 'text', autocomplete: 'off' });
    if (!isFile && 'default' in part)
      input.value = typeof part.default === 'string' ? part.default : JSON.stringify(part.default);
    const view = el(
      'div',
      { class: 'field' },
      el(
        'label',
        { for: id },
        el('code', {}, name),
        el('span', { class: 'type' }, isList ? 'files' : typeText(member)),
        required.has(name) ? el('span', { class: 'required' }, 'required') : null,
      ),
      input,
      prose(member.description),
    );
    return { name, input, isFile, view };
  });
  /** @returns {FormFields} */
  const fields = () =>
    rows.flatMap(({ name, input, isFile }) => {
      /** @type {(string | File)[]} */
      const values = isFile ? [...(input.files ?? [])] : input.value === '' ? [] : [input.value];
      return values.map((value) => /** @type {FormFields[number]} */ ([name, value]));
    });
  return {
    view: el(
      'div',
      {},
      rows.map((row) => row.view),
    ),
    fields,
  };
}
