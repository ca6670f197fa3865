/** `print` */

import { builtin } from '../values/calls/builtin.ts';
import { TypeError } from '../values/objects/exceptions.ts';
import { callMethod } from '../values/objects/methods.ts';
import { strOf } from '../values/objects/repr.ts';
import { truth } from '../values/objects/truth.ts';
import { typeName } from '../values/objects/type-name.ts';
import { textOf } from '../values/text/text-arguments.ts';
import { output } from './output.ts';
import { OutputStream, streams } from './streams.ts';

export const print = builtin(
  'print',
  (values: readonly unknown[] = [], sep?: unknown, end?: unknown, file?: unknown, flush?: unknown): null => {
    const between = mark(sep, 'sep') ?? ' ';
    let text = '';
    for (let i = 0; i < values.length; i += 1) text += i === 0 ? strOf(values[i]) : between + strOf(values[i]);
    text += mark(end, 'end') ?? '\n';
    const target: any = file === undefined || file === null ? streams.stdout : file;
    if (target instanceof OutputStream) output()[target.which](text);
    else if (target !== null) {
      callMethod(target, 'write', text);
      if (truth(flush)) callMethod(target, 'flush');
    }
    return null;
  },
);

function mark(x: unknown, name: string): string | undefined {
  if (x === undefined || x === null) return undefined;
  const text = textOf(x);
  if (text === undefined) throw new TypeError(`${name} must be None or a string, not ${typeName(x)}`);
  return text;
}
