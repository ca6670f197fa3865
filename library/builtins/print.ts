/** `print` */

import { TypeError } from '../values/exceptions.ts';
import { callMethod } from '../values/methods.ts';
import { strOf } from '../values/repr.ts';
import { native } from '../values/signature.ts';
import { textOf } from '../values/text-arguments.ts';
import { truth } from '../values/truth.ts';
import { typeName } from '../values/type-name.ts';
import { output } from './output.ts';
import { OutputStream, streams } from './streams.ts';

export const print = native(
  'print',
  '*values, sep=" ", end="\\n", file=None, flush=False',
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
