import { expect, test } from 'vitest';
import { liveRoutes } from '../../live/live-routes.ts';
import { buildOpenApi } from './openapi.ts';
import { openApiFixture } from './openapi-fixture.ts';

const { served, config } = openApiFixture();
const document = buildOpenApi(served, config) as any;
const { schemas } = document.components;
const operations: { path: string; method: string; operation: any }[] = Object.entries<any>(document.paths).flatMap(
  ([path, item]) => Object.entries<any>(item).map(([method, operation]) => ({ path, method, operation })),
);
const at = (path: string, method = 'post') => document.paths[path]?.[method];

/** Every object inside a value with its place. */
function* walk(value: unknown, place = '#'): Generator<[Record<string, any>, string]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [value as Record<string, any>, place];
  for (const [key, inner] of Object.entries(value)) yield* walk(inner, `${place}/${key}`);
}

test('SYS-01', () => {
  expect(document.openapi).toBe('3.1.0');
  expect(document.info).toEqual({ title: 'demo', version: '1.2.0', description: 'Fixture application' });
  expect(at('/walker/AddTask')).toMatchObject({
    operationId: 'walker_AddTask_post',
    tags: ['Walkers'],
    security: [{ BearerAuth: [] }],
  });
  expect(at('/walker/AddTask/{nd}').operationId).toBe('walker_AddTask_post_node');
  expect(at('/walker/Ping').security).toEqual([]);
  expect(at('/walker/Greet', 'get')).not.toHaveProperty('requestBody');
  expect(at('/items/{item_id}', 'get').parameters[0].schema.type).toBe('integer');
  expect(at('/walker/Upload').requestBody.content['multipart/form-data'].schema).toBeDefined();
  expect(at('/webhook/PaymentReceived').security).toEqual([{ ApiKeyAuth: [], WebhookSignature: [] }]);
  expect(at('/webhook/Asked')).toMatchObject({
    security: [{ SlackSignature: [] }],
    'x-svc-verify': 'slack',
    parameters: [{ name: 'X-Slack-Request-Timestamp', in: 'header', required: true }],
  });
  expect(Object.keys(at('/webhook/Asked').responses)).toEqual(['200', '401', '403', '409', '422', '429', '500', '503']);
  expect(Object.keys(at('/webhook/Asked').requestBody.content)).toContain('application/x-www-form-urlencoded');
  expect(document.components.securitySchemes.SlackSignature).toMatchObject({ in: 'header', name: 'X-Slack-Signature' });
  expect(schemas.AskedRequest.properties.options.default).toEqual({ a: 1 });
  expect(at('/webhook/Anybody').security).toEqual([]);
  expect(document.components.securitySchemes).not.toHaveProperty('StripeSignature');
  expect(document.paths).not.toHaveProperty(['/ws/Room']);
  expect(document.paths).not.toHaveProperty(['/Ping']);
  expect(document.components.securitySchemes.BearerAuth).toEqual({
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
  });
  expect(document.components.securitySchemes.ApiKeyAuth).toMatchObject({
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: expect.stringContaining('x-svc-api-key'),
  });
  expect([at('/walker/AddTask'), at('/function/add'), at('/webhook/Asked'), at('/user/login')]).toMatchObject([
    { 'x-svc-api-key': true },
    { 'x-svc-api-key': true },
    { security: [{ SlackSignature: [] }] },
    { operationId: 'user_login' },
  ]);
  for (const { path, operation } of operations)
    expect('x-svc-api-key' in operation, path).toBe(/^\/(walker|function|items|things|robots)/.test(path));
  expect(schemas.AddTaskRequest.required).toEqual(['title']);
  expect(schemas.AddTaskRequest.properties.priority.default).toBe(1);
  expect(document['x-svc-wire']).toBe(1);
});

test('every reference resolves', () => {
  let count = 0;
  for (const [object, place] of walk(document)) {
    if (typeof object['$ref'] !== 'string' || place.endsWith('/properties')) continue;
    const found = object['$ref']
      .replace('#/', '')
      .split('/')
      .reduce((value: any, key: string) => value?.[key], document);
    expect(found, `${place}: ${object['$ref']}`).toBeDefined();
    expect(Object.keys(object).filter((key) => key !== '$ref' && key !== 'description' && key !== 'default')).toEqual(
      [],
    );
    count += 1;
  }
  expect(count).toBeGreaterThan(50);
});

