/** Kubeconfigs: the cluster they name, and as whom it is called. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findCluster, hasCluster } from './kubeconfig.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-kubeconfig-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const first = `apiVersion: v1
kind: Config
current-context: one
contexts:
- name: one
  context: { cluster: here, user: ada, namespace: shop }
clusters:
- name: here
  cluster:
    server: https://127.0.0.1:6443/
    certificate-authority-data: ${Buffer.from('the authority').toString('base64')}
    tls-server-name: kubernetes
    proxy-url: http://proxy:3128
users:
- name: ada
  user: { client-certificate: ada.crt, client-key-data: ${Buffer.from('the key').toString('base64')} }
`;
const second = `current-context: two
contexts:
- { name: two, context: { cluster: there, user: bob } }
clusters:
- { name: there, cluster: { server: "https://there.example", insecure-skip-tls-verify: true } }
- { name: here, cluster: { server: "https://never.example" } }
users:
- { name: bob, user: { token: secret-token, as: carol } }
`;

test('several files: the first that defines a thing counts; paths are those of their file', async () => {
  write('ada.crt', 'the certificate');
  const KUBECONFIG = [write('a', first), write('b', second)].join(delimiter);
  const one = findCluster('', { KUBECONFIG });
  expect(one).toMatchObject({
    context: 'one',
    server: 'https://127.0.0.1:6443',
    namespace: 'shop',
    proxy: 'http://proxy:3128',
  });
  expect(one.tls).toEqual({ ca: Buffer.from('the authority'), servername: 'kubernetes' });
  expect(await one.identify()).toEqual({
    headers: {},
    cert: Buffer.from('the certificate'),
    key: Buffer.from('the key'),
  });
  const two = findCluster('two', { KUBECONFIG });
  expect([two.server, two.tls]).toEqual(['https://there.example', { rejectUnauthorized: false }]);
  expect(await two.identify()).toEqual({
    headers: { authorization: 'Bearer secret-token', 'impersonate-user': 'carol' },
  });
});

test('the file of the home folder, or none', () => {
  expect(hasCluster({ HOME: folder })).toBe(false);
  expect(() => findCluster('', { HOME: folder })).toThrow('cannot reach the cluster: there is no kubeconfig');
  expect(() => findCluster('x', { KUBECONFIG: write('a', first) })).toThrow('the kubeconfig has no context x');
  expect(() => findCluster('', { KUBECONFIG: join(folder, 'none') })).toThrow(/none cannot be read \(ENOENT\)/);
});

test('a broken file is told by its place, without the secrets that stand there', () => {
  const KUBECONFIG = write('a', 'users:\n- name: a\n  user: { token: "secret-token\n');
  try {
    findCluster('', { KUBECONFIG });
    expect.unreachable();
  } catch (error) {
    expect(String(error)).toContain('cannot be read');
    expect(JSON.stringify(error) + String(error)).not.toContain('secret-token');
  }
});

const withUser = (user: object) =>
  findCluster('', {
    PATH: process.env['PATH'],
    KUBECONFIG: write(
      'exec',
      JSON.stringify({
        'current-context': 'c',
        contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
        clusters: [{ name: 'c', cluster: { server: 'https://c.example' } }],
        users: [{ name: 'u', user }],
      }),
    ),
  });

test('a plugin gives a token, is told what is wanted, and is asked again when that is over', async () => {
  const count = join(folder, 'count');
  writeFileSync(
    join(folder, 'plugin'),
    `#!/usr/bin/env node
const fs = require('fs');
fs.appendFileSync(${JSON.stringify(count)}, 'x');
const { apiVersion, spec } = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
const token = [process.argv[2], process.env.OWN, spec.cluster.server, fs.readFileSync(${JSON.stringify(count)}).length].join(' ');
console.log(JSON.stringify({ apiVersion, kind: 'ExecCredential', status: { token } }));
`,
  );
  chmodSync(join(folder, 'plugin'), 0o755);
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: join(folder, 'plugin'),
    args: ['get'],
    env: [{ name: 'OWN', value: 'own' }],
    provideClusterInfo: true,
  };
  const access = withUser({ exec });
  const token = async () => (await access.identify()).headers['authorization'];
  expect(await token()).toBe('Bearer get own https://c.example 1');
  expect(await token()).toBe('Bearer get own https://c.example 1');
  access.forget();
  expect(await token()).toBe('Bearer get own https://c.example 2');
});

test('a plugin that fails says so with its hint, and never with what it printed', async () => {
  const failing = {
    command: process.execPath,
    args: ['-e', 'console.log("secret-token"); process.exit(1)'],
    installHint: 'sign in again',
  };
  await expect(withUser({ exec: failing }).identify()).rejects.toMatchObject({
    kind: 'prerequisite',
    message: `cannot reach the cluster: the credential plugin ${process.execPath} failed`,
    hints: ['sign in again'],
    output: [],
  });
  const empty = { command: process.execPath, args: ['-e', 'console.log("{}")'] };
  await expect(withUser({ exec: empty }).identify()).rejects.toThrow('gave no credentials');
  await expect(withUser({ 'auth-provider': { name: 'gcp' } }).identify()).rejects.toThrow(
    'auth-provider gcp of the kubeconfig is no more',
  );
});
