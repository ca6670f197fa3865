/**
 * The AsyncAPI 3.0 document of a program: its sockets and webhooks, which OpenAPI cannot describe in full
 * (docs/server/api-docs.md#asyncapi).
 */
import type { Config } from '../../../core/config/config.ts';
import type { Routes } from '../build-routes.ts';
import { liveChannel } from './asyncapi-live.ts';
import { type Channel, socketChannel, socketMessages } from './asyncapi-sockets.ts';
import { webhookChannel } from './asyncapi-webhooks.ts';
import { commonSchemas, securitySchemes } from './common.ts';
import { nameComponents } from './names.ts';
import { infoOf, type OpenApiConfig } from './openapi.ts';
import type { Schema } from './schema-forms.ts';
import { createSchemaBook } from './schemas.ts';

/** A plain JSON value. What clients send the application receives: actions are the application's. */
export function buildAsyncApi(
  { targets, fixed = [] }: Pick<Routes, 'targets'> & Partial<Pick<Routes, 'fixed'>>,
  config: OpenApiConfig,
): Readonly<Record<string, unknown>> {
  const described = targets.filter(({ rest }) => rest.protocol !== 'HTTP');
  const names = nameComponents(
    described.flatMap(({ fields, spec }) => [...fields.map(({ type }) => type), ...(spec ? [spec.result] : [])]),
    described.flatMap(({ meta }) => (meta ? [meta] : [])),
    Object.keys(commonSchemas),
  );
  const book = createSchemaBook(names, config.serve.serializePrivate);
  const { webhook } = config.scale;
  const channels = described.map((target) =>
    target.rest.protocol === 'WEBSOCKET' ? socketChannel(target, book) : webhookChannel(target, book, webhook),
  );
  const live = fixed.some(({ template }) => template === '/live') ? liveChannel(targets) : undefined;
  if (live !== undefined) channels.push(live);
  const verified = described.map(({ rest }) => rest.verify);
  return {
    asyncapi: '3.0.0',
    info: infoOf(config.project),
    defaultContentType: 'application/json',
    servers: serversOf(config.serve),
    channels: Object.fromEntries(channels.map(({ id, channel }) => [id, channel])),
    operations: Object.assign({}, ...channels.map(({ operations }) => operations)),
    components: {
      messages: toDraft7({ ...socketMessages, ...messagesOf(channels) }),
      schemas: toDraft7({ ...book.schemas, ...commonSchemas }),
      securitySchemes: asyncSchemes(securitySchemes(webhook.signatureHeader, verified)),
    },
  };
}

function messagesOf(channels: readonly Channel[]): Record<string, Schema> {
  return Object.assign({}, ...channels.map(({ messages }) => messages));
}

/**
 * Lists the servers. Without a public address it is a variable, because the document does not know under which name it
 * is read.
 */
function serversOf({ baseUrl, port }: Pick<Config['serve'], 'baseUrl' | 'port'>): Record<string, Schema> {
  const url = baseUrl === '' ? undefined : new URL(baseUrl);
  const path = url === undefined || url.pathname === '/' ? {} : { pathname: url.pathname.replace(/\/$/, '') };
  const isSecure = url?.protocol === 'https:';
  const address = { description: 'Where the server is reached.', default: `localhost:${port || 8000}` };
  const host = url === undefined ? { host: '{address}', variables: { address } } : { host: url.host, ...path };
  return {
    sockets: { ...host, protocol: isSecure ? 'wss' : 'ws', description: 'WebSocket endpoints.' },
    webhooks: { ...host, protocol: isSecure ? 'https' : 'http', description: 'Webhook endpoints.' },
  };
}

/** AsyncAPI has other words for keys in headers, and tokens in queries as well. */
function asyncSchemes(schemes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const renamed = Object.entries(schemes).map(([name, scheme]) => {
    const { type, ...rest } = scheme as Schema;
    return [name, { type: type === 'apiKey' ? 'httpApiKey' : type, ...rest }];
  });
  const token = { type: 'httpApiKey', in: 'query', name: 'token', description: 'The token, for browsers.' };
  return { ...Object.fromEntries(renamed), TokenInQuery: token };
}

/** Schemas of AsyncAPI are those of JSON Schema draft 7, where fixed items are called otherwise. */
function toDraft7<T>(value: T): T {
  if (Array.isArray(value)) return value.map(toDraft7) as T;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name === 'prefixItems' && Array.isArray(member) ? 'items' : name,
    toDraft7(member),
  ]);
  return Object.fromEntries(members) as T;
}