test('operation ids are unique, and each operation has what the specification asks for', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { path, method, operation } of operations) {
    const name = `${method} ${path}`;
    expect(operation.summary, name).toEqual(expect.any(String));
    expect(operation.security, name).toEqual(expect.any(Array));
    expect(Object.keys(operation.responses).length, name).toBeGreaterThan(0);
    for (const [status, response] of Object.entries<any>(operation.responses)) {
      expect(status).toMatch(/^[1-5]\d\d$/);
      expect(typeof (response.description ?? response.$ref), name).toBe('string');
    }
    for (const { name: scheme } of operation.security.flatMap((one: object) =>
      Object.keys(one).map((key) => ({ name: key })),
    )) {
      expect(document.components.securitySchemes).toHaveProperty(scheme);
    }
    if (operation.requestBody)
      expect(Object.values<any>(operation.requestBody.content).every(({ schema }) => schema)).toBe(true);
    if (method === 'get') expect(operation).not.toHaveProperty('requestBody');
  }
});

test('path parameters are those of the path, and no parameter is declared twice', () => {
  for (const { path, method, operation } of operations) {
    const parameters: any[] = operation.parameters ?? [];
    const declared = parameters.filter((one) => one.in === 'path').map((one) => one.name);
    expect(declared.sort(), `${method} ${path}`).toEqual(
      [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]).sort(),
    );
    expect(parameters.filter((one) => one.in === 'path').every((one) => one.required)).toBe(true);
    expect(parameters.every((one) => one.schema)).toBe(true);
    const keys = parameters.map((one) => `${one.in} ${one.name}`);
    expect(new Set(keys).size).toBe(keys.length);
  }
});

