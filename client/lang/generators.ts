/** `send`, `throw` and `close` of generators. */
import { StopIteration } from './exceptions.ts';

/** The method of a generator; what else has one of that name is asked for its own. */
export function generatorMethod(receiver: any, name: 'send' | 'throw' | 'close', ...args: any[]): any {
  if (Object.prototype.toString.call(receiver) !== '[object Generator]') return receiver[name](...args);
  if (name === 'close') {
    receiver.return();
    return null;
  }
  const [given] = args;
  const { done, value } =
    name === 'send' ? receiver.next(given) : receiver.throw(typeof given === 'function' ? new given() : given);
  if (done) throw new StopIteration(...(value === undefined ? [] : [value]));
  return value;
}
