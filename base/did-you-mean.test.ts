import { expect, test } from 'vitest';
import { didYouMean } from './did-you-mean.ts';

test('names the nearest candidate', () => {
  expect(didYouMean('prot', ['port', 'host'])).toBe('port');
  expect(didYouMean('timout', ['timeout', 'time'])).toBe('timeout');
  expect(didYouMean('Addtask', ['ListTasks', 'AddTask'])).toBe('AddTask');
});

test('stays silent when nothing is near', () => {
  expect(didYouMean('colour', ['port', 'host'])).toBeUndefined();
  expect(didYouMean('port', ['port'])).toBeUndefined();
  expect(didYouMean('x', [])).toBeUndefined();
});
