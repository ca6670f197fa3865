import { main } from '../../cli/main.ts';

/** Runs `svc` in this process: for commands that serve nothing. */
export async function svcHere(
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string | undefined>> },
): Promise<{ code: number; stdout: string; stderr: string }> {
  let stdout = '';
  let stderr = '';
  const code = await main(args, {
    out: (text) => (stdout += text),
    err: (text) => (stderr += text),
    env,
    cwd,
    isOutTerminal: false,
    isErrTerminal: false,
    isInTerminal: false,
    hasUnicode: true,
    elapsedMs: () => 0,
  });
  return { code, stdout, stderr };
}
