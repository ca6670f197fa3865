/**
 * Kinds of name that a person types to sign in. Subjects of identity providers are not typed in, so they have no rules
 * here.
 */
export type LoginIdentityType = 'email' | 'username';

export interface LoginIdentity {
  readonly type: LoginIdentityType;
  /** Normalised. */
  readonly value: string;
}

const maxEmailLength = 254;
const maxUsernameLength = 64;

/** The form in which identities are kept and compared: trimmed, Unicode NFKC, lower case (docs/server/accounts.md#record). */
export function normaliseIdentity(value: string): string {
  // Lower-casing may compose differently ("İ") and NFKC may produce spaces (U+00A0): the order makes the result a fixed point.
  return value.normalize('NFKC').toLowerCase().normalize('NFKC').trim();
}

/** A value with an `@` is an email address, anything else a username. */
function identityType(value: string): LoginIdentityType {
  return value.includes('@') || value.includes('＠') ? 'email' : 'username';
}

/** Normalises a value and says what it is. Does not judge it: see `identityProblem`. */
export function readIdentity(value: string): LoginIdentity {
  const normal = normaliseIdentity(value);
  return { type: identityType(normal), value: normal };
}

/** Finds the fault of a normalised identity, in words for its owner; undefined for a good one. */
export function identityProblem(identity: LoginIdentity): string | undefined {
  return identity.type === 'email' ? emailProblem(identity.value) : usernameProblem(identity.value);
}

function emailProblem(value: string): string | undefined {
  if ([...value].length > maxEmailLength) return `must be at most ${maxEmailLength} characters`;
  if (hasSpaceOrControl(value)) return 'must not contain whitespace or control characters';
  const parts = value.split('@');
  if (parts.length !== 2) return 'must contain exactly one @';
  const [local, domain] = parts as [string, string];
  if (local === '' || domain === '') return 'must have text on both sides of the @';
  if (local.startsWith('__')) return 'must not start with __';
  if (domain !== 'localhost' && !domain.split('.').every((label) => label !== '')) return 'must have a valid domain';
  if (domain !== 'localhost' && !domain.includes('.')) return 'must have a dot in the domain';
  return undefined;
}

function usernameProblem(value: string): string | undefined {
  if (value === '') return 'must not be empty';
  if ([...value].length > maxUsernameLength) return `must be at most ${maxUsernameLength} characters`;
  if (value.includes('@')) return 'must not contain @';
  if (value.startsWith('__')) return 'must not start with __';
  if (hasSpaceOrControl(value)) return 'must not contain whitespace or control characters';
  return undefined;
}

function hasSpaceOrControl(value: string): boolean {
  return /[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(value);
}
