/** Every request of the language server, over a pipe, about every example: whole, broken, and edited at random. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, startClient } from './client.ts';
import { askEverything, requestsAt } from './every-request.ts';
import { allExamples, appsOfBenchmarks, examplesFolder, readText } from './examples.ts';
import { editAtRandom } from './random-edits.ts';

let client: Client;
beforeAll(async () => {
  client = await startClient(examplesFolder, 'here', {
    workspace: { workspaceEdit: { documentChanges: true, changeAnnotationSupport: {} } },
  });
});
afterAll(async () => {
  expect(await client.end()).toBe(0);
});

test.each(allExamples().map(({ name, files }) => [name, files] as const))(
  'every request about %s has an answer',
  async (_name, files) => {
    for (const file of files) {
      const text = readText(file);
      await client.open(file, text);
      const { diagnostics } = await client.diagnosticsOf(file, 1);
      expect(diagnostics.filter(({ severity }) => severity === 1)).toEqual([]);
      const found = await askEverything(client, file, text, 1);
      expect(found.errors).toEqual([]);
      expect(found.answered.size).toBe(requestsAt.length);
    }
    expect(client.failures).toEqual([]);
  },
  120_000,
);

test('edits at random bring about no exception, nothing beyond a document, and what a fresh server says', async () => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
  const edits = Number(process.env['SVC_EDITS'] ?? 150);
  const programs = [...allExamples(), { name: 'apps', files: appsOfBenchmarks() }];
  const found = await editAtRandom({
    programs,
    edits,
    seed,
    start: () => startClient(examplesFolder),
    compareEvery: Number(process.env['SVC_COMPARE'] ?? 30),
    // A long run tells what it found before its end.
    ...(edits > 1000 ? { onProgress: (done, told) => console.log(`seed ${seed}: ${done} edits`, ...told) } : {}),
  });
  expect({ seed, failures: found.failures.slice(0, 3), errors: found.errors.slice(0, 3) }).toEqual({
    seed,
    failures: [],
    errors: [],
  });
}, 36_000_000);

test('a program in a process of its own ends with the client', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-lsp-'));
  const file = join(folder, 'main.svc');
  writeFileSync(file, 'with entry { print(missing); }\n');
  const other = await startClient(folder, 'process');
  await other.open(file, readText(file));
  const { diagnostics } = await other.diagnosticsOf(file, 1);
  expect(diagnostics.map(({ code }) => code)).toEqual(['E0301']);
  const hover = await other.connection.sendRequest('textDocument/hover', {
    textDocument: { uri: pathToFileURL(file).href },
    position: { line: 0, character: 15 },
  });
  expect(hover).toMatchObject({ contents: { value: expect.stringContaining('print(*values') } });
  expect(await other.end()).toBe(0);
  expect(other.failures).toEqual([]);
}, 120_000);
