import { expect, test } from 'vitest';
import { processTerminal } from '../terminal.ts';
import { showProgress } from './show-progress.ts';

/** Texts on standard output of two steps, of which the second fails; what is written at once stands together. */
async function tell({ isLive = false, isJson = false } = {}): Promise<string[]> {
  const printed: string[] = [];
  let nowMs = 0;
  const terminal = {
    ...processTerminal(),
    isOutTerminal: isLive,
    elapsedMs: () => (nowMs += 600),
    out: (text: string) => void printed.push(text),
  };
  const progress = showProgress(terminal, isJson, new AbortController().signal);
  progress.begin(2);
  await progress.step('make the change set', async () => {
    for (const text of ['waiting', 'waiting', 'Add Lambda::Function HttpLambdaFunction']) progress.detail(text);
  });
  const failing = progress.step('smoke test', async () => {
    throw new Error('no answer');
  });
  await expect(failing).rejects.toThrow('no answer');
  return printed;
}

const anew = '\r\u001b[2K';

test('on a terminal the step that is under way is one line that changes', async () => {
  expect(await tell({ isLive: true })).toEqual([
    '[1/2] make the change set ...',
    `${anew}[1/2] make the change set ... waiting`,
    `${anew}[1/2] make the change set ... Add Lambda::Function HttpLambdaFunction`,
    `${anew}[1/2] make the change set ... ok (0.6s)\n`,
    '[2/2] smoke test ...',
    `${anew}[2/2] smoke test ... failed (0.6s)\n`,
  ]);
});

test('elsewhere a step is a line when it has ended, after the details that stay worth reading', async () => {
  expect(await tell()).toEqual([
    '      Add Lambda::Function HttpLambdaFunction\n',
    '[1/2] make the change set ... ok (0.6s)\n',
    '[2/2] smoke test ... failed (0.6s)\n',
  ]);
});

test('as JSON each is an event', async () => {
  const step = { event: 'step', of: 2, ms: 600 };
  expect((await tell({ isJson: true })).map((line) => JSON.parse(line))).toEqual([
    { event: 'detail', n: 1, of: 2, text: 'waiting' },
    { event: 'detail', n: 1, of: 2, text: 'Add Lambda::Function HttpLambdaFunction' },
    { ...step, n: 1, name: 'make the change set' },
    { ...step, n: 2, name: 'smoke test', failed: true },
  ]);
});
