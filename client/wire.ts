/** Walks and functions of the server, as emitted code calls them (`@svc/runtime/wire`). */
import { streamed } from './net/events.ts';
import { request, SpawnError, textOf } from './net/request.ts';
import { received, revive } from './net/revive.ts';

export { received } from './net/revive.ts';

/** Endpoint as the program's text describes it. */
interface EndpointInfo {
  readonly method?: string;
  /** Path with `{name}` for fields; that of the default endpoint where absent. */
  readonly path?: string;
  readonly streams?: boolean;
  /** Opened with svcConnect instead. */
  readonly socket?: boolean;
}

export interface Walker extends EndpointInfo {
  readonly name: string;
  readonly fields?: readonly string[];
}

/** Result of a walk. Resolves for every answer; `ok` is false for those that are no success. */
export interface SpawnResult {
  readonly reports: any[];
  readonly status: number;
  readonly ok: boolean;
  readonly result: any;
  readonly error: { readonly code: string; readonly message: string; readonly [more: string]: unknown } | null;
  readonly warnings: readonly string[];
}

export function walker(name: string, info: Omit<Walker, 'name'> = {}): Walker {
  return { name, ...info };
}

/** Place where a walk begins: the caller's root (undefined), the id of a node, or an object of the graph. */
export type Place = string | { readonly _svc_id?: string | null } | undefined;

/** Root of the person who is signed in. */
export const root = Object.freeze({ _svc_type: 'Root', _svc_id: null as string | null });

/** Sends a walker to a node. A walker that streams resolves to an async iterator of its values. */
export async function spawn(walk: Walker | string, fields: Record<string, unknown> = {}, at?: Place): Promise<any> {
  const known = typeof walk === 'string' ? { name: walk } : walk;
  if (typeof known?.name !== 'string') throw new TypeError('only walkers can be spawned');
  const id = typeof at === 'string' ? at : (at?._svc_id ?? undefined);
  const prefix =
    id === undefined || id === '' ? `/walker/${known.name}` : `/walker/${known.name}/${encodeURIComponent(id)}`;
  const { path, rest } = placed(known.path === undefined || id !== undefined ? prefix : known.path, fields);
  const response = await request({ method: known.method ?? 'POST', path, fields: rest });
  if (isStream(response)) return values(response);
  const result = resultOf(response, await readJson(response));
  if (import.meta.env?.DEV) noteUnread(known.name, result);
  return result;
}

/** Values of a stream, as they come. */
async function* values(response: Response): AsyncGenerator<unknown, void> {
  for await (const value of streamed(response)) yield revive(value);
}

function resultOf(response: Response, answer: any): SpawnResult {
  const data = answer?.data ?? {};
  const error = response.ok
    ? null
    : (answer?.error ?? { code: `HTTP_${response.status}`, message: response.statusText });
  return revive({
    reports: data.reports ?? answer?.reports ?? [],
    status: response.status,
    ok: response.ok,
    result: data.result ?? null,
    error,
    warnings: data.warnings ?? [],
  });
}

/** In development, failures that the program never looks at are named in the console. */
function noteUnread(name: string, result: SpawnResult): void {
  if (result.ok) return;
  let isRead = false;
  for (const member of ['ok', 'status', 'error'] as const) {
    const value = result[member];
    Object.defineProperty(result, member, {
      enumerable: true,
      get: () => {
        isRead = true;
        return value;
      },
    });
  }
  const { error, status } = { error: result.error, status: result.status };
  isRead = false;
  setTimeout(() => {
    if (!isRead)
      console.warn(
        `spawn ${name}: ${status} ${error?.code}: ${error?.message} (nothing looks at \`ok\`, \`status\` or \`error\`)`,
      );
  }, 2000);
}

interface FunctionInfo extends EndpointInfo {
  /** Names of the parameters that arguments by position fill. */
  readonly params: readonly string[];
  /** Names of those that are given by name alone, where others are gathered. */
  readonly named?: readonly string[];
  /** Parameter that gathers further arguments by position (`*rest`). */
  readonly rest?: string;
  /** Parameter that gathers further arguments by name (`**more`). */
  readonly more?: string;
}

/** Failure of a function of the server. */
export class CallError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: unknown;

  constructor(name: string, status: number, error: { code?: string; message?: string; details?: unknown } | undefined) {
    super(error?.message ?? `${name} answered ${status}`);
    this.name = 'CallError';
    this.status = status;
    this.code = error?.code ?? `HTTP_${status}`;
    this.details = error?.details;
  }
}

