import { expect, test } from 'vitest';
import { readDocs } from './read-docs.ts';

test('comments belong to the declaration below, decorators in between', () => {
  const text = `/** A license. */
import { x } from 'y';
/** A task. */
@node
export class Task {}
/**
 * Lists tasks,
 *   newest first.
 *
 * @see Task
 */
@walker({ path: '/a(b', in: [")"] }) @other.one
export default class List {
  /** Not this. */
  take() {}
}
/** One. */ export const one = def('one', {}, () => 1);
/* no */ class Not {}
`;
  expect(readDocs(text)).toEqual({ Task: 'A task.', List: 'Lists tasks,\n  newest first.', one: 'One.' });
});
