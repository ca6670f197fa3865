/** `svc build --target machine` under a running systemd: the installer, the sandbox of the unit, restarts, a second release and the way back. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canary } from '../../harness/canary-settings.ts';
import { findTool } from '../../harness/find-tool.ts';
import { startRepositoryIndex } from '../../harness/images/package-index.ts';
import { noteMissing } from '../../harness/missing.ts';
import { freePort } from '../../harness/ports.ts';
import { svcHere } from '../../harness/svc-here.ts';
import { folderWith } from '../../harness/svc-process.ts';

const isRoot = process.getuid?.() === 0;
const canRun = findTool('systemd-nspawn', 'systemd-container') !== undefined && isRoot;
if (!isRoot) noteMissing('root');

const program = (release: string) => `import from os { environ }
node Note { has text: str; }
walker:pub Add { can add with Root entry { root ++> Note(text="x"); report ["${release}", len(environ["API_TOKEN"]), len([-->])]; } }
`;

/** Runs as the only service of the machine; prints a line for each thing that is known then. */
const script = (port: number) => `export PATH=/usr/sbin:/usr/bin:/sbin:/bin
say() { printf '%s: %s\\n' "$1" "$2" >> /mnt/out/results; }
call() { node -e "fetch('http://127.0.0.1:${port}/walker/Add',{method:'POST'}).then((one)=>one.json()).then(({reports})=>console.log(JSON.stringify(reports[0])),()=>process.exit(1))"; }
of() { systemctl show notes --property "$1" --value; }
sh /mnt/first/install.sh; say asked $?
sed -i 's/^API_TOKEN=.*/API_TOKEN=twelve bytes/' /etc/notes/env
sh /mnt/first/install.sh; say installed $?
say state "$(of ActiveState)"
say called "$(call)"
pid=$(of MainPID)
say rights "$(grep -E '^(CapEff|NoNewPrivs|Seccomp):' /proc/$pid/status | tr '\\t\\n' '  ')"
say user "$(stat -c %U /proc/$pid)"
kill -9 "$pid"
for _ in $(seq 60); do again=$(call) && break; sleep 1; done
say restarts "$(of NRestarts)"
say again "$again"
sh /mnt/second/install.sh; say updated $?
say second "$(call)"
sh /mnt/second/install.sh rollback; say back $?
say first "$(call)"
systemctl stop notes; say stopped "$(of Result) $(of ExecMainStatus)"
journalctl -u notes --no-pager > /mnt/out/journal
sh /mnt/second/install.sh remove --purge; say removed $?
say left "[$(ls -A /opt; ls -d /var/lib/notes /etc/notes 2>/dev/null)]"
`;

const unit = `[Service]
Type=oneshot
ExecStart=/bin/sh /mnt/out/script.sh
StandardOutput=file:/mnt/out/printed
StandardError=inherit
ExecStopPost=/bin/systemctl --no-block exit 0
`;

describe.skipIf(!canRun)('a machine with systemd as its first process', () => {
  const folder = folderWith({});
  const at = (...path: readonly string[]) => join(folder.path, ...path);
  let results: Record<string, string>;
  let printed = '';

  beforeAll(async () => {
    await using index = await startRepositoryIndex();
    const port = await freePort();
    const settings = `[project]\nname = "notes"\n[serve]\nport = ${port}\nbase_url = "https://notes.example.com"\n`;
    const secrets = '[plugins.scale.secrets]\nAPI_TOKEN = "${API_TOKEN}"\n';
    using app = folderWith({ 'svc.toml': settings + secrets });
    for (const release of ['first', 'second']) {
      writeFileSync(join(app.path, 'main.svc'), program(release));
      const args = ['build', 'main.svc', '--target', 'machine', '--out', at(release)];
      const built = await svcHere(args, { cwd: app.path, env: { ...index.env, API_TOKEN: canary('token') } });
      expect(built.code, built.stderr).toBe(0);
    }
    mkdirSync(at('out'));
    writeFileSync(at('out/script.sh'), script(port));
    mkdirSync(at('etc/systemd/system'), { recursive: true });
    writeFileSync(at('etc/systemd/system/try.service'), unit);
    for (const name of ['passwd', 'group', 'shadow', 'gshadow', 'login.defs', 'nsswitch.conf', 'ld.so.cache'])
      cpSync(join('/etc', name), at('etc', name), { force: true });
    const machine = ['--quiet', '--directory=/', '--volatile=yes', '--register=no', '--keep-unit', '--console=pipe'];
    const folders = [`--bind=${at('etc')}:/etc`, '--tmpfs=/mnt', `--bind=${at('out')}:/mnt/out`];
    const releases = ['first', 'second'].map((name) => `--bind-ro=${at(name)}:/mnt/${name}`);
    const named = `--machine=svc-${process.pid}`;
    const run = [...machine, named, ...folders, ...releases, '--boot', '--', 'systemd.unit=try.service'];
    const { stdout, stderr } = spawnSync('systemd-nspawn', run, {
      encoding: 'utf8',
      timeout: 240_000,
      killSignal: 'SIGKILL',
    });
    const read = (name: string) => readFileSync(at('out', name), 'utf8');
    try {
      results = Object.fromEntries(
        read('results')
          .trim()
          .split('\n')
          .map((line) => line.split(/: (.*)/s).slice(0, 2)),
      );
      printed = read('printed') + read('journal');
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${stdout}${stderr}`);
    }
  }, 400_000);
  afterAll(() => folder[Symbol.dispose]());

  test('installs, serves, starts again, takes a second release, goes back and is removed', () => {
    expect(results, printed).toMatchObject({
      ...{ asked: '3', installed: '0', state: 'active', called: '["first",12,1]' },
      ...{ restarts: '1', again: '["first",12,2]' },
      ...{ updated: '0', second: '["second",12,3]', back: '0', first: '["first",12,4]' },
      ...{ stopped: 'success 0', removed: '0', left: '[]' },
    });
  });

  test('its process has a user of its own, no rights, and a filter of system calls', () => {
    expect(results['user']).toBe('notes');
    expect(results['rights']).toMatch(/^CapEff: 0+ NoNewPrivs: 1 Seccomp: 2 $/);
  });

  test('no secret is in what the installer prints or in the journal', () => {
    expect(printed).toContain('server ready: 1 walker');
    expect(printed).not.toMatch(/canary-|twelve bytes/);
  });
});
