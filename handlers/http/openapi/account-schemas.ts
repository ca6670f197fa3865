import type { RouteSchemas } from './route-schemas.ts';

const text = { type: 'string' } as const;
const nullableText = { type: ['string', 'null'] } as const;
const userId = { type: 'string', format: 'uuid' } as const;
const rootId = { type: 'string', pattern: '^[0-9a-f]{32}$' } as const;
const role = { type: 'string', enum: ['user', 'admin', 'system'] } as const;
const password = { type: 'string', format: 'password' } as const;

function object(properties: Record<string, unknown>, required: readonly string[] = Object.keys(properties)) {
  return { type: 'object', properties, required: [...required] };
}

const profile = {
  type: 'object',
  description: 'Free data: at most 20 keys with strings, numbers, booleans or null.',
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
} as const;
const identity = object({ type: { type: 'string', enum: ['email', 'username'] }, value: text });
const credential = object({ type: { type: 'string', const: 'password' }, password });

/** The three forms of a body with credentials (docs/server/accounts.md#register). */
const registerRequest = {
  anyOf: [
    { title: 'By email', ...object({ email: { type: 'string', examples: ['ada@example.com'] }, password }) },
    { title: 'By username', ...object({ username: text, password }) },
    {
      title: 'By several identities',
      ...object({ identities: { type: 'array', items: identity, minItems: 1, maxItems: 5 }, credential, profile }, [
        'identities',
        'credential',
      ]),
    },
  ],
};
const loginRequest = {
  anyOf: [
    { title: 'By email', ...object({ email: { type: 'string', examples: ['ada@example.com'] }, password }) },
    { title: 'By username', ...object({ username: text, password }) },
    {
      title: 'By an identity',
      ...object({ identity: object({ type: text, value: text }, ['value']), credential }),
    },
  ],
};

const tokenMembers = {
  access_token: text,
  token: { type: 'string', description: 'The same as `access_token`.' },
  token_type: { type: 'string', const: 'bearer' },
  expires_in: { type: 'integer', description: 'Seconds.' },
} as const;
const accountMembers = { user_id: userId, root_id: rootId, role, email: text, username: text } as const;
const always = ['user_id', 'root_id', 'role'] as const;

const registered = object({ ...accountMembers, message: text, ...tokenMembers }, [...always, 'message']);
const loggedIn = object({ ...accountMembers, ...tokenMembers, expires_at: { type: 'string', format: 'date-time' } }, [
  ...always,
  ...Object.keys(tokenMembers),
  'expires_at',
]);
const refreshRequest = object({ token: text }, []);
const refreshed = object({ ...tokenMembers, message: text });
const logoutRequest = object({ all: { type: 'boolean', default: false } }, []);
const loggedOut = object({ message: text });
const account = object({
  user_id: userId,
  username: nullableText,
  email: nullableText,
  role,
  root_id: rootId,
  identities: { type: 'array', items: object({ type: text, value: text, verified: { type: 'boolean' } }) },
  profile,
  created_at: { type: 'string', format: 'date-time' },
});
const profileRequest = object({ profile: { ...profile, description: 'Merged; null removes a key.' } });
const nameRequest = object({ current_username: text, new_username: text }, ['new_username']);
const passwordRequest = object({ username: text, current_password: password, new_password: password }, [
  'new_password',
]);
const changed = object({ message: text, username: nullableText, user_id: userId, ...tokenMembers });

export const accountSchemas: RouteSchemas = {
  user_register: { request: registerRequest, response: registered },
  user_login: { request: loginRequest, response: loggedIn },
  user_refresh_token: { request: refreshRequest, response: refreshed },
  user_logout: { request: logoutRequest, response: loggedOut },
  user_me: { response: account },
  user_info: { response: account },
  user_update_profile: { request: profileRequest, response: account },
  user_update_username: { request: nameRequest, response: changed },
  user_update_password: { request: passwordRequest, response: changed },
};
