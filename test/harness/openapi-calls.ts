/** Calls made up from an API description, for fuzzing: mostly what the schemas ask for, with something wrong in places. */
import fc from 'fast-check';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Schema = Record<string, any>;

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly needsToken: boolean;
  readonly takesToken: boolean;
  readonly parameters: readonly Schema[];
  readonly body: { readonly type: 'json' | 'form' | 'multipart'; readonly schema: Schema } | undefined;
  readonly responses: Readonly<Record<string, Schema>>;
}

/** One request, as plain data that can be kept and sent again. */
export interface MadeCall {
  readonly path: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly body?: Json | undefined;
  /** Sent as it is in place of the body. */
  readonly text?: string | undefined;
  readonly type?: string | undefined;
}

/** Every operation of a description that can be called over HTTP. */
export function operationsOf(document: Schema): Operation[] {
  return Object.entries<Schema>(document['paths']).flatMap(([path, methods]) =>
    Object.entries<Schema>(methods).map(([method, operation]) => {
      const content = (operation['requestBody']?.content ?? {}) as Record<string, Schema>;
      const type = Object.keys(content)[0];
      const kind = type?.includes('multipart') ? 'multipart' : type?.includes('urlencoded') ? 'form' : 'json';
      const security = (operation['security'] ?? []) as Schema[];
      return {
        id: operation['operationId'],
        method: method.toUpperCase(),
        path,
        needsToken: security.length > 0 && security.every((one) => 'BearerAuth' in one),
        takesToken: security.some((one) => 'BearerAuth' in one),
        parameters: operation['parameters'] ?? [],
        body: type === undefined ? undefined : { type: kind, schema: content[type]!['schema'] },
        responses: operation['responses'],
      };
    }),
  );
}

/** Requests for an operation. `known` are ids of objects that exist. */
export function callsOf(operation: Operation, document: Schema, known: readonly string[]): fc.Arbitrary<MadeCall> {
  const value = (schema: Schema) => around(schema, document, known, 0);
  const inPath = operation.parameters.filter((one) => one['in'] === 'path');
  const inQuery = operation.parameters.filter((one) => one['in'] === 'query');
  const segment = (schema: Schema) =>
    fc
      .oneof({ weight: 3, arbitrary: value(schema).map(textOf) }, { weight: 1, arbitrary: oddText })
      .map((text) => text || '-');
  const path = fc.record(Object.fromEntries(inPath.map((one) => [one['name'], segment(one['schema'])])));
  const entry = (one: Schema): fc.Arbitrary<[string, string][]> =>
    fc.oneof(
      { weight: one['required'] ? 1 : 3, arbitrary: fc.constant<[string, string][]>([]) },
      { weight: 6, arbitrary: value(one['schema']).map((made): [string, string][] => spread(one['name'], made)) },
      { weight: 1, arbitrary: oddText.map((text): [string, string][] => [[one['name'], text]]) },
    );
  const query = fc
    .tuple(
      ...inQuery.map(entry),
      fc.oneof({ weight: 8, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: oddPairs }),
    )
    .map((parts) => parts.flat() as [string, string][]);
  const { body } = operation;
  if (body === undefined) return fc.record({ path, query });
  const isJson = body.type === 'json';
  const whole = fc.oneof(
    { weight: 10, arbitrary: value(body.schema).map((made) => ({ body: made })) },
    { weight: 1, arbitrary: anything.map((made) => ({ body: made })) },
    { weight: 1, arbitrary: fc.constant({}) },
    { weight: isJson ? 1 : 0, arbitrary: brokenText.map((text) => ({ text, type: 'application/json' })) },
    {
      weight: 1,
      arbitrary: fc.record({
        text: fc.oneof(oddText, brokenText),
        type: fc.constantFrom(
          'text/plain',
          'application/json; charset=latin1',
          'multipart/form-data; boundary=x',
          '',
          'x',
        ),
      }),
    },
  );
  return fc.record({ path, query, whole }).map(({ whole: rest, ...made }) => ({ ...made, ...rest }));
}

