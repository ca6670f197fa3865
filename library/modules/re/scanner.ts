/** `re.Scanner`: cuts text into tokens by the first of several patterns that matches at each place. */

import { nativeClass } from '../../builtins/native-class.ts';
import { look } from '../../limits/look.ts';
import { call, callable } from '../../values/calls/calls.ts';
import { itemsOf } from '../../values/containers/iteration.ts';
import { getslice } from '../../values/containers/subscripts.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { compile, type Match, type Pattern } from './pattern.ts';

export class Scanner {
  readonly $rules: readonly { readonly pattern: Pattern; readonly action: unknown }[];
  match: Match | null = null;

  constructor(lexicon: unknown, flags: unknown) {
    this.$rules = itemsOf(lexicon).map((entry) => {
      const [pattern, action] = itemsOf(entry);
      return { pattern: compile(pattern, flags), action };
    });
  }

  /** Gives the list of the actions' results, and the rest that no pattern matches. */
  scan(text: unknown): Tuple {
    const found: unknown[] = [];
    let at = 0;
    for (;;) {
      if ($due) look();
      const rule = this.$rules.find(({ pattern }) => {
        this.match = pattern.match(text, at) as Match | null;
        return this.match !== null;
      });
      const end = this.match?.end() as number | undefined;
      if (rule === undefined || end === undefined || end === at) break;
      const value = callable(rule.action) ? call(rule.action, this, this.match!.group()) : rule.action;
      if (value !== null && value !== undefined) found.push(value);
      at = end;
    }
    return new Tuple([found, getslice(text, at, null, null)]);
  }
}
nativeClass(Scanner, {
  name: 'Scanner',
  module: 're',
  params: 'lexicon, flags=0',
  methods: { scan: 'string' },
});
