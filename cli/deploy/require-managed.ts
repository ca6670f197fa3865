import { notAvailable } from '../command-failure.ts';

const managed = ['orchestrator', 'cloud', 'cloud_b'] as const;

/** Gives the target of a command, when this release manages its deployments itself. @throws CommandFailure */
export function requireManaged(target: unknown, command: string): (typeof managed)[number] {
  const found = managed.find((one) => one === (target ?? 'orchestrator'));
  if (found === undefined) throw notAvailable(`${command} --target ${target}`);
  return found;
}
