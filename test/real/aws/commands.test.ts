/** The commands people type, cut off by Ctrl-C or `kill -9` at each kind of request that changes something: the next run goes on. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cuts, type HearKind, interruptAtEachKind } from '../../harness/pseudo-terminal.ts';
import { folderWith } from '../../harness/svc-process.ts';
import { type Account, hasNoAccount, startAccount } from './account.ts';

const program = (word: string) => `walker:pub Hello { can greet with Root entry { report "${word}"; } }\n`;
const secret = (name: string) => `[project]\nname = "demo"\n[plugins.scale.secrets]\n${name} = "\${TOKEN}"\n`;

let account: Account;
let folder: ReturnType<typeof folderWith>;
beforeAll(async () => {
  if (hasNoAccount()) return;
  account = await startAccount();
  folder = folderWith({});
}, 300_000);
afterAll(async () => {
  await account?.[Symbol.asyncDispose]();
  folder?.[Symbol.dispose]();
});

describe.skipIf(hasNoAccount()).each(['Ctrl-C', 'SIGKILL'] as const)('%s', (cut) => {
  // moto gives a bucket the tags of an earlier one of its name.
  beforeAll(async () => await account.reset());

  const changing = /^s3:(Put|Create|Delete)|^ssm:(Put|Delete)|^cloudformation:(Create|Execute|Delete)|^dynamodb:Delete/;
  /** Kinds at which the command was interrupted. */
  const interrupted = async (command: string, args: readonly string[], meant = changing) => {
    const line = [command, 'main.svc', ...args, '--target', 'cloud'];
    const env = { ...account.env, TOKEN: 'canary-1' };
    const listen = (hear: HearKind) => {
      account.intercept = ({ action, resource }) => {
        const kind = resource.includes('/revisions/') ? `${action} of the revision` : action;
        return meant.test(kind) ? hear(kind) : undefined;
      };
    };
    const begin = async () => {
      await account.settled();
      return cuts[cut](line, { cwd: folder.path, env });
    };
    const kinds = await interruptAtEachKind(begin, listen);
    account.intercept = () => undefined;
    return kinds;
  };

  test('at each step of a first deployment', async () => {
    writeFileSync(join(folder.path, 'main.svc'), program('one'));
    writeFileSync(join(folder.path, 'svc.toml'), secret('FIRST'));
    // A bucket is made and tagged in one step, which ends before a command does that is asked to.
    const tagged = cut === 'SIGKILL' ? ['s3:PutBucketTagging'] : [];
    expect(await interrupted('start', ['--scale'])).toEqual([
      ...['s3:CreateBucket', ...tagged, 's3:PutObject', 'ssm:PutParameter'],
      ...['cloudformation:CreateChangeSet', 'cloudformation:ExecuteChangeSet', 's3:PutObject of the revision'],
    ]);
  }, 600_000);

  test('at each step that only a later one has; what serves is the version before, or the new one', async () => {
    writeFileSync(join(folder.path, 'main.svc'), program('two'));
    writeFileSync(join(folder.path, 'svc.toml'), secret('SECOND'));
    const before = account.executed;
    const kinds = await interrupted('start', ['--scale'], /CreateChangeSet|^ssm:Delete/);
    expect(kinds).toEqual(['cloudformation:CreateChangeSet', 'ssm:DeleteParameters']);
    expect(account.executed).not.toEqual(before);
  }, 600_000);

  test('at each step of an end', async () => {
    expect(await interrupted('destroy', ['--yes', '--purge-data'])).toEqual([
      ...['cloudformation:DeleteStack', 'ssm:DeleteParameters', 's3:DeleteObject', 's3:DeleteBucket'],
      'dynamodb:DeleteTable',
    ]);
    expect(account.executed).toBeUndefined();
  }, 600_000);
});
