import type { FixedRoute } from '../../routes.ts';
import { accountSchemas } from './account-schemas.ts';
import { apiKeySchemas } from './api-key-schemas.ts';
import { bareTags, envelope, type FailureStatus, failureResponses } from './common.ts';
import type { PlacedOperation } from './operations.ts';
import type { Schema } from './schema-forms.ts';
import { ssoSchemas } from './sso-schemas.ts';
import { traverseSchemas } from './traverse-schemas.ts';

const schemas = { ...accountSchemas, ...apiKeySchemas, ...ssoSchemas, ...traverseSchemas };

/** The operation of an endpoint of the server itself; undefined for those that stay out of the description. */
export function fixedOperation(of: FixedRoute): PlacedOperation | undefined {
  if (of.operationId === '') return undefined;
  const own = schemas[of.operationId];
  const route: FixedRoute = { ...of, ...(typeof own === 'function' ? own(of.bounds ?? {}) : own) };
  const parameters = [...route.template.matchAll(/\{([^}/]+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const operation = {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary ?? route.operationId,
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(route.request !== undefined && { requestBody: requestBody(route) }),
    responses: { ...success(route), ...failureResponses(failuresOf(route, parameters.length > 0)) },
  };
  return { path: route.template, method: route.method.toLowerCase(), operation };
}

function securityOf(route: FixedRoute): unknown[] {
  if (route.auth === 'none') return [];
  return route.auth === 'bearer' ? [{ BearerAuth: [] }] : [{ BearerAuth: [] }, {}];
}

function requestBody(route: FixedRoute): Schema {
  const schema = route.request as Schema;
  const isNeeded = Array.isArray(schema['required']) ? schema['required'].length > 0 : Array.isArray(schema['anyOf']);
  const type = route.body === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  return { required: isNeeded, content: { [type]: { schema } } };
}

function success(route: FixedRoute): Schema {
  const bare = bareTags.get(route.tag);
  const schema = (route.response ?? {}) as Schema;
  if (bare !== undefined) return { 200: { description: 'The answer.', content: { [bare]: { schema } } } };
  const status = route.status ?? 200;
  if (status >= 300) return { [status]: redirect };
  const data = Object.keys(schema).length === 0 ? { type: 'object' } : schema;
  const members = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  const mirrored = Object.fromEntries(members.filter(([name]) => !route.unmirrored?.includes(name)));
  const done = (code: number) => ({
    description: 'Done.',
    content: { 'application/json': { schema: envelope(code, data, mirrored) } },
  });
  if (route.tag === 'SSO APIs') return { 200: done(200), 201: done(201), 302: redirect };
  return { [status]: done(status) };
}

const redirect = {
  description: 'On to the address in `Location`.',
  headers: { Location: { required: true, schema: { type: 'string' } } },
};

function failuresOf(route: FixedRoute, hasParameters: boolean): FailureStatus[] {
  if (route.quiet) return [503];
  if (route.tag === 'SSO APIs') return [400, 401, 403, 409, 429, 500, 501, 502];
  const takesBody = route.request !== undefined;
  return [
    ...(takesBody ? [400 as const] : []),
    ...(route.auth === 'bearer' || route.tag === 'User APIs' ? [401 as const] : []),
    ...(route.auth === 'none' && !takesBody ? [] : [403 as const]),
    ...(hasParameters ? [404 as const] : []),
    ...(takesBody ? [409 as const, 422 as const] : []),
    429,
    500,
  ];
}
