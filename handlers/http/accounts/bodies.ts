import { identityProblem, type LoginIdentity, readIdentity } from '../../../core/accounts/identity.ts';
import { passwordProblems } from '../../../core/accounts/password-problems.ts';
import type { PasswordRules } from '../../../core/accounts/password-rules.ts';
import { type Profile, profileProblems, profileSizeProblems } from '../../../core/accounts/profile.ts';
import type { Registration } from '../../../core/accounts/register.ts';
import { type FieldProblem, refuseProblems } from '../../../core/problems.ts';

/**
 * Reading of the account endpoints' bodies (docs/server/accounts.md#register, docs/server/accounts.md#login,
 * docs/server/accounts.md#sessions): every problem at once.
 */
export type Body = Readonly<Record<string, unknown>>;

type Loc = readonly (string | number)[];

interface Typed {
  readonly text: string;
  readonly loc: Loc;
}

/** @throws Failure `VALIDATION_ERROR` */
export function readRegistration(body: Body, rules: PasswordRules): Registration {
  const problems: FieldProblem[] = [];
  const identities = isLong(body) ? longIdentities(body, problems) : shortIdentities(body, problems);
  const password = passwordOf(body, problems);
  if (password) problems.push(...passwordProblems(password.text, identities, rules, password.loc));
  const profile = readProfile(body, problems);
  refuseProblems(problems);
  return { identities, password: (password as Typed).text, profile };
}

/**
 * A name and a password, in any of the three forms. Nothing about them is judged but their presence: whatever was wrong with them is
 * answered like a wrong password.
 *
 * @throws Failure `VALIDATION_ERROR`
 */
export function readCredentials(body: Body): { readonly name: string; readonly password: string } {
  const problems: FieldProblem[] = [];
  const name = isLong(body) ? longName(body, problems) : shortName(body, problems);
  const password = passwordOf(body, problems);
  refuseProblems(problems);
  return { name: (name as Typed).text, password: (password as Typed).text };
}

/** @throws Failure `VALIDATION_ERROR` */
export function readNameChange(body: Body): { readonly current: string | undefined; readonly identity: LoginIdentity } {
  const problems: FieldProblem[] = [];
  const current = optionalText(body, 'current_username', ['body'], problems);
  const fresh = requiredText(body, 'new_username', ['body'], problems);
  const identity = fresh && judgedIdentity(fresh, problems);
  refuseProblems(problems);
  return { current: current?.text, identity: identity as LoginIdentity };
}

export interface PasswordChangeBody {
  readonly name: string | undefined;
  readonly currentPassword: string | undefined;
  readonly newPassword: string;
}

/**
 * @param identities of the caller, which a password must differ from
 * @throws Failure `VALIDATION_ERROR`
 */
export function readPasswordChange(
  body: Body,
  rules: PasswordRules,
  identities: readonly LoginIdentity[],
): PasswordChangeBody {
  const problems: FieldProblem[] = [];
  const name = optionalText(body, 'username', ['body'], problems);
  const current = optionalText(body, 'current_password', ['body'], problems);
  const fresh = requiredText(body, 'new_password', ['body'], problems);
  if (fresh) problems.push(...passwordProblems(fresh.text, identities, rules, fresh.loc));
  refuseProblems(problems);
  return { name: name?.text, currentPassword: current?.text, newPassword: (fresh as Typed).text };
}

/** @throws Failure `VALIDATION_ERROR` */
export function readProfileChange(body: Body): Profile {
  const loc = ['body', 'profile'];
  const profile = own(body, 'profile');
  const problems =
    profile === undefined ? [{ loc, type: 'missing', msg: 'is required' } as const] : profileProblems(profile, loc);
  refuseProblems(problems);
  return profile as Profile;
}

/** @throws Failure `VALIDATION_ERROR` */
export function readLogout(body: Body): boolean {
  const all = own(body, 'all');
  if (all !== undefined && typeof all !== 'boolean') {
    refuseProblems([{ loc: ['body', 'all'], type: 'bool_type', msg: 'must be true or false' }]);
  }
  return all === true;
}

/** The token of a refresh: that of the body, without a leading `Bearer `, else undefined. */
export function readRefreshToken(body: Body): string | undefined {
  const token = own(body, 'token');
  if (typeof token !== 'string') return undefined;
  const text = token.trim().replace(/^bearer(?:\s+|$)/i, '');
  return text === '' ? undefined : text;
}

/** The long form is known by its key; both spellings are taken by both endpoints' clients, so either counts. */
function isLong(body: Body): boolean {
  return (
    own(body, 'identities') !== undefined ||
    own(body, 'identity') !== undefined ||
    own(body, 'credential') !== undefined
  );
}

function shortIdentities(body: Body, problems: FieldProblem[]): LoginIdentity[] {
  const found: LoginIdentity[] = [];
  for (const key of givenNames(body)) {
    const typed = requiredText(body, key, ['body'], problems);
    const identity = typed && judgedIdentity(typed, problems);
    if (identity && found.some(({ type }) => type === identity.type)) {
      problems.push({ loc: ['body', key], type: 'value_error', msg: `gives a second ${identity.type}` });
    } else if (identity) {
      found.push(identity);
    }
  }
  return found;
}

