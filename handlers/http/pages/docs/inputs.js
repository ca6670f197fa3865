/** Inputs for the parameters of an operation, and for the secret it shares with a sender. */
/** @import { Spec, Schema, Operation, Parameter, Inputs, Secret } from './types.d.ts' */
import { credentials } from './credentials.js';
import { resolve } from './description.js';
import { el, newId, prose } from './elements.js';
import { typeText } from './schemas.js';
import { canSign } from './webhooks.js';

/**
 * Where calls are signed as a service does it: the secret shared with it.
 *
 * @param {Operation} operation
 * @returns {Secret}
 */
export function secretInput(operation) {
  const sender = operation['x-svc-verify'];
  if (!sender || sender === 'none') return { view: null, value: '' };
  const name = `secret-${operation.id}`;
  const id = newId();
  const input = el('input', { id, type: 'password', autocomplete: 'off', spellcheck: 'false' });
  input.value = credentials.get(name);
  input.addEventListener('change', () => credentials.set({ [name]: input.value.trim() }));
  const note = canSign
    ? 'Calls from here are signed in this tab, where the secret stays.'
    : 'This page cannot sign calls: browsers let pages do so on https and localhost only.';
  return {
    view: el(
      'div',
      { class: 'field' },
      el('label', { for: id }, `Secret shared with the sender (${sender})`),
      input,
      prose(note),
    ),
    get value() {
      return input.value.trim();
    },
  };
}

/**
 * Inputs for path, query and header parameters.
 *
 * @param {Spec} spec
 * @param {Operation} operation
 * @returns {Inputs}
 */
export function parameterInputs(spec, operation) {
  // Headers of services are computed with their signature.
  const asked = operation.parameters.filter((parameter) => !(operation['x-svc-verify'] && parameter.in === 'header'));
  const rows = asked.map((parameter) => {
    const schema = resolve(spec, parameter.schema);
    const id = newId();
    const input = parameterInput(schema, id, parameter);
    const view = el(
      'div',
      { class: 'field' },
      el(
        'label',
        { for: id },
        el('code', {}, parameter.name),
        el('span', { class: 'type' }, typeText(parameter.schema)),
        el('span', { class: 'muted' }, parameter.in),
        parameter.required ? el('span', { class: 'required' }, 'required') : null,
      ),
      input,
      prose(parameter.description),
    );
    return { parameter, schema, input, view };
  });
  const view =
    rows.length === 0
      ? null
      : el(
          'fieldset',
          {},
          el('legend', {}, 'Parameters'),
          rows.map((row) => row.view),
        );
  return { rows, view };
}

/**
 * @param {Schema} schema
 * @param {string} id
 * @param {Parameter} parameter
 */
function parameterInput(schema, id, parameter) {
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type;
  const initial = 'default' in schema ? schema.default : parameter.required ? '' : undefined;
  if (schema.enum || type === 'boolean') {
    const options = schema.enum || [true, false];
    return el(
      'select',
      { id },
      parameter.required
        ? null
        : el('option', { value: '' }, 'default' in schema ? `default (${schema.default})` : 'not sent'),
      options.map((value) => el('option', { value: String(value) }, String(value))),
    );
  }
  if (type === 'array') {
    const text = Array.isArray(initial) ? initial.map(String).join('\n') : '';
    const area = el('textarea', { id, rows: 2, placeholder: 'one value per line' });
    area.value = text;
    return area;
  }
  const placeholder = initial === undefined || initial === '' ? '' : String(initial);
  return el('input', { id, type: 'text', autocomplete: 'off', spellcheck: 'false', placeholder });
}
