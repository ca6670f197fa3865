/** Requests to the server: address, token, bodies with files, time limit, and what a 401 does. */
import { baseUrl } from './page.ts';
import { storedToken, storeToken } from './token.ts';

/** No answer came: the network failed, or the time was over. */
export class SpawnError extends Error {
  readonly status = 0;

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'SpawnError';
  }
}

export interface Ask {
  readonly method: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Fails of signing in are no reason to leave the page. */
  readonly keepsToken?: boolean;
}

const timeLimit = 65_000;

/** Sends a request and gives the answer as it comes. Rejects with SpawnError when there is none. */
export async function request({ method, path, fields, keepsToken = false }: Ask): Promise<Response> {
  const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'DELETE';
  const query = hasBody ? '' : queryOf(fields);
  const { body, headers } = hasBody ? bodyOf(fields) : { body: undefined, headers: {} };
  const token = storedToken();
  const send = () =>
    fetch(baseUrl() + path + query, {
      method,
      headers: { ...headers, ...(token === null ? {} : { Authorization: `Bearer ${token}` }) },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(timeLimit),
    });
  let response: Response;
  try {
    response = await send().catch((error: unknown) => {
      // A request that only reads may be sent again.
      if (method !== 'GET') throw error;
      return send();
    });
  } catch (error) {
    const why =
      error instanceof Error && error.name === 'TimeoutError'
        ? `no answer within ${timeLimit / 1000} s`
        : 'the server cannot be reached';
    throw new SpawnError(`${method} ${path}: ${why}`, error);
  }
  if (response.status === 401 && !keepsToken) leave(token);
  return response;
}

function queryOf(fields: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    for (const one of value instanceof Set || Array.isArray(value) ? value : [value]) query.append(name, textOf(one));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** A value in the JSON of a body: a set is a list. */
export function listed(_: string, value: unknown): unknown {
  return value instanceof Set ? [...value] : value;
}

/** A value in a query, a path or a form: its JSON, without the quotes of a text. */
export function textOf(value: unknown): string {
  const text = JSON.stringify(value, listed);
  return text.startsWith('"') ? JSON.parse(text) : text;
}

type Body = { readonly body: string | FormData; readonly headers: Record<string, string> };

/** JSON, or a form when a field is a file or a list of them. */
function bodyOf(fields: Readonly<Record<string, unknown>>): Body {
  if (!Object.values(fields).some(holdsFile))
    return { body: JSON.stringify(fields, listed), headers: { 'Content-Type': 'application/json' } };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    if (value instanceof Blob) form.append(name, value);
    else if (holdsFile(value)) for (const file of value as Iterable<Blob>) form.append(name, file);
    else form.append(name, textOf(value));
  }
  return { body: form, headers: {} };
}

function holdsFile(value: unknown): boolean {
  if (value instanceof Blob) return true;
  if (typeof FileList !== 'undefined' && value instanceof FileList) return value.length > 0;
  return Array.isArray(value) && value.length > 0 && value.every((one) => one instanceof Blob);
}

/** A token that the server refuses is forgotten, and the page begins again without it, unless the program prevents it. */
export function leave(token: string | null): void {
  const event = new CustomEvent('svc:unauthorized', { cancelable: true });
  const goesOn = globalThis.dispatchEvent(event);
  if (token === null || storedToken() !== token) return;
  storeToken(null);
  if (goesOn) globalThis.location.reload();
}
