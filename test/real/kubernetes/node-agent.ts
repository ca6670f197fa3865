/**
 * A node of the tests' control plane that runs containers as processes of this machine: environment from Secrets, init containers, probes, restarts,
 * logs, drains, and node ports in front of the pods that are ready. Each pod has an address of the loopback range. There is no isolation;
 * `/app` and `/bundle` of a container are folders of its pod.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type KubeClient, KubeError, openClient } from '../../../infra/cluster/client.ts';
import { pathOf } from '../../../infra/cluster/kinds.ts';
import { findCluster } from '../../../infra/cluster/kubeconfig.ts';
import { located, placeMounts, volumeFolder } from './pod-mounts.ts';
import { namesOf, writeNames } from './service-names.ts';
import { pullImage, startContainer, type UnpackedImage } from './unpacked-image.ts';

/** Contents of an image: files for `/app`, the program before its arguments, a folder of programs that its commands find first. */
export interface Image {
  readonly files?: string;
  readonly entry?: readonly string[];
  readonly programs?: string;
  readonly unpacked?: UnpackedImage;
}

export interface NodeAgentOptions {
  readonly kubeconfig: string;
  readonly folder: string;
  /** Undefined: it cannot be pulled. */
  image(name: string): Image | undefined;
  /** Folder for images that `image` does not know, which are pulled and unpacked then (unpacked-image.ts). Absent: they are missing. */
  readonly pulled?: string;
  /** Added to the environment of every container. */
  readonly env: Readonly<Record<string, string>>;
  /** Called when init containers have ended, with the folder that is `/app`. */
  prepared?(app: string): void;
}

export interface NodeAgent extends AsyncDisposable {
  readonly name: string;
  /** Processes that run, by pod. */
  pods(): string[];
}

interface Pod {
  readonly object: any;
  readonly root: string;
  readonly ip: string;
  readonly lines: Map<string, string[]>;
  child: ChildProcess | undefined;
  /** Environment of its last container. */
  env: Readonly<Record<string, string>>;
  restarts: number;
  isReady: boolean;
  isEnding: boolean;
  /** True once nothing of it runs any more, nor will. */
  isOver: boolean;
  states: Record<string, any>;
  last: any;
  startedAt: string;
}

const name = 'test-node';

/** Network of the loopback range, another one for each process: node ports are fixed numbers. */
const network = `127.${64 + ((process.pid >> 8) % 128)}.${process.pid % 256}`;

/** Address at which node ports are reached. */
export const nodeAddress = `${network}.254`;

export async function startNodeAgent(options: NodeAgentOptions): Promise<NodeAgent> {
  const stopped = new AbortController();
  const access = findCluster('', { KUBECONFIG: options.kubeconfig });
  const client = openClient(access, { patienceMs: 600_000, signal: stopped.signal });
  const pods = new Map<string, Pod>();
  const logs = await serveLogs(options.folder, pods);
  await register(client, (logs.address() as AddressInfo).port);
  const ports = new Map<number, Server>();
  writeNames(options.folder, [], []);
  let address = 1;
  const loop = async () => {
    for (let beat = 0; !stopped.signal.aborted; beat++) {
      try {
        if (beat % 25 === 0) await heartbeat(client);
        const { items } = await client.request({
          method: 'GET',
          path: '/api/v1/pods',
          query: { fieldSelector: `spec.nodeName=${name}` },
        });
        const seen = new Set(items.map(({ metadata }: any) => metadata.uid));
        for (const [uid, pod] of pods) if (!seen.has(uid)) void stopPod(pod, 0).then(() => pods.delete(uid));
        for (const object of items) {
          const known = pods.get(object.metadata.uid);
          if (known === undefined && object.metadata.deletionTimestamp === undefined) {
            const pod = newPod(object, options.folder, `${network}.${(address++ % 250) + 1}`);
            pods.set(object.metadata.uid, pod);
            void runPod(client, pod, options, stopped.signal)
              .catch((error) => {
                if (!stopped.signal.aborted) pod.lines.set('agent', [`${new Date().toISOString()} ${error.message}`]);
              })
              .finally(() => {
                pod.isOver = true;
              });
          } else if (object.metadata.deletionTimestamp !== undefined && known?.isEnding !== true) {
            if (known !== undefined) known.isEnding = true;
            void endPod(client, object, known).catch(() => {});
          }
        }
        await openPorts(client, pods, ports, options.folder);
      } catch (error) {
        if (stopped.signal.aborted) return;
        if (!(error instanceof KubeError)) process.stderr.write(`node agent: ${(error as Error).message}\n`);
      }
      await sleep(200);
    }
  };
  const running = loop();
  return {
    name,
    pods: () =>
      [...pods.values()].filter(({ child }) => child?.exitCode === null).map(({ object }) => object.metadata.name),
    async [Symbol.asyncDispose]() {
      stopped.abort();
      await running;
      await Promise.all([...pods.values()].map((pod) => stopPod(pod, 0)));
      for (const server of ports.values()) server.close();
      logs.closeAllConnections();
      logs.close();
      client.close();
    },
  };
}

