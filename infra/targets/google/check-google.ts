/** Checks of a configuration for Cloud Run (docs/server/google-cloud.md#settings). */
import type { Config, ConfigPath } from '../../../core/config/config.ts';
import { cloudRunLimits as limits } from '../../../core/platforms/cloud-run-limits.ts';

interface Problem {
  readonly path: ConfigPath;
  readonly problem: string;
  /** Instead of that of the path. */
  readonly key?: string;
}

export function googleSettings({ scale: { gcp } }: Config): Problem[] {
  const wrong = (name: keyof Config['scale']['gcp'], isWrong: boolean, problem: string): Problem[] =>
    isWrong ? [{ path: `scale.gcp.${name}` as ConfigPath, problem }] : [];
  const memory = bytesOf(gcp.memory);
  const cpu = Number(gcp.cpu);
  return [
    ...wrong('region', !/^$|^[a-z]+-[a-z]+\d+$/.test(gcp.region), `'${gcp.region}' is not a region: europe-west1`),
    ...wrong('cpu', !isCpu(cpu), `'${gcp.cpu}' is not 1, 2, 4, 6, 8 or a part of one from 0.08`),
    ...wrong(
      'cpu',
      isCpu(cpu) && cpu < 1 && gcp.concurrency > 1,
      'less than 1 takes one call at once: concurrency = 1',
    ),
    ...wrong('cpu', isCpu(cpu) && cpu < 1 && gcp.cpuAlways, 'less than 1 works while calls last: not with cpu_always'),
    ...wrong(
      'memory',
      memory === undefined || memory > limits.memoryBytes.value || memory < limits.minMemoryBytes.value,
      `'${gcp.memory}' is not 128Mi to 32Gi`,
    ),
    ...wrong('minInstances', gcp.minInstances > gcp.maxInstances, `is more than max_instances, ${gcp.maxInstances}`),
    ...wrong('concurrency', gcp.concurrency > limits.concurrency.value, `at most ${limits.concurrency.value}`),
    ...wrong(
      'timeoutSeconds',
      gcp.timeoutSeconds > limits.requestSeconds.value,
      `at most ${limits.requestSeconds.value}`,
    ),
    ...wrong(
      'cloudSqlInstance',
      !/^$|^[^:]+(:[^:]+)?:[^:]+:[^:]+$/.test(gcp.cloudSqlInstance),
      `'${gcp.cloudSqlInstance}' is not project:region:name`,
    ),
    ...variables(gcp.env),
  ];
}

/** https://cloud.google.com/run/docs/configuring/services/environment-variables#reserved */
const reserved = /^(PORT|K_(SERVICE|REVISION|CONFIGURATION)|X_GOOGLE_.*)$/;

function variables(env: Readonly<Record<string, unknown>>): Problem[] {
  const path = 'scale.gcp.env';
  return Object.keys(env).flatMap((name): Problem[] => {
    const key = `gcp.env.${name}`;
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      return [{ path, key, problem: 'is not a name of an environment variable' }];
    if (reserved.test(name)) return [{ path, key, problem: 'is set by the service' }];
    return name === 'SVC_ENV' ? [{ path, key, problem: 'is production in every deployment' }] : [];
  });
}

function isCpu(cpu: number): boolean {
  return [1, 2, 4, 6, limits.cpu.value].includes(cpu) || (cpu >= 0.08 && cpu < 1);
}

function bytesOf(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)(Ki|Mi|Gi|k|M|G)?$/.exec(text) ?? [];
  const factors: Readonly<Record<string, number>> = {
    ...{ '': 1, k: 1e3, M: 1e6, G: 1e9 },
    ...{ Ki: 1024, Mi: 1024 ** 2, Gi: 1024 ** 3 },
  };
  return number === undefined ? undefined : Number(number) * factors[unit]!;
}

/** Problems of what is deployed, once it is resolved. */
export function tooLarge(env: Readonly<Record<string, string>>, secrets: Readonly<Record<string, string>>): string[] {
  const size = (text: string) => Buffer.byteLength(text);
  const count = Object.keys(env).length + Object.keys(secrets).length;
  return [
    ...(count > limits.variables.value ? [`${count} variables: at most ${limits.variables.value}`] : []),
    ...Object.entries(env)
      .filter(([, text]) => size(text) > limits.variableBytes.value)
      .map(([name]) => `the variable ${name} is larger than ${limits.variableBytes.value} bytes`),
    ...Object.entries(secrets)
      .filter(([, text]) => size(text) > limits.secretBytes.value)
      .map(([name]) => `the secret ${name} is larger than ${limits.secretBytes.value} bytes`),
    ...Object.keys(secrets)
      .filter((name) => name.length > limits.secretName.value - limits.serviceName.value - 1)
      .map((name) => `the name of the secret ${name} is too long`),
    ...Object.keys(secrets)
      .filter((name) => secrets[name] === '')
      .map((name) => `the secret ${name} is empty, which Secret Manager does not take`),
  ];
}
