import type { TypeRef } from '../../../library/classes/spec.ts';
import type { ServedTarget } from '../../served-targets.ts';
import { envelope, type FailureStatus, failureResponses } from './common.ts';
import type { Schema } from './schema-forms.ts';
import type { SchemaBook } from './schemas.ts';

/** Answers of one operation: success in the form the target has it, and the failures it may meet (docs/server/api-docs.md#document). */
export function answerParts(target: ServedTarget, book: SchemaBook, isOnNode: boolean): { readonly responses: Schema } {
  const statuses: FailureStatus[] = [
    ...(isOpen(target) ? [] : [401 as const]),
    403,
    ...(isOnNode ? [404 as const] : []),
    409,
    ...(target.fields.length > 0 || isOnNode ? [422 as const] : []),
    429,
    500,
    ...(target.rest.secret === '' ? [] : [503 as const]),
  ];
  return { responses: { ...successResponse(target, book), ...failureResponses(statuses) } };
}

/** Tells whether no credentials are asked for. */
function isOpen({ isPublic, rest }: ServedTarget): boolean {
  return rest.protocol === 'WEBHOOK' ? rest.verify === 'none' : isPublic;
}

function successResponse(target: ServedTarget, book: SchemaBook): Schema {
  const result = target.spec?.result;
  if (target.spec?.generator || result?.t === 'iterator')
    return {
      200: { description: 'A stream of values.', content: { 'text/event-stream': { schema: { type: 'string' } } } },
    };
  if (target.kind === 'function' && !target.rest.envelope) return rawResponse(target.rest.produces, result, book);
  if (!target.rest.envelope) {
    const content = { [target.rest.produces || '*/*']: { schema: {} } };
    return { 200: { description: 'What the walker reported last, as it is.', content } };
  }
  const reports = { type: 'array', items: {}, description: 'What was reported, in order.' };
  if (target.meta) {
    const warnings = { type: 'array', items: { type: 'string' } };
    const properties = { result: book.instance(target.meta), reports, warnings };
    const data = { type: 'object', properties, required: ['result', 'reports'] };
    return json(envelope(200, data, { reports, warnings }), 'The walker after its run, and what it reported.');
  }
  const value = result ? book.output(result) : {};
  const data = { type: 'object', properties: { result: value, reports }, required: ['result', 'reports'] };
  return json(envelope(200, data, { result: value }), 'The value of the function.');
}

function json(schema: Schema, description: string): Schema {
  return { 200: { description, content: { 'application/json': { schema } } } };
}

/**
 * A function without an envelope: text and bytes as they are, other values as JSON, None as nothing
 * (docs/server/functions.md#raw-bodies).
 */
function rawResponse(produces: string, result: TypeRef | undefined, book: SchemaBook): Schema {
  if (result?.t === 'none') return { 204: { description: 'Nothing.' } };
  const isText = result?.t === 'str';
  const isBytes = result?.t === 'bytes';
  const type =
    produces || (isText ? 'text/plain; charset=utf-8' : isBytes ? 'application/octet-stream' : 'application/json');
  const schema = isText || isBytes ? { type: 'string' } : result ? book.output(result) : {};
  return { 200: { description: 'The value itself.', content: { [type]: { schema } } } };
}
