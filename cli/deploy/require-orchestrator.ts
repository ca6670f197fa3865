import { notAvailable } from '../command-failure.ts';
import { requireTarget } from '../target.ts';

/** The targets whose deployments this release manages itself. @throws CommandFailure */
export function requireOrchestrator(target: unknown, command: string): void {
  requireTarget(target);
  if (target !== undefined && target !== 'orchestrator') throw notAvailable(`${command} --target ${target}`);
}
