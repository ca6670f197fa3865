import { main } from '../../cli/main.ts';

/** Runs `svc` in this process: for commands that serve nothing. */
export async function svcHere(
  args: readonly string[],
  {
    cwd,
    env = {},
    isTerminal = false,
  }: {
    readonly cwd: string;
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly isTerminal?: boolean;
  },
): Promise<{ code: number; stdout: string; stderr: string }> {
  let stdout = '';
  let stderr = '';
  const code = await main(args, {
    out: (text) => (stdout += text),
    err: (text) => (stderr += text),
    env,
    cwd,
    isOutTerminal: isTerminal,
    isErrTerminal: isTerminal,
    isInTerminal: false,
    hasUnicode: true,
    elapsedMs: () => 0,
  });
  return { code, stdout, stderr };
}
