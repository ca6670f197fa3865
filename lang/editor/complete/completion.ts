/** Completion: names and words for the cursor's place, the likeliest first. */
import type * as ast from '../../1-parse/ast.ts';
import { words } from '../../1-parse/tokens.ts';
import { elementIn, isOfBrowserHalf, openPathAt, typesWithin, type View } from '../view.ts';
import { type Before, type Habits, habitsOf, textBefore } from './before.ts';
import type { Candidate, World } from './candidate.ts';
import { type Context, contextAt } from './context.ts';
import { declaredIn, overridable } from './declared-parts.ts';
import { membersOfKind } from './kinds.ts';
import { memberCandidates } from './members.ts';
import { foreignNames, moduleNames, standardNames } from './module-names.ts';
import {
  argumentNames,
  attributeNames,
  conditionFields,
  modulePaths,
  namesInScope,
  runtimeCandidates,
  tagNames,
} from './names.ts';
import { speltNames } from './texts.ts';
import {
  accessWords,
  decorators,
  decoratorArguments as decoratorWords,
  joiningWords,
  memberWords,
  modelOptions,
  moduleWords,
  operandWords,
  snippets,
  statementWords,
  typeWords,
} from './words.ts';

export interface Completion {
  readonly items: readonly Candidate[];
  /** Offset at which the text that an item replaces begins. */
  readonly start: number;
  /** There are more than were given. */
  readonly isPartial: boolean;
  /** The cursor is behind a dot. */
  readonly isMember: boolean;
}

const most = 200;

export function completionAt(view: View, offset: number, world: World): Completion {
  const before = textBefore(view.source.text, offset);
  const context = contextAt(view, before, offset);
  const start =
    context.at === 'attribute' ? attributeStart(before) : context.at === 'spelt' ? context.start : before.start;
  const prefix = view.source.text.slice(start, offset);
  const candidates = candidatesAt(view, context, before, world);
  const habits = habitsOf(before);
  // A variable that only the word being typed makes is none.
  const isTyped = ({ name, kind }: Candidate) => name === prefix && kind === 'variable' && !habits.last.has(name);
  const fitting = candidates.filter(
    (one) => fits(one.name, prefix) && (one.kind !== 'snippet' || prefix !== '') && !isTyped(one),
  );
  const ranked = rank(fitting, prefix, habits, context);
  return { items: ranked.slice(0, most), start, isPartial: ranked.length > most, isMember: context.at === 'member' };
}

/** Names of attributes have hyphens. */
function attributeStart({ text, start }: Before): number {
  let at = start;
  while (at > 0 && /[\w-]/.test(text.charAt(at - 1))) at--;
  return at;
}

function fits(name: string, prefix: string): boolean {
  return name.length >= prefix.length && name.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase();
}

function rank(
  candidates: readonly Candidate[],
  prefix: string,
  habits: Habits,
  context: Context,
): readonly Candidate[] {
  const found = new Map<string, Candidate & { readonly score: number }>();
  for (const one of candidates) {
    const score = scoreOf(one, prefix, habits, context);
    const known = found.get(one.name);
    if (known === undefined || (known.score < score && known.kind !== 'snippet'))
      found.set(one.name, { ...one, score });
  }
  return [...found.values()].sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
}

function scoreOf(
  { name, rank: base, isGuess }: Candidate,
  prefix: string,
  { last, following, followingTwo }: Habits,
  context: Context,
): number {
  const at = last.get(name);
  const recency = at === undefined ? 0 : 30 / (1 + at / 400);
  const habit = Math.min(20, 5 * (following.get(name) ?? 0)) + Math.min(25, 10 * (followingTwo.get(name) ?? 0));
  const exact = name.startsWith(prefix) ? 30 : 0;
  const guess = isGuess === true && context.at !== 'member' ? -10 : 0;
  return base + recency + habit + exact + guess;
}