test('schemas are well formed', () => {
  const names = new Set(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']);
  for (const name of Object.keys(schemas)) expect(name).toMatch(/^[A-Za-z0-9._-]+$/);
  for (const [object, place] of walk(document)) {
    const isSchema = /\/(schema|items|data|(properties|schemas|anyOf|allOf|prefixItems)\/[^/]+)$/.test(place);
    if (!isSchema) continue;
    for (const type of [object['type'] ?? []].flat()) expect(names, place).toContain(type);
    if (object['required'] !== undefined) {
      expect(Array.isArray(object['required']), place).toBe(true);
      expect(
        object['required'].every((name: string) => name in object['properties']),
        place,
      ).toBe(true);
    }
    for (const key of ['anyOf', 'allOf', 'enum', 'prefixItems']) {
      if (object[key] !== undefined) expect(object[key].length, place).toBeGreaterThan(0);
    }
  }
});

test('tags are declared in the order of the specification, and only those in use', () => {
  expect(document.tags.map(({ name }: { name: string }) => name)).toEqual([
    'Walkers',
    'Functions',
    'Webhooks',
    'User APIs',
  ]);
});

test('documentation text: summary, description, deprecation', () => {
  expect(at('/walker/Ping')).toMatchObject({ summary: 'Answers.', deprecated: true });
  expect(at('/walker/Ping').description).toContain('Always `pong`.');
  expect(at('/walker/ListTasks')).toMatchObject({ summary: 'ListTasks' });
  expect(at('/walker/ListTasks')).not.toHaveProperty('deprecated');
  expect(schemas.AddTaskRequest.properties.title.description).toBe('What to do.');
  expect(schemas.Task.description).toBe('A to-do item.');
});

test('query parameters with defaults; DELETE takes either', () => {
  const [name, shout, tags] = at('/walker/Greet', 'get').parameters;
  expect(name).toEqual({ name: 'name', in: 'query', required: false, schema: { type: 'string', default: 'world' } });
  expect(shout.schema).toEqual({ type: 'boolean', default: false });
  expect(tags.schema).toEqual({ type: 'array', items: { type: 'string' }, default: [] });
  const remove = at('/walker/RemoveTask', 'delete');
  expect(remove.parameters).toEqual([
    { name: 'task', in: 'query', required: false, schema: { $ref: '#/components/schemas/TaskInput' } },
  ]);
  expect(remove.requestBody.required).toBe(false);
});

test('path parameters are not in the body; custom paths may name a node', () => {
  expect(Object.keys(schemas.PutThingRequest.properties)).toEqual(['size']);
  expect(at('/things/{thing_id}', 'put').requestBody.required).toBe(true);
  expect(at('/items/{item_id}', 'get').parameters.map((one: any) => `${one.in} ${one.name}`)).toEqual([
    'path item_id',
    'query verbose',
    'query nd',
  ]);
  expect(document.paths).not.toHaveProperty(['/items/{item_id}/{nd}']);
});

test('declared types as schemas', () => {
  const { properties } = schemas.OddRequest;
  expect(Object.values(properties)).toEqual([
    { type: 'number', format: 'double' },
    { type: 'string', contentEncoding: 'base64' },
    { type: 'string', format: 'date-time' },
    { type: 'string', format: 'uuid' },
    { 'x-svc-type': 'timedelta' },
    {},
    { type: 'array', items: { type: 'integer', format: 'int64' }, uniqueItems: true },
    {
      type: 'array',
      prefixItems: [{ type: 'integer', format: 'int64' }, { type: 'string' }],
      minItems: 2,
      maxItems: 2,
    },
    { type: 'array', items: { type: 'integer', format: 'int64' } },
    { type: 'object', additionalProperties: { type: 'integer', format: 'int64' } },
    { type: 'object', additionalProperties: true },
    { anyOf: [{ type: 'integer', format: 'int64' }, { type: 'string' }] },
    { anyOf: [{ type: 'integer', format: 'int64' }, { type: 'array', items: { type: 'string' } }, { type: 'null' }] },
    { type: 'string', enum: ['a', 'b'] },
    { type: ['string', 'null'], enum: ['red', 'green', null] },
    { anyOf: [{ $ref: '#/components/schemas/TaskInput' }, { type: 'null' }] },
    { 'x-svc-type': 'numpy.array' },
    { 'x-svc-type': 'Lost' },
  ]);
});

test('objects: what is sent and what is answered', () => {
  expect(schemas.PersonInput).toMatchObject({
    required: ['name', 'age'],
    properties: {
      name: { type: 'string', description: 'Full name.' },
      address: { anyOf: [{ $ref: '#/components/schemas/AddressInput' }, { type: 'null' }], default: null },
      tags: { default: [] },
      color: { type: 'string', enum: ['red', 'green'], default: 'red' },
    },
  });
  expect(schemas.AddressInput.properties.zip).toEqual({ type: ['string', 'null'], default: null });
  expect(schemas.TaskInput).toMatchObject({ type: 'string', pattern: '^[0-9a-f]{32}$' });
  expect(Object.keys(schemas.Blocks.properties)).toEqual([
    '_svc_type',
    '_svc_id',
    '_svc_archetype',
    '_svc_source',
    '_svc_target',
    'reason',
  ]);
  expect(schemas.AddTask.properties._svc_archetype).toEqual({ type: 'string', const: 'walker' });
  expect(schemas.AddTask.properties._svc_id).toEqual({ type: 'null' });
});

test('types that contain themselves, types of one name, names the document needs itself', () => {
  expect(schemas.TreeNodeInput.properties.children.items).toEqual({ $ref: '#/components/schemas/TreeNodeInput' });
  const { error, label, other } = schemas.TreeRequest.properties;
  expect(error.anyOf[0].$ref).toBe('#/components/schemas/pkg_lib_ErrorInput');
  expect(label.anyOf[0].$ref).toBe('#/components/schemas/main_LabelInput');
  expect(other.anyOf[0].$ref).toBe('#/components/schemas/pkg_lib_LabelInput');
  expect(schemas.Error.required).toContain('error');
});

test('private fields are absent, unless they are to be shown', () => {
  const shown = (serializePrivate: boolean) => {
    const changed = { ...config, serve: { ...config.serve, serializePrivate } };
    return Object.keys((buildOpenApi(served, changed) as any).components.schemas.Task?.properties ?? {});
  };
  expect(shown(false)).toContain('title');
  expect(shown(false)).not.toContain('secret_note');
  expect(shown(true)).toContain('secret_note');
  expect(schemas.AddTaskRequest.properties).not.toHaveProperty('secret_note');
});

test('files', () => {
  const upload = at('/walker/Upload').requestBody;
  expect(Object.keys(upload.content)).toEqual(['multipart/form-data']);
  expect(upload.content['multipart/form-data'].encoding).toEqual({ tags: { contentType: 'application/json' } });
  expect(schemas.UploadRequest.properties.file).toEqual({
    type: 'string',
    contentMediaType: 'application/octet-stream',
  });
  expect(schemas.Upload?.properties ?? {}).not.toHaveProperty('file');
  const maybe = at('/walker/MaybeUpload').requestBody;
  expect(Object.keys(maybe.content)).toEqual(['application/json', 'multipart/form-data']);
  expect(maybe.required).toBe(false);
  expect(Object.keys(schemas.MaybeUploadRequest.properties)).toEqual(['note']);
});

test('answers: envelopes, raw bodies, streams, failures', () => {
  const answer = at('/walker/AddTask').responses[200].content['application/json'].schema;
  expect(answer.properties.data.properties.result).toEqual({ $ref: '#/components/schemas/AddTask' });
  expect(Object.keys(answer.properties)).toEqual([
    'ok',
    'type',
    'status',
    'data',
    'error',
    'meta',
    'reports',
    'warnings',
  ]);
  expect(Object.keys(at('/walker/AddTask').responses)).toEqual(['200', '401', '403', '409', '422', '429', '500']);
  expect(Object.keys(at('/walker/AddTask/{nd}').responses)).toContain('404');
  expect(Object.keys(at('/walker/Ping').responses)).toEqual(['200', '403', '409', '429', '500']);
  const sum = at('/function/add').responses[200].content['application/json'].schema;
  expect(sum.properties.data.properties.result).toEqual({ type: 'integer', format: 'int64' });
  expect(at('/robots.txt', 'get').responses[200].content).toEqual({
    'text/plain; charset=utf-8': { schema: { type: 'string' } },
  });
  expect(Object.keys(at('/function/countdown').responses[200].content)).toEqual(['text/event-stream']);
});

test('account endpoints', () => {
  expect(at('/user/register')).toMatchObject({ operationId: 'user_register', security: [] });
  expect(Object.keys(at('/user/register').responses)).toEqual(['201', '400', '401', '403', '409', '422', '429', '500']);
  const answer = at('/user/login').responses[200].content['application/json'].schema;
  expect(answer.properties).toHaveProperty('access_token');
  expect(answer.properties.data.required).toContain('expires_at');
  expect(at('/user/me', 'patch').security).toEqual([{ BearerAuth: [] }]);
});

test('sockets are described beside the paths', () => {
  expect(document['x-svc-websockets']).toEqual([
    {
      target: 'Room',
      kind: 'walker',
      summary: 'Room',
      path: '/ws/Room',
      access: 'pub',
      broadcast: true,
      message: { $ref: '#/components/schemas/RoomMessage' },
    },
  ]);
  expect(schemas.RoomMessage.required).toEqual(['message']);
});

test('what can be followed, where live subscriptions are served', () => {
  expect(JSON.stringify(document)).not.toContain('x-svc-live');
  const fixed = [...served.fixed, ...liveRoutes({ events: () => Promise.reject(new Error('no')) })];
  const live = buildOpenApi({ ...served, fixed }, config) as any;
  const events = live.paths['/live/{walker}'].get;
  expect(events).toMatchObject({ tags: ['Live'], security: [{ BearerAuth: [] }, {}] });
  expect(Object.keys(events.responses[200].content)).toEqual(['text/event-stream']);
  const { enum: names } = events.parameters[0].schema;
  expect(names).toEqual(expect.arrayContaining(['AddTask', 'Room', 'add']));
  expect(names).not.toContain('PaymentReceived');
  const mark = (path: string) => live.paths[path].post['x-svc-live'];
  expect([mark('/walker/AddTask'), mark('/function/add'), mark('/webhook/PaymentReceived')]).toEqual([
    { walker: 'AddTask' },
    { function: 'add' },
    undefined,
  ]);
});

test('server address and title', () => {
  const build = (name: string, baseUrl: string) =>
    buildOpenApi(served, {
      ...config,
      project: { ...config.project, name },
      serve: { ...config.serve, baseUrl },
    }) as any;
  expect(build('svc-app', '').info.title).toBe('svc API');
  expect(build('x', '').servers).toEqual([{ url: '/' }]);
  expect(build('x', 'https://api.example.com').servers).toEqual([{ url: 'https://api.example.com' }]);
});

test('objects of an answer may be references, walkers may not', () => {
  const { Task, AddTask, Reference } = schemas;
  expect(Task.else.required).toEqual(Object.keys(Task.properties));
  expect([Task.if, Task.required]).toEqual([{ $ref: '#/components/schemas/Reference' }, undefined]);
  expect(Reference.required).toEqual(['$ref', '$type']);
  expect(AddTask.required).toEqual(Object.keys(AddTask.properties));
});
