import { expect, test } from 'vitest';
import { databaseOf, shownAddress } from './address.ts';

test.each([
  ['mongodb://127.0.0.1:27017', undefined],
  ['mongodb://a:1,b:2/?replicaSet=rs0', undefined],
  ['mongodb://ada:p%40ss@db.example.com/shop?replicaSet=rs0', 'shop'],
  ['mongodb+srv://db.example.com/my%20shop', 'my shop'],
])('the database of %s', (uri, name) => {
  expect(databaseOf(uri)).toBe(name);
});

test('an address is shown without user and password', () => {
  const shown = (docdbUri: string) => shownAddress({ docdbUri, docdbName: 'svc' });
  expect(shown('mongodb://ada:p%40ss@a:1,b:2/?replicaSet=rs0')).toBe('svc at a:1,b:2');
  expect(shown('mongodb+srv://ada:p@ss@db.example.com/shop')).toBe('shop at db.example.com');
});
