import { expect, test } from 'vitest';
import { Dict } from '../../library/values/containers/dict.ts';
import { makeScratch } from '../http/serialize/scratch.ts';
import { type GraphView, makeWriter } from '../http/serialize/writer.ts';
import { headRoom } from './frames.ts';
import { outcomeFrame, writeSocketOutcome } from './outcome-frame.ts';

const graph: GraphView = { isReadable: () => true, idOf: () => undefined, storedFields: () => undefined };
const scratch = makeScratch();

function write(result: unknown, reports: readonly unknown[]) {
  return writeSocketOutcome(result, reports, makeWriter(scratch, graph, false));
}

test('result and reports in one text, and each report by itself', () => {
  const frame = outcomeFrame(write('grün', [1, new Dict(new Map([['name', 'Åsa "A" 😀']])), null]), 'walker', []);
  const text = '{"ok":true,"data":{"result":"grün","reports":[1,{"name":"Åsa \\"A\\" 😀"},null]}}';
  expect(frame.full.roomy!.toString('utf8', headRoom)).toBe(text);
  expect(frame.full.text).toBe(text);
  expect(frame.bare.map((bare) => bare.text)).toEqual(['1', '{"name":"Åsa \\"A\\" 😀"}', 'null']);
});

test('a function has its result as bare value; warnings come after the reports', () => {
  const frame = outcomeFrame(write([1, 2], []), 'function', ['a "warning"']);
  expect(JSON.parse(frame.full.text)).toEqual({
    ok: true,
    data: { result: [1, 2], reports: [], warnings: ['a "warning"'] },
  });
  expect(frame.bare.map(({ text }) => text)).toEqual(['[1,2]']);
});

test('what was written stays as it is when the next answer is written', () => {
  const first = outcomeFrame(write('one', ['a'.repeat(100_000)]), 'walker', []);
  const second = outcomeFrame(write('two', []), 'walker', []);
  expect(first.full.text).toBe(`{"ok":true,"data":{"result":"one","reports":["${'a'.repeat(100_000)}"]}}`);
  expect(second.full.text).toBe('{"ok":true,"data":{"result":"two","reports":[]}}');
});