function newPod(object: any, folder: string, ip: string): Pod {
  const root = join(folder, 'pods', object.metadata.name);
  mkdirSync(join(root, 'app'), { recursive: true });
  mkdirSync(join(root, 'bundle'), { recursive: true });
  mkdirSync(join(root, 'tmp'), { recursive: true });
  return {
    ...{
      object,
      root,
      ip,
      child: undefined,
      env: {},
      restarts: 0,
      isReady: false,
      isEnding: false,
      isOver: false,
      last: {},
    },
    lines: new Map(),
    states: {},
    startedAt: new Date().toISOString(),
  };
}

async function register(client: KubeClient, port: number): Promise<void> {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { 'kubernetes.io/hostname': name } } };
  await client.request({ method: 'POST', path: '/api/v1/nodes', body: node });
  const status = {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
    capacity: { cpu: '8', memory: '16Gi', pods: '100' },
    allocatable: { cpu: '8', memory: '16Gi', pods: '100' },
    conditions: [readyCondition()],
  };
  await client.request({
    method: 'PATCH',
    path: `/api/v1/nodes/${name}/status`,
    query: { fieldManager: 'node', force: 'true' },
    body: { apiVersion: 'v1', kind: 'Node', metadata: { name }, status },
  });
}

function readyCondition() {
  const now = new Date().toISOString();
  return {
    type: 'Ready',
    status: 'True',
    reason: 'Test',
    message: '',
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  };
}

async function heartbeat(client: KubeClient): Promise<void> {
  const spec = {
    holderIdentity: name,
    leaseDurationSeconds: 40,
    renewTime: new Date().toISOString().replace('Z', '000Z'),
  };
  await client.request({
    method: 'PATCH',
    path: pathOf('Lease', 'kube-node-lease', name),
    query: { fieldManager: 'node', force: 'true' },
    body: {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name, namespace: 'kube-node-lease' },
      spec,
    },
  });
}

async function runPod(client: KubeClient, pod: Pod, options: NodeAgentOptions, signal: AbortSignal): Promise<void> {
  const { spec } = pod.object;
  for (const container of [...(spec.initContainers ?? []), ...spec.containers])
    pod.states[container.name] = { waiting: { reason: 'ContainerCreating' } };
  await report(client, pod);
  await placeVolumes(client, pod);
  for (const container of spec.initContainers ?? []) {
    for (;;) {
      const code = await runOnce(client, pod, container, options, signal);
      if (code === 0) break;
      if (pod.isEnding || signal.aborted) return;
      await backOff(client, pod, container, code);
    }
  }
  options.prepared?.(join(pod.root, 'app'));
  const container = spec.containers[0];
  const stop = new AbortController();
  void probe(client, pod, container, stop.signal);
  while (!pod.isEnding && !signal.aborted) {
    const code = await runOnce(client, pod, container, options, signal);
    pod.isReady = false;
    if (pod.isEnding || signal.aborted) break;
    await backOff(client, pod, container, code);
  }
  stop.abort();
}

