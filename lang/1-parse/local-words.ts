/**
 * `props`, `here` and `visitor` where they are assigned (decisions/0376): variables of that name, in abilities ones that begin as the location
 * and the visitor. `props` that the module declares itself is that declaration. Elsewhere they stay special references (4.13).
 */
import type { Element, Name, NameRef, Signature, SpecialRef, Statement } from './ast.ts';
import type { Parser } from './parser.ts';

type Word = SpecialRef['word'];

/** Uses of these words in the text of a function, functions in it included. */
export interface WordUses {
  readonly references: SpecialRef[];
  /** Each once. A list: a set for each function would cost more than the few words. */
  readonly assigned: Word[];
}

export function noWords(): WordUses {
  return { references: [], assigned: [] };
}

export function noteWord(p: Parser, node: SpecialRef): void {
  p.wordUses.references.push(node);
  if (node.word === 'props') p.propsUses.push(node);
}

export function noteAssignedWord({ wordUses }: Parser, word: Word): void {
  if (word !== 'root' && word !== 'super' && !wordUses.assigned.includes(word)) wordUses.assigned.push(word);
}

/** Turns the words that are no parameters of a function into its variables. */
export function settleWords({ references, assigned }: WordUses, { params }: Pick<Signature, 'params'>): void {
  for (const word of assigned) if (params.every(({ name }) => name?.text !== word)) rename(references, word, word);
}

/** Gives the statements that the body of an ability begins with. */
export function settleAbility({ references, assigned }: WordUses, at: number): readonly Statement[] {
  return assigned.flatMap((word): Statement[] => {
    if (word === 'props') {
      rename(references, word, word);
      return [];
    }
    // A name that no program can write.
    const name = `$${word}`;
    rename(references, word, name);
    return [beginning(name, word, at)];
  });
}

/** `name = word;` */
export function beginning(name: string, word: Word, at: number): Statement {
  const span = { start: at, end: at };
  const variable: NameRef = { kind: 'NameRef', ...span, name, escaped: false };
  const value: SpecialRef = { kind: 'SpecialRef', ...span, word };
  return { kind: 'AssignStatement', ...span, let: false, targets: [variable], type: undefined, value };
}

/** Outside of functions: entry blocks, tests, bodies given apart. */
export function settleElement(p: Parser, element: Element | undefined): void {
  const { references, assigned } = p.wordUses;
  if (element === undefined) return;
  const isBody = element.kind === 'EntryBlock' || element.kind === 'TestBlock';
  for (const word of assigned) if (isBody || word === 'props') rename(references, word, word);
  p.declaresProps ||=
    (isBody && assigned.includes('props')) || declaredNames(element).some((name) => name?.text === 'props');
}

export function settleModule({ declaresProps, propsUses }: Parser): void {
  if (declaresProps) rename(propsUses, 'props', 'props');
}

function declaredNames(element: Element): readonly (Name | undefined)[] {
  switch (element.kind) {
    case 'GlobDecl':
      return element.items.flatMap(({ name, chained }) => [name, ...chained]);
    case 'ImportFrom':
      return element.items.map(({ name, alias }) => alias ?? name);
    case 'ImportModules':
      return element.items.map(({ alias, path }) => alias ?? path.segments[0]);
    case 'FunctionDecl':
      return [element.name];
    default:
      return [];
  }
}

/** The nodes are not shared with anything yet. */
function rename(references: readonly SpecialRef[], word: Word, name: string): void {
  for (const node of references)
    if (node.word === word) Object.assign(node, { kind: 'NameRef', name, escaped: false } satisfies Partial<NameRef>);
}
