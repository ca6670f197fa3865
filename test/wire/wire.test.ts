/**
 * The wire transcripts against real servers, each in every variant. Files run in order in one server; a later transcript may use what an earlier one
 * captured. CON comes last because it adds objects that others count.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copyApp, type RunningServer, removeFolder, startServer } from '../harness/server.ts';
import { playSession } from '../harness/socket-session.ts';
import { differences, parseAnswer, parseTranscripts, runRequest } from '../harness/transcript.ts';
import { variants } from './variants.ts';

const here = import.meta.dirname;
const order = ['1-gen', '2-usr', '3-wlk', '4-fun', '7-whk', '8-wsk', '10-trv', '9-prm', '6-sys', '11-met', '5-con'];

describe.each(variants)('$name', ({ args, env = {}, closesWithOwnCodes = true, differs = {} }) => {
  const captures = new Map<string, string>();
  const run = Array.from({ length: 8 }, () => 'abcdefghijkmnpqrstuvwxyz'[Math.floor(Math.random() * 24)]).join('');
  captures.set('RUN', run);
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServer({ folder: copyApp(join(here, 'app')), args, env });
  });
  afterAll(async () => {
    await server.stop();
    removeFolder(server.folder);
  });

  for (const name of readdirSync(here)
    .filter((file) => file.endsWith('.md'))
    .sort((a, b) => order.indexOf(a.slice(0, -3)) - order.indexOf(b.slice(0, -3)))) {
    const transcripts = parseTranscripts(readFileSync(join(here, name), 'utf8')).filter(
      ({ id }) => !Object.hasOwn(differs, id),
    );
    if (transcripts.length === 0) continue;
    describe(name, () => {
      for (const transcript of transcripts) {
        test(`${transcript.id} ${transcript.title}`, async () => {
          for (const step of transcript.steps) {
            if (step.session !== undefined) {
              expect(await playSession(step.session, server.base, captures, closesWithOwnCodes)).toEqual([]);
              continue;
            }
            const known = { ...Object.fromEntries(captures), BASE: server.base, RUN: run };
            const answer = parseAnswer(await runRequest(step.request, known, server.folder));
            expect(differences(step, answer, captures), `${step.request}\n${answer.body}`).toEqual([]);
          }
        });
      }
    });
  }

  if (Object.hasOwn(differs, 'MET-01')) return;
  test('MET-01 metrics hold no raw path, no id and nothing about scrapes and health checks', async () => {
    const text = await (await fetch(`${server.base}/metrics`)).text();
    expect(text).not.toMatch(/path="\/(metrics|healthz)/);
    expect(text).not.toContain(run);
    const ids = [...captures.values()].filter((value) => /^[0-9a-f]{32}$/.test(value));
    expect(ids.length).toBeGreaterThan(3);
    for (const id of ids) expect(text).not.toContain(id);
  });
});
