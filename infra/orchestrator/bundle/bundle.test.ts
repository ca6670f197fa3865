import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unpackSettings } from '../../../core/config/packed-settings.ts';
import { parseToml } from '../../../core/config/toml.ts';
import { plainTable } from '../../../core/config/toml-nodes.ts';
import { folderWith } from '../../../test/harness/svc-process.ts';
import { readAppFiles } from './app-files.ts';
import { packBundle, splitBundle } from './pack-bundle.ts';
import { settingsToml } from './settings-toml.ts';
import { packTar } from './tar.ts';

const text = (value: string) => Buffer.from(value);

test('tar unpacks what was packed, long names and all', () => {
  const long = `${'deep/'.repeat(40)}${'x'.repeat(90)}ü.svc`;
  const files = {
    'main.svc': text('walker A {}'),
    empty: text(''),
    [long]: text('long'),
    'block.bin': Buffer.alloc(512, 7),
  };
  using folder = folderWith({ 'all.tar': '' });
  writeFileSync(join(folder.path, 'all.tar'), packTar(files));
  execFileSync('tar', ['-xf', 'all.tar'], { cwd: folder.path });
  for (const [path, contents] of Object.entries(files))
    expect([path, readFileSync(join(folder.path, path))]).toEqual([path, contents]);
});

test('the same files give the same bundle, in whatever order they were read', async () => {
  const [a, b] = [text('a'), text('b')];
  expect(await packBundle({ a, b })).toEqual(await packBundle({ b, a }));
  expect((await packBundle({ a, b })).sha256).not.toBe((await packBundle({ a: b, b: a })).sha256);
});

test('parts have at most 900 KiB and make up the archive; more than 16 are refused', () => {
  const archive = randomBytes(2_000_000);
  const parts = splitBundle(archive);
  expect(parts.map(({ length }) => length)).toEqual([921_600, 921_600, 156_800]);
  expect(archive.equals(Buffer.concat(parts))).toBe(true);
  expect(splitBundle(new Uint8Array(16 * 921_600))).toHaveLength(16);
  expect(() => splitBundle(new Uint8Array(17_230_000))).toThrow(
    /^the bundle is 17\.2 MB, more than fits without an image; use --build$/,
  );
});

test('settings as a document say what they said', () => {
  const document = `
name = "a \\"quoted\\" text\\u007f"
[serve]
port = 8000
"odd key" = [1, 2.5, true, "x", inf]
[a.b.c]
d = { e = 1 }
[empty]
[dates]
on = 1979-05-27T07:32:00Z
list = [{ x = "y" }]
`;
  const { root } = parseToml(document, 'svc.toml');
  const again = parseToml(settingsToml(root), 'svc.toml');
  expect([plainTable(again.root), again.findings]).toEqual([plainTable(root), []]);
  expect(settingsToml(unpackSettings({ name: '', root: { at: [1, 1], members: {} } }).root)).toBe('');
});

test('the files of an application: everything but what is hidden, installed, linked, kept or a key', () => {
  const settings = '[plugins.scale.jwt]\nsecret = "a literal secret of the file 012345"\n[serve]\nworkers = 2\n';
  using folder = folderWith({
    'main.svc': 'x',
    'lib/more.svc': 'y',
    'public/a.txt': 'z',
    'svc.toml': settings,
    'package.json': '{}',
    '.env': 'A=b',
    '.env.production': 'A=b',
    '.git/config': '',
    '.npmrc': '//token',
    '.svc/secrets/jwt': '',
    'lib/.hidden': '',
    'node_modules/x/index.js': '',
    'lib/node_modules/x/index.js': '',
    'storage/upload': '',
    'tls.pem': '',
    'lib/own.KEY': '',
    id_ed25519: '',
    'notes.txt': 'from the mail:\n-----BEGIN RSA PRIVATE KEY-----\n',
  });
  mkdirSync(join(folder.path, 'hollow'));
  symlinkSync('/etc/hostname', join(folder.path, 'linked'));
  const { files, keyFiles } = readAppFiles({
    projectDir: folder.path,
    configFile: { name: 'svc.toml', ...parseToml(settings, 'svc.toml') },
    exclude: [join(folder.path, 'storage')],
  });
  expect(Object.keys(files).sort()).toEqual(['lib/more.svc', 'main.svc', 'package.json', 'public/a.txt', 'svc.toml']);
  expect(Buffer.from(files['svc.toml']!).toString()).toBe('[serve]\nworkers = 2\n');
  expect(keyFiles.toSorted()).toEqual(['id_ed25519', 'lib/own.KEY', 'notes.txt', 'tls.pem']);
});
