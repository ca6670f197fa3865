/**
 * Measures completion on the examples: at positions drawn from their words the text is cut off, and the word that stood there is looked for
 * among the first ten that are offered.
 */
import { diskFiles } from '../../adapters/modules/disk-files.ts';
import { standardMembers } from '../../core/modules/standard-members.ts';
import { parse } from '../../lang/1-parse/parse.ts';
import { LAST_WORD, words } from '../../lang/1-parse/tokens.ts';
import { createReporter } from '../../lang/diagnostics.ts';
import { completionAt } from '../../lang/editor/complete/completion.ts';
import { declaredAt } from '../../lang/editor/declared.ts';
import { siteUnder } from '../../lang/editor/definition.ts';
import { type View, viewOf } from '../../lang/editor/view.ts';
import { ATTRIBUTE, scanTokens, TAG } from '../../lang/format/scan.ts';
import { allExamples, type Example, entryFor, exampleAnalyst, readText, shown } from './examples.ts';

export interface Cut {
  readonly example: Example;
  readonly file: string;
  readonly start: number;
  readonly word: string;
  /** Letters that are typed before completion is asked for. */
  readonly typed: number;
  readonly sort: 'member' | 'module' | 'event' | 'tag' | 'attribute' | 'keyword' | 'name';
}

export interface Measured {
  readonly asked: number;
  readonly found: number;
  readonly members: number;
  readonly membersFound: number;
  /** Members offered without a mark, and those of them that the receiver does not have in the whole program. */
  readonly offered: number;
  readonly wrong: number;
  readonly missed: readonly { readonly cut: Cut; readonly first: readonly string[] }[];
  /** Milliseconds of each completion alone. */
  readonly times: readonly number[];
}

/** All positions that count, in the order of the files. */
export function allCuts(): readonly Cut[] {
  return allExamples().flatMap((example) => {
    const whole = exampleAnalyst(example);
    const first = whole(new Map());
    return example.files.flatMap((file) => {
      const analysis = whole(new Map(), entryFor(example, file, first));
      const view = viewOf(analysis, shown(example, file));
      return view === undefined ? [] : cutsIn(example, file, view);
    });
  });
}

const keywords: ReadonlySet<string> = new Set(words.map(([word]) => word));

function cutsIn(example: Example, file: string, view: View): readonly Cut[] {
  const text = readText(file);
  const source = { path: file, text };
  const tokens = scanTokens(source, parse(source, createReporter(source), undefined, true));
  const found: Cut[] = [];
  for (let i = 0; i < tokens.count; i++) {
    const kind = tokens.kinds[i]!;
    const isTag = kind === TAG;
    if (!(kind > 0 && kind <= LAST_WORD) && !isTag && kind !== ATTRIBUTE) continue;
    const start = tokens.starts[i]! + (isTag ? 1 : 0);
    const word = text.slice(start, tokens.ends[i]!);
    if (word.length < 2 || !/^[A-Za-z_][\w-]*$/.test(word)) continue;
    const line = text.slice(text.lastIndexOf('\n', start) + 1, start);
    const isModule = /^\s*(import from|import|include)\s+[.\w]*$/.test(line) && word !== 'from';
    const before = i === 0 ? '' : text.slice(tokens.starts[i - 1]!, tokens.ends[i - 1]!);
    const isMember = !isModule && !isTag && before === '.';
    const sort = isModule
      ? 'module'
      : isMember
        ? 'member'
        : isTag
          ? 'tag'
          : kind === ATTRIBUTE
            ? /^on[A-Z]/.test(word)
              ? 'event'
              : 'attribute'
            : keywords.has(word)
              ? 'keyword'
              : 'name';
    const typed = sort === 'member' ? 0 : sort === 'module' || sort === 'tag' ? 2 : sort === 'event' ? 3 : 1;
    if (isDeclaredLater(view, start, word) || (sort !== 'member' && typed >= word.length)) continue;
    found.push({ example, file, start, word, typed, sort });
  }
  return found;
}

/** A name that only this place or a later one of the file declares: nobody can know it yet. */
function isDeclaredLater(view: View, start: number, word: string): boolean {
  const site = siteUnder(view, start);
  if (site === undefined || site.start !== start) return false;
  const meanings = site.meanings();
  if (meanings.length === 0)
    return !keywords.has(word) && !new RegExp(`\\b${word}\\b`).test(view.source.text.slice(0, start));
  return meanings.every((meaning) => {
    const declared = declaredAt(view, meaning);
    return declared?.name.source === view.source && declared.name.start >= start;
  });
}

export function measure(cuts: readonly Cut[]): Measured {
  let [found, members, membersFound, offered, wrong] = [0, 0, 0, 0, 0];
  const missed: { cut: Cut; first: readonly string[] }[] = [];
  const times: number[] = [];
  const analysts = new Map<Example, ReturnType<typeof exampleAnalyst>>();
  for (const cut of cuts) {
    const { example, file, start, word, typed, sort } = cut;
    const analyst = analysts.get(example) ?? exampleAnalyst(example);
    analysts.set(example, analyst);
    const text = readText(file).slice(0, start + typed);
    const whole = analyst(new Map());
    const entry = entryFor(example, file, whole);
    const view = viewOf(analyst(new Map([[file, text]]), entry, file), shown(example, file));
    const began = performance.now();
    const { items, isMember } =
      view === undefined
        ? { items: [], isMember: false }
        : completionAt(view, text.length, { standardMembers, files: diskFiles, packages: [] });
    times.push(performance.now() - began);
    const names = items.filter(({ kind }) => kind !== 'snippet').map(({ name }) => name);
    const isFound = names.slice(0, 10).includes(word);
    if (isFound) found++;
    else missed.push({ cut, first: names.slice(0, 10) });
    if (sort !== 'member') continue;
    members++;
    if (isFound) membersFound++;
    const sure = isMember ? items.filter(({ isGuess }) => isGuess !== true) : [];
    offered += sure.length;
    if (sure.length > 0) {
      const full = viewOf(analyst(new Map(), entry), shown(example, file))!;
      const has = new Set(
        completionAt(full, start, { standardMembers, files: diskFiles, packages: [] }).items.map(({ name }) => name),
      );
      if (has.size > 0) wrong += sure.filter(({ name }) => !has.has(name)).length;
    }
  }
  return { asked: cuts.length, found, members, membersFound, offered, wrong, missed, times };
}

/** Numbers from 0 to 1, the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export function sample<T>(all: readonly T[], count: number, seed: number): readonly T[] {
  const random = randomFrom(seed);
  const rest = [...all];
  for (let i = rest.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [rest[i], rest[j]] = [rest[j]!, rest[i]!];
  }
  return rest.slice(0, count);
}
