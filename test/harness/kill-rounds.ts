/** Clients that count while their server is killed again and again: what was acknowledged must be there, and nothing that was not sent. */
import { expect } from 'vitest';
import { post, type RunningServer, register } from './server.ts';

export interface KillRounds {
  /** Starts `test/wire/app` over the same data each time. */
  readonly start: () => Promise<RunningServer>;
  readonly rounds: number;
  readonly clients: number;
  /** Milliseconds a server lives once the first call of its clients was acknowledged. */
  readonly lives: readonly [least: number, most: number];
}

export async function killInRounds({ start, rounds, clients, lives: [least, most] }: KillRounds): Promise<void> {
  let token = '';
  let [acknowledged, sent, killedWhileBusy] = [0, 0, 0];
  const readCounters = async (base: string) => (await post(base, '/walker/Counters', {}, token)).reports[0];
  const expectCounted = (value: number) => {
    expect(value).toBeGreaterThanOrEqual(acknowledged);
    expect(value).toBeLessThanOrEqual(sent);
  };
  for (let round = 0; round < rounds; round++) {
    const { base, stop } = await start();
    if (round === 0) token = (await register(base, 'ada')).token;
    else expectCounted((await readCounters(base))[0]?.value ?? 0);
    let running = true;
    let inFlight = 0;
    const client = async () => {
      while (running) {
        sent++;
        inFlight++;
        const answer = await post(base, '/walker/Bump', { name: 'hits' }, token).catch(() => undefined);
        inFlight--;
        if (answer?.ok) acknowledged++;
      }
    };
    const before = acknowledged;
    const all = Array.from({ length: clients }, client);
    // On a busy machine the first answer may take longer than a server is to live.
    while (acknowledged === before) await new Promise((resolve) => setTimeout(resolve, 10));
    await new Promise((resolve) => setTimeout(resolve, least + Math.random() * (most - least)));
    if (inFlight > 0) killedWhileBusy++;
    await stop('SIGKILL');
    running = false;
    await Promise.all(all);
  }
  await using server = await start();
  const counters = await readCounters(server.base);
  expect(counters, `${acknowledged} acknowledged`).toHaveLength(1); // never two counters: find-or-create is one unit
  expectCounted(counters[0].value);
  expect(acknowledged).toBeGreaterThan(0);
  expect(killedWhileBusy).toBeGreaterThan(0);
  await server.stop();
}
