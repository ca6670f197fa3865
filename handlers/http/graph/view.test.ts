import { expect, test } from 'vitest';
import { openMemory } from '../../../adapters/stores/stores.ts';
import { SHARED_ROOT_ID } from '../../../core/graph/ids.ts';
import { currentContext } from '../../../core/memory/context.ts';
import { createRuntime } from '../../../core/memory/runtime.ts';
import { runUnit } from '../../../core/memory/unit.ts';
import * as $ from '../../../core/runtime.ts';
import type { FieldSpec } from '../../../library/classes/spec.ts';
import { textOf } from '../serialize/put-value.ts';
import { makeScratch } from '../serialize/scratch.ts';
import { makeWriter } from '../serialize/writer.ts';
import { SessionView } from './view.ts';

const fields = (more: Partial<FieldSpec> = {}): FieldSpec[] => [
  { name: 'title', type: { t: 'str' } },
  { name: 'more', type: { t: 'any' }, default: () => null, ...more },
];
class Open extends $.Node {
  declare title: string;
  declare more: any;
}
$.archetype(Open, { kind: 'node', name: 'Open', module: 'view_test', fields: fields(), abilities: [] });
class Hidden extends $.Node {}
$.archetype(Hidden, {
  kind: 'node',
  name: 'Hidden',
  module: 'view_test',
  fields: fields({ access: 'priv' }),
  abilities: [],
});

const guest = { rootId: SHARED_ROOT_ID, userId: null, kind: 'guest' as const };

/** Stores one node, then looks at it in a later unit: its stored text, and its text in an answer. */
async function look(make: () => any, before: (node: any) => void = () => {}) {
  const runtime = createRuntime({ store: (await openMemory()).graph });
  await runUnit(runtime, guest, () => void $.connect($.root(), make(), 'out'));
  return runUnit(runtime, guest, () => {
    const [node] = $.hops($.root(), 'node', [{ dir: 'out' }]) as any[];
    before(node);
    const view = new SessionView(currentContext().session);
    const stored = view.storedFields(node);
    const text = textOf(node, makeWriter(makeScratch(), view, false));
    const id = $.oid(node);
    return { stored, text: text.replace(id, 'ID') };
  });
}

const open = (title: string, more: unknown = null) => (Open as any).$new(title, more);
const head = '{"_svc_type":"Open","_svc_id":"ID","_svc_archetype":"node"';

test('an unchanged node is answered with its stored text', async () => {
  const { stored, text } = await look(() => open('é', [1, { a: 2 }]));
  expect(stored).toBe('"title":"é","more":[1,{"a":2}]');
  expect(text).toBe(`${head},"title":"é","more":[1,{"a":2}]}`);
});

test('fields that were read are still as stored, until something changes', async () => {
  expect(
    (
      await look(
        () => open('a'),
        (node) => node.title,
      )
    ).stored,
  ).toBe('"title":"a","more":null');
  const changed = await look(
    () => open('a'),
    (node) => {
      node.title = 'b';
    },
  );
  expect(changed).toEqual({ stored: undefined, text: `${head},"title":"b","more":null}` });
  const inPlace = await look(
    () => open('a', [1]),
    (node) => node.more.push(2),
  );
  expect(inPlace).toEqual({ stored: undefined, text: `${head},"title":"a","more":[1,2]}` });
});

test('values whose stored form is another one, private fields, deep values', async () => {
  const set = await look(() => open('a', new $.PySet([1])));
  expect(set).toEqual({ stored: undefined, text: `${head},"title":"a","more":[1]}` });
  const hidden = await look(() => (Hidden as any).$new('a', 'secret'));
  expect(hidden.stored).toBeUndefined();
  expect(hidden.text).not.toContain('secret');
  let deep: unknown = 1;
  for (let i = 0; i < 40; i++) deep = [deep];
  expect((await look(() => open('a', deep))).text).toContain('$ref');
});
