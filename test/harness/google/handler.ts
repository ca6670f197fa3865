import { type Operation, Refused, type State } from './state.ts';

export interface Handled {
  readonly state: State;
  /** Names in the path, in their order. */
  readonly names: readonly string[];
  readonly query: URLSearchParams;
  readonly body: any;
}

export type Handler = (handled: Handled) => object;

/** Begins an operation that ends after some looks. */
export function operate(state: State, prefix: string, end: Operation['end']): object {
  const name = `${prefix}operations/op-${++state.tick}`;
  const operation: Operation = { name, left: state.looks, end };
  state.operations.set(name, operation);
  return look(operation);
}

export function look(operation: Operation): object {
  const { name } = operation;
  if (operation.left > 0) {
    operation.left--;
    return { name, done: false };
  }
  operation.result ??= operation.end();
  return { name, done: true, ...operation.result };
}

export function operationOf(state: State, name: string): object {
  const operation = state.operations.get(name);
  if (operation === undefined) throw new Refused(404, 'NOT_FOUND', `operation ${name} not found`);
  return look(operation);
}

export function found<T>(things: ReadonlyMap<string, T>, name: string): T {
  const thing = things.get(name);
  if (thing === undefined) throw new Refused(404, 'NOT_FOUND', `Resource '${name}' was not found`);
  return thing;
}

/** Label keys and values of Google Cloud: https://cloud.google.com/resource-manager/docs/labels-overview */
export function checkLabels(labels: Readonly<Record<string, string>> = {}): void {
  for (const [key, value] of Object.entries(labels))
    if (!/^[a-z][a-z0-9_-]{0,62}$/.test(key) || !/^[a-z0-9_-]{0,63}$/.test(value))
      throw new Refused(400, 'INVALID_ARGUMENT', `invalid label ${key}=${value}`);
}

export function pageOf(member: string, things: readonly object[], query: URLSearchParams): object {
  // Pages are small, so that who lists asks for all of them.
  const size = Math.min(Number(query.get('pageSize') ?? 2), 2);
  const at = Number(query.get('pageToken') ?? 0);
  const next = at + size < things.length ? { nextPageToken: String(at + size) } : {};
  return { [member]: things.slice(at, at + size), ...next };
}

export function getPolicy(state: State, name: string): object {
  return state.policies.get(name) ?? { etag: 'BwAAAAAAAAA=' };
}

export function setPolicy(state: State, name: string, policy: any): object {
  const before: any = getPolicy(state, name);
  if (policy.etag !== undefined && policy.etag !== before.etag)
    throw new Refused(
      409,
      'ABORTED',
      'There were concurrent policy changes. Please retry the whole read-modify-write.',
    );
  const members = (policy.bindings ?? []).flatMap((binding: any) => binding.members);
  const unknown = members.find(
    (member: string) =>
      /^serviceAccount:.*\.iam\.gserviceaccount\.com$/.test(member) &&
      ![...state.accounts.values()].some(({ email }) => member === `serviceAccount:${email}`),
  );
  if (unknown !== undefined)
    throw new Refused(400, 'INVALID_ARGUMENT', `Service account ${unknown.slice(15)} does not exist.`);
  if (state.forbidsEverybody && members.includes('allUsers'))
    throw new Refused(
      400,
      'FAILED_PRECONDITION',
      'One or more users named in the policy do not belong to a permitted customer.',
    );
  const etag = Buffer.from(`etag-${++state.tick}`).toString('base64');
  const next = { ...policy, etag };
  state.policies.set(name, next);
  return next;
}
