import { expect, test } from 'vitest';
import { interpolate } from './interpolate.ts';

const lookup = (name: string) => ({ HOST: 'db', TRICK: ['$', '{HOST}'].join('') })[name];
const dollar = '$';

test('fills in variables once', () => {
  expect(interpolate(`tcp://${dollar}{HOST}:1`, lookup)).toEqual({ text: 'tcp://db:1' });
  expect(interpolate(`${dollar}{TRICK}`, lookup)).toEqual({ text: `${dollar}{HOST}` });
  expect(interpolate(`${dollar}{NONE:-x y}`, lookup)).toEqual({ text: 'x y' });
  expect(interpolate(`${dollar}{NONE:-}`, lookup)).toEqual({ text: '' });
  expect(interpolate(`${dollar}${dollar}{HOST} $5`, lookup)).toEqual({ text: `${dollar}{HOST} $5` });
});

test('says what is missing', () => {
  expect(interpolate(`${dollar}{NONE}`, lookup)).toEqual({
    problem: 'environment variable NONE is not set',
    unset: true,
  });
  expect(interpolate(`${dollar}{NONE:?set it first}`, lookup)).toEqual({ problem: 'NONE: set it first', unset: true });
  expect(interpolate(`${dollar}{NONE} ${dollar}{HOST`, lookup)).toEqual({
    problem: expect.stringContaining('must look'),
  });
});
