import type { Config } from '../../../core/config/config.ts';
import type { Routes } from '../build-routes.ts';
import { commonResponses, commonSchemas, securitySchemes, tagOrder } from './common.ts';
import { fixedOperation } from './fixed.ts';
import { liveOperation } from './live.ts';
import { nameComponents } from './names.ts';
import { type PlacedOperation, socketDescription, targetOperations } from './operations.ts';
import { createSchemaBook } from './schemas.ts';

/** The part of the configuration that the description shows. */
export type OpenApiConfig = Pick<Config, 'project' | 'serve'> & { readonly scale: Pick<Config['scale'], 'webhook'> };

/** Version of the wire format (docs/server/compatibility.md). */
const wireVersion = 1;
const placeholderName = 'svc-app';

/** The OpenAPI 3.1 document of a program and its server (docs/server/api-docs.md#document). A plain JSON value. */
export function buildOpenApi(
  { targets, fixed }: Pick<Routes, 'targets' | 'fixed'>,
  config: OpenApiConfig,
): Readonly<Record<string, unknown>> {
  const names = nameComponents(
    targets.flatMap(({ fields, spec }) => [...fields.map(({ type }) => type), ...(spec ? [spec.result] : [])]),
    targets.flatMap(({ meta }) => (meta ? [meta] : [])),
    Object.keys(commonSchemas),
  );
  const book = createSchemaBook(names, config.serve.serializePrivate);
  const isLive = fixed.some(({ template }) => template === '/live');
  const ofProgram = targets.flatMap((target) => targetOperations(target, book, names.claim, isLive));
  const live = isLive ? liveOperation(targets) : undefined;
  const operations = [...ofProgram, ...(live ? [live] : []), ...fixed.flatMap((route) => fixedOperation(route) ?? [])];
  const sockets = targets
    .filter(({ rest }) => rest.protocol === 'WEBSOCKET')
    .map((target) => socketDescription(target, book, names.claim));
  return {
    openapi: '3.1.0',
    info: infoOf(config.project),
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: config.serve.baseUrl || '/' }],
    tags: tagsInUse(operations),
    paths: pathsOf(operations),
    components: {
      schemas: { ...sortedByName(book.schemas), ...commonSchemas },
      responses: commonResponses,
      securitySchemes: securitySchemes(
        config.scale.webhook.signatureHeader,
        targets.map(({ rest }) => rest.verify),
      ),
    },
    'x-svc-wire': wireVersion,
    'x-svc-websockets': sockets,
  };
}

export function infoOf({ name, version, description }: OpenApiConfig['project']): Record<string, string> {
  const title = name === '' || name === placeholderName ? 'svc API' : name;
  return { title, version, ...(description !== '' && { description }) };
}

function tagsInUse(operations: readonly PlacedOperation[]): { name: string }[] {
  const used = new Set(operations.flatMap(({ operation }) => operation['tags'] as string[]));
  const known = tagOrder.filter((tag) => used.delete(tag));
  return [...known, ...used].map((name) => ({ name }));
}

/** Operations by path, in the order met; the first to claim a method of a path keeps it, as in routing. */
function pathsOf(operations: readonly PlacedOperation[]): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  const ids = new Set<string>();
  for (const { path, method, operation } of operations) {
    const item = (paths[path] ??= {});
    if (method in item) continue;
    item[method] = { ...operation, operationId: unique(String(operation['operationId']), ids) };
  }
  return paths;
}

function unique(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let count = 2; taken.has(id); count += 1) id = `${wanted}_${count}`;
  taken.add(id);
  return id;
}

function sortedByName<T>(entries: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));
}
