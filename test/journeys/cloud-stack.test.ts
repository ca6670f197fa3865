/** `svc start --scale --target cloud --dry-run`: the stack, which is the one that `serverless.yml` describes, and what needs no network. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageWithOsls } from '../harness/cloud-template.ts';
import { packageApp } from '../harness/offline-server.ts';
import { copyApp, removeFolder, repository, runSvc } from '../harness/server.ts';

const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/12345678-1234-1234-1234-123456789012';
const env = {
  SVC_CLOUD_STREAM_FUNCTION_URL: 'true',
  SVC_CLOUD_DOMAIN: 'demo.example',
  SVC_CLOUD_CERTIFICATE_ARN: certificate,
  SVC_CLOUD_RESERVED_CONCURRENCY: '7',
};

let folder: string;
let offline: Awaited<ReturnType<typeof runSvc>>;
const dryRun = (more: Readonly<Record<string, string>> = {}, cwd = folder) =>
  runSvc(['start', 'main.svc', '--scale', '--target', 'cloud', '--dry-run', '--offline', '--json'], {
    cwd,
    env: { ...env, ...more },
  });

beforeAll(async () => {
  folder = copyApp(join(repository, 'test/wire/app'));
  offline = await dryRun();
  expect(offline.code, offline.stderr).toBe(0);
});
afterAll(() => removeFolder(folder));

test('the stack is the one that osls makes of serverless.yml', async () => {
  await compare(folder, offline.stdout, env);
});

test('the same with the function, the table and the streams of live subscriptions, and with pages', async () => {
  const other = copyApp(join(repository, 'test/wire/app'));
  mkdirSync(join(other, 'pages'));
  writeFileSync(join(other, 'pages/index.svc'), 'def:pub page() -> JsxElement { return <p>Hello</p>; }\n');
  try {
    const live = { ...env, SVC_CLOUD_LIVE: 'true' };
    const { stdout } = await dryRun(live, other);
    const resources = await compare(other, stdout, live);
    expect(Object.values(resources).map(({ Type }) => Type)).toContain('AWS::Lambda::EventSourceMapping');
    const readers = Object.entries(resources).filter(([, one]) => JSON.stringify(one).includes('s3:GetObject'));
    expect(readers.map(([name]) => name)).toEqual(['HttpRole', 'StreamRole']);
  } finally {
    removeFolder(other);
  }
});

/** Gives the resources as osls makes them. */
async function compare(project: string, plan: string, given: Readonly<Record<string, string>>) {
  await packageApp(project, given);
  const ofOsls = packageWithOsls(project);
  const [line] = plan.split('\n');
  const { template } = JSON.parse(line!);
  const theirs = normalized(ofOsls.resources, given);
  expect(normalized(template.Resources)).toEqual(theirs);
  expect(Object.keys(theirs).length).toBeGreaterThan(35);
  const outputs = JSON.parse(ofOsls.text).Outputs;
  for (const [name, { Value }] of Object.entries<any>(template.Outputs))
    expect([name, Value]).toEqual([name, outputs[name]?.Value]);
  return theirs;
}

/** Without the bucket that osls makes, texts that only people read, and names that are made by chance. `given`: variables that the packaging of tests adds. */
function normalized(resources: Readonly<Record<string, any>>, given: Readonly<Record<string, string>> = {}) {
  const bucket = /^ServerlessDeploymentBucket/;
  const text = JSON.stringify(resources)
    .replace(/WebsocketsDeployment(?!Stage)\w+/g, 'WebsocketsDeployment')
    .replaceAll('${ServerlessDeploymentBucket}', '${ArtifactBucket}');
  const entries = Object.entries<any>(JSON.parse(text)).filter(([name]) => !bucket.test(name));
  return Object.fromEntries(
    entries.map(([name, { DependsOn, Properties, ...rest }]) => {
      const { Description: _, Code: code, ...properties } = Properties;
      const { Variables: variables } = properties.Environment ?? {};
      const kept = Object.entries(variables ?? {}).filter(([key]) => !(key in given));
      return [
        name,
        {
          ...rest,
          // Who refers to another depends on it anyway.
          DependsOn: [DependsOn ?? []].flat().filter((one) => /(LogGroup|Route|Stage)$/.test(one)),
          Properties: {
            ...properties,
            ...(variables === undefined ? {} : { Environment: { Variables: Object.fromEntries(kept) } }),
            ...(code === undefined ? {} : { Code: Object.keys(code) }),
          },
        },
      ];
    }),
  );
}
