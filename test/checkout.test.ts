/** The command line of a checkout, which the first command bundles (bin/checkout.mjs). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { repository } from './harness/server.ts';
import { folderWith } from './harness/svc-process.ts';

/** A bundler that says so and never ends when it is told to, else makes a command line that says hello. */
const bundler = `import { mkdirSync, writeFileSync } from 'node:fs';
if (process.env.ENDLESS) {
  console.log('bundling');
  setInterval(() => {}, 1000);
} else {
  const folder = process.argv[process.argv.indexOf('--out') + 1];
  mkdirSync(folder);
  writeFileSync(folder + '/cli.mjs', "export const main = async () => { console.log('hello'); return 0; };");
}
`;
const neverWaits = "data:text/javascript,Atomics.wait = () => { throw new Error('waits for another'); };";

test.each(['SIGINT', 'SIGKILL'] as const)(
  'a command after one that %s ended while it bundled does not wait for it',
  async (signal) => {
    using folder = folderWith({ 'bin/build.mjs': bundler, 'cli/main.ts': '', 'package.json': '{}' });
    mkdirSync(join(folder.path, 'node_modules/rolldown'), { recursive: true });
    for (const name of ['svc.mjs', 'checkout.mjs'])
      copyFileSync(join(repository, 'bin', name), join(folder.path, 'bin', name));
    const { SVC_TEST_BUILD: _, ...env } = process.env;
    const run = (more: Record<string, string>) =>
      spawn(process.execPath, [join(folder.path, 'bin/svc.mjs')], { detached: true, env: { ...env, ...more } });

    const first = run({ ENDLESS: '1' });
    await once(first.stdout, 'data');
    // As a terminal does: the bundler hears of it, too.
    process.kill(-first.pid!, signal);
    await once(first, 'exit');

    const second = run({ NODE_OPTIONS: `--import "${neverWaits}"` });
    const [out, err] = await Promise.all([text(second.stdout), text(second.stderr)]);
    expect([out, err]).toEqual(['hello\n', '']);
  },
);
