/** The digest of a plan (docs/kubernetes.md): the same for the same application, on whatever machine, by whomever, without a network. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { removeFolder, repository, svcBin } from '../harness/server.ts';

interface Machine {
  /** Folder in which the command runs; the application is named from there. */
  readonly cwd: string;
  readonly app: string;
  readonly env: Readonly<Record<string, string>>;
  readonly umask: string;
  /** Program with arguments that runs the command. */
  readonly under: readonly string[];
}

/** Another user, whom the machine does not know, without a network. */
const apart = ['unshare', '-U', '--map-user=12345', '--map-group=12345', '-n'];
const isApart = spawnSync(apart[0]!, [...apart.slice(1), 'true']).status === 0;

test('the plan of an application is the same on two machines that have nothing in common', async () => {
  const root = mkdtempSync(join(tmpdir(), 'svc-digest-'));
  const path = process.env['PATH'] ?? '';
  try {
    const own = join(root, 'one/todo');
    const there = join(root, 'two/a/longer way/todo');
    for (const folder of [own, there]) mkdirSync(folder, { recursive: true });
    const source = join(repository, 'examples/todo');
    const files = readdirSync(source).filter((name) => /^[^.]/.test(name) && name !== 'node_modules');
    for (const name of files) cpSync(join(source, name), join(own, name));
    // Written in another order, at another time, for other eyes.
    for (const name of files.toReversed()) {
      writeFileSync(join(there, name), readFileSync(join(source, name)));
      chmodSync(join(there, name), 0o600);
    }
    const here: Machine = {
      ...{ cwd: own, app: 'main.svc', umask: '022', under: [] },
      env: { PATH: path, HOME: own, USER: 'ada', TZ: 'UTC', LANG: 'C' },
    };
    const one = await plan(here);
    const again = await plan(here);
    const other = await plan({
      ...{ cwd: join(root, 'two'), app: 'a/longer way/todo/main.svc', umask: '077' },
      under: isApart ? apart : [],
      env: { PATH: path, HOME: root, USER: 'bob', LOGNAME: 'bob', TZ: 'Asia/Kathmandu', LC_ALL: 'tr_TR.UTF-8' },
    });
    expect(one.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(again).toEqual(one);
    expect(other).toEqual(one);
    writeFileSync(join(own, 'main.svc'), `${readFileSync(join(own, 'main.svc'), 'utf8')}\n`);
    const changed = await plan(here);
    expect(changed.digest).not.toBe(one.digest);
  } finally {
    removeFolder(root);
  }
}, 120_000);

async function plan({ cwd, app, env, umask, under }: Machine) {
  const command = [...under, process.execPath, svcBin, 'start', app, '--scale', '--dry-run', '--offline'];
  const child = spawn('sh', ['-c', `umask ${umask}; exec "$@"`, 'sh', ...command], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [code, stdout, stderr] = await Promise.all([
    new Promise((resolve) => child.once('close', resolve)),
    text(child.stdout),
    text(child.stderr),
  ]);
  expect(code, stderr).toBe(0);
  return { digest: /^digest: (.*)$/m.exec(stderr)?.[1] ?? '', objects: stdout };
}
