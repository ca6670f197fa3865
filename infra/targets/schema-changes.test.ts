import { expect, test } from 'vitest';
import { schemaChanges } from './schema-changes.ts';

const named = (schema: Record<string, string>, fields?: Record<string, Record<string, string>>) => ({
  schema,
  ...(fields === undefined ? {} : { fields }),
});

test('fields that are gone, that come back, of another type, and types that are not there', () => {
  const stored = named(
    { 'node main.Task': 'b', 'node main.Note': 'same', 'edge main.New': 'n' },
    { 'node main.Task': { title: 'str', stars: 'int', done: 'int' }, 'node main.Note': { text: 'str' } },
  );
  const target = named(
    { 'node main.Task': 'a', 'node main.Note': 'same', 'node main.Old': 'o' },
    { 'node main.Task': { title: 'str', done: 'bool', due: 'str' }, 'node main.Note': { text: 'str' } },
  );
  expect(schemaChanges(stored, target)).toEqual([
    { type: 'main.New', change: 'gone' },
    { type: 'main.Task', field: 'stars', change: 'kept_aside' },
    { type: 'main.Task', field: 'done', change: 'refitted' },
    { type: 'main.Task', field: 'due', change: 'restored' },
    { type: 'main.Task', field: 'due', change: 'added' },
  ]);
});

test('types that differ inside of a field, or of which a revision remembers no fields', () => {
  const fields = { 'node main.Task': { state: 'State' } };
  const other = [{ type: 'main.Task', change: 'other' }];
  expect(schemaChanges(named({ 'node main.Task': 'b' }, fields), named({ 'node main.Task': 'a' }, fields))).toEqual(
    other,
  );
  expect(schemaChanges(named({ 'node main.Task': 'b' }), named({ 'node main.Task': 'a' }, fields))).toEqual(other);
});
