/** All objects of a small and of a full deployment, as files: `npx vitest run infra/orchestrator/golden.test.ts -u` writes them anew. */
import { expect, test } from 'vitest';
import { toYaml } from '../../base/to-yaml.ts';
import { defaultConfig } from '../../core/config/resolve.ts';
import type { DeployedApp } from './deployment.ts';
import { makePlan } from './plan.ts';
import { shownObject } from './show-objects.ts';

const { orchestrator } = defaultConfig().scale;

const small: DeployedApp = {
  ...{ name: 'demo', version: '1.2.0', entry: 'main.svc', prefix: '', filesPath: '/app/storage', sourceDigest: 'f00d' },
  settings: { ...orchestrator, appName: 'demo' },
  source: { kind: 'image', image: 'registry.example/demo@sha256:digest' },
  store: 'sqlite',
  secrets: { API_TOKEN: 'canary-secret' },
  settingsSecrets: {},
  makesJwtSecret: true,
  env: {},
};

const full: DeployedApp = {
  ...small,
  prefix: '/shop',
  settings: {
    ...small.settings,
    ...{ host: 'app.example.org', ingressClass: 'nginx', tlsSecret: 'tls', namespace: 'shop' },
    ...{ cpuRequest: '100m', cpuLimit: '1', memoryRequest: '128Mi', memoryLimit: '512Mi' },
    autoscale: { min: 2, max: 5, cpu: 70 },
    docdb: { ...orchestrator.docdb, enabled: true },
    kvcache: { ...orchestrator.kvcache, enabled: true },
  },
  source: { kind: 'bundle', image: 'node@sha256:base', parts: [Buffer.from('one')], sha256: 'abcdef0123456789' },
  store: 'docdb',
  settingsSecrets: { WEBHOOK_SECRET: 'canary-secret' },
  env: { LOG_STYLE: 'compact' },
  pullSecret: '{"auths":{"canary":{}}}',
};

test.each([
  ['small', small],
  ['full', full],
])('%s', async (name, app) => {
  const text = makePlan(app)
    .map((object) => `---\n${toYaml(shownObject(object))}`)
    .join('');
  expect(text).not.toContain('canary');
  await expect(text).toMatchFileSnapshot(`golden/${name}.yaml`);
});
