import { didYouMean } from '../../base/did-you-mean.ts';
import type { AccountRecord } from '../../core/accounts/account-store.ts';
import type { Administration } from '../../core/accounts/administer.ts';
import { Failure } from '../../core/errors.ts';
import { flagType } from '../cli-option.ts';
import type { Command, CommandArgs } from '../command.ts';
import { CommandFailure, usageFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { openAdministration } from '../program/open-administration.ts';
import { projectOptions } from '../program/project-store.ts';
import { newPassword } from '../prompt.ts';
import type { Terminal } from '../terminal.ts';

const actions = ['list', 'add', 'disable', 'enable', 'password', 'logout'] as const;
type Action = (typeof actions)[number];

export const command: Command = {
  name: 'user',
  operands: `<${actions.join('|')}> [name]`,
  arity: [1, 2],
  about: 'Lists, adds and changes the accounts of an application.',
  examples: [
    ['svc user add ada@example.com', 'asks for the password'],
    ['svc user disable ada@example.com', 'ends the sessions, keeps the data'],
  ],
  options: [{ name: 'json', type: flagType, about: 'One JSON object per account.' }, ...projectOptions],
  notes: [
    'Works on the store that svc.toml names, also while it is being served: servers of this machine, and those that share a key-value store, know within a second, others within session_cache_seconds.',
    'A name is an address, a user name or a user id. Passwords come from SVC_USER_PASSWORD, from the person at the terminal, or from the first line of standard input; never from an argument.',
    'disable: nobody can sign in, sessions end, API keys are refused; enable undoes it. password sets a new one and ends the sessions. logout ends the sessions. Who is an administrator stands in [plugins.scale.auth] admins.',
  ],
  run: administerUser,
};

async function administerUser({ operands, options, terminal }: CommandArgs): Promise<number> {
  const [given = '', name] = operands;
  const action = requireAction(given, name);
  await using opened = await openAdministration(options, terminal, action === 'add');
  const { administration } = opened;
  const isJson = options['json'] === true;
  if (action === 'list') {
    const accounts: AccountRecord[] = [];
    for await (const account of administration.all()) if (isMeant(account, name)) accounts.push(account);
    accounts.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
    terminal.out(isJson ? jsonLines(accounts, administration) : table(accounts, administration));
    return exitCodes.success;
  }
  const account =
    action === 'add'
      ? await add(name!, opened, terminal)
      : await change(action, await find(name!, administration), opened, terminal);
  if (isJson) terminal.out(jsonLines([account], administration));
  else terminal.err(`svc: ${nameOf(account)} ${outcomes[action]}\n`);
  return exitCodes.success;
}

type Opened = Awaited<ReturnType<typeof openAdministration>>;

const outcomes: Readonly<Record<Exclude<Action, 'list'>, string>> = {
  add: 'can sign in',
  disable: 'can no longer sign in; the sessions have ended',
  enable: 'can sign in again',
  password: 'has a new password; the sessions have ended',
  logout: 'is signed out everywhere',
};

function requireAction(given: string, name: string | undefined): Action {
  const action = actions.find((one) => one === given);
  if (action === undefined) {
    const nearest = didYouMean(given, actions);
    const hint = nearest === undefined ? `one of ${actions.join(', ')}` : `did you mean svc user ${nearest}?`;
    throw usageFailure(`user ${given}`, 'unknown action', [hint]);
  }
  if (name === undefined && action !== 'list')
    throw usageFailure(`user ${action}`, 'names nobody', [`svc user ${action} ada@example.com`]);
  return action;
}

async function add(name: string, { administration, readName, problemsOf }: Opened, terminal: Terminal) {
  const identity = readName(name);
  const password = await passwordFor([identity], problemsOf, terminal);
  try {
    return await administration.add(identity, password);
  } catch (error) {
    if (error instanceof Failure && error.code === 'IDENTITY_TAKEN')
      throw new CommandFailure(exitCodes.failure, `user add ${identity.value}`, 'there is such an account already');
    throw error;
  }
}

async function change(
  action: Exclude<Action, 'list' | 'add'>,
  account: AccountRecord,
  { administration, problemsOf }: Opened,
  terminal: Terminal,
): Promise<AccountRecord> {
  if (action === 'disable' || action === 'enable')
    return await administration.setDisabled(account, action === 'disable');
  if (action === 'logout') return await administration.endSessions(account);
  const names = account.identities.flatMap(({ type, value }) => (type === 'sso' ? [] : [{ type, value }]));
  return await administration.setPassword(account, await passwordFor(names, problemsOf, terminal));
}

async function passwordFor(
  names: Parameters<Opened['problemsOf']>[1],
  problemsOf: Opened['problemsOf'],
  terminal: Terminal,
): Promise<string> {
  const password = await newPassword(terminal);
  const [problem] = problemsOf(password, names);
  if (problem !== undefined) throw new CommandFailure(exitCodes.failure, 'password', problem);
  return password;
}

async function find(name: string, administration: Administration): Promise<AccountRecord> {
  const account = await administration.find(name);
  if (account !== undefined) return account;
  const names: string[] = [];
  for await (const one of administration.all()) names.push(nameOf(one));
  const nearest = didYouMean(name, names);
  throw new CommandFailure(exitCodes.failure, `user ${name}`, 'there is no such account', [
    nearest === undefined ? 'svc user list shows them' : `did you mean ${nearest}?`,
  ]);
}

function isMeant(account: AccountRecord, name: string | undefined): boolean {
  return name === undefined || account.userId === name || nameOf(account).includes(name.toLowerCase());
}

function nameOf({ identities, userId }: AccountRecord): string {
  return (identities.find(({ type }) => type !== 'sso') ?? identities[0])?.value ?? userId;
}

function table(accounts: readonly AccountRecord[], { roleOf }: Administration): string {
  if (accounts.length === 0) return 'no accounts\n';
  const rows = accounts.map((account) => [
    nameOf(account),
    roleOf(account),
    account.disabled ? 'disabled' : 'active',
    account.createdAt.slice(0, 10),
    account.lastLoginAt?.slice(0, 10) ?? 'never',
  ]);
  const all = [['NAME', 'ROLE', 'STATE', 'SINCE', 'LAST SIGN-IN'], ...rows];
  const widths = all[0]!.map((_, i) => Math.max(...all.map((row) => row[i]!.length)));
  return all
    .map(
      (row) =>
        `${row
          .map((cell, i) => cell.padEnd(widths[i]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function jsonLines(accounts: readonly AccountRecord[], { roleOf }: Administration): string {
  return accounts
    .map((account) => {
      const { userId, rootId, disabled, createdAt, lastLoginAt, passwordChangedAt, passwordHash } = account;
      const names = account.identities.map(({ type, value, verified }) => ({ type, value, verified }));
      const line = {
        user_id: userId,
        name: nameOf(account),
        identities: names,
        role: roleOf(account),
        disabled,
        has_password: passwordHash !== null,
        root_id: rootId,
        created_at: createdAt,
        last_login_at: lastLoginAt,
        password_changed_at: passwordChangedAt,
      };
      return `${JSON.stringify(line)}\n`;
    })
    .join('');
}
