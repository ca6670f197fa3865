import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ToolRun {
  readonly code: number;
  readonly stdout: string;
  /** Both streams, in order of arrival. */
  readonly output: string;
}

export interface ToolOptions {
  readonly env: Environment;
  readonly cwd?: string;
  /** Standard input: the only way for a secret to reach a tool. */
  readonly input?: string;
  /** Ends the tool after this time; absent: never. */
  readonly timeoutMs?: number;
}

/** Runs a tool to its end. Its code is -1 when it cannot be run at all. */
export function runTool(program: string, args: readonly string[], options: ToolOptions): Promise<ToolRun> {
  return new Promise((resolve) => {
    const { env, cwd, input, timeoutMs: timeout = 0 } = options;
    const child = spawn(program, args, {
      env: { ...env },
      ...(cwd === undefined ? {} : { cwd }),
      stdio: 'pipe',
      timeout,
    });
    let stdout = '';
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', (error) => resolve({ code: -1, stdout, output: error.message }));
    child.on('close', (code) => resolve({ code: code ?? -1, stdout, output }));
    // A tool may end without reading.
    child.stdin.on('error', () => {});
    child.stdin.end(input ?? '');
  });
}

export function isOnPath(program: string, env: Environment): boolean {
  return (env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return folder !== '';
    } catch {
      return false;
    }
  });
}

export function lastLines(text: string, count: number): string[] {
  return text.trimEnd().split('\n').slice(-count);
}