/** Values of a schema, and now and then something else in its place. */
function around(schema: Schema, document: Schema, known: readonly string[], depth: number): fc.Arbitrary<Json> {
  const right = fitting(schema, document, known, depth);
  return fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: anything });
}

function fitting(schema: Schema, document: Schema, known: readonly string[], depth: number): fc.Arbitrary<Json> {
  const next = (one: Schema) => around(one, document, known, depth + 1);
  if (schema['$ref']) {
    const name = String(schema['$ref']).split('/').pop()!;
    return fitting(document['components'].schemas[name], document, known, depth);
  }
  if ('const' in schema) return fc.constant(schema['const']);
  if (schema['enum']) return fc.constantFrom(...(schema['enum'] as Json[]));
  const forms = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined;
  if (forms) return fc.oneof(...forms.map((one) => fitting(one, document, known, depth)));
  const { type } = schema;
  if (Array.isArray(type))
    return fc.oneof(...type.map((one) => fitting({ ...schema, type: one }, document, known, depth)));
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      // Beyond 2^53 answers are strings (docs/server/requests.md#types), which schemas do not describe.
      return fc.oneof(fc.integer({ min: -3, max: 40 }), fc.constantFrom(0, -1, 2 ** 31, 2 ** 50, -(2 ** 50)));
    case 'number':
      return fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(0, -0, 1e308, 5e-324));
    case 'string':
      return textFor(schema, known);
    case 'array':
      if (depth > 3) return fc.constant([]);
      return fc.array(next(schema['items'] ?? {}), { maxLength: 4 });
    case 'object':
      return objectFor(schema, next, depth);
    default:
      return anything;
  }
}

function objectFor(schema: Schema, next: (one: Schema) => fc.Arbitrary<Json>, depth: number): fc.Arbitrary<Json> {
  const properties = Object.entries<Schema>(schema['properties'] ?? {});
  const required = new Set<string>(schema['required'] ?? []);
  const members = properties.map(([name, one]) => {
    const isNeeded = required.has(name);
    if (depth > 3 && !isNeeded) return fc.constant<[string, Json][]>([]);
    return fc.oneof(
      { weight: isNeeded ? 1 : 8, arbitrary: fc.constant<[string, Json][]>([]) },
      { weight: isNeeded ? 30 : 12, arbitrary: next(one).map((made): [string, Json][] => [[name, made]]) },
    );
  });
  const { additionalProperties } = schema;
  const more =
    additionalProperties && depth <= 3
      ? fc.array(fc.tuple(oddText, next(additionalProperties === true ? {} : additionalProperties)), { maxLength: 3 })
      : fc.oneof(
          { weight: 10, arbitrary: fc.constant<[string, Json][]>([]) },
          { weight: 1, arbitrary: fc.array(fc.tuple(oddText, anything), { maxLength: 2 }) },
        );
  // Built from entries: `__proto__` is to be an own key of the text that is sent.
  return fc
    .tuple(fc.tuple(...members), more)
    .map(([own, rest]) => ({ $entries: [...own.flat(), ...rest] }) as unknown as Json);
}

function textFor(schema: Schema, known: readonly string[]): fc.Arbitrary<string> {
  const odd = { weight: 1, arbitrary: oddText };
  const of = (arbitrary: fc.Arbitrary<string>) => fc.oneof({ weight: 6, arbitrary }, odd);
  switch (schema['format']) {
    case 'date-time':
      return of(
        fc
          .date({ noInvalidDate: true, min: new Date('0001-01-02'), max: new Date('9999-12-30') })
          .map((day) => day.toISOString()),
      );
    case 'date':
      return of(fc.constantFrom('2026-02-28', '0001-01-01', '9999-12-31', '2026-02-30'));
    case 'time':
      return of(fc.constantFrom('00:00', '23:59:59.999999', '24:00', '12:30+02:00'));
    case 'uuid':
      return of(fc.uuid());
  }
  if (String(schema['pattern']).includes('{32}')) {
    return of(fc.constantFrom(...known, '0'.repeat(32), `${'0'.repeat(31)}1`, 'f'.repeat(32), 'F'.repeat(32)));
  }
  if (schema['contentEncoding'] === 'base64')
    return of(fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('base64')));
  return fc.oneof({ weight: 6, arbitrary: fc.string({ maxLength: 12 }) }, odd);
}

