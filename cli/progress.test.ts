import { expect, test } from 'vitest';
import { createProgress } from './progress.ts';
import { processTerminal } from './terminal.ts';

function tell(isErrTerminal: boolean, stepMs: number): string {
  let printed = '';
  let nowMs = 0;
  const progress = createProgress({
    ...processTerminal(),
    isErrTerminal,
    elapsedMs: () => nowMs,
    err: (text) => {
      printed += text;
    },
  });
  for (const done of [1000, 2000, 3000]) {
    nowMs += stepMs;
    progress.tell('copied', done, 4000);
  }
  progress.end();
  return printed;
}

test('on a terminal one line changes and goes; elsewhere there is a line every few seconds', () => {
  expect(tell(true, 100)).toBe(
    '\rsvc: copied: 1,000 of 4,000 (25 %)\rsvc: copied: 2,000 of 4,000 (50 %)\rsvc: copied: 3,000 of 4,000 (75 %)' +
      `\r${' '.repeat(34)}\r`,
  );
  expect(tell(false, 100)).toBe('');
  expect(tell(false, 2500)).toBe('svc: copied: 2,000 of 4,000 (50 %)\n');
});
