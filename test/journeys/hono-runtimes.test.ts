/** The example of docs/hono.md as somebody runs it who installed the package: on Node, Deno and Bun, and without `hono`. */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type InstalledPackage, installPackage } from '../harness/installed-package.ts';
import { type RuntimeName, runtimeCommand } from '../harness/runtimes.ts';
import { post, register, repository } from '../harness/server.ts';

let installed: InstalledPackage;
beforeAll(() => {
  installed = installPackage();
});
afterAll(() => installed[Symbol.dispose]());

/** Starts `server.mjs` of a folder. */
async function startExample(runtime: RuntimeName, folder: string) {
  const [command, ...args] = runtimeCommand(runtime);
  const child = spawn(command, [...args, 'server.mjs'], {
    cwd: folder,
    env: { ...process.env, PORT: '0', SVC_ENV: 'test', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve));
  const origin = await new Promise<string>((resolve, reject) => {
    const take = (chunk: Buffer) => {
      printed += chunk;
      const found = /^http:\/\/localhost:(\d+)$/m.exec(printed);
      if (found !== null) resolve(`http://localhost:${found[1]}`);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    void exited.then((code) => reject(new Error(`${runtime} ended with ${code}\n${printed}`)));
  });
  return {
    origin,
    base: `${origin}/api`,
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

describe.each(['node', 'deno', 'bun'] as const)('on %s', (runtime) => {
  test('signing up, calling, listing; what was stored is there for the next process', async () => {
    const folder = join(installed.folder, runtime);
    mkdirSync(folder);
    cpSync(join(repository, 'examples/hono/server.mjs'), join(folder, 'server.mjs'));
    for (const file of ['main.svc', 'svc.toml']) cpSync(join(repository, 'examples/todo', file), join(folder, file));
    {
      await using server = await startExample(runtime, folder);
      expect(await (await fetch(`${server.origin}/hello`)).text()).toBe('hello');
      const { token } = await register(server.base, 'ada');
      expect((await post(server.base, '/walker/AddTask', { title: 'milk' }, token)).ok).toBe(true);
      const listed = await post(server.base, '/walker/ListTasks', {}, token, 'GET');
      expect(listed.reports).toMatchObject([{ title: 'milk' }]);
      const console = await fetch(`${server.base}/static/_docs/console.js`);
      expect([console.status, await console.text()]).toEqual([200, expect.stringContaining('groupsOf')]);
      expect(await server.stop()).toBe(0);
    }
    await using server = await startExample(runtime, folder);
    const { token: again } = (await post(server.base, '/user/login', { username: 'ada', password: 'correct horse 1' }))
      .data;
    expect((await post(server.base, '/walker/ListTasks', {}, again, 'GET')).reports).toMatchObject([{ title: 'milk' }]);
    expect(await server.stop()).toBe(0);
  });
});

test('without hono the import says in one line which package is missing and how to add it', () => {
  using bare = installPackage(['hono']);
  const script = join(bare.folder, 'import.mjs');
  writeFileSync(script, "await import('svc-scale/hono').catch((error) => console.log(error.message));\n");
  const { stdout } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  expect(stdout).toBe('svc-scale/hono needs the package hono, which is not installed: npm install hono\n');
  writeFileSync(script, "import { app } from 'svc-scale/hono';\napp();\n");
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringContaining('[Error: svc-scale/hono needs the package hono')]);
  expect(stderr.length, 'no bundled code is shown but the line of the check').toBeLessThan(1500);
});
