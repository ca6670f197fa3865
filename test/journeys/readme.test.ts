/** What the README shows is what a reader gets. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyApp, removeFolder, repository, runSvc, startServer } from '../harness/server.ts';

const readme = readFileSync(join(repository, 'README.md'), 'utf8');
const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map((match) => match[1]!);

test('the program at the top compiles and greets', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-readme-'));
  writeFileSync(join(folder, 'main.svc'), `${blocks('svc')[0]}\nwith entry { root spawn Hello(name="Ada"); }\n`);
  expect(await runSvc(['check', 'main.svc'], { cwd: folder })).toMatchObject({ code: 0 });
  expect((await runSvc(['run', 'main.svc', '--no-persist'], { cwd: folder })).stdout).toBe('Hello, Ada!\n');
  removeFolder(folder);
});

test('its commands answer as shown', async () => {
  const server = await startServer({ folder: copyApp(join(repository, 'examples/todo')) });
  const run = (script: string) =>
    execFileSync('bash', ['-c', script.replaceAll('localhost:8000', server.base.slice('http://'.length))], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const [greeting, protectedCalls] = blocks('sh').filter((script) => script.includes('curl'));
  const shown = JSON.parse(blocks('json')[0]!);
  expect(JSON.parse(run(greeting!))).toMatchObject({ ...shown, meta: {} });
  const answers = run(protectedCalls!);
  expect(answers.match(/"ok":true/g)).toHaveLength(2);
  expect(answers).toContain('"title":"buy milk"');
  await server.stop();
  removeFolder(server.folder);
});
