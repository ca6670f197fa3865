/** Handlers of the routes of API keys (docs/server/api-keys.md#keys). Read when the first of them is called. */
import { didYouMean } from '../../base/did-you-mean.ts';
import type { ApiKeyRecord, ApiKeyScope } from '../../core/accounts/account-store.ts';
import type { ApiKeys, NewApiKey } from '../../core/accounts/api-keys.ts';
import type { Config } from '../../core/config/config.ts';
import { type FieldProblem, refuseProblems } from '../../core/problems.ts';
import { originOf } from '../auth/origin-of.ts';
import { answer, type RouteContext } from '../routes.ts';

export type KeyRules = Pick<Config['scale']['webhook'], 'apiKeyExpiryDays'>;

/** Names that a key of each scope may be limited to. */
export type KnownTargets = Readonly<Record<ApiKeyScope, readonly string[]>>;

const maxNameLength = 100;
const maxExpiryDays = 36_500;

/** `known`: what a key of each scope may call. @throws Failure `VALIDATION_ERROR` with every problem */
export async function createKey(apiKeys: ApiKeys, rules: KeyRules, known: KnownTargets, context: RouteContext) {
  const wanted = readNewKey(context.body, rules, known);
  const { text, signingSecret, record } = await apiKeys.create(userOf(context), wanted, originOf(context));
  const { api_key_id, name, created_at, expires_at, scopes, allowed_walkers } = viewOf(record);
  const data = { api_key: text, api_key_id, name, created_at, expires_at, scopes, allowed_walkers };
  return answer({ status: 201, data: { ...data, signing_secret: signingSecret } });
}

export async function listKeys(apiKeys: ApiKeys, context: RouteContext) {
  const keys = await apiKeys.list(userOf(context));
  return { api_keys: keys.map(({ record, isActive }) => ({ ...viewOf(record), active: isActive })) };
}

export async function revokeKey(apiKeys: ApiKeys, context: RouteContext) {
  const id = context.params['api_key_id']!;
  await apiKeys.revoke(userOf(context), id, originOf(context));
  return { message: 'API key revoked', api_key_id: id, revoked: true };
}

function viewOf(record: ApiKeyRecord) {
  return {
    api_key_id: record.id,
    name: record.name,
    created_at: record.createdAt,
    expires_at: record.expiresAt,
    last_used_at: record.lastUsedAt,
    scopes: record.scopes,
    allowed_walkers: record.allowedWalkers,
  };
}

function readNewKey(body: RouteContext['body'], rules: KeyRules, known: KnownTargets): NewApiKey {
  const problems: FieldProblem[] = [];
  const own = (name: string) => (Object.hasOwn(body, name) ? body[name] : undefined);
  const name = readName(own('name'), problems);
  const expiryDays = readExpiryDays(own('expiry_days'), problems) ?? rules.apiKeyExpiryDays;
  const scopes = readScopes(own('scopes'), problems);
  const allowedWalkers = readTargets(own('allowed_walkers'), scopes, known, problems);
  refuseProblems(problems);
  return { name, expiryDays, scopes, allowedWalkers };
}

function readName(value: unknown, problems: FieldProblem[]): string {
  const loc = ['body', 'name'];
  if (value === undefined) problems.push({ loc, type: 'missing', msg: 'is required' });
  else if (typeof value !== 'string') problems.push({ loc, type: 'string_type', msg: 'must be a string' });
  else if (value.trim() === '') problems.push({ loc, type: 'string_too_short', msg: 'must not be empty' });
  else if ([...value].length > maxNameLength) {
    problems.push({ loc, type: 'string_too_long', msg: `must be at most ${maxNameLength} characters` });
  } else return value;
  return '';
}

function readExpiryDays(value: unknown, problems: FieldProblem[]): number | undefined {
  const loc = ['body', 'expiry_days'];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    problems.push({ loc, type: 'int_type', msg: 'must be an integer' });
  } else if (value < 0) {
    problems.push({ loc, type: 'greater_than_equal', msg: 'must be at least 0' });
  } else if (value > maxExpiryDays) {
    problems.push({ loc, type: 'less_than_equal', msg: `must be at most ${maxExpiryDays}` });
  } else return value;
  return undefined;
}

function readScopes(value: unknown, problems: FieldProblem[]): readonly ApiKeyScope[] {
  const loc = ['body', 'scopes'];
  if (value === undefined || value === null) return ['webhook'];
  const names = namesOf(value, loc, problems);
  if (names?.length === 0) problems.push({ loc, type: 'value_error', msg: 'must name at least one scope' });
  const odd = names?.find((name) => name !== 'webhook' && name !== 'call');
  if (odd !== undefined) {
    const msg = `there is no scope ${JSON.stringify(odd)}: "webhook" is for webhooks, "call" for walkers and functions`;
    problems.push({ loc, type: 'value_error', msg });
  }
  return (names ?? []) as readonly ApiKeyScope[];
}

function readTargets(
  value: unknown,
  scopes: readonly ApiKeyScope[],
  known: KnownTargets,
  problems: FieldProblem[],
): readonly string[] {
  const loc = ['body', 'allowed_walkers'];
  if (value === undefined || value === null) return [];
  const names = namesOf(value, loc, problems) ?? [];
  const callable = scopes.flatMap((scope) => known[scope] ?? []);
  const odd = names.find((name) => typeof name !== 'string' || !callable.includes(name));
  if (odd !== undefined) {
    const near = typeof odd === 'string' ? didYouMean(odd, callable) : undefined;
    const words = scopes.map((scope) => (scope === 'call' ? 'walker or function' : 'webhook walker')).join(', ');
    const hint = near === undefined ? '' : ` (did you mean ${JSON.stringify(near)}?)`;
    problems.push({ loc, type: 'value_error', msg: `there is no ${words} ${JSON.stringify(odd)}${hint}` });
  }
  return names as readonly string[];
}

/** One name or several, each once. */
function namesOf(value: unknown, loc: string[], problems: FieldProblem[]): readonly unknown[] | undefined {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return [...new Set<unknown>(value)];
  problems.push({ loc, type: 'list_type', msg: 'must be a name or a list of names' });
  return undefined;
}

function userOf({ caller }: RouteContext): string {
  return caller.userId!;
}