/** Lists those of `email` and `username` that are given; `email`, as the one that is missing, when none is. */
function givenNames(body: Body): readonly string[] {
  const given = ['email', 'username'].filter((key) => own(body, key) !== undefined);
  return given.length === 0 ? ['email'] : given;
}

function shortName(body: Body, problems: FieldProblem[]): Typed | undefined {
  return requiredText(body, givenNames(body)[0] as string, ['body'], problems);
}

const maxIdentities = 5;

function longIdentities(body: Body, problems: FieldProblem[]): LoginIdentity[] {
  const loc = ['body', 'identities'];
  const given = own(body, 'identities');
  if (given === undefined) {
    problems.push({ loc, type: 'missing', msg: 'is required' });
    return [];
  }
  if (!Array.isArray(given)) {
    problems.push({ loc, type: 'list_type', msg: 'must be a list' });
    return [];
  }
  if (given.length < 1 || given.length > maxIdentities) {
    problems.push({ loc, type: 'value_error', msg: `must have 1 to ${maxIdentities} entries` });
    return [];
  }
  const found: LoginIdentity[] = [];
  given.forEach((entry: unknown, index) => {
    const identity = longIdentity(entry, [...loc, index], problems);
    if (identity && found.some(({ type }) => type === identity.type)) {
      problems.push({ loc: [...loc, index, 'type'], type: 'value_error', msg: `gives a second ${identity.type}` });
    } else if (identity) {
      found.push(identity);
    }
  });
  return found;
}

function longIdentity(entry: unknown, loc: Loc, problems: FieldProblem[]): LoginIdentity | undefined {
  const members = objectAt(entry, loc, problems);
  if (!members) return undefined;
  const type = requiredText(members, 'type', loc, problems);
  const value = requiredText(members, 'value', loc, problems);
  if (type && type.text !== 'email' && type.text !== 'username') {
    problems.push({ loc: type.loc, type: 'enum', msg: 'must be email or username' });
    return undefined;
  }
  const identity = value && { ...readIdentity(value.text), ...(type && { type: type.text as LoginIdentity['type'] }) };
  return identity && judged(identity, value.loc, problems);
}

/** The type given with a name is of no interest: its value decides. */
function longName(body: Body, problems: FieldProblem[]): Typed | undefined {
  const loc = ['body', 'identity'];
  const given = own(body, 'identity');
  if (given === undefined) {
    problems.push({ loc, type: 'missing', msg: 'is required' });
    return undefined;
  }
  const members = objectAt(given, loc, problems);
  return members && requiredText(members, 'value', loc, problems);
}

function passwordOf(body: Body, problems: FieldProblem[]): Typed | undefined {
  if (!isLong(body)) return requiredText(body, 'password', ['body'], problems);
  const loc = ['body', 'credential'];
  const given = own(body, 'credential');
  if (given === undefined) {
    problems.push({ loc, type: 'missing', msg: 'is required' });
    return undefined;
  }
  const members = objectAt(given, loc, problems);
  if (!members) return undefined;
  if (own(members, 'type') !== 'password') {
    problems.push({ loc: [...loc, 'type'], type: 'enum', msg: 'must be password' });
  }
  return requiredText(members, 'password', loc, problems);
}

function readProfile(body: Body, problems: FieldProblem[]): Profile {
  const profile = own(body, 'profile');
  if (profile === undefined || profile === null) return {};
  const found = profileProblems(profile, ['body', 'profile']);
  if (found.length === 0) found.push(...profileSizeProblems(profile as Profile, ['body', 'profile']));
  problems.push(...found);
  return found.length === 0 ? (profile as Profile) : {};
}

function judgedIdentity(typed: Typed, problems: FieldProblem[]): LoginIdentity | undefined {
  return judged(readIdentity(typed.text), typed.loc, problems);
}

function judged(identity: LoginIdentity, loc: Loc, problems: FieldProblem[]): LoginIdentity | undefined {
  const problem = identityProblem(identity);
  if (problem === undefined) return identity;
  problems.push({ loc, type: 'value_error', msg: problem });
  return undefined;
}

function objectAt(value: unknown, loc: Loc, problems: FieldProblem[]): Body | undefined {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Body;
  problems.push({ loc, type: 'dict_type', msg: 'must be an object' });
  return undefined;
}

function requiredText(body: Body, key: string, at: Loc, problems: FieldProblem[]): Typed | undefined {
  const value = own(body, key);
  if (value === undefined) {
    problems.push({ loc: [...at, key], type: 'missing', msg: 'is required' });
    return undefined;
  }
  return optionalText(body, key, at, problems);
}

function optionalText(body: Body, key: string, at: Loc, problems: FieldProblem[]): Typed | undefined {
  const value = own(body, key);
  const loc = [...at, key];
  if (typeof value === 'string') return { text: value, loc };
  if (value !== undefined) problems.push({ loc, type: 'string_type', msg: 'must be a string' });
  return undefined;
}

/** Members a client sent; whatever objects inherit does not count. */
function own(body: Body, key: string): unknown {
  return Object.hasOwn(body, key) ? body[key] : undefined;
}
