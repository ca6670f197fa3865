/** Deployments to AWS, and their ends, whose process is interrupted at each request that changes something: the next run goes on. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ChildScript, childScript } from '../../harness/child-script.ts';
import { type Account, hasNoAccount, signed, startAccount } from './account.ts';
import { listen, numberedApp, open, stack } from './small-app.ts';

describe.skipIf(hasNoAccount())('a process that is interrupted', () => {
  let account: Account;
  let child: ChildScript;

  beforeAll(async () => {
    child = childScript(new URL('./deploying-child.ts', import.meta.url));
    account = await startAccount();
  }, 300_000);
  afterAll(async () => {
    await account?.[Symbol.asyncDispose]();
    child?.[Symbol.dispose]();
  });
  beforeEach(async () => await account.reset());

  const isChange = (action: string) =>
    /^s3:(Put|Create|Delete)|^ssm:(Put|Delete)|^cloudformation:(Create|Execute|Delete)/.test(action);
  /** The changing requests of some work that nobody interrupts. */
  const stepsOf = async (work: () => Promise<unknown>) => {
    account.asked.length = 0;
    await work();
    return account.asked.map(({ action }) => action).filter(isChange);
  };
  /** Runs a process that is sent a signal while its request `at` is carried out: nobody of it hears how that ended. */
  const interrupted = async (args: readonly string[], at: number, signal: 'SIGINT' | 'SIGKILL') => {
    let count = 0;
    const running = spawn(process.execPath, [child.path, ...args], {
      env: { ...process.env, ...account.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    account.intercept = ({ action }) => {
      if (isChange(action) && ++count === at) running.kill(signal);
      return undefined;
    };
    const said = Promise.all([text(running.stdout), text(running.stderr)]);
    const [, by] = await once(running, 'close');
    account.intercept = () => undefined;
    // Whoever goes on at once is told that the stack is being changed (failures.test.ts).
    await account.settled();
    expect(count, 'it came to that request').toBeGreaterThanOrEqual(at);
    // One that is asked to end does so by itself.
    expect(by).toBe(signal === 'SIGKILL' ? signal : null);
    expect((await said).join()).not.toMatch(/canary/);
  };
  const parameters = async (): Promise<Record<string, string>> => {
    const headers = { ...signed('ssm'), 'x-amz-target': 'AmazonSSM.GetParametersByPath' };
    const body = JSON.stringify({ Path: `/${stack}`, WithDecryption: true });
    const { Parameters } = (await (await fetch(account.direct, { method: 'POST', headers, body })).json()) as any;
    return Object.fromEntries(Parameters.map(({ Name, Value }: any) => [Name.split('/').at(-1), Value]));
  };
  const isDeployed = async (number: number) => {
    await using opened = await open(account);
    const app = numberedApp(number);
    if (!(await opened.target.isUpToDate(await opened.target.plan(app)))) await opened.deploy(app);
    expect(account.executed).toEqual(app.template);
    expect(await parameters()).toEqual({ ...app.secrets.texts, JWT_SECRET: expect.any(String) });
    expect(await opened.target.isUpToDate(await opened.target.plan(app))).toBe(true);
    expect((await opened.target.status()).isHealthy).toBe(true);
  };
  const signals = ['SIGINT', 'SIGKILL'] as const;

  test.each(signals)(
    '%s at each step of a first deployment',
    async (signal) => {
      const steps = await stepsOf(() => isDeployed(0));
      expect(new Set(steps)).toEqual(
        new Set([
          ...['s3:CreateBucket', 's3:PutBucketTagging', 's3:PutObject', 'ssm:PutParameter'],
          ...['cloudformation:CreateChangeSet', 'cloudformation:ExecuteChangeSet'],
        ]),
      );
      for (let at = 1; at <= steps.length; at++) {
        await account.reset();
        await interrupted(['deploy', '0'], at, signal);
        await isDeployed(0);
      }
    },
    600_000,
  );

  test.each(signals)(
    '%s at each step of a later deployment: the version before serves, or the new one',
    async (signal) => {
      await isDeployed(0);
      const steps = await stepsOf(() => isDeployed(1));
      expect(new Set(steps)).toEqual(
        new Set([
          ...['s3:PutObject', 'ssm:PutParameter', 'cloudformation:CreateChangeSet', 'cloudformation:ExecuteChangeSet'],
          ...['ssm:DeleteParameters'],
        ]),
      );
      const executes = steps.indexOf('cloudformation:ExecuteChangeSet') + 1;
      for (let at = 1; at <= steps.length; at++) {
        await interrupted(['deploy', String(at + 1)], at, signal);
        expect(account.executed, `at ${steps[at - 1]}`).toEqual(numberedApp(at < executes ? at : at + 1).template);
        // Secrets of the version that serves are there.
        if (at < executes) expect(await parameters()).toHaveProperty(`NEW${at}`);
        await isDeployed(at + 1);
      }
    },
    600_000,
  );

  test.each(signals)(
    '%s at each step of an end',
    async (signal) => {
      const end = async () => {
        await using opened = await open(account);
        const all = { component: 'all', purgeData: true } as const;
        await opened.target.destroy(await opened.target.planDestroy(all), listen());
        expect((await opened.target.planDestroy(all)).deleted).toEqual([]);
        expect([account.executed, await parameters()]).toEqual([undefined, {}]);
      };
      await isDeployed(0);
      const steps = await stepsOf(end);
      expect(new Set(steps)).toEqual(
        new Set(['cloudformation:DeleteStack', 'ssm:DeleteParameters', 's3:DeleteObject', 's3:DeleteBucket']),
      );
      for (let at = 1; at <= steps.length; at++) {
        await account.reset();
        await isDeployed(0);
        await interrupted(['destroy'], at, signal);
        await end();
      }
    },
    600_000,
  );
});