async function backOff(client: KubeClient, pod: Pod, container: any, code: number): Promise<void> {
  pod.restarts++;
  pod.last = {
    terminated: { exitCode: code, reason: 'Error', startedAt: pod.startedAt, finishedAt: new Date().toISOString() },
  };
  pod.states[container.name] = {
    waiting: { reason: 'CrashLoopBackOff', message: `back-off restarting failed container ${container.name}` },
  };
  await report(client, pod);
  await sleep(300 * pod.restarts);
}

/** Bundles and key files, from the ConfigMaps of projected volumes. */
async function placeVolumes(client: KubeClient, pod: Pod): Promise<void> {
  for (const volume of pod.object.spec.volumes ?? []) await placeClaim(client, pod, volume);
  for (const volume of pod.object.spec.volumes ?? [])
    for (const { configMap } of volume.projected?.sources ?? []) {
      const map = await client.get('ConfigMap', pod.object.metadata.namespace, configMap.name);
      for (const [key, text] of Object.entries(map?.binaryData ?? {}))
        writeFileSync(join(pod.root, 'bundle', key), Buffer.from(text, 'base64'));
    }
  await placeMounts(client, pod);
}

/** A volume outlives the pod: its folders are beside those of pods. */
async function placeClaim(
  client: KubeClient,
  pod: Pod,
  { name: volume, persistentVolumeClaim: claim }: any,
): Promise<void> {
  if (claim === undefined) return;
  for (const { name: mounted, mountPath, subPath = '' } of pod.object.spec.containers[0].volumeMounts) {
    if (mounted !== volume || !mountPath.startsWith('/app/')) continue;
    const kept = await volumeFolder(client, pod, claim.claimName, subPath);
    rmSync(join(pod.root, mountPath), { recursive: true, force: true });
    symlinkSync(kept, join(pod.root, mountPath));
  }
}

async function runOnce(
  client: KubeClient,
  pod: Pod,
  container: any,
  options: NodeAgentOptions,
  signal: AbortSignal,
): Promise<number> {
  let image = await pull(client, pod, container.image, options);
  for (let attempt = 0; typeof image === 'string'; attempt++) {
    const reason = attempt === 0 ? 'ErrImagePull' : 'ImagePullBackOff';
    pod.states[container.name] = { waiting: { reason, message: `${container.image}: ${image}` } };
    await report(client, pod);
    await sleep(500);
    if (pod.isEnding || signal.aborted) return -1;
    image = await pull(client, pod, container.image, options);
  }
  const env = await environment(client, pod, container).catch((error: Error) => error.message);
  if (typeof env === 'string') {
    pod.states[container.name] = { waiting: { reason: 'CreateContainerConfigError', message: env } };
    await report(client, pod);
    await sleep(1000);
    return await runOnce(client, pod, container, options, signal);
  }
  const app = join(pod.root, 'app');
  if (image.files !== undefined) {
    cpSync(image.files, app, { recursive: true, filter: (path) => !/\/(\.svc|node_modules)$/.test(path) });
  }
  // Programs of this machine, which stand for images, have paths of this machine.
  const given = (text: string) =>
    text === '0.0.0.0' ? pod.ip : image.unpacked === undefined ? located(pod, container, text) : text;
  const [program, ...args]: string[] = [
    ...(container.command?.map(given) ?? image.entry ?? []),
    ...(container.args ?? []).map(given),
  ];
  const places = {
    APP_DIR: app,
    BUNDLE_DIR: join(pod.root, 'bundle'),
    FILES_DIR: join(app, 'storage'),
    TMPDIR: join(pod.root, 'tmp'),
    POD_IP: pod.ip,
    ...namesOf(pod.root),
  };
  const path = image.programs === undefined ? {} : { PATH: `${image.programs}:${options.env['PATH']}` };
  pod.env = { ...options.env, ...env, ...places, ...path, HOME: join(pod.root, 'tmp') };
  const child =
    image.unpacked === undefined
      ? spawn(program!, args, { cwd: app, env: pod.env, stdio: ['ignore', 'pipe', 'pipe'] })
      : startContainer({
          image: image.unpacked,
          command: [program!, ...args],
          env,
          volumes: volumesOf(pod, container),
        });
  child.on('error', () => {});
  pod.child = child;
  const lines = pod.lines.get(container.name) ?? [];
  pod.lines.set(container.name, lines);
  for (const stream of [child.stdout!, child.stderr!])
    createInterface({ input: stream }).on('line', (line) => {
      if (line !== '') lines.push(`${new Date().toISOString()} ${line}`);
    });
  const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? 137)));
  pod.states[container.name] = { running: { startedAt: new Date().toISOString() } };
  await report(client, pod);
  const code = await ended;
  pod.states[container.name] = { terminated: { exitCode: code, reason: code === 0 ? 'Completed' : 'Error' } };
  if (!pod.isEnding) await report(client, pod);
  return code;
}

