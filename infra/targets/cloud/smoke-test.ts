/** The first requests to what was deployed: over HTTP, and the handshake of a socket. */
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { outputs } from '../../cloud/template.ts';
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import type { LiveStack } from './stack.ts';

export interface SmokeTest {
  readonly stack: Pick<LiveStack, 'outputs'>;
  readonly patienceMs: number;
  /** Gives what may be done when it does not answer. */
  readonly hints: () => Promise<readonly string[]>;
  readonly signal: AbortSignal;
}

const requestMs = 15_000;

/** @throws DeployFailure `late` when it does not answer well in time */
export async function smokeTest({ stack, patienceMs, hints, signal }: SmokeTest): Promise<void> {
  const http = stack.outputs[outputs.http];
  const socket = stack.outputs[outputs.socket];
  const began = performance.now();
  if (http === undefined) throw new DeployFailure('failed', 'deployed, but the stack has no address');
  const asks = [() => askReady(`${http}/healthz/ready`), ...(socket === undefined ? [] : [() => askSocket(socket)])];
  for (const ask of asks) {
    for (let problem = await ask(); problem !== undefined; problem = await ask()) {
      if (performance.now() - began >= patienceMs)
        throw new DeployFailure('late', `deployed, but ${problem}`, { hints: await hints() });
      await sleep(Math.min(2000, patienceMs / 10), undefined, { signal });
    }
  }
}

/** Undefined when all is well, else for example `https://… answers 503: store unavailable`. */
export async function askReady(url: string): Promise<string | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(requestMs), redirect: 'manual' });
    const text = (await answer.text()).slice(0, 65_536);
    return answer.ok ? undefined : `${url} answers ${answer.status}: ${reasonIn(text)}`;
  } catch (error) {
    const { cause, message } = error as Error;
    return `${url} does not answer: ${cause instanceof Error ? cause.message : message}`;
  }
}

/** The reason in an envelope or in the list of a health check; else the beginning of the text. */
function reasonIn(text: string): string {
  try {
    const { error, message, checks } = JSON.parse(text) as any;
    const failed = Object.entries(checks ?? {}).filter(
      ([, state]: any) => ![true, 'ok'].includes(state?.status ?? state),
    );
    if (failed.length > 0) return failed.map(([name]) => `${name} unavailable`).join(', ');
    return String(error?.message ?? message ?? text).slice(0, 200);
  } catch {
    return text.replace(/\s+/g, ' ').slice(0, 200) || 'nothing';
  }
}

/** A handshake that names no target: the function refuses it, by which it shows that it runs. */
function askSocket(url: string): Promise<string | undefined> {
  const shown = (status: number | undefined) =>
    status !== undefined && status < 500 ? undefined : `${url} answers ${status}`;
  return new Promise((resolve) => {
    const address = new URL(url.replace(/^ws/, 'http'));
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.from('svc-smoke-test..').toString('base64'),
    };
    const request = (address.protocol === 'https:' ? secure : plain)(address, { headers, timeout: requestMs });
    request.on('error', (error) => resolve(`${url} does not answer: ${error.message}`));
    request.on('timeout', () => request.destroy(new Error('it takes too long')));
    request.on('upgrade', (answer, socket) => {
      socket.on('error', () => {});
      socket.destroy();
      resolve(shown(answer.statusCode));
    });
    request.on('response', (answer) => {
      answer.on('error', () => {});
      answer.resume();
      resolve(shown(answer.statusCode));
    });
    request.end();
  });
}
