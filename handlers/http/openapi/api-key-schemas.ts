import type { RouteSchemas } from './route-schemas.ts';

const text = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;
const nullableTime = { type: ['string', 'null'], format: 'date-time' } as const;
const keyId = { type: 'string', pattern: '^[0-9a-f]{32}$' } as const;
const walkers = {
  type: 'array',
  items: text,
  description: 'What the key may call; empty for all that its scopes open.',
} as const;
const scopes = {
  type: 'array',
  items: { type: 'string', enum: ['webhook', 'call'] },
  minItems: 1,
  uniqueItems: true,
  default: ['webhook'],
  description: '`webhook`: webhook endpoints. `call`: walkers and functions, as their owner.',
} as const;

function object(properties: Record<string, unknown>, required: readonly string[] = Object.keys(properties)) {
  return { type: 'object', properties, required: [...required] };
}

const createRequest = object(
  {
    name: { type: 'string', minLength: 1, maxLength: 100 },
    expiry_days: { type: 'integer', minimum: 0, maximum: 36_500, description: '0: the key does not expire.' },
    scopes,
    allowed_walkers: { anyOf: [text, { type: 'array', items: text }] },
  },
  ['name'],
);
const shown = {
  api_key_id: keyId,
  name: text,
  created_at: time,
  expires_at: nullableTime,
  scopes,
  allowed_walkers: walkers,
};
const created = object({
  api_key: { type: 'string', description: 'The key. It is shown this once.' },
  ...shown,
  signing_secret: { type: 'string', description: 'For the timestamped schemes. It is shown this once.' },
});
const listed = object({
  api_keys: {
    type: 'array',
    items: object({ ...shown, last_used_at: nullableTime, active: { type: 'boolean' } }),
  },
});
const revoked = object({ message: text, api_key_id: keyId, revoked: { type: 'boolean', const: true } });

export const apiKeySchemas: RouteSchemas = {
  api_key_create: { request: createRequest, response: created },
  api_key_list: { response: listed },
  api_key_revoke: { response: revoked },
};
