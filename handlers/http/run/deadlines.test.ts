import { expect, test, vi } from 'vitest';
import { createDeadlines } from './deadlines.ts';

test('each call expires once, counted from its last progress', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    const deadlines = createDeadlines(100);
    const expired: string[] = [];
    const open = (name: string) => deadlines.open(() => expired.push(name));
    open('a');
    const b = open('b');
    const c = open('c');
    vi.advanceTimersByTime(60);
    b.touch();
    c.close();
    vi.advanceTimersByTime(60);
    expect(expired).toEqual(['a']);
    b.touch();
    vi.advanceTimersByTime(90);
    expect(expired).toEqual(['a']);
    vi.advanceTimersByTime(20);
    expect(expired).toEqual(['a', 'b']);
    open('d');
    vi.advanceTimersByTime(200);
    expect(expired).toEqual(['a', 'b', 'd']);
  } finally {
    vi.useRealTimers();
  }
});
