import { relative } from 'node:path';
import type { CommandArgs } from '../command.ts';
import { readApp } from '../program/read-app.ts';
import { withDeployFailures } from './deploy-job.ts';
import { type OpenedTarget, withTarget } from './open-target.ts';
import { requireOrchestrator } from './require-orchestrator.ts';

/** Opens the target of an application that is deployed there, without compiling it. @throws CommandFailure */
export async function withDeployed<T>(
  command: string,
  args: CommandArgs,
  work: (opened: OpenedTarget) => Promise<T>,
): Promise<T> {
  requireOrchestrator(args.options['target'], command);
  const { file, read } = readApp(command, args, false);
  const entry = relative(args.terminal.cwd, file.path);
  return await withDeployFailures(args.terminal, () => withTarget(read, args, entry, work));
}