function candidatesAt(view: View, context: Context, before: Before, world: World): readonly Candidate[] {
  const path = openPathAt(view, before.start);
  const outer = openPathAt(view, before.start + before.prefix.length);
  const around = outer.length > path.length ? outer : path;
  const types = typesWithin(view, elementIn(around));
  const isOfBrowser =
    view.module.suffix === 'cl' ||
    isOfBrowserHalf(view, elementIn(around)) ||
    around.some((node) => node.kind === 'Markup' || (node.kind === 'PlacedBlock' && node.placement === 'cl'));
  const names = () => [...namesInScope(view, types, around, isOfBrowser), ...nearbyWords(before)];
  const keyword = (words: readonly string[], top: number): readonly Candidate[] =>
    words.map((name, i) => ({ name, kind: 'keyword', detail: '', rank: top - i / 3 }));
  switch (context.at) {
    case 'nothing':
      return [];
    case 'member':
      return memberCandidates(view, types, context.object, context.written, isOfBrowser, world, before.start);
    case 'declared-in':
      return declaredIn(view, types, context.word, context.path);
    case 'override':
      return overridable(view, types, context.decl);
    case 'after-import':
      return [...keyword(['from'], 60), ...modulePaths(view, '', '', world)];
    case 'module':
      return modulePaths(
        view,
        view.source.text.slice(context.start, before.start + before.prefix.length),
        context.quote,
        world,
      );
    case 'spelt':
      return speltNames(view, context.spelt, context.path);
    case 'import-names':
      return importNames(view, context.statement, world, before.start);
    case 'trigger':
      return [
        ...classNames(names(), ['node', 'edge', 'class', 'walker']),
        ...keyword(['Root', 'entry', 'exit', 'Node', 'Edge'], 50),
      ];
    case 'event':
      return keyword(['entry', 'exit'], 90);
    case 'can':
      return keyword(['with'], 60);
    case 'class':
      return classNames(names(), context.kinds);
    case 'condition':
      return conditionFields(view, types, context.node, around);
    case 'tag':
      return tagNames(names(), context.closes);
    case 'attribute':
      return attributeNames(view, context.tag, before.start);
    case 'type':
      return [...classNames(names(), ['node', 'obj', 'class', 'edge', 'walker', 'enum'], 1), ...keyword(typeWords, 45)];
    case 'access':
      return keyword(accessWords, 90);
    case 'static':
      return keyword(['has', 'def'], 90);
    case 'async':
      return keyword(['def', 'can', 'for', 'with', 'walker'], 90);
    case 'entry-name':
      return keyword(['__main__'], 90);
    case 'outer-name':
      return names();
    case 'decorator':
      return [...decorators.map((name): Candidate => ({ name, kind: 'function', detail: '', rank: 60 })), ...names()];
    case 'declaration':
      return [...keyword(moduleWords, 60), ...templates('module')];
    case 'members':
      return context.decl.kind === 'EnumDecl'
        ? keyword(['def', 'with'], 60)
        : [...keyword(memberWords, 60), ...templates('member')];
    case 'statement':
      return [
        ...keyword(statementWords, 40),
        ...names(),
        ...templates('statement'),
        // Braces of markup hold a value as well.
        ...(context.block?.kind === 'MarkupSlot' ? keyword(['None', 'True', 'False', 'not', 'lambda'], 30) : []),
        ...(view.source.text.charAt(before.start - 1) === '}'
          ? keyword(['else', 'elif', 'except', 'finally'], 40)
          : []),
      ];
    case 'case':
      return [...keyword(['case', 'default'], 70), ...keyword(statementWords, 40), ...names()];
    case 'joining':
      return [...keyword(joiningWords, 60), ...afterBlock(before, keyword, names)];
    case 'operand':
      return operands(view, types, context, before, names(), keyword);
  }
}

/** A closing brace may end a value or a block. */
function afterBlock(
  before: Before,
  keyword: (words: readonly string[], top: number) => readonly Candidate[],
  names: () => readonly Candidate[],
): readonly Candidate[] {
  const prev = before.tokens[0]?.text ?? '';
  if (/^\w+$/.test(prev)) return keyword(['entry', 'exit'], 20);
  return [...keyword(statementWords, 20), ...names()];
}

