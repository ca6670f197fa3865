/** Every input has a bound (docs/server/security.md): the rows of the page, each tried with real requests. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { optionAt, optionPaths, tomlKey } from '../../core/config/options.ts';
import { copyApp, post, type RunningServer, register, removeFolder, startServer } from '../harness/server.ts';
import { type LimitRow, sections } from './rows.ts';
import type { Tried } from './server.ts';

const page = new URL('../../docs/reference/limits.md', import.meta.url);
const rows = Object.values(sections).flat();
const here = import.meta.dirname;

describe('tried', () => {
  const folder = copyApp(join(here, 'app'));
  let server: RunningServer;
  let tried: Tried;
  const start = (env: Readonly<Record<string, string>> = {}) => startServer({ folder, entry: 'main.svc', env });
  const triedOn = async ({ base, port }: RunningServer): Promise<Tried> => {
    const { token } = await register(base, `u${Math.random().toString(36).slice(2)}`);
    return {
      base,
      port,
      token,
      async restarted(env) {
        const other = await start(env);
        const made = { base: other.base, port: other.port, token, restarted: tried.restarted };
        return { ...made, [Symbol.asyncDispose]: () => other[Symbol.asyncDispose]() };
      },
    };
  };
  beforeAll(async () => {
    server = await start();
    tried = await triedOn(server);
  });
  afterAll(async () => {
    await server?.stop();
    removeFolder(folder);
  });

  test.each(rows.map((row) => [row.input, row] as const))('%s', async (_, row) => {
    await row.probe(tried);
    expect((await post(server.base, '/walker/Take')).ok).toBe(true);
  });
});

test('the page in docs is the generated one', async () => {
  const text = limitsPage();
  if (process.env['UPDATE'] === '1') await writeFile(page, text);
  expect(await readFile(page, 'utf8')).toBe(text);
});

test('every key of the configuration that limits a request is on it', () => {
  const limits = /^(serve|scale\.(auth|webhook|websocket|traverse|rateLimit))\..*(max|perMinute|queueSize|burst)/i;
  const named = new Set(rows.flatMap(({ bound }) => (typeof bound === 'string' ? [] : bound)));
  // The number of runs of a call, and the life of tokens and passwords, are no sizes of inputs.
  const others = ['serve.conflictMaxAttempts'];
  expect(optionPaths.filter((path) => limits.test(path) && !named.has(path) && !others.includes(path))).toEqual([]);
});

function limitsPage(): string {
  const lines = [
    '# Limits',
    '',
    'What a request brings has a bound, and beyond it there is an answer. Bounds in the form of a key are its default and can be set in `svc.toml`;',
    'the others are fixed. Made of `test/limits/rows.ts`, whose rows are tried with real requests',
    '(`UPDATE=1 npx vitest run test/limits` writes this page anew).',
  ];
  for (const [title, rows] of Object.entries(sections)) {
    lines.push('', `## ${title}`, '', '| Input | Bound | Answer beyond it |', '| --- | --- | --- |');
    lines.push(...rows.map((row) => `| ${row.input} | ${boundText(row)} | ${row.answer} |`));
  }
  return `${lines.join('\n')}\n`;
}

function boundText({ bound }: LimitRow): string {
  if (typeof bound === 'string') return bound;
  return bound.map((path) => `\`${tomlKey(path).replace(/^plugins\.scale\./, '')}\` = ${valueText(path)}`).join(', ');
}

function valueText(path: LimitRow['bound'][number] & Parameters<typeof optionAt>[0]): string {
  const value = optionAt(path).default as number;
  const isBytes = /bytes$/i.test(path);
  if (isBytes && value % 1_048_576 === 0) return `${value / 1_048_576} MiB`;
  return isBytes ? `${value / 1024} KiB` : value.toLocaleString('en');
}
