/** A call as the console sends it: address, headers, credentials, signature. */
/** @import { Spec, Operation, BodyEditor, Inputs, Secret, CallRequest } from './types.d.ts' */
import { credentials } from './credentials.js';
import { addressOf, schemes, schemesOf } from './description.js';
import { canSign, keySignature, senderHeaders } from './webhooks.js';

/**
 * The request as it will be sent, except for a signature, which takes time to compute.
 *
 * @param {Spec} spec
 * @param {Operation} operation
 * @param {Inputs} inputs
 * @param {BodyEditor} body
 * @returns {CallRequest}
 */
export function plainRequest(spec, operation, inputs, body) {
  let path = operation.path;
  const query = new URLSearchParams();
  /** @type {Record<string, string>} */
  const headers = {};
  for (const { parameter, schema, input } of inputs.rows) {
    const isList = (Array.isArray(schema.type) ? schema.type : [schema.type]).includes('array');
    const values = isList
      ? input.value.split('\n').filter((line) => line !== '')
      : input.value === ''
        ? []
        : [input.value];
    if (parameter.in === 'path') {
      path = path.replace(`{${parameter.name}}`, encodeURIComponent(input.value) || `{${parameter.name}}`);
    } else if (parameter.in === 'query') {
      for (const value of values) query.append(parameter.name, value);
    } else if (parameter.in === 'header' && values[0] !== undefined) {
      headers[parameter.name] = values[0];
    }
  }
  for (const name of schemesOf(spec, operation)) {
    const scheme = schemes(spec)[name] || {};
    const value = credentials.get(name);
    if (value === '') continue;
    if (scheme.type === 'http') headers['Authorization'] = `Bearer ${value}`;
    else if (scheme.type === 'apiKey' && scheme.in === 'header' && scheme.name) headers[scheme.name] = value;
  }
  if (
    operation['x-svc-api-key'] &&
    !headers['Authorization'] &&
    credentials.get('ApiKeyAuth') !== '' &&
    schemesOf(spec, operation).length > 0
  ) {
    headers['X-API-Key'] = credentials.get('ApiKeyAuth');
  }
  const sent = body.read();
  if (sent.type && sent.fields === undefined) headers['Content-Type'] = sent.type;
  const text = query.toString();
  return {
    method: operation.method.toUpperCase(),
    url: addressOf(path).href + (text === '' ? '' : `?${text}`),
    headers,
    body: sent.fields || sent.text,
  };
}

/**
 * Adds the signature of a webhook call: with the API key, or as the service does it.
 *
 * @param {Spec} spec
 * @param {Operation} operation
 * @param {CallRequest} request
 * @param {Secret} secret
 */
export async function sign(spec, operation, request, secret) {
  if (!canSign) return;
  const text = typeof request.body === 'string' ? request.body : '';
  const sender = operation['x-svc-verify'];
  if (sender) {
    if (secret.value !== '') Object.assign(request.headers, await senderHeaders(sender, secret.value, text));
    return;
  }
  const scheme = schemes(spec)['WebhookSignature'];
  const key = credentials.get('ApiKeyAuth');
  const isAsked = schemesOf(spec, operation).includes('WebhookSignature');
  if (isAsked && scheme?.name && key !== '') request.headers[scheme.name] = await keySignature(key, text);
}

/** @param {CallRequest} request */
export function requestBody(request) {
  if (request.method === 'GET' || request.body === undefined) return undefined;
  if (typeof request.body === 'string') return request.body;
  const form = new FormData();
  for (const [name, value] of request.body) form.append(name, value);
  return form;
}
