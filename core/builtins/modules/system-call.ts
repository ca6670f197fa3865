/** Calls of the operating system: errors come out as the language's (`FileNotFoundError` …), also where nobody catches them. */
import { caught } from '../../values/raise.ts';

export function systemCall<T>(work: () => T): T {
  try {
    return work();
  } catch (e) {
    throw caught(e);
  }
}