/** Gives what an image holds, or says why it is missing. */
async function pull(
  client: KubeClient,
  { object: { metadata, spec } }: Pod,
  image: string,
  options: NodeAgentOptions,
): Promise<Image | string> {
  const known = options.image(image);
  if (known !== undefined || options.pulled === undefined) return known ?? 'not found';
  try {
    const [login] = spec.imagePullSecrets ?? [];
    const secret = login === undefined ? undefined : await client.get('Secret', metadata.namespace, login.name);
    const text = Buffer.from(secret?.data?.['.dockerconfigjson'] ?? '', 'base64').toString();
    const unpacked = await pullImage(image, text === '' ? undefined : text, options.pulled);
    return { entry: unpacked.entry, unpacked };
  } catch (error) {
    return String((error as { stderr?: string }).stderr || (error as Error).message).slice(-300);
  }
}

/** Folders of a pod's volumes by the paths at which a container has them; those of a claim outlive the pod. */
function volumesOf({ object: { metadata, spec }, root }: Pod, container: any): Record<string, string> {
  const folderOf = (name: string, subPath: string) => {
    const { persistentVolumeClaim: claim } = spec.volumes.find((volume: any) => volume.name === name);
    return claim === undefined
      ? join(root, 'volumes', name, subPath)
      : join(root, '../../claims', metadata.namespace, claim.claimName, subPath);
  };
  return Object.fromEntries(
    container.volumeMounts.map(({ name, mountPath, subPath = '' }: any) => [mountPath, folderOf(name, subPath)]),
  );
}

/** @throws Error that says what is missing */
async function environment(client: KubeClient, pod: Pod, container: any): Promise<Record<string, string>> {
  const { namespace } = pod.object.metadata;
  const found: Record<string, string> = {};
  const secret = async (of: string) => {
    const object = await client.get('Secret', namespace, of);
    if (object === undefined) throw new Error(`secret "${of}" not found`);
    return Object.fromEntries(
      Object.entries(object.data ?? {}).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]),
    );
  };
  for (const { secretRef } of container.envFrom ?? []) Object.assign(found, await secret(secretRef.name));
  for (const { name: variable, value, valueFrom } of container.env ?? [])
    found[variable] =
      valueFrom === undefined ? value : (await secret(valueFrom.secretKeyRef.name))[valueFrom.secretKeyRef.key]!;
  return found;
}

async function probe(client: KubeClient, pod: Pod, container: any, signal: AbortSignal): Promise<void> {
  const { readinessProbe } = container;
  // Databases are asked ten times as often as on a real node: their numbers are not settings.
  const second = readinessProbe.exec === undefined ? 1000 : 100;
  await sleep(readinessProbe.initialDelaySeconds * second);
  // A pod that is slow to answer once is not taken from those that serve.
  const { failureThreshold = 3 } = readinessProbe;
  for (let failures = 0; !signal.aborted && !pod.isEnding; ) {
    const isAnswered = await (readinessProbe.exec === undefined ? answers(pod, container) : succeeds(pod, container));
    failures = isAnswered ? 0 : failures + 1;
    const isReady = isAnswered || (pod.isReady && failures < failureThreshold);
    if (isReady !== pod.isReady && !pod.isEnding) {
      pod.isReady = isReady;
      await report(client, pod).catch(() => {});
    }
    await sleep(readinessProbe.periodSeconds * second);
  }
}

