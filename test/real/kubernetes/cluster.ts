/** The control plane and its node, with an index of packages and a registry of images, for tests of deployments. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { type ImageHost, startImageHost, startPackageIndex } from '../../harness/deploy-tools.ts';
import { noteMissing } from '../../harness/missing.ts';
import { removeFolder, repository, svcBin } from '../../harness/server.ts';
import { type ControlPlane, hasControlPlane, startControlPlane, users } from './control-plane.ts';
import { type Image, linkPackages, type NodeAgent, startNodeAgent } from './node-agent.ts';

export interface Cluster extends AsyncDisposable {
  readonly plane: ControlPlane;
  readonly node: NodeAgent;
  readonly images: ImageHost;
  /** Environment of commands that deploy. */
  readonly env: Readonly<Record<string, string>>;
  /** A request to the API as the administrator. */
  ask(method: string, path: string, body?: object, type?: string): Promise<any>;
}

/** Notes that there is no control plane, for the list of what a run left out. */
export function hasNoCluster(): boolean {
  if (!hasControlPlane) noteMissing('a control plane of Kubernetes (node test/real/kubernetes/build.mjs builds it)');
  return !hasControlPlane;
}

/** Images by what their containers do. The files of `app` are those of the folder that the cluster was started with. */
export const testImages = {
  app: `registry.test/app@sha256:${'a'.repeat(64)}`,
  crashing: `registry.test/crashing@sha256:${'c'.repeat(64)}`,
  missing: `registry.test/missing@sha256:${'d'.repeat(64)}`,
} as const;

const crash = 'console.log("the database is not there"); setTimeout(() => process.exit(3), 100)';

export interface ClusterImages {
  /** Images by the part of their names behind the registry. */
  readonly further?: Readonly<Record<string, Image>>;
  /** True: images that are not of these tests are pulled from their registry, and run from what they hold. */
  readonly pulls?: boolean;
}

/** @param files the application in the image `app` */
export async function startCluster(
  files?: string,
  { further = {}, pulls = false }: ClusterImages = {},
): Promise<Cluster> {
  const tools = mkdtempSync(join(tmpdir(), 'svc-cluster-'));
  execFileSync(process.execPath, [join(repository, 'bin/build.mjs'), '--out', join(tools, 'dist'), '--id', 'tested']);
  const index = await startPackageIndex('svc-scale', '1.4.2', {
    'bin/svc.mjs': readFileSync(join(repository, 'bin/svc.mjs')),
    ...filesOf(join(tools, 'dist'), 'dist/'),
  });
  const images = await startImageHost();
  const plane = await startControlPlane();
  process.stderr.write(`counterpart: ${plane.versions()}, etcd, and a node that runs containers as processes\n`);
  mkdirSync(join(plane.folder, 'node'));
  const packages = {
    npm_config_registry: `http://${index.host}/`,
    npm_config_cache: join(tools, 'cache'),
    npm_config_userconfig: join(tools, 'npmrc'),
  };
  const path = process.env['PATH'] ?? '';
  const node = await startNodeAgent({
    kubeconfig: plane.kubeconfig,
    folder: join(plane.folder, 'node'),
    env: { PATH: path, ...packages },
    ...(pulls ? { pulled: join(plane.folder, 'images') } : {}),
    image: (name) => {
      if (name.startsWith(`${images.host}/node`)) return {};
      for (const [part, image] of Object.entries(further)) if (name.startsWith(`${images.host}/${part}`)) return image;
      if (name === testImages.crashing) return { entry: [process.execPath, '-e', crash] };
      if (name !== testImages.app) return undefined;
      return { entry: [process.execPath, svcBin], ...(files === undefined ? {} : { files }) };
    },
    prepared: (app) => linkPackages(repository, app, ['libsql', 'mongodb', 'ioredis']),
  });
  const env = {
    PATH: path,
    HOME: tools,
    USER: 'ada',
    KUBECONFIG: plane.kubeconfig,
    SVC_ORCHESTRATOR_BASE_IMAGE: `${images.host}/node:22-slim`,
    ...packages,
  };
  return {
    ...{ plane, node, images, env },
    ask: (method, at, body, type) => ask(plane.server, method, at, body, type),
    async [Symbol.asyncDispose]() {
      await node[Symbol.asyncDispose]();
      await plane[Symbol.asyncDispose]();
      await images[Symbol.asyncDispose]();
      await index[Symbol.asyncDispose]();
      removeFolder(tools);
    },
  };
}

function filesOf(folder: string, prefix: string): Record<string, Buffer> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = found.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((path) => [prefix + relative(folder, path), readFileSync(path)]));
}

async function ask(
  server: string,
  method: string,
  path: string,
  body?: object,
  type = 'application/json',
): Promise<any> {
  return await new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${users.admin}`, 'content-type': type };
    const asked = request(server + path, { method, headers, rejectUnauthorized: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve(text.startsWith('{') ? JSON.parse(text) : text));
    });
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
