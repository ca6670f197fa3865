/**
 * Small programs and what they give. A case is a folder with `main.svc` and at least one of
 *   output.txt       what `svc run main.svc` prints (standard output)
 *   error.txt        what it prints to standard error, when it fails (then the exit code is 1)
 *   diagnostics.txt  what `svc check` prints
 *   calls.json       requests to `svc start`, in order, with their replies
 * `UPDATE=1` rewrites the text expectations; read the diff before committing it.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { copyApp, post, register, removeFolder, runSvc, startServer } from '../harness/server.ts';

const here = import.meta.dirname;
const update = process.env['UPDATE'] === '1';

interface CallCase {
  readonly [method: string]: unknown;
  readonly body?: unknown;
  /** Name of the user that calls; registered on first use. Absent: anonymous. */
  readonly as?: string;
  readonly status?: number;
  readonly reports?: unknown;
  readonly result?: unknown;
  readonly code?: string;
}

function cases(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [];
    return existsSync(join(path, 'main.svc')) ? [path] : cases(path);
  });
}

function expectText(path: string, actual: string): void {
  if (update) writeFileSync(path, actual);
  expect(actual).toBe(readFileSync(path, 'utf8'));
}

for (const folder of cases(here)) {
  describe(relative(here, folder), () => {
    const has = (name: string) => existsSync(join(folder, name));

    const runs = has('output.txt') || has('error.txt');
    if (runs)
      test('run', async () => {
        const copy = copyApp(folder);
        const { code, stdout, stderr } = await runSvc(['run', 'main.svc', '--no-persist'], { cwd: copy });
        removeFolder(copy);
        if (has('error.txt')) expectText(join(folder, 'error.txt'), stderr);
        else expect(stderr.replace(/^svc: using \[0\] on a node.*\n/gm, '')).toBe('');
        if (has('output.txt')) expectText(join(folder, 'output.txt'), stdout);
        expect(code).toBe(has('error.txt') ? 1 : 0);
      });

    if (has('diagnostics.txt'))
      test('check', async () => {
        const copy = copyApp(folder);
        const { stdout, stderr } = await runSvc(['check', 'main.svc', '--all'], { cwd: copy });
        removeFolder(copy);
        expectText(join(folder, 'diagnostics.txt'), stdout + stderr);
      });

    if (has('calls.json'))
      test('serve', async () => {
        const copy = copyApp(folder);
        await using server = await startServer({ folder: copy });
        const tokens = new Map<string, string>();
        for (const call of JSON.parse(readFileSync(join(folder, 'calls.json'), 'utf8')) as CallCase[]) {
          const method = ['get', 'post', 'put', 'patch', 'delete'].find((name) => name in call)!;
          if (call.as !== undefined && !tokens.has(call.as))
            tokens.set(call.as, (await register(server.base, call.as)).token);
          const answer = await post(
            server.base,
            String(call[method]),
            call.body,
            call.as && tokens.get(call.as),
            method.toUpperCase(),
          );
          const seen = {
            status: answer.status,
            reports: answer.reports,
            result: answer.result,
            code: answer.error?.code,
          };
          const wanted = Object.fromEntries(
            ['status', 'reports', 'result', 'code'].filter((key) => key in call).map((key) => [key, call[key]]),
          );
          expect(seen, JSON.stringify(answer)).toMatchObject(wanted);
        }
        await server.stop();
        removeFolder(copy);
      });
  });
}