function operands(
  view: View,
  types: ReturnType<typeof typesWithin>,
  { call, after }: Context & { readonly at: 'operand' },
  before: Before,
  names: readonly Candidate[],
  keyword: (words: readonly string[], top: number) => readonly Candidate[],
): readonly Candidate[] {
  const known = call === undefined ? [] : argumentNames(view, types, call, before.start);
  const given = known.length > 0 ? known : argumentsByText(before);
  const ranked = after === 'spawn' ? names.map((one) => (one.kind === 'walker' ? { ...one, rank: 70 } : one)) : names;
  const isType = after === '[' ? [...keyword(typeWords, 22), ...keyword(['edge'], 45)] : [];
  return [...given, ...ranked, ...keyword(operandWords, 42), ...isType];
}

/** Words near the cursor that nothing declares yet: the variable of a comprehension is used before it is named. */
function nearbyWords({ text, start }: Before): readonly Candidate[] {
  const near = text.slice(Math.max(0, start - 120), start).match(/\b[a-z_]\w+/g) ?? [];
  return [...new Set(near)]
    .filter((word) => !isWord.has(word))
    .map((name): Candidate => ({ name, kind: 'variable', detail: '', rank: 6, isGuess: true }));
}

const isWord: ReadonlySet<string> = new Set(words.map(([word]) => word));

/** Names of arguments of a decorator that nothing stands behind yet, which is no part of the tree, and options of a model behind `by`. */
function argumentsByText({ text, start }: Before): readonly Candidate[] {
  const [, before, name] = /(@|\bby\s+)(\w+)\((?:[^()]*,)?\s*$/.exec(text.slice(Math.max(0, start - 300), start)) ?? [];
  const params = name === undefined ? [] : before === '@' ? (decoratorWords[name] ?? []) : modelOptions;
  return params.map(
    (param, i): Candidate => ({ name: param, kind: 'param', detail: '', rank: 110 - i, insert: `${param}=` }),
  );
}

function templates(where: keyof typeof snippets): readonly Candidate[] {
  return snippets[where].map(
    ([name, body]): Candidate => ({
      name: `${name} …`,
      kind: 'snippet',
      detail: body.split('\n')[0]!,
      rank: 1,
      insert: body,
      isSnippet: true,
    }),
  );
}

/** Names of classes, those of the kinds that come first before the others. `step`: what one kind is less likely than that before it. */
function classNames(names: readonly Candidate[], kinds: readonly string[], step = 10): readonly Candidate[] {
  return names
    .filter(
      ({ name, kind, detail }) =>
        kinds.includes(kind) ||
        (detail === 'import' && kind === 'variable') ||
        (/^[A-Z]/.test(name) && detail !== 'browser'),
    )
    .map((one): Candidate => {
      const at = kinds.indexOf(one.kind);
      return at < 0 || one.detail === 'browser'
        ? { ...one, rank: one.rank / 2 }
        : { ...one, rank: (one.detail === 'built in' ? 10 : 50) - at * step };
    });
}

/** Modules of a folder that an import names without quotes. */
function modulesBelow(view: View, { level, segments, quoted }: ast.ModulePath, world: World): readonly Candidate[] {
  if (quoted !== undefined) return [];
  const written = '.'.repeat(level) + segments.map(({ text }) => `${text}.`).join('');
  return modulePaths(view, written, '', world).filter(({ detail }) => detail !== 'standard module');
}

function importNames(view: View, statement: ast.ImportFrom, world: World, at: number): readonly Candidate[] {
  const others = statement.items.filter(
    ({ start, end }, i) => (at < start || at > end) && i < statement.items.length - 1,
  );
  const given = new Set(others.map(({ name }) => name?.text));
  const target = view.module.imports.get(statement.path);
  const found = (): readonly Candidate[] => {
    switch (target?.of) {
      case 'project':
        return [...moduleNames(view, target.id), ...modulesBelow(view, statement.path, world)];
      case 'standard':
        return standardNames(target.name, world);
      case 'js': {
        const exported = foreignNames(view, target.path ?? target.specifier);
        if (target.specifier === '@svc/runtime') return [...runtimeCandidates(), ...exported];
        const usual = target.specifier === 'react' ? [...membersOfKind('React').keys()] : [];
        const known = exported.filter(({ name }) => !usual.includes(name));
        return [
          ...usual.map((name, i): Candidate => ({ name, kind: 'function', detail: 'react', rank: 60 - i })),
          ...known,
        ];
      }
      default:
        return [];
    }
  };
  return found().filter(({ name }) => !given.has(name));
}
