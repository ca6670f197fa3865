/** `svc explain`, and the pages of failure and close codes: what they call wrong really gives the code, what they call right does not. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPages } from '../../cli/explain/pages.ts';
import { failureCodes } from '../../core/errors.ts';
import { closeCodes } from '../../handlers/socket/close-codes.ts';
import { scriptCodes } from '../diagnostics/cases.ts';
import { type Half, parseCodePage } from '../harness/code-page.ts';
import { needTool } from '../harness/find-tool.ts';
import { post, register, repository, runSvc, startServer } from '../harness/server.ts';
import { playSession } from '../harness/socket-session.ts';
import { svcHere } from '../harness/svc-here.ts';
import { folderWith } from '../harness/svc-process.ts';

const pages = new Map(readPages().map(({ code, text }) => [code, parseCodePage(text)]));
/** The application of pages that show none. */
const example = readFileSync(join(repository, 'docs/reference/codes/example.svc'), 'utf8');

interface Answers {
  /** HTTP status of the last request. */
  readonly status: number;
  readonly text: string;
}

/** Types the lines of a page, with its address in the place of `localhost:8000`. */
function typed(lines: string, base: string, env: Readonly<Record<string, string>>): Promise<Answers> {
  needTool('curl', 'curl');
  const script = `curl() { command curl -sS -i --max-time 60 "$@"; echo; }\n${lines.replaceAll('localhost:8000', base.slice('http://'.length))}`;
  return new Promise((resolve, reject) => {
    execFile('bash', ['-c', script], { env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      if (error !== null && stdout === '') return reject(new Error(`${stderr}\n${script}`));
      const statuses = [...stdout.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));
      resolve({ status: statuses.at(-1)!, text: stdout });
    });
  });
}

/** Server that both halves of a page are played against, in a folder and with accounts of its own. */
async function withServer<T>(
  files: Readonly<Record<string, string>>,
  play: (base: string, env: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  using folder = folderWith({ 'main.svc': example, ...files });
  await using server = await startServer({ folder: folder.path });
  const isOpen = !(files['svc.toml'] ?? '').includes('allow_registration = false');
  const tokens = isOpen
    ? await Promise.all(['ada', 'bob'].map(async (name) => (await register(server.base, name)).token))
    : [];
  const [TOKEN = '', TOKEN2 = ''] = tokens;
  const KEY = isOpen ? (await post(server.base, '/api-key/create', { name: 'k' }, TOKEN)).data.api_key : '';
  return await play(server.base, { TOKEN, TOKEN2, KEY });
}

async function playSockets({ played }: Half, base: string, env: Readonly<Record<string, string>>): Promise<void> {
  const captures = new Map([...Object.entries(env), ['LONG', 'x'.repeat(2000)]]);
  for (const { text } of played)
    expect(await playSession(text.replace('LONG', '$LONG'), { base, sockets: base }, captures)).toEqual([]);
}

describe('failure codes', () => {
  for (const [code, { status }] of Object.entries(failureCodes)) {
    const { common, wrong, right } = pages.get(code)!;
    if (wrong.notRun !== undefined) continue;
    test(`${code} comes, and does not`, async () => {
      const lines = ({ played }: Half) => played.map(({ text }) => text).join('\n');
      await withServer({ ...common, ...wrong.files }, async (base, env) => {
        const given = await typed(lines(wrong), base, env);
        expect([given.status, given.text.includes(`"code":"${code}"`)], given.text).toEqual([status, true]);
        if (right.notRun !== undefined) return;
        const mended = await typed(lines(right), base, env);
        expect(mended.text).not.toContain(`"code":"${code}"`);
      });
    });
  }
});

describe('close codes', () => {
  for (const code of Object.keys(closeCodes)) {
    const { common, wrong, right } = pages.get(code)!;
    if (wrong.notRun !== undefined) continue;
    test(`${code} comes, and does not`, async () => {
      await withServer({ ...common, ...wrong.files }, async (base, env) => {
        expect(wrong.played.at(-1)!.text).toContain(`closed ${code}`);
        await playSockets(wrong, base, env);
        if (right.notRun === undefined) await playSockets(right, base, env);
      });
    });
  }
});

test('codes of TypeScript files', async () => {
  for (const code of scriptCodes) {
    const { wrong, right } = pages.get(code)!;
    for (const [files, expected] of [
      [wrong.files, [code]],
      [right.files, []],
    ] as const) {
      using folder = folderWith(files);
      mkdirSync(join(folder.path, 'node_modules'));
      for (const name of ['typescript', '@typescript'])
        symlinkSync(join(repository, 'node_modules', name), join(folder.path, 'node_modules', name));
      const { stdout } = await runSvc(['check', '--json', 'main.svc'], { cwd: folder.path });
      const codes = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).code]));
      expect([...new Set(codes)], code).toEqual(expected);
    }
  }
});

test('svc explain prints the page of a code, however it is written, and lists them', async () => {
  const explain = (...args: string[]) => svcHere(['explain', ...args], { cwd: repository });
  const page = await explain('E0410');
  expect(page).toMatchObject({ code: 0, stderr: '' });
  expect(page.stdout).toMatch(
    /^E0410: cannot assign .*\n\nThe value does not fit [\s\S]*\n {4}glob limit: int = "ten";\n\nInstead:\n\n {4}glob/,
  );
  expect(page.stdout).not.toMatch(/```|<!--|^#/m);
  expect((await explain('e0410')).stdout).toBe(page.stdout);
  expect((await explain('write-conflict')).stdout).toMatch(/^WRITE_CONFLICT: .*\(status 409\)\n/);
  expect((await explain('4401')).stdout).toContain('close code of sockets');
  // A status with one code is its page, one with several their list.
  expect((await explain('422')).stdout).toMatch(
    /^IDEMPOTENCY_KEY_REUSED +.*\nVALIDATION_ERROR +The fields do not fit\n$/,
  );
  expect((await explain('426')).stdout).toMatch(/^UPGRADE_REQUIRED: /);
  const list = (await explain()).stdout.trimEnd().split('\n');
  expect(list.map((line) => line.split(' ')[0])).toEqual([...pages.keys()]);
  expect(list.filter((line) => line.length > 80)).toEqual([]);
  expect(await explain('E0499')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'svc: explain E0499: no such code\n  hint: did you mean svc explain E0999?\n',
  });
  expect((await explain('nonsense')).stderr).toContain('hint: svc explain lists them');
});

test('diagnostics in a terminal end with how to learn more, once; elsewhere they end with the sums', async () => {
  using folder = folderWith({ 'main.svc': 'glob a: int = "x";\nglob b: int = "y";\nwith entry { print(c); }\n' });
  const check = (isTerminal: boolean, ...args: string[]) =>
    svcHere(['check', ...args], { cwd: folder.path, env: { NO_COLOR: '1' }, isTerminal });
  const seen = (await check(true)).stdout;
  expect(seen).toMatch(/\n\nsvc explain E0410 says more about a code\n3 errors\n$/);
  expect(seen.match(/svc explain/g)).toHaveLength(1);
  expect((await check(false)).stdout).toBe(seen.replace('svc explain E0410 says more about a code\n', ''));
  expect((await check(true, '--json')).stdout).not.toContain('explain');
});
