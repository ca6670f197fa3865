/** Package `urllib`: its modules. */
import type { Members } from '../../builtins/module.ts';
import { std } from '../../registry.ts';

export function makeUrllib(): Members {
  return {
    get error() {
      return std('urllib.error');
    },
    get parse() {
      return std('urllib.parse');
    },
    get request() {
      return std('urllib.request');
    },
  };
}
