/** Deployments to Google Cloud, and their ends, whose process is interrupted at each request that changes something: the next run goes on. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ChildScript, childScript } from '../../../test/harness/child-script.ts';
import { deployThere, numberedApp } from '../../../test/harness/google/deploy-there.ts';
import { type GoogleStandIn, startGoogleStandIn } from '../../../test/harness/google/google-stand-in.ts';
import { project, region } from '../../../test/harness/google/state.ts';

let child: ChildScript;
let google: GoogleStandIn;
let there: ReturnType<typeof deployThere>;
/** The registry that a process pushes to. */
const registry = createServer((_, response) => {
  hear('push');
  google.state.packages.add(`projects/${project}/locations/${region}/repositories/svc/packages/demo`);
  google.changes.push('push');
  response.end();
});
let hear: (line: string) => void = () => {};

beforeAll(async () => {
  child = childScript(new URL('../../../test/harness/google/deploying-child.ts', import.meta.url));
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  child?.[Symbol.dispose]();
  registry.closeAllConnections();
  registry.close();
});
beforeEach(async () => await begin());
afterEach(async () => await google?.[Symbol.asyncDispose]());

async function renew(): Promise<void> {
  await google[Symbol.asyncDispose]();
  await begin();
}

async function begin(): Promise<void> {
  google = await startGoogleStandIn();
  google.state.looks = 0;
  there = deployThere(google);
}

/** Requests that change something in what `google.changes` lists. */
const isChange = (line: string) => !/\.(get|list|access)$|^test$|^entries|^operations/.test(line);

/** The changing requests of some work that nobody interrupts. */
async function stepsOf(work: () => Promise<unknown>): Promise<string[]> {
  const lines: string[] = [];
  google.intercept = (line) => {
    if (isChange(line)) lines.push(line);
    return undefined;
  };
  await work();
  google.intercept = () => undefined;
  return lines;
}

/** Runs a process that is sent a signal while its request `at` is carried out: nobody of it hears how that ended. */
async function interrupted(args: readonly string[], at: number, signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
  let count = 0;
  const running = spawn(process.execPath, [child.path, ...args], {
    env: {
      ...process.env,
      ...google.env,
      SVC_TEST_REGISTRY: `http://127.0.0.1:${(registry.address() as AddressInfo).port}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  hear = (line) => {
    if (isChange(line) && ++count === at) running.kill(signal);
  };
  google.intercept = (line) => void hear(line) as undefined;
  const said = Promise.all([text(running.stdout), text(running.stderr)]);
  const [, by] = await once(running, 'close');
  google.intercept = () => undefined;
  hear = () => {};
  expect(count, `it came to that request: ${await said}`).toBeGreaterThanOrEqual(at);
  // One that is asked to end does so by itself.
  expect(by).toBe(signal === 'SIGKILL' ? signal : null);
  expect((await said).join()).not.toMatch(/canary/);
}

async function isDeployed(number: number): Promise<void> {
  const app = numberedApp(there, number);
  const deployed = await there.deploy(app);
  if (deployed !== 'up to date') expect(deployed).toMatchObject({ url: expect.any(String) });
  const target = await there.open();
  expect(await target.isUpToDate(await target.plan(app))).toBe(true);
  const status = await target.status();
  expect([status.isHealthy, status.revision?.sourceDigest, status.drift]).toEqual([true, app.sourceDigest, []]);
  expect(there.service().template.containers[0].image).toContain(app.sourceDigest);
}

const signals = ['SIGINT', 'SIGKILL'] as const;

test.each(signals)(
  '%s at each step of a first deployment',
  async (signal) => {
    const off = () => google.state.apisOff.add('run').add('iam');
    off();
    const steps = await pushed(() => isDeployed(0));
    expect(new Set(steps)).toEqual(
      new Set([
        ...['apis.enable', 'repositories.create', 'push', 'accounts.create', 'secrets.create', 'versions.add'],
        ...['policy.set', 'services.create', 'services.patch'],
      ]),
    );
    for (let at = 1; at <= steps.length; at++) {
      await renew();
      off();
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
    const steps = await pushed(() => isDeployed(1));
    const before = () => JSON.stringify(there.serving());
    for (let at = 1; at <= steps.length; at++) {
      const serving = before();
      await interrupted(['deploy', String(at + 1)], at, signal);
      // All traffic is at one revision, and until it is sent to the new one at that of before.
      expect(there.serving(), `at ${steps[at - 1]}`).toEqual([expect.stringMatching(/^demo-\d+ 100$/)]);
      if (at <= steps.indexOf('services.patch')) expect(before()).toBe(serving);
      await isDeployed(at + 1);
    }
  },
  600_000,
);

test.each(signals)(
  '%s at each step of an end',
  async (signal) => {
    const end = async () => {
      const target = await there.open();
      const plan = () => target.planDestroy({ component: 'all', purgeData: false });
      await target.destroy(await plan(), there.progress);
      expect((await plan()).deleted).toEqual([]);
      const { services, secrets, accounts, packages, repositories } = google.state;
      expect([services, secrets, accounts, packages, repositories].map(({ size }) => size)).toEqual([0, 0, 0, 0, 0]);
    };
    await isDeployed(0);
    const steps = await stepsOf(end);
    expect(new Set(steps)).toEqual(
      new Set(['services.delete', 'secrets.delete', 'accounts.delete', 'packages.delete', 'repositories.delete']),
    );
    for (let at = 1; at <= steps.length; at++) {
      await renew();
      await isDeployed(0);
      await interrupted(['destroy'], at, signal);
      await end();
    }
  },
  600_000,
);

/** The steps, with that of the image, which goes to no service of these. */
async function pushed(work: () => Promise<unknown>): Promise<string[]> {
  const lines: string[] = [];
  const { push } = google.changes;
  google.changes.push = (...added) => {
    lines.push(...added.map((one) => one.split(' ').at(-1)!));
    return push.apply(google.changes, added);
  };
  await work();
  google.changes.push = push;
  return lines;
}
