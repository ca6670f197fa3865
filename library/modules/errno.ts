/** Module `errno`: the numbers of this machine. */

import type { Members } from '../builtins/module.ts';
import { nodeOs } from '../node-parts.ts';
import { Dict } from '../values/containers/dict.ts';

export function makeErrno(): Members {
  const numbers = nodeOs().constants.errno as Readonly<Record<string, number>>;
  return {
    ...numbers,
    errorcode: Dict.from(Object.entries(numbers).map(([name, number]) => [number, name] as const)),
  };
}