/** Arguments by name instead of position. */
class Named {
  readonly fields: Record<string, unknown>;

  constructor(fields: Record<string, unknown>) {
    this.fields = fields;
  }
}

export function named(fields: Record<string, unknown>): Named {
  return new Named(fields);
}

type Remote = ((...args: unknown[]) => Promise<any>) & {
  $kw(args: unknown[], named: Record<string, unknown>): Promise<any>;
  /** Fields that a call with these arguments sends. */
  $fields(args: unknown[], named: Record<string, unknown>): Record<string, unknown>;
};

/** A function of the server: resolves to its value, rejects with CallError. Functions that yield can be iterated without awaiting them first. */
export function remote(name: string, info: FunctionInfo): Remote {
  const call = (...args: unknown[]): Promise<any> => {
    const [first] = args;
    const fields = first instanceof Named ? first.fields : fieldsOf(args, {});
    const answer = ask(name, info, fields);
    if (info.streams === true) Object.assign(answer, { [Symbol.asyncIterator]: () => iterated(answer) });
    return answer;
  };
  const fieldsOf = (args: readonly unknown[], byName: Record<string, unknown>) => gather(name, info, args, byName);
  return Object.assign(call, {
    $kw: (args: unknown[], byName: Record<string, unknown>) => call(new Named(fieldsOf(args, byName))),
    $fields: fieldsOf,
  });
}

async function* iterated(answer: Promise<any>): AsyncGenerator<unknown, void> {
  yield* await answer;
}

/** Gives `async for` its values: a stream, or the reports of a walk that gave none. Throws CallError for a walk that failed. */
export function each(value: any): any {
  if (!Array.isArray(value?.reports) || Symbol.asyncIterator in value) return value;
  if (value.ok === false) throw new CallError('the walk', value.status, value.error);
  return value.reports;
}

/** Puts arguments where the parameters of a function take them. @throws TypeError for two values of one parameter */
function gather(
  name: string,
  { params, named = [], rest, more }: FunctionInfo,
  args: readonly unknown[],
  byName: Record<string, unknown>,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  args.forEach((value, i) => {
    if (i >= params.length && rest !== undefined) fields[rest] = args.slice(params.length);
    else fields[params[i] ?? `arg${i}`] = value;
  });
  for (const [key, value] of Object.entries(byName)) {
    if (more !== undefined && !params.includes(key) && !named.includes(key))
      fields[more] = { ...(fields[more] as object | undefined), [key]: value };
    else if (params.indexOf(key) in args) throw new TypeError(`${name}() got multiple values for argument '${key}'`);
    else fields[key] = value;
  }
  return fields;
}

async function ask(name: string, info: FunctionInfo, fields: Record<string, unknown>): Promise<any> {
  const { path, rest } = placed(info.path ?? `/function/${name}`, fields);
  const response = await request({ method: info.method ?? 'POST', path, fields: rest });
  if (isStream(response)) return values(response);
  const answer = await readJson(response);
  if (!response.ok) throw new CallError(name, response.status, answer?.error);
  return revive(answer?.data?.result ?? null);
}

function isStream(response: Response): boolean {
  return response.ok && (response.headers.get('Content-Type') ?? '').startsWith('text/event-stream');
}

async function readJson(response: Response): Promise<any> {
  const text = await response.text().catch((error: unknown) => {
    throw new SpawnError('the answer broke off', error);
  });
  if (!(response.headers.get('Content-Type') ?? '').includes('json'))
    return text === '' ? undefined : { data: { result: text } };
  return JSON.parse(text);
}

/** Puts fields into the `{name}` places of a path; the others are sent as they are. */
function placed(
  path: string,
  fields: Record<string, unknown>,
): { readonly path: string; readonly rest: Record<string, unknown> } {
  const rest = { ...fields };
  const filled = path.replace(/\{(\w+)(?::\w+)?\}/g, (whole, name: string) => {
    const value = rest[name];
    if (value === undefined) return whole;
    delete rest[name];
    return encodeURIComponent(textOf(value));
  });
  return { path: filled, rest };
}

/** A class for objects of a type of the server, which `isinstance` knows them by. */
export function stub(name: string, fields: readonly string[]): any {
  const made = {
    [name]: class {
      static $type = name;
      static $fields = fields;

      constructor(values: Record<string, unknown> = {}) {
        Object.assign(this, values);
      }
    },
  }[name]!;
  received(name, made);
  return made;
}

/** Stands for what a browser does not have: an error that says so when it is reached. */
export function absent(name: string): never {
  throw new Error(`${name} exists on the server only`);
}
