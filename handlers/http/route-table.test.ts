import { expect, test } from 'vitest';
import { createRouteTable, pathShape } from './route-table.ts';

function tableOf(...templates: string[]) {
  const table = createRouteTable<string>();
  for (const template of templates) table.entry(template).methods.set('GET', template);
  return (path: string) => {
    const match = table.match(path);
    return match === undefined ? undefined : [match.entry.methods.get('GET'), ...match.params];
  };
}

test('exact paths, trailing slash, case', () => {
  const match = tableOf('/', '/walker/Ping', '/café');
  expect(match('/')).toEqual(['/']);
  expect(match('/walker/Ping')).toEqual(['/walker/Ping']);
  expect(match('/walker/Ping/')).toEqual(['/walker/Ping']);
  expect(match('/caf%C3%A9')).toEqual(['/café']);
  for (const path of [
    '/walker/Ping//',
    '/walker//Ping',
    '//walker/Ping',
    '/walker/ping',
    '/walker',
    'walker/Ping',
    '',
    '*',
  ]) {
    expect(match(path), path).toBeUndefined();
  }
});

test('literal segments win over parameters, with a way back', () => {
  const match = tableOf('/items/{id}', '/items/new', '/items/new/{part}/x', '/items/{id}/{part}/y');
  expect(match('/items/new')).toEqual(['/items/new']);
  expect(match('/items/7')).toEqual(['/items/{id}', '7']);
  expect(match('/items/new/a/x')).toEqual(['/items/new/{part}/x', 'a']);
  expect(match('/items/new/a/y')).toEqual(['/items/{id}/{part}/y', 'new', 'a']);
});

test('parameters are decoded once and are not empty; dot segments match nothing', () => {
  const match = tableOf('/things/{thing}', '/a/{b}/c');
  expect(match('/things/a%20b')).toEqual(['/things/{thing}', 'a b']);
  expect(match('/things/a%252Fb')).toEqual(['/things/{thing}', 'a%2Fb']);
  expect(match('/things/a%2Fb')).toEqual(['/things/{thing}', 'a/b']);
  for (const path of ['/things/', '/things/..', '/things/.', '/a//c', '/a/../c'])
    expect(match(path), path).toBeUndefined();
  expect(() => match('/things/%ff')).toThrow('percent-encoding');
});

test('shapes', () => {
  expect(pathShape('/a/{x}/b/{y}')).toBe(pathShape('/a/{p}/b/{q}'));
});
