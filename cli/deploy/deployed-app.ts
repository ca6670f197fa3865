import { relative } from 'node:path';
import type { ReadConfig } from '../../adapters/config/read-config.ts';
import type { CommandArgs } from '../command.ts';
import { readApp } from '../program/read-app.ts';
import { withDeployFailures } from './deploy-job.ts';
import { withGoogle } from './google/open-google.ts';
import { withCloud } from './open-cloud.ts';
import { type OpenedTarget, withOrchestrator } from './open-target.ts';

type Open = <T>(
  read: ReadConfig,
  args: CommandArgs,
  entry: string,
  work: (opened: OpenedTarget) => Promise<T>,
) => Promise<T>;

/** Openers of the targets, by their names. */
const openers = {
  orchestrator: withOrchestrator,
  cloud: withCloud,
  cloud_b: withGoogle,
} satisfies Readonly<Record<string, Open>>;

/** Opens the target of an application that is deployed there, without compiling it. @throws CommandFailure */
export async function withDeployed<T>(
  command: string,
  args: CommandArgs,
  work: (opened: OpenedTarget) => Promise<T>,
): Promise<T> {
  const open = openers[(args.options['target'] ?? 'orchestrator') as keyof typeof openers];
  const { file, read } = readApp(command, args, false);
  const entry = relative(args.terminal.cwd, file.path);
  return await withDeployFailures(args.terminal, () => open(read, args, entry, work));
}
