import type { CommandArgs } from '../command.ts';
import { usageFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { withDeployed } from './deployed-app.ts';
import { Interrupted } from './open-target.ts';

/** `svc logs`: lines of all pods by time, each after the pod's name. With `-f` until a signal, which is its ordinary end. */
export async function printLogs(args: CommandArgs): Promise<number> {
  const { terminal, options } = args;
  const sinceSeconds = options['since'] === undefined ? undefined : secondsOf(String(options['since']));
  const isJson = options['json'] === true;
  await withDeployed('logs', args, async ({ target, signal }) => {
    const request = {
      follow: options['follow'] === true,
      tailLines: options['tail'] as number | undefined,
      ...{ sinceSeconds, signal },
      note: (text: string) => terminal.err(`note: ${text}\n`),
    };
    try {
      await target.logs(request, (line) =>
        terminal.out(isJson ? `${JSON.stringify(line)}\n` : `${line.source}  ${line.text}\n`),
      );
    } catch (error) {
      if (!(signal.reason instanceof Interrupted)) throw error;
    }
  });
  return exitCodes.success;
}

const units = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

/** @throws CommandFailure */
function secondsOf(text: string): number {
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (number === undefined) throw usageFailure('--since', `expected 30s, 10m, 2h or 1d, got '${text}'`);
  return Math.max(1, Number(number) * units[unit as keyof typeof units]);
}
