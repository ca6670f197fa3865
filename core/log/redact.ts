/** Names whose values never reach a log (docs/server/observability.md#redaction), in lower case with `_` for `-`. */
const hiddenNames = [
  'authorization',
  'proxy_authorization',
  'cookie',
  'set_cookie',
  'x_api_key',
  'x_webhook_signature',
  'webhook_signature',
  'password',
  'current_password',
  'new_password',
  'token',
  'access_token',
  'refresh_token',
  'id_token',
  'code',
  'state',
  'secret',
  'client_secret',
  'api_key',
  'signing_secret',
  'jwt_secret',
];
/** Addresses: only the part before `@` is hidden. */
const addressNames = ['database_url', 'docdb_uri', 'kvcache_url'];

const mask = '[redacted]';

export interface RedactOptions {
  /** Further names: `logging.redact`, the configured signature header, names of `[plugins.scale.secrets]`. */
  readonly names?: readonly string[];
  /** Values that are hidden wherever they appear: those of `[plugins.scale.secrets]`. */
  readonly values?: readonly string[];
  /** An error as plain data; left out: with its whole stack. */
  readonly readError?: (error: Error) => object;
}

export interface Redactor {
  /** A copy of a log field, safe at any depth: by the name it stands under, and by what its texts look like. */
  field(name: string, value: unknown): unknown;
  /** Masks tokens, API keys and known secret values inside a text. */
  text(text: string): string;
}

export function createRedactor(options: RedactOptions = {}): Redactor {
  const hidden = new Set([...hiddenNames, ...(options.names ?? [])].map(normal));
  const addresses = new Set(addressNames);
  const values = (options.values ?? []).filter((value) => value.length >= 6);

  function field(name: string, value: unknown, depth = 0): unknown {
    const key = normal(name);
    if (hidden.has(key)) return value === undefined || value === null ? value : mask;
    if (addresses.has(key) && typeof value === 'string') return hideUserInfo(value);
    return clean(value, depth);
  }

  function clean(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null)
      return typeof value === 'function' ? `[function ${value.name}]` : value;
    if (depth >= 8) return '[too deep]';
    if (value instanceof Error)
      return options.readError === undefined ? errorFields(value, depth) : clean(options.readError(value), depth);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (Array.isArray(value)) return value.map((item) => clean(item, depth + 1));
    const entries = value instanceof Map ? value.entries() : Object.entries(value);
    return Object.fromEntries([...entries].map(([name, item]) => [String(name), field(String(name), item, depth + 1)]));
  }

  function errorFields(error: Error & { code?: unknown }, depth: number): Record<string, unknown> {
    return {
      name: error.name,
      message: text(String(error.message)),
      ...(typeof error.code === 'string' ? { error_code: error.code } : {}),
      ...(error.stack === undefined ? {} : { stack: text(error.stack) }),
      ...(error.cause === undefined ? {} : { cause: clean(error.cause, depth + 1) }),
    };
  }

  function text(given: string): string {
    let result = given;
    if (given.length >= 20) {
      if (given.includes('eyJ')) result = result.replace(jwtForm, mask);
      if (given.includes('svck_')) result = result.replace(apiKeyForm, mask);
      if (given.includes('whsec_')) result = result.replace(signingSecretForm, mask);
    }
    for (const value of values) if (result.includes(value)) result = result.replaceAll(value, mask);
    return result;
  }

  return { field: (name, value) => field(name, value), text };
}

const jwtForm = /eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?/g;
const apiKeyForm = /svck_[0-9a-f]{8,32}(?:_[A-Za-z0-9_-]+)?/g;
const signingSecretForm = /whsec_[A-Za-z0-9+/=_-]{8,}/g;

function normal(name: string): string {
  return name.toLowerCase().replaceAll('-', '_');
}

function hideUserInfo(address: string): string {
  return address.replace(/\/\/[^/@]*@/, `//${mask}@`);
}
