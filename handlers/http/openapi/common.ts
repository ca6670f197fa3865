import { mostListed } from '../../../core/problems.ts';
import type { RestSpec } from '../../../library/classes/spec.ts';
import { senderSchemes } from '../../webhook/sender-schemes.ts';
import type { Schema } from './schema-forms.ts';

/**
 * Parts of the description that are the same for every program (docs/server/answers.md#envelope,
 * docs/server/errors.md#validation, docs/server/api-docs.md#document).
 */
export const commonSchemas: Readonly<Record<string, Schema>> = {
  Meta: {
    type: 'object',
    properties: {
      request_id: { type: 'string' },
      trace_id: { type: 'string', pattern: '^[0-9a-f]{32}$' },
      timestamp: { type: 'string', format: 'date-time' },
      extra: { type: 'object', properties: { http_status: { type: 'integer' } }, required: ['http_status'] },
    },
    required: ['request_id', 'trace_id', 'timestamp', 'extra'],
  },
  Reference: {
    description: 'Stands for an object that is in the answer already, or that the caller may not read.',
    type: 'object',
    properties: { $ref: { type: ['string', 'null'] }, $type: { type: 'string' } },
    required: ['$ref', '$type'],
  },
  Error: {
    type: 'object',
    description: 'Every failure. Clients branch on `error.code`.',
    properties: {
      ok: { type: 'boolean', const: false },
      type: { type: 'string', const: 'error' },
      status: { type: 'integer' },
      data: { type: 'null' },
      error: {
        type: 'object',
        properties: {
          code: { type: 'string' },
          message: { type: 'string' },
          details: {},
          hint: { type: 'string', description: 'What to do about it. In development only.' },
        },
        required: ['code', 'message'],
      },
      meta: { $ref: '#/components/schemas/Meta' },
    },
    required: ['ok', 'type', 'status', 'data', 'error', 'meta'],
  },
  Problem: {
    type: 'object',
    description: 'One thing that is wrong with a request.',
    properties: {
      loc: {
        type: 'array',
        items: { type: ['string', 'integer'] },
        description: 'Where: `body`, `query`, `path` or `header`, then names and indexes.',
      },
      type: { type: 'string' },
      msg: { type: 'string' },
    },
    required: ['loc', 'type', 'msg'],
  },
  ValidationError: {
    description: 'All problems of a request at once.',
    allOf: [
      { $ref: '#/components/schemas/Error' },
      {
        type: 'object',
        properties: {
          error: {
            type: 'object',
            properties: {
              code: { type: 'string', const: 'VALIDATION_ERROR' },
              message: { type: 'string' },
              details: { type: 'array', items: { $ref: '#/components/schemas/Problem' }, maxItems: mostListed },
              truncated: { type: 'boolean', const: true, description: 'There are more problems than are listed.' },
              count: { type: 'integer', description: 'How many problems there are, when not all are listed.' },
              warnings: {
                type: 'array',
                items: { type: 'string' },
                description: 'Members of the request that nothing reads. In development only.',
              },
            },
          },
          detail: { type: 'array', items: { $ref: '#/components/schemas/Problem' }, maxItems: mostListed },
        },
      },
    ],
  },
};

/** Failures operations refer to, by status. */
const failures = {
  400: ['BadRequest', 'The request cannot be understood.', 'Error'],
  401: ['Unauthorized', 'Credentials are missing or refused.', 'Error'],
  403: ['Forbidden', 'Not allowed.', 'Error'],
  404: ['NotFound', 'Not there, or not readable for the caller.', 'Error'],
  409: ['Conflict', 'Somebody else changed the same data at the same time.', 'Error'],
  422: ['Unprocessable', 'Fields do not fit.', 'ValidationError'],
  429: ['TooManyRequests', 'Too many requests; see `Retry-After`.', 'Error'],
  500: ['ServerError', 'The application or the server failed.', 'Error'],
  501: ['NotConfigured', 'Known, but not configured.', 'Error'],
  502: ['ProviderFailed', 'Another service did not answer as it should.', 'Error'],
  503: ['Unavailable', 'Overloaded, draining, or a part is not reachable.', 'Error'],
} as const;

