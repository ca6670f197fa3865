import { commandLine } from '../orchestrator/deployment.ts';
import type { BaseParts, BasePlatform } from './base-image.ts';
import type { Layer } from './make-layer.ts';
import type { ImageConfig, Texts } from './oci.ts';

/** Number of the user and the group as which an application runs in a container. */
export const appUser = 10_001;

export interface ConfigRequest {
  readonly base: BasePlatform;
  readonly layers: readonly Layer[];
  /** Folder of the application in the image. */
  readonly directory: string;
  /** The application file below it: `main.svc`. */
  readonly entry: string;
  readonly port: number;
  /** Absolute paths that stay writable when the rest of the file system is not. */
  readonly volumes: readonly string[];
  /** Path that answers while the application is alive. */
  readonly livenessPath: string;
  readonly labels: Texts;
}

/** Says how the image starts: https://github.com/opencontainers/image-spec/blob/main/config.md, with Docker's health check. */
export function imageConfig(request: ConfigRequest): ImageConfig {
  const { base, layers, directory, entry, port } = request;
  const { config = {} } = base.config;
  return withLayers(base, layers, {
    User: `${appUser}:${appUser}`,
    ExposedPorts: { [`${port}/tcp`]: {} },
    Env: withVariables(config.Env ?? [], { NODE_ENV: 'production', SVC_ENV: 'production' }),
    Entrypoint: [base.node, commandLine],
    Cmd: ['start', entry, '--host', '0.0.0.0', '--port', String(port)],
    Volumes: Object.fromEntries([...request.volumes].sort().map((path) => [path, {}])),
    WorkingDir: directory,
    Labels: request.labels,
    StopSignal: 'SIGTERM',
    Healthcheck: healthcheck(base.node, port, request.livenessPath),
  });
}

/** The configuration of an image with layers over those of its base. `config`: how it starts. */
export function withLayers(
  { config: base }: BaseParts,
  layers: readonly Layer[],
  config: NonNullable<ImageConfig['config']>,
): ImageConfig {
  const { architecture, os, variant, rootfs, history = [] } = base;
  return {
    // When something was made is no part of what it is: the same input gives the same digest.
    created: '1970-01-01T00:00:00Z',
    architecture,
    os,
    ...(variant === undefined ? {} : { variant }),
    config,
    rootfs: { type: 'layers', diff_ids: [...rootfs.diff_ids, ...layers.map(({ diffId }) => diffId)] },
    history: [...history, ...layers.map(({ about }) => ({ created_by: `svc build: ${about}` }))],
  };
}

function healthcheck(node: string, port: number, path: string): object {
  const script = `fetch('http://127.0.0.1:${port}${path}').then(({ok})=>process.exit(ok?0:1),()=>process.exit(1))`;
  const second = 1_000_000_000;
  const often = { Interval: 20 * second, Timeout: 5 * second, StartPeriod: 30 * second, Retries: 5 };
  return { Test: ['CMD', node, '-e', script], ...often };
}

function withVariables(lines: readonly string[], more: Texts): string[] {
  const others = lines.filter((line) => !(line.split('=')[0]! in more));
  return [...others, ...Object.entries(more).map(([name, value]) => `${name}=${value}`)];
}
