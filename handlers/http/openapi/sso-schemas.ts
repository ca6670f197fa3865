import type { RouteSchemas } from './route-schemas.ts';

const text = { type: 'string' } as const;

/** Answer of a callback (docs/server/sign-on.md#callback). */
const signedIn = {
  type: 'object',
  properties: {
    message: text,
    user_id: { type: 'string', format: 'uuid' },
    email: { type: ['string', 'null'] },
    token: text,
    access_token: { type: 'string', description: 'The same as `token`.' },
    token_type: { type: 'string', const: 'bearer' },
    expires_in: { type: 'integer', description: 'Seconds.' },
    platform: text,
    root_id: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    created: { type: 'boolean', description: 'The account is new; the status is 201 then.' },
  },
  required: [
    'message',
    'user_id',
    'token',
    'access_token',
    'token_type',
    'expires_in',
    'platform',
    'root_id',
    'created',
  ],
} as const;

export const ssoSchemas: RouteSchemas = { sso_login_callback: { response: signedIn } };
