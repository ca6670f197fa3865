import type { Random } from '../harness/random.ts';

const tokens =
  /[A-Za-z_][A-Za-z0-9_]*|\d[\d_.]*|"[^"\n]*"|'[^'\n]*'|<-->|<\+\+>|-->|<--|\+\+>|<\+\+|->:|:->|:<-|<-:|\+>:|:\+>|<\+:|:<\+|\*\*|\/\/|==|!=|<=|>=|:=|\|>|<\||->|\s+|./gs;

const spice = [
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  ';',
  ',',
  ':',
  '.',
  '?',
  '?.',
  '`',
  '@',
  '#',
  '#*',
  '*#',
  '"',
  "'",
  '"""',
  'f"',
  'f"{',
  '}"',
  '<',
  '>',
  '</',
  '/>',
  '<>',
  '</>',
  '<a>',
  '</a>',
  '{*',
  '**',
  '*',
  '-->',
  '<--',
  '<-->',
  '->:',
  ':->',
  '++>',
  '<++>',
  '+>:',
  ':+>',
  'del',
  'spawn',
  'visit',
  'lambda',
  'lambda x:',
  'if',
  'else',
  'elif',
  'for',
  'in',
  'while',
  'try',
  'except',
  'finally',
  'match',
  'case',
  'switch',
  'with entry {',
  'has',
  'can',
  'def',
  'obj',
  'node',
  'walker',
  'edge',
  'enum',
  'impl',
  'glob',
  'import',
  'import from',
  'include',
  'test',
  'sem',
  'type',
  'await',
  'async',
  'yield',
  'return',
  'report',
  'raise',
  'assert',
  'global',
  'not',
  'is',
  'as',
  'by',
  'flow',
  'wait',
  'super',
  'self',
  'here',
  'root',
  'visitor',
  'init',
  'cl',
  'sv {',
  '::py::',
  '=',
  '+=',
  '==',
  ':=',
  '|>',
  '<|',
  '=>',
  '++',
  '!',
  '&&',
  '||',
  '\\',
  '\0',
  '\uD800',
  '\u{1F600}',
  '\r',
  '\r\n',
  '\f',
  '\uFEFF',
  '0x',
  '1e',
  '1_',
  '99999999999999999999',
]; // prettier-ignore

/** A program changed in some places: bytes, tokens, lines, pieces of `other`. */
export function mutate(random: Random, text: string, other: string): string {
  let result = text;
  for (let changes = 1 + random.below(4); changes > 0; changes--) result = change(random, result, other);
  return result.slice(0, 40_000);
}

function change(random: Random, text: string, other: string): string {
  if (random.oneIn(4)) return changeText(random, text, other);
  const list = text.match(tokens) ?? [];
  const at = random.below(list.length + 1);
  switch (random.below(7)) {
    case 0:
      list.splice(at, 1 + random.below(3));
      break;
    case 1:
      list.splice(at, 0, random.pick(spice));
      break;
    case 2:
      list.splice(at, 1, random.pick(spice));
      break;
    case 3:
      list.splice(at, 1, random.pick(list.length === 0 ? spice : list));
      break;
    case 4:
      list.splice(at, 0, ...list.slice(at, at + random.below(12)));
      break;
    case 5: {
      const to = random.below(list.length + 1);
      const [moved] = list.splice(at, 1);
      if (moved !== undefined) list.splice(to, 0, moved);
      break;
    }
    default: {
      const pieces = other.match(tokens) ?? [];
      const from = random.below(pieces.length + 1);
      list.splice(at, random.below(6), ...pieces.slice(from, from + random.below(25)));
    }
  }
  return list.join('');
}

function changeText(random: Random, text: string, other: string): string {
  const at = random.below(text.length + 1);
  const length = random.below(40);
  switch (random.below(6)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(at + length);
    case 2:
      return (
        text.slice(0, at) + String.fromCharCode(random.below(random.oneIn(3) ? 0x10000 : 128)) + text.slice(at + 1)
      );
    case 3:
      return text.slice(0, at) + text.slice(at, at + length).repeat(2 + random.below(3)) + text.slice(at + length);
    case 4: {
      const lines = text.split('\n');
      const [line] = lines.splice(random.below(lines.length), 1);
      if (line !== undefined) lines.splice(random.below(lines.length + 1), 0, line);
      return lines.join('\n');
    }
    default: {
      const from = random.below(other.length + 1);
      return text.slice(0, at) + other.slice(from, from + random.below(300)) + text.slice(at);
    }
  }
}
