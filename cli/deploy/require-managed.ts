import { notAvailable } from '../command-failure.ts';
import { requireTarget } from '../target.ts';

const managed = ['orchestrator', 'cloud'] as const;

/** Gives the target of a command, when this release manages its deployments itself. @throws CommandFailure */
export function requireManaged(target: unknown, command: string): (typeof managed)[number] {
  requireTarget(target);
  const found = managed.find((one) => one === (target ?? 'orchestrator'));
  if (found === undefined) throw notAvailable(`${command} --target ${target}`);
  return found;
}