async function answers({ ip }: Pod, { readinessProbe, ports }: any): Promise<boolean> {
  const url = `http://${ip}:${ports[0].containerPort}${readinessProbe.httpGet.path}`;
  return await fetch(url, { signal: AbortSignal.timeout(readinessProbe.timeoutSeconds * 1000) }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.ok;
    },
    () => false,
  );
}

async function succeeds(pod: Pod, { readinessProbe }: any): Promise<boolean> {
  const [program, ...args] = readinessProbe.exec.command;
  return await new Promise((resolve) => execFile(program, args, { env: pod.env }, (error) => resolve(error === null)));
}

async function report(client: KubeClient, pod: Pod): Promise<void> {
  const { metadata, spec } = pod.object;
  const statusOf = (container: any) => {
    const state = pod.states[container.name];
    const isMain = spec.containers.includes(container);
    return {
      name: container.name,
      image: container.image,
      imageID: '',
      ready: isMain ? pod.isReady : state.terminated?.exitCode === 0,
      started: state.running !== undefined,
      restartCount:
        isMain || spec.containers.every(({ name: one }: any) => pod.states[one].waiting?.reason === 'ContainerCreating')
          ? pod.restarts
          : 0,
      state,
      lastState: pod.last,
    };
  };
  const now = new Date().toISOString();
  const condition = (type: string, is: boolean) => ({ type, status: is ? 'True' : 'False', lastTransitionTime: now });
  const isRunning = Object.values(pod.states).some((state) => state.running !== undefined) || pod.restarts > 0;
  const status = {
    phase: isRunning ? 'Running' : 'Pending',
    podIP: pod.ip,
    hostIP: '127.0.0.1',
    startTime: pod.startedAt,
    conditions: [
      condition('Ready', pod.isReady),
      condition('ContainersReady', pod.isReady),
      condition('Initialized', true),
    ],
    initContainerStatuses: (spec.initContainers ?? []).map(statusOf),
    containerStatuses: spec.containers.map(statusOf),
  };
  await client
    .request({
      method: 'PATCH',
      path: `${pathOf('Pod', metadata.namespace, metadata.name)}/status`,
      query: { fieldManager: 'node', force: 'true' },
      body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: metadata.name, namespace: metadata.namespace }, status },
    })
    .catch((error) => {
      if (!(error instanceof KubeError)) throw error;
      if (error.status !== 404) process.stderr.write(`node agent: ${error.message}\n`);
    });
}

/** Ends a pod as a kubelet does: no new connections, SIGTERM, the grace period, SIGKILL, and then the pod is gone. */
async function endPod(client: KubeClient, object: any, pod: Pod | undefined): Promise<void> {
  if (pod !== undefined) await stopPod(pod, (object.metadata.deletionGracePeriodSeconds ?? 30) * 1000);
  await client.remove('Pod', object.metadata.namespace, object.metadata.name, { gracePeriodSeconds: 0 });
}

