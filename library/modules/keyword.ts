/** Module `keyword`: the words of Python, which programs test names against. */
import { functions, type Members } from '../builtins/module.ts';

const hard =
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  );
const soft = ['_', 'case', 'match'];

export function makeKeyword(): Members {
  return {
    kwlist: hard,
    softkwlist: soft,
    ...functions('keyword', {
      iskeyword: ['s, /', (word: any) => hard.includes(word)],
      issoftkeyword: ['s, /', (word: any) => soft.includes(word)],
    }),
  };
}
