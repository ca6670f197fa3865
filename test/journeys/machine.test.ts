/** One machine: what `svc build --target machine` writes is judged by the programs it is for, and its installer is run. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canary } from '../harness/canary-settings.ts';
import { findTool } from '../harness/find-tool.ts';
import { type PackageIndex, startRepositoryIndex } from '../harness/images/package-index.ts';
import { noteMissing } from '../harness/missing.ts';
import { answers, freePort } from '../harness/ports.ts';
import { post } from '../harness/server.ts';
import { svcHere } from '../harness/svc-here.ts';
import { folderWith } from '../harness/svc-process.ts';

const tools = {
  'systemd-analyze': 'systemd',
  caddy: 'caddy',
  nginx: 'nginx-light',
  openssl: 'openssl',
  shellcheck: 'shellcheck',
  bwrap: 'bubblewrap',
};
const missing = Object.entries(tools).flatMap(([tool, from]) => (findTool(tool, from) === undefined ? [tool] : []));
const isRoot = process.getuid?.() === 0;
if (!isRoot) noteMissing('root');
const node = realpathSync(process.execPath);

describe.skipIf(missing.length > 0 || !isRoot)(
  `on real parts (missing: ${missing.join(', ') || (isRoot ? 'none' : 'root')})`,
  () => {
    let index: PackageIndex;
    let app: ReturnType<typeof folderWith>;
    let out = '';
    let port = 0;
    const file = (name: string) => join(out, name);
    const build = (env: Readonly<Record<string, string>> = {}) =>
      svcHere(['build', 'main.svc', '--target', 'machine', '--out', 'out'], {
        cwd: app.path,
        env: { ...index.env, ...env },
      });

    beforeAll(async () => {
      index = await startRepositoryIndex();
      port = await freePort();
      app = folderWith({
        'main.svc': `import from os { environ }
node Note { has text: str; }
walker:pub Add { has text: str; can add with Root entry { root ++> Note(text=self.text); report len([-->]); } }
walker:pub Show { can show with Root entry { report [len(environ["API_TOKEN"]), "first"]; } }
`,
        'svc.toml': `[project]
name = "notes"
version = "1.0.0"
[serve]
base_url = "https://notes.example.com"
port = ${port}
[plugins.scale.secrets]
API_TOKEN = "\${API_TOKEN}"
[plugins.scale.orchestrator.env]
GREETING = "100% \\"sure\\" for $5"
`,
        '.env': `API_TOKEN=${canary('token')}\n`,
      });
      out = join(app.path, 'out');
      const built = await build({ API_TOKEN: canary('token') });
      expect(built.code, built.stderr).toBe(0);
    });
    afterAll(async () => {
      app?.[Symbol.dispose]();
      await index?.[Symbol.asyncDispose]();
    });

    test('systemd finds nothing wrong with the unit, and little that its process could do', () => {
      using folder = folderWith({});
      const unit = join(folder.path, 'notes.service');
      writeFileSync(
        unit,
        readFileSync(file('notes.service'), 'utf8').replace('ExecStart=/usr/bin/node', `ExecStart=${node}`),
      );
      const verified = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' });
      expect([verified.status, verified.stderr]).toEqual([0, '']);
      const judged = spawnSync(
        'systemd-analyze',
        ['security', '--offline=true', '--threshold=25', '--no-pager', unit],
        {
          encoding: 'utf8',
        },
      );
      expect(judged.status, judged.stdout + judged.stderr).toBe(0);
      const exposure = Number(/exposure level for \S+: ([\d.]+)/.exec(judged.stdout)?.[1]);
      expect(exposure).toBeLessThanOrEqual(2.5);
    });

    test('Caddy and nginx take their snippets', () => {
      using folder = folderWith({});
      const caddy = spawnSync('caddy', ['validate', '--adapter', 'caddyfile', '--config', file('Caddyfile')], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], HOME: folder.path, XDG_DATA_HOME: folder.path, XDG_CONFIG_HOME: folder.path },
      });
      expect([caddy.status, caddy.stdout + caddy.stderr]).toEqual([0, expect.stringContaining('Valid configuration')]);
      const [key, certificate] = [join(folder.path, 'key.pem'), join(folder.path, 'cert.pem')];
      const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=x'];
      execFileSync('openssl', [...made, '-keyout', key, '-out', certificate], { stdio: 'pipe' });
      const snippet = readFileSync(file('nginx.conf'), 'utf8')
        .replace(/\/etc\/letsencrypt\S+fullchain.pem/, certificate)
        .replace(/\/etc\/letsencrypt\S+privkey.pem/, key);
      const whole = `pid ${folder.path}/pid;\nerror_log ${folder.path}/errors;\nevents {}\nhttp {\naccess_log off;\n${snippet}}\n`;
      writeFileSync(join(folder.path, 'nginx.conf'), whole);
      const nginx = spawnSync('nginx', ['-t', '-q', '-c', join(folder.path, 'nginx.conf')], { encoding: 'utf8' });
      expect([nginx.status, nginx.stderr]).toEqual([0, '']);
    });

    test('shellcheck has nothing to say about the installer', () => {
      const checked = spawnSync('shellcheck', [file('install.sh')], { encoding: 'utf8' });
      expect([checked.status, checked.stdout]).toEqual([0, '']);
    });

    test('no secret is in what is written', () => {
      using folder = folderWith({});
      execFileSync('tar', ['-xzf', file('notes.tar.gz'), '-C', folder.path]);
      const holding = [
        ...readdirSync(out).map(file),
        ...filesBelow(join(folder.path, 'release')).filter((path) => !path.includes('node_modules')),
      ].filter((path) => readFileSync(path, 'latin1').includes('canary-'));
      expect(holding).toEqual([]);
      expect(readFileSync(file('env.example'), 'utf8')).toContain('\nAPI_TOKEN=\n');
    });

    test('the installer asks for secrets, installs, goes back and removes; what it installed serves', async () => {
      using machine = machineLike();
      const install = (...args: readonly string[]) => machine.run(['sh', '/release/install.sh', ...args], out);

      const asked = install();
      expect([asked.status, asked.stderr]).toEqual([
        3,
        expect.stringContaining('write these into /etc/notes/env and run this again: API_TOKEN'),
      ]);
      const secrets = join(machine.root, 'etc/notes/env');
      expect((statSync(secrets).mode & 0o777).toString(8)).toBe('600');
      const given = readFileSync(secrets, 'utf8');
      const [, jwt] = /^JWT_SECRET=(\S{64})$/m.exec(given)!;
      writeFileSync(secrets, given.replace('API_TOKEN=', 'API_TOKEN=twelve bytes'));

      const installed = install();
      expect([installed.status, installed.stderr]).toEqual([0, '']);
      expect(installed.stdout).not.toContain(jwt);
      const current = () => readlinkSync(join(machine.root, 'opt/notes/current'));
      const first = current();
      expect(readFileSync(secrets, 'utf8')).toContain(jwt);
      const unit = readFileSync(join(machine.root, 'etc/systemd/system/notes.service'), 'utf8');
      const wanted = join(machine.root, 'etc/systemd/system/multi-user.target.wants/notes.service');
      expect(readlinkSync(wanted)).toBe('/etc/systemd/system/notes.service');

      // The server as the unit starts it: its user, its folder, its command, its variables.
      const command = /^ExecStart=(.*)$/m.exec(unit)![1]!;
      const start = `set -a; . /etc/notes/env; set +a; cd /opt/notes/current && SVC_ENV=production GREETING=x exec setpriv --reuid=notes --regid=notes --clear-groups --no-new-privs ${command}`;
      writeFileSync(secrets, readFileSync(secrets, 'utf8').replace('twelve bytes', "'twelve bytes'"));
      const child = spawn('bwrap', [...machine.args(out), 'sh', '-c', start], { stdio: ['ignore', 'pipe', 'pipe'] });
      let printed = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (printed += part));
      try {
        const here = `http://127.0.0.1:${port}`;
        await answers(`${here}/healthz/ready`, () => child.exitCode === null).catch((error) => {
          throw new Error(`${error.message}\n${printed}`);
        });
        expect((await post(here, '/walker/Show')).reports).toEqual([[12, 'first']]);
        expect((await post(here, '/walker/Add', { text: 'kept' })).reports).toEqual([1]);
      } finally {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        if (child.exitCode === null && child.kill('SIGKILL')) await ended;
      }
      expect(filesBelow(join(machine.root, 'var/lib/notes/svc')).some((path) => path.endsWith('svc.db'))).toBe(true);

      // A second release, and the way back.
      const program = readFileSync(join(app.path, 'main.svc'), 'utf8');
      writeFileSync(join(app.path, 'main.svc'), program.replace('"first"', '"second"'));
      expect((await build()).code).toBe(0);
      expect(install().status).toBe(0);
      expect(current()).not.toBe(first);
      expect(readFileSync(secrets, 'utf8')).toContain(jwt);
      expect(install('rollback')).toMatchObject({ status: 0, stderr: '' });
      expect(current()).toBe(first);
      writeFileSync(join(app.path, 'main.svc'), program);

      // A release that was damaged on its way is not unpacked.
      using damaged = folderWith({});
      cpSync(out, damaged.path, { recursive: true });
      writeFileSync(join(damaged.path, 'notes.tar.gz'), 'something else');
      const refused = machine.run(['sh', '/release/install.sh'], damaged.path);
      expect([refused.status, refused.stderr]).toEqual([5, expect.stringContaining('notes.tar.gz is not the one')]);

      expect(install('remove').stdout).toContain('/var/lib/notes and /etc/notes/env stay');
      expect(readdirSync(join(machine.root, 'opt'))).toEqual([]);
      expect(readdirSync(join(machine.root, 'var/lib'))).toContain('notes');
      expect(install('remove', '--purge').stdout).toContain('gone with its data');
      expect(readdirSync(join(machine.root, 'var/lib'))).not.toContain('notes');
    });
  },
);

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** A machine of its own as far as an installer sees it: this one's programs, with folders of its own that are written to. */
function machineLike() {
  const folder = folderWith({});
  const root = folder.path;
  for (const name of ['etc/systemd/system', 'opt', 'var/lib']) mkdirSync(join(root, name), { recursive: true });
  for (const name of ['passwd', 'group', 'shadow', 'gshadow', 'login.defs', 'nsswitch.conf', 'ld.so.cache'])
    try {
      cpSync(join('/etc', name), join(root, 'etc', name));
    } catch {
      // Not every system has all of them.
    }
  const args = (release: string) => [
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', '--tmpfs', '/run'],
    ...['--bind', join(root, 'etc'), '/etc', '--bind', join(root, 'opt'), '/opt'],
    ...['--bind', join(root, 'var/lib'), '/var/lib', '--tmpfs', '/mnt', '--ro-bind', release, '/mnt/release'],
    ...['--die-with-parent', '--unshare-pid', '--chdir', '/'],
  ];
  return {
    root,
    args,
    run: (command: readonly string[], release: string) => {
      const at = command.map((word) => word.replace('/release/', '/mnt/release/'));
      return spawnSync('bwrap', [...args(release), ...at], { encoding: 'utf8', env: { PATH: process.env['PATH'] } });
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