async function stopPod(pod: Pod, graceMs: number): Promise<void> {
  pod.isEnding = true;
  const { child } = pod;
  if (child !== undefined && child.exitCode === null && child.signalCode === null) {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(graceMs === 0 ? 'SIGKILL' : 'SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await gone;
    clearTimeout(timer);
  }
  rmSync(pod.root, { recursive: true, force: true });
}

/** Does the work of kube-proxy: a node port leads to one of the ready pods. */
async function openPorts(
  client: KubeClient,
  pods: Map<string, Pod>,
  ports: Map<number, Server>,
  folder: string,
): Promise<void> {
  const { items } = await client.request({ method: 'GET', path: '/api/v1/services' });
  const wanted = new Map<number, any>();
  for (const { spec, metadata } of items)
    for (const { nodePort, targetPort } of spec.ports ?? [])
      if (nodePort !== undefined)
        wanted.set(nodePort, { selector: spec.selector, targetPort, namespace: metadata.namespace });
  writeNames(folder, items, [...pods.values()]);
  for (const [port, server] of ports) {
    if (wanted.has(port)) continue;
    server.close();
    ports.delete(port);
  }
  for (const [port, service] of wanted) {
    targets.set(port, service);
    if (ports.has(port)) continue;
    let turn = 0;
    const server = createServer((socket) => {
      socket.on('error', () => {});
      const { selector, targetPort, namespace } = targets.get(port)!;
      const ready = [...pods.values()].filter(
        ({ object, isReady, isEnding }) =>
          isReady &&
          !isEnding &&
          object.metadata.namespace === namespace &&
          Object.entries(selector).every(([key, value]) => object.metadata.labels[key] === value),
      );
      const pod = ready[turn++ % ready.length];
      if (pod === undefined) return socket.destroy();
      const to = connect(targetPort, pod.ip);
      to.on('error', () => socket.destroy());
      socket.on('close', () => to.destroy());
      to.on('close', () => socket.destroy());
      return socket.pipe(to).pipe(socket);
    });
    server.on('error', () => ports.delete(port));
    server.listen(port, nodeAddress);
    ports.set(port, server);
  }
}

const targets = new Map<number, any>();

/** The part of a kubelet that the API server asks for logs. */
async function serveLogs(folder: string, pods: Map<string, Pod>) {
  const [key, cert] = [join(folder, 'node.key'), join(folder, 'node.crt')];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-subj', '/CN=node', '-days', '2'],
    { stdio: 'ignore' },
  );
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    const url = new URL(request.url!, 'https://node');
    const [, , namespace, podName, container] = url.pathname.split('/');
    const pod = [...pods.values()].find(
      ({ object: { metadata } }) => metadata.name === podName && metadata.namespace === namespace,
    );
    if (pod === undefined) return response.writeHead(404).end('no such pod');
    const tail = Number(url.searchParams.get('tailLines') ?? Number.POSITIVE_INFINITY);
    const seconds = Number(url.searchParams.get('sinceSeconds') ?? Number.POSITIVE_INFINITY);
    const from = Date.parse(
      url.searchParams.get('sinceTime') ?? new Date(Math.max(0, Date.now() - seconds * 1000)).toISOString(),
    );
    const text = (line: string) =>
      url.searchParams.get('timestamps') === 'true' ? line : line.slice(line.indexOf(' ') + 1);
    const all = () => pod.lines.get(container!) ?? [];
    const first = all().filter((line) => Date.parse(line.slice(0, line.indexOf(' '))) >= from);
    response.write((Number.isFinite(tail) ? first.slice(-tail) : first).map((line) => `${text(line)}\n`).join(''));
    if (url.searchParams.get('follow') !== 'true') return response.end();
    let told = all().length;
    const restarts = pod.restarts;
    const timer = setInterval(() => {
      for (; told < all().length; told++) response.write(`${text(all()[told]!)}\n`);
      // A log that is followed ends with its container, whose last lines come after the signal.
      if (pod.isOver || pod.restarts !== restarts) {
        clearInterval(timer);
        response.end();
      }
    }, 100);
    response.on('close', () => clearInterval(timer));
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Packages that the tests' index of packages does not have, from this repository. */
export function linkPackages(repository: string, app: string, names: readonly string[]): void {
  for (const one of names) {
    mkdirSync(join(app, 'node_modules', one, '..'), { recursive: true });
    rmSync(join(app, 'node_modules', one), { recursive: true, force: true });
    symlinkSync(join(repository, 'node_modules', one), join(app, 'node_modules', one));
  }
}