const oddText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '__proto__',
    'constructor',
    '_svc_type',
    '_svc_id',
    'null',
    'NaN',
    '-0',
    '1e999',
    '9007199254740993',
    '\u0000',
    '\ud800',
    '𝔘𝔫𝔦',
    'İ',
    '../../etc/passwd',
    "' OR 1=1 --",
    '$ne',
    '%00',
    'a\r\nX: y',
    '{"a":1}',
    '[1]',
    'x'.repeat(3000),
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);

const oddPairs = fc.array(fc.tuple(oddText, oddText), { maxLength: 3 });

const anything: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, 0, -1, 1.5, 2 ** 53, 1e300, '', 'x', [], [[]], [null], {
    $entries: [],
  } as unknown as Json),
  oddText,
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
  fc.constant({
    $entries: [
      ['__proto__', { $entries: [['x', 1]] }],
      ['_svc_type', 'Item'],
      ['_svc_id', '0'.repeat(32)],
    ],
  } as unknown as Json),
);

const brokenText = fc.oneof(
  fc.constantFrom(
    '{',
    '[',
    '{"a":}',
    '\ufeff{}',
    'nul',
    '"',
    '[1,]',
    '{"a":1,"a":2}',
    `${'['.repeat(100)}${']'.repeat(100)}`,
    '{"a":1e999}',
  ),
  fc.string({ maxLength: 10 }),
);

/** JSON text of a made value. */
export function jsonText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = ('$entries' in value ? value['$entries'] : Object.entries(value)) as [string, Json][];
  return `{${entries.map(([name, one]) => `${JSON.stringify(name)}:${jsonText(one)}`).join(',')}}`;
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : jsonText(value);
}

function spread(name: string, value: Json): [string, string][] {
  return Array.isArray(value) ? value.map((one) => [name, textOf(one)]) : [[name, textOf(value)]];
}

/** Sends a call. Lone surrogates and other texts that no URL can carry become replacement characters, as in any client. */
export async function sendCall(
  base: string,
  operation: Operation,
  call: MadeCall,
  token: string | undefined,
): Promise<Response> {
  const path = operation.path.replace(/\{([^}]+)\}/g, (_all, name: string) =>
    encodeURIComponent(wellFormed(call.path[name] ?? '-')),
  );
  const query = new URLSearchParams(call.query.map(([name, value]): [string, string] => [name, value]));
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  let body: string | FormData | URLSearchParams | undefined;
  if (call.text !== undefined) {
    body = call.text;
    if (call.type !== undefined) headers['content-type'] = call.type;
  } else if (call.body !== undefined && operation.body?.type !== 'json') {
    const form = operation.body?.type === 'multipart' ? new FormData() : new URLSearchParams();
    const value = call.body as { $entries?: [string, Json][] } | null;
    for (const [name, one] of value?.$entries ?? []) {
      const isFile =
        form instanceof FormData &&
        /octet-stream/.test(JSON.stringify(operation.body?.schema['properties']?.[name] ?? ''));
      if (isFile) (form as FormData).append(name, new Blob([textOf(one)]), 'a/../b\u0000.txt');
      else for (const [key, text] of spread(name, one)) form.append(key, text);
    }
    body = form;
  } else if (call.body !== undefined) {
    body = jsonText(call.body);
    headers['content-type'] = 'application/json';
  }
  const search = query.size === 0 ? '' : `?${query}`;
  return fetch(`${base}${path}${search}`, {
    method: operation.method,
    headers,
    redirect: 'manual',
    ...(body !== undefined && { body }),
  });
}

function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
