import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { svcHere } from '../test/harness/svc-here.ts';

let cwd = '';
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'cli-test-'));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

async function svc(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const { code, stdout: out, stderr: err } = await svcHere(args, { cwd });
  return { code, out, err };
}

test('prints the version and the help', async () => {
  expect(await svc('--version')).toMatchObject({ code: 0, out: expect.stringMatching(/^svc \d/) });
  expect((await svc('--help')).out).toMatch(/start +Serve an application/);
  expect(await svc()).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Usage: svc') });
  const help = await svc('start', '--help');
  expect(help.code).toBe(0);
  expect(help.out).toContain('--scale');
  expect(help.out).toContain('--registry');
  expect((await svc('help', 'new')).out).toContain('Usage: svc new <name>');
});

test('says what is wrong in one line and a hint', async () => {
  expect(await svc('strat')).toEqual({
    code: 2,
    out: '',
    err: 'svc: strat: unknown command\n  hint: did you mean svc start?\n',
  });
  expect((await svc('main.svc')).err).toContain('svc run main.svc');
  expect((await svc('new')).err).toMatch(/^svc: new: <name> is missing\n {2}hint: usage: svc new <name>\n$/);
  expect((await svc('new', '9lives')).code).toBe(2);
});

test('commands that need a program, and targets of later releases, say so', async () => {
  expect(await svc('debug')).toMatchObject({ code: 2, err: expect.stringContaining('<app_file> is missing') });
  expect(await svc('destroy', 'main.svc')).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
});

test('Google Cloud needs a region everywhere, unknown targets are none', async () => {
  await writeFile(join(cwd, 'main.svc'), 'walker:pub Hello { }\n');
  const first = 'svc: gcp.region is not set\n  hint: common ones: ';
  for (const args of [['start', '--scale'], ['destroy', '--yes'], ['status'], ['logs'], ['rollback']])
    expect(await svc(args[0]!, 'main.svc', ...args.slice(1), '--target', 'gcp')).toMatchObject({
      code: 3,
      err: expect.stringContaining(first),
    });
  for (const args of [['build'], ['start', '--scale'], ['destroy']]) {
    const { code, err } = await svc(...args, '--target', 'moon');
    expect([code, err]).toEqual([2, expect.stringMatching(/^svc: --target: .*cloud/)]);
  }
});

test('a container image for the cloud goes to one registry only', async () => {
  const image = ['start', '--scale', '--target', 'aws', '--build', '--registry'];
  expect(await svc(...image, 'dockerhub')).toMatchObject({
    code: 2,
    err: 'svc: --registry: must be ecr with --target cloud\n',
  });
  // With that one the command goes on to look for the application.
  expect((await svc(...image, 'ecr')).err).not.toContain('--registry');
});

test('functions take nothing from a repository of packages', async () => {
  expect(await svc('start', '--scale', '--target', 'cloud', '--experimental')).toMatchObject({
    code: 2,
    err: expect.stringMatching(
      /^svc: --experimental: functions hold the runtime of this installation.*\n.*install svc/,
    ),
  });
  expect(await svc('build', '--target', 'cloud', '--experimental')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^svc: --experimental: needs --target container/),
  });
});

test('a registry without an image to push is told to mean nothing', async () => {
  const note = 'note: --registry means nothing without --push\n';
  for (const target of ['cloud', 'orchestrator']) {
    const { code, err } = await svc('build', 'missing.svc', '--target', target, '--registry', 'ecr');
    expect(code).toBeGreaterThan(0);
    expect(err).toContain(note);
  }
  expect(
    (await svc('build', 'missing.svc', '--target', 'orchestrator', '--push', '--registry', 'ecr')).err,
  ).not.toContain(note);
});

test('files that are not there, or cannot be written, are told in words', async () => {
  await writeFile(join(cwd, 'main.svc'), 'walker:pub Hi { can go with Root entry { report 1; } }\n');
  await writeFile(join(cwd, 'notes.txt'), 'no export\n');
  await writeFile(join(cwd, 'file'), '');
  await writeFile(join(cwd, 'named.toml'), '[project]\nentry-point = "mian.svc"\n');
  const named = 'svc: cannot read mian.svc: no such file\n  hint: named by entry-point in svc.toml\n';
  for (const [args, code, err] of [
    [['start', '--config', 'named.toml'], 3, `${named}  hint: did you mean main.svc?\n`],
    [['import', 'missing.jsonl'], 1, 'svc: cannot read missing.jsonl: no such file or folder\n'],
    [['import', '.'], 1, 'svc: cannot read .: it is a folder\n'],
    [['import', 'notes.txt'], 3, 'svc: notes.txt:1: not a complete export: the line is not JSON\n'],
    [['export', 'nope.svc'], 3, 'svc: cannot read nope.svc: no such file\n  hint: did you mean main.svc?\n'],
    [['build', '--out', 'file/x', 'main.svc'], 1, 'svc: cannot use file/x: a part of its path is a file\n'],
    [['webhook', 'sign', '--key', 'k', '--data', '@nope'], 3, 'svc: cannot read nope: no such file or folder\n'],
    [['start', '--config', 'nope.toml'], 3, 'svc: cannot read nope.toml: no such file\n'],
    [['start', '.'], 3, 'svc: cannot read .: it is a folder\n  hint: did you mean main.svc?\n'],
    [['new', 'file/x'], 1, 'svc: new file/x: a part of its path is a file\n'],
  ] as const)
    expect(await svc(...args), args.join(' ')).toMatchObject({ code, err });
});

test('svc new makes an application and never overwrites one', async () => {
  expect(await svc('new', 'shop')).toMatchObject({ code: 0, out: expect.stringContaining('svc start') });
  expect((await readdir(join(cwd, 'shop'))).sort()).toEqual([
    '.gitignore',
    'README.md',
    'main.svc',
    'main.test.svc',
    'svc.toml',
  ]);
  const toml = await readFile(join(cwd, 'shop', 'svc.toml'), 'utf8');
  expect(toml).toContain('name = "shop"');
  expect(toml).toContain('secret = "auto"');
  expect(await svc('new', 'shop')).toMatchObject({ code: 1, err: expect.stringContaining('not empty') });
  await writeFile(join(cwd, 'file'), '');
  expect(await svc('new', 'file')).toMatchObject({ code: 1 });
  expect(await svc('new', 'tiny', '--template', 'blank')).toMatchObject({ code: 0 });
});
