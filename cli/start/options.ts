import type { ConfigPath } from '../../core/config/config.ts';
import { type CliOption, choiceOf, configOption, flagType, type OptionValues, profileOption } from '../cli-option.ts';
import { usageFailure } from '../command-failure.ts';
import { inspectedPorts, inspectOption } from '../debug/inspect-option.ts';
import { registryType, targetType } from '../target.ts';

/** The options of `svc start` (docs/server/commands.md#start). */
export const startOptions: readonly CliOption[] = [
  {
    name: 'port',
    short: 'p',
    type: { kind: 'int', placeholder: 'N', min: 0, max: 65_535 },
    about: 'Server port; 0 picks a free one.',
    default: '8000',
  },
  { name: 'host', short: 'H', type: { kind: 'text', placeholder: 'ADDR' }, about: 'Bind address.', default: '0.0.0.0' },
  {
    name: 'workers',
    short: 'w',
    type: { kind: 'int', placeholder: 'N', min: 0, max: 1024 },
    about: 'Worker processes; 0 means one per CPU.',
    default: '1',
  },
  {
    name: 'reload',
    type: flagType,
    about: 'Reload the application when a source file changes; workers one after the other.',
  },
  {
    name: 'dev',
    short: 'd',
    type: flagType,
    about: 'Development mode: --reload and the client development server.',
  },
  {
    name: 'scale',
    type: flagType,
    about: 'Deploy instead of serving.',
  },
  { name: 'build', short: 'b', type: flagType, about: 'Build and push a container image.', needs: 'scale' },
  {
    name: 'experimental',
    short: 'e',
    type: flagType,
    about: 'Install the packages from the repository instead of the package index.',
    needs: 'scale',
  },
  {
    name: 'target',
    short: 't',
    type: targetType,
    about: 'Where to deploy.',
    default: 'orchestrator',
    needs: 'scale',
  },
  {
    name: 'registry',
    short: 'r',
    type: registryType,
    about: 'Image registry, with --build.',
    default: 'dockerhub',
    needs: 'scale',
  },
  configOption,
  profileOption,
  inspectOption,
  {
    name: 'emulate',
    type: { kind: 'optional', placeholder: 'PLATFORM', isValue: isPlatform },
    about: 'Serve as a platform does: through events of cloud functions, or within the limits of cloud_b.',
    default: 'cloud',
  },
  { name: 'faux', type: flagType, about: 'Print the endpoint table and exit.' },
  {
    name: 'no-client',
    type: flagType,
    about: 'Do not build or serve the browser application.',
  },
  { name: 'dry-run', type: flagType, about: 'Print what would be applied, change nothing.', needs: 'scale' },
  { name: 'plan', type: flagType, about: 'Same as --dry-run.', needs: 'scale' },
  { name: 'offline', type: flagType, about: 'With --dry-run: ask no network.', needs: 'scale' },
  { name: 'yes', short: 'y', type: flagType, about: 'Do not ask.', needs: 'scale' },
  { name: 'adopt', type: flagType, about: 'Take over fields that another tool has set.', needs: 'scale' },
  {
    name: 'allow-data-loss',
    type: { kind: 'text', placeholder: 'NAME' },
    about: 'Replace this object although its data are lost; several with commas.',
    needs: 'scale',
  },
  { name: 'json', type: flagType, about: 'Machine-readable output, one JSON object per line.' },
  {
    name: 'log-level',
    type: choiceOf('LEVEL', 'debug', 'info', 'warn', 'error'),
    about: 'Lowest level written.',
    default: 'info',
  },
];

/** The options that are configuration keys, as the resolver takes them. */
export function configFlags(options: OptionValues): { [P in ConfigPath]?: never } & Record<string, unknown> {
  const flags: Record<string, unknown> = {};
  const names: readonly (readonly [string, ConfigPath])[] = [
    ['port', 'serve.port'],
    ['host', 'serve.host'],
    ['workers', 'serve.workers'],
    ['log-level', 'scale.logging.level'],
  ];
  for (const [name, path] of names) if (options[name] !== undefined) flags[path] = options[name];
  // Calls may stand for as long as somebody looks at them.
  if (inspectedPorts(options['inspect']) !== undefined)
    for (const path of ['serve.requestTimeoutSeconds', 'scale.websocket.executionTimeoutSeconds'])
      flags[path] = daySeconds;
  return flags;
}

const daySeconds = 86_400;

function isPlatform(argument: string): boolean {
  return argument in targetType.of && targetType.of[argument as keyof typeof targetType.of] !== 'orchestrator';
}

export type Platform = 'cloud' | 'cloud_b';

/** The platform of `--emulate`, which alone means cloud functions. @throws CommandFailure */
export function emulatedPlatform({ emulate }: OptionValues): Platform | undefined {
  if (emulate === undefined || emulate === false) return undefined;
  if (emulate === true) return 'cloud';
  if (!isPlatform(String(emulate))) throw usageFailure('--emulate', `expected cloud or cloud_b, got '${emulate}'`);
  return targetType.of[emulate as keyof typeof targetType.of] as Platform;
}

/** Combinations that make no sense. */
export function checkStartOptions(options: OptionValues): void {
  // Only --reload may have several (decisions/0066).
  if (options['dev'] === true && (options['workers'] ?? 1) !== 1)
    throw usageFailure('--workers', 'must be 1 with --dev');
  if (emulatedPlatform(options) !== undefined && (options['workers'] ?? 1) !== 1)
    throw usageFailure('--workers', 'must be 1 with --emulate');
  if (inspectedPorts(options['inspect']) !== undefined && (options['workers'] ?? 1) !== 1)
    throw usageFailure('--workers', 'must be 1 with --inspect');
  if (options['target'] === 'cloud' && options['build'] === true && (options['registry'] ?? 'ecr') !== 'ecr')
    throw usageFailure('--registry', 'must be ecr with --target cloud');
}