export type FailureStatus = keyof typeof failures;

export const commonResponses: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.values(failures).map(([name, description, schema]) => [
    name,
    { description, content: { 'application/json': { schema: bodyOf(schema) } } },
  ]),
);

/** Applications answer with 422 as well, under codes and with details of their own. */
function bodyOf(schema: 'Error' | 'ValidationError'): Schema {
  const one = { $ref: `#/components/schemas/${schema}` };
  return schema === 'Error' ? one : { anyOf: [one, { $ref: '#/components/schemas/Error' }] };
}

/** References to the answers for these statuses, in the order given. */
export function failureResponses(statuses: readonly FailureStatus[]): Record<string, unknown> {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${failures[status][0]}` }]),
  );
}

/**
 * The envelope around the data of an answer (docs/server/answers.md#mirrored-members). `mirrored` are the members
 * repeated at the top level.
 */
export function envelope(status: number, data: Schema, mirrored: Readonly<Record<string, Schema>>): Schema {
  const properties = {
    ok: { type: 'boolean', const: true },
    type: { type: 'string', const: 'response' },
    status: { type: 'integer', const: status },
    data,
    error: { type: 'null' },
    meta: { $ref: '#/components/schemas/Meta' },
  };
  const free = Object.entries(mirrored).filter(([name]) => !(name in properties));
  return {
    type: 'object',
    properties: { ...properties, ...Object.fromEntries(free) },
    required: Object.keys(properties),
  };
}

/** Name of the security scheme of a service's signatures: `github` -> `GithubSignature`. */
export function senderScheme(sender: string): string {
  return `${sender.charAt(0).toUpperCase()}${sender.slice(1)}Signature`;
}

/** @param signatureHeader as configured for webhooks; `verified` services whose signatures are checked */
export function securitySchemes(
  signatureHeader: string,
  verified: readonly RestSpec['verify'][],
): Readonly<Record<string, unknown>> {
  const ofSenders = verified.flatMap((sender): [string, unknown][] => {
    if (sender === '' || sender === 'none') return [];
    const { header } = senderSchemes[sender];
    const description = `HMAC-SHA256 as ${senderTitles[sender]} signs its calls, with the secret shared with it.`;
    return [[senderScheme(sender), { type: 'apiKey', in: 'header', name: header, description }]];
  });
  return {
    BearerAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    ApiKeyAuth: {
      type: 'apiKey',
      in: 'header',
      name: 'X-API-Key',
      description:
        'For webhooks. A key with the scope `call` also stands for its owner in place of a token, in operations marked `x-svc-api-key`.',
    },
    WebhookSignature: {
      type: 'apiKey',
      in: 'header',
      name: signatureHeader,
      description: 'HMAC-SHA256 of the body in hexadecimal, keyed with the API key.',
    },
    ...Object.fromEntries(ofSenders),
  };
}

const senderTitles = { github: 'GitHub', stripe: 'Stripe', slack: 'Slack', standard: 'a sender of Standard Webhooks' };

/** Tags in the order of the document; only those in use appear in it. */
export const tagOrder = [
  'Walkers',
  'Functions',
  'Webhooks',
  'Live',
  'User APIs',
  'API Keys',
  'SSO APIs',
  'Graph',
  'Monitoring',
  'Health',
  'Pages',
  'Static Files',
] as const;

/** Tags whose answers are not enveloped (docs/server/answers.md#envelope), with the media type of those that do not say. */
export const bareTags: ReadonlyMap<string, string> = new Map([
  ['Monitoring', 'text/plain'],
  ['Health', 'application/json'],
  ['Pages', 'text/html'],
  ['Static Files', 'application/octet-stream'],
]);
