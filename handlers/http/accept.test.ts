import { expect, test } from 'vitest';
import { wantsProblemDetails } from './accept.ts';

test('problem details only when asked for by name', () => {
  for (const yes of [
    'application/problem+json',
    'application/problem+json, */*',
    'application/json, application/problem+json',
    'application/json;q=0.5, Application/Problem+JSON;q=0.5',
  ]) {
    expect(wantsProblemDetails(yes), yes).toBe(true);
  }
  for (const no of [
    undefined,
    '*/*',
    'application/json',
    'application/problem+json;q=0.5, application/json',
    'application/problem+json;q=0.5, */*',
    'application/problem+json;q=0',
  ]) {
    expect(wantsProblemDetails(no), no).toBe(false);
  }
});
