/** JSON Schemas of what the account endpoints take and give, for the API description. */
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
export const registerRequest = {
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
export const loginRequest = {
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

export const registered = object({ ...accountMembers, message: text, ...tokenMembers }, [...always, 'message']);
export const loggedIn = object(
  { ...accountMembers, ...tokenMembers, expires_at: { type: 'string', format: 'date-time' } },
  [...always, ...Object.keys(tokenMembers), 'expires_at'],
);
export const refreshRequest = object({ token: text }, []);
export const refreshed = object({ ...tokenMembers, message: text });
export const logoutRequest = object({ all: { type: 'boolean', default: false } }, []);
export const loggedOut = object({ message: text });
export const account = object({
  user_id: userId,
  username: nullableText,
  email: nullableText,
  role,
  root_id: rootId,
  identities: { type: 'array', items: object({ type: text, value: text, verified: { type: 'boolean' } }) },
  profile,
  created_at: { type: 'string', format: 'date-time' },
});
export const profileRequest = object({ profile: { ...profile, description: 'Merged; null removes a key.' } });
export const nameRequest = object({ current_username: text, new_username: text }, ['new_username']);
export const passwordRequest = object({ username: text, current_password: password, new_password: password }, [
  'new_password',
]);
export const changed = object({ message: text, username: nullableText, user_id: userId, ...tokenMembers });
