/**
 * The wire transcripts as tests against one server. Files run in order; a later transcript may use what an earlier one captured. CON comes
 * last because it adds objects that others count.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findTool } from '../harness/find-tool.ts';
import { type MockProvider, startMockProvider } from '../harness/mock-provider.ts';
import { copyApp, removeFolder } from '../harness/server.ts';
import { playSession } from '../harness/socket-session.ts';
import { differences, parseAnswer, parseTranscripts, runRequest } from '../harness/transcript.ts';
import type { Served, Variant } from './variants.ts';

const here = import.meta.dirname;
const order = [
  '1-gen',
  '2-usr',
  '12-sso',
  '3-wlk',
  '4-fun',
  '7-whk',
  '8-wsk',
  '10-trv',
  '9-prm',
  '6-sys',
  '11-met',
  '5-con',
];

export function describeTranscripts({
  name,
  start,
  gateway = {},
  addsCharset = false,
  differs = {},
  only = /./,
}: Variant): void {
  describe.skipIf(findTool('curl', 'curl') === undefined)(name, () => {
    const captures = new Map<string, string>();
    const run = Array.from({ length: 8 }, () => 'abcdefghijkmnpqrstuvwxyz'[Math.floor(Math.random() * 24)]).join('');
    captures.set('RUN', run);
    const folder = copyApp(join(here, 'app'));
    let server: Served | undefined;
    let provider: MockProvider;

    beforeAll(async () => {
      provider = await startMockProvider();
      server = await start(folder, { SSO_MOCK_ISSUER: provider.issuer });
      // A deployment, and cold starts of packaged functions, take their time on a busy machine.
    }, 300_000);
    afterAll(async () => {
      await server?.stop();
      await provider[Symbol.asyncDispose]();
      removeFolder(folder);
    });

    const files = readdirSync(here).filter((file) => file.endsWith('.md'));
    for (const file of files.sort((a, b) => order.indexOf(a.slice(0, -3)) - order.indexOf(b.slice(0, -3)))) {
      const transcripts = parseTranscripts(readFileSync(join(here, file), 'utf8')).filter(
        ({ id }) => !Object.hasOwn(differs, id) && only.test(id),
      );
      if (transcripts.length === 0) continue;
      describe(file, () => {
        for (const transcript of transcripts) {
          test(`${transcript.id} ${transcript.title}`, async () => {
            const { base, sockets = base } = server!;
            for (const step of transcript.steps) {
              if (step.session !== undefined) {
                expect(await playSession(step.session, { base, sockets, ...gateway }, captures)).toEqual([]);
                continue;
              }
              const known = { ...Object.fromEntries(captures), BASE: base, RUN: run };
              const answer = parseAnswer(await runRequest(step.request, known, folder));
              if (addsCharset) withoutCharset(answer.headers);
              expect(differences(step, answer, captures), `${step.request}\n${answer.body}`).toEqual([]);
            }
          });
        }
      });
    }

    if (Object.hasOwn(differs, 'MET-01')) return;
    test('MET-01 metrics hold no raw path, no id and nothing about scrapes and health checks', async () => {
      const text = await (await fetch(`${server!.base}/metrics`)).text();
      expect(text).not.toMatch(/path="\/(metrics|healthz)/);
      expect(text).not.toContain(run);
      const ids = [...captures.values()].filter((value) => /^[0-9a-f]{32}$/.test(value));
      expect(ids.length).toBeGreaterThan(3);
      for (const id of ids) expect(text).not.toContain(id);
    });
  });
}

function withoutCharset(headers: Map<string, string>): void {
  const type = headers.get('content-type');
  if (type === 'application/json; charset=utf-8') headers.set('content-type', 'application/json');
}
