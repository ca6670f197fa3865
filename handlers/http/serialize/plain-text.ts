import { textOf } from './put-value.ts';
import { makeScratch } from './scratch.ts';
import { type GraphView, makeWriter } from './writer.ts';

const noGraph: GraphView = { isReadable: () => false, idOf: () => undefined, storedFields: () => undefined };

/** JSON text of data outside a unit of work: fixed endpoints, details of failures. Graph objects are only referred to. */
export function plainText(value: unknown): string {
  return textOf(value, makeWriter(makeScratch(), noGraph, false));
}
