import type { CliOption } from '../cli-option.ts';
import { usageFailure } from '../command-failure.ts';

/** Port of Node's inspector where none is named. */
export const inspectorPort = 9229;

/** `--inspect[=PORT]` of the commands that run programs. */
export const inspectOption: CliOption = {
  name: 'inspect',
  type: { kind: 'optional', placeholder: 'PORT', isValue: (argument) => /^\d+(,\d+)?$/.test(argument) },
  about: 'Let a debugger connect on this port, from this machine only.',
};

/**
 * The ports that were asked for, of which the first that is free counts: `svc debug` asks for the usual one or else any. Undefined without `--inspect`.
 *
 * @throws CommandFailure for what is no port
 */
export function inspectedPorts(value: string | number | boolean | undefined): readonly number[] | undefined {
  if (value === undefined || value === false) return undefined;
  if (value === true) return [inspectorPort];
  const ports = String(value).split(',').map(Number);
  if (ports.every((port) => Number.isInteger(port) && port >= 0 && port <= 65_535)) return ports;
  throw usageFailure('--inspect', `expected a port from 0 to 65535, got '${value}'`);
}
