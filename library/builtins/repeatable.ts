import { $again } from '../values/objects/protocol.ts';

/** Modules whose functions and methods change nothing before they have all answers they ask of the program (values/regions.ts). */
const modules = new Set(
  'bisect collections copy heapq json math operator pprint random re statistics string textwrap'.split(' '),
);

/** Lets a function of the module be run again, unless it says itself what it does. */
export function mayRunAgain(module: string | undefined, own: unknown): void {
  if (
    module === undefined ||
    !modules.has(module.split('.', 1)[0]!) ||
    typeof own !== 'function' ||
    (own as any)[$again] !== undefined
  )
    return;
  Object.defineProperty(own, $again, { value: true, configurable: true });
}
