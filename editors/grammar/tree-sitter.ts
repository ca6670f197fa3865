/** Tables of the tree-sitter grammar, made from the scanner's: its words and operators, once for grammar.js and once for scanner.c. */
import { operatorGroups, wordGroups } from './words.ts';

/** Text of `tree-sitter/tables.js`. */
export function treeSitterTables(): string {
  const groups = wordGroups();
  const { graph, assignment, comparison, arrow, other } = operatorGroups();
  const isClass = (word: string) => /^(obj|class|node|edge|walker|enum)$/.test(word);
  const isFunction = (word: string) => word === 'def' || word === 'can';
  const words = {
    control: groups.control,
    class_word: groups.declaration.filter(isClass),
    function_word: groups.declaration.filter(isFunction),
    test_word: ['test'],
    declaration: groups.declaration.filter((word) => !isClass(word) && !isFunction(word) && word !== 'test'),
    modifier: groups.modifier,
    operator_word: groups.operator,
    constant: groups.constant,
    special: groups.special,
    builtin_type: groups.types,
  };
  const punctuation = new Set([',', ':', ';', '.', '(', ')', '[', ']', '{', '}']);
  const operators = [graph, assignment, comparison, arrow, other].flat().filter((text) => !punctuation.has(text));
  const text = JSON.stringify({ words, operators }, null, 2);
  return `// Generated from the scanner's tables: UPDATE=1 npx vitest run editors/test/generated.test.ts\nmodule.exports = ${text};\n`;
}

/** Text of `tree-sitter/src/words.h`. */
export function treeSitterWords(): string {
  const { control, declaration, modifier, operator, constant, special, types } = wordGroups();
  const list = (name: string, words: readonly string[]) =>
    `static const char *const ${name}[] = {${words.map((word) => `"${word}", `).join('')}NULL};\n`;
  const reserved = [control, declaration, modifier, operator, constant, special, types].flat();
  return `/* Generated from the scanner's tables. */\n${list('reserved_words', reserved)}${list('bracketed_words', ['self', 'here', 'root', 'super', 'visitor', 'init'])}`;
}
