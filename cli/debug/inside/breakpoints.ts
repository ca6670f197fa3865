import { didYouMean } from '../../../base/did-you-mean.ts';
import type { LeftOut } from '../../../lang/5-emit/debug-tables.ts';
import { metaOf } from '../../../library/classes/meta.ts';
import { truth } from '../../../library/values/objects/truth.ts';
import type { DataBreakpoint, FunctionBreakpoint, LineBreakpoint, Place, Placed } from '../protocol.ts';
import type { Call } from './calls.ts';
import { compileSnippet, evaluate, logText, messageOf, NoValueYet } from './evaluate.ts';
import {
  type DebuggedModule,
  type FoundStatement,
  functionOf,
  leftOutAt,
  placeOf,
  statementsAt,
  statementsOf,
} from './tables.ts';
import { strText } from './values.ts';

/** A breakpoint with how often it was reached. */
interface Counted {
  readonly id: number;
  readonly condition?: string | undefined;
  readonly hits?: string | undefined;
  readonly log?: string | undefined;
  count: number;
}

export interface Breakpoints {
  setLines(file: string, wanted: readonly LineBreakpoint[]): readonly Placed[];
  setFunctions(wanted: readonly FunctionBreakpoint[]): readonly Placed[];
  setData(wanted: readonly DataBreakpoint[]): readonly Placed[];
  /** Other modules have come: everything gets its place anew. Gives what has another one than before. */
  placeAgain(): readonly Placed[];
  removeAll(): void;
  /** Functions are watched: the first statement of every call is to be looked at. */
  readonly watchesCalls: boolean;
  /** The breakpoints that stop before a statement, and what kind of the first of them. */
  reached(call: Call, isFirst: boolean): Reached | undefined;
}

export interface Reached {
  readonly kind: 'breakpoint' | 'function breakpoint' | 'data breakpoint';
  readonly ids: readonly number[];
  readonly text?: string | undefined;
}

const [lineFlag, dataFlag] = [1, 2];

export function createBreakpoints(
  modules: ReadonlyMap<string, DebuggedModule>,
  tell: (text: string, place: Place) => void,
): Breakpoints {
  /** Breakpoints by module and statement. */
  const lines = new Map<DebuggedModule, Map<number, Counted[]>>();
  const ofFile = new Map<string, readonly FoundStatement[]>();
  let functions: readonly (Counted & { readonly name: string; readonly wholes: ReadonlySet<string> })[] = [];
  let data: readonly (Counted & { readonly owner: string; readonly field: string })[] = [];

  function stops(call: Call, one: Counted): boolean {
    if (one.condition !== undefined && one.condition !== '') {
      try {
        if (!truth(evaluate(call, one.condition))) return false;
      } catch (error) {
        // Before a loop, or in its first round, what the loop assigns is not there: nothing to complain about.
        if (error instanceof NoValueYet) return false;
        tell(`breakpoint ${one.id}: the condition fails: ${messageOf(error)}`, placeOf(call.module, call.statement));
        return false;
      }
    }
    one.count += 1;
    if (!fitsHits(one)) return false;
    if (one.log === undefined) return true;
    tell(logText(call, one.log, strText), placeOf(call.module, call.statement));
    return false;
  }

  const wantedLines = new Map<string, readonly LineBreakpoint[]>();
  let wantedFunctions: readonly FunctionBreakpoint[] = [];
  let wantedData: readonly DataBreakpoint[] = [];
  /** Newest places, by the number of the breakpoint. */
  const told = new Map<number, Placed>();
  const note = (placed: readonly Placed[]) => {
    for (const one of placed) told.set(one.id, one);
    return placed;
  };
  const placedFunction = ({ id, name, hits }: FunctionBreakpoint): Placed => {
    const problem = hitsProblem(hits);
    const place = firstOf(modules, name);
    return problem !== undefined || place === undefined
      ? { id, place: undefined, message: problem ?? noFunction(modules, name) }
      : { id, place };
  };

  const made: Breakpoints = {
    placeAgain() {
      const before = new Map(told);
      for (const [file, wanted] of wantedLines) made.setLines(file, wanted);
      functions = functions.map((one) => ({ ...one, wholes: wholeNames(modules, one.name) }));
      note(wantedFunctions.map(placedFunction));
      made.setData(wantedData);
      return [...told.values()].filter((one) => JSON.stringify(one) !== JSON.stringify(before.get(one.id)));
    },
    removeAll() {
      for (const file of wantedLines.keys()) made.setLines(file, []);
      made.setFunctions([]);
      made.setData([]);
    },
    setLines(file, wanted) {
      wantedLines.set(file, wanted);
      for (const { module, number } of ofFile.get(file) ?? []) {
        lines.get(module)?.delete(number);
        module.flags[number]! &= ~lineFlag;
      }
      const used: FoundStatement[] = [];
      const placed = wanted.map((one): Placed => {
        const problem = hitsProblem(one.hits);
        if (problem !== undefined) return { id: one.id, place: undefined, message: problem };
        const away = leftOutAt(modules.values(), file, one.line);
        if (away !== undefined)
          return { id: one.id, place: undefined, message: `line ${one.line} is ${whereItRuns[away]}` };
        const found = statementsAt(modules.values(), file, one.line, one.column);
        const [first] = found;
        if (first === undefined) return { id: one.id, place: undefined, message: noStatement(modules, file, one.line) };
        const wrong = conditionProblem(first.module, first.number, one.condition);
        if (wrong !== undefined) return { id: one.id, place: undefined, message: wrong };
        const counted: Counted = { ...one, count: 0 };
        for (const statement of found) {
          const { module, number } = statement;
          const table = lines.get(module) ?? new Map<number, Counted[]>();
          lines.set(module, table);
          table.set(number, [...(table.get(number) ?? []), counted]);
          module.flags[number]! |= lineFlag;
          used.push(statement);
        }
        const place = placeOf(first.module, first.number);
        const message =
          place.line === one.line ? undefined : `line ${one.line} has no statement: moved to line ${place.line}`;
        return { id: one.id, place, message };
      });
      ofFile.set(file, used);
      return note(placed);
    },
    setFunctions(wanted) {
      wantedFunctions = wanted;
      functions = wanted.map((one) => ({ ...one, count: 0, wholes: wholeNames(modules, one.name) }));
      return note(wanted.map(placedFunction));
    },
    setData(wanted) {
      wantedData = wanted;
      for (const { flags } of modules.values()) for (let i = 0; i < flags.length; i++) flags[i]! &= ~dataFlag;
      const good: (Counted & { readonly owner: string; readonly field: string })[] = [];
      const placed = wanted.map(({ name, ...one }): Placed => {
        const [owner, field] = name.split('.');
        if (owner === undefined || owner === '' || field === undefined || field === '')
          return { id: one.id, place: undefined, message: 'a field is named as Class.field' };
        let first: Place | undefined;
        for (const module of modules.values())
          module.tables.statements.forEach(({ writes }, number) => {
            if (writes?.some(([written]) => written === field) !== true) return;
            module.flags[number]! |= dataFlag;
            first ??= placeOf(module, number);
          });
        if (first === undefined)
          return { id: one.id, place: undefined, message: `no statement writes a field ${field}` };
        good.push({ ...one, owner, field, count: 0 });
        return { id: one.id, place: first };
      });
      data = good;
      return note(placed);
    },
    get watchesCalls() {
      return functions.length > 0;
    },
    reached(call, isFirst) {
      const { module, statement } = call;
      const here = (lines.get(module)?.get(statement) ?? []).filter((one) => stops(call, one));
      if (here.length > 0) return { kind: 'breakpoint', ids: here.map(({ id }) => id) };
      if (isFirst) {
        const entered = functions
          .filter(({ name, wholes }) => isNamed(call, name, wholes))
          .filter((one) => stops(call, one));
        if (entered.length > 0)
          return { kind: 'function breakpoint', ids: entered.map(({ id }) => id), text: call.fn.name };
      }
      if ((module.flags[statement]! & dataFlag) === 0) return undefined;
      const written = data.filter((one) => writes(call, one) && stops(call, one));
      const [first] = written;
      return (
        first && { kind: 'data breakpoint', ids: written.map(({ id }) => id), text: `${first.owner}.${first.field}` }
      );
    },
  };
  return made;
}

/** The whole names that a name means: itself, or where there is no such function those that end with it, `<locals>` left out. */
function wholeNames(modules: ReadonlyMap<string, DebuggedModule>, name: string): ReadonlySet<string> {
  const all = [...modules.values()].flatMap(({ tables }) => tables.functions.map((fn) => fn.name));
  if (all.includes(name)) return new Set([name]);
  return new Set(all.filter((whole) => `.${whole.replaceAll('<locals>.', '')}`.endsWith(`.${name}`)));
}

/** Is the call one of a function of this name: its own, that of its walker's class, or of a walker that inherited it? */
function isNamed({ fn, walk }: Call, name: string, wholes: ReadonlySet<string>): boolean {
  if (wholes.has(fn.name) || (fn.kind === 'ability' && fn.name.startsWith(`${name}.`))) return true;
  if (fn.kind !== 'ability' || walk === undefined) return false;
  const [walker, ability] = name.split('.');
  return (
    walk.walker.$meta.name === walker &&
    fn.around === 'walker' &&
    (ability === undefined || fn.name.endsWith(`.${ability}`))
  );
}

/** Does the statement that is about to run write this field of an object of the class? */
function writes(call: Call, { owner, field }: { readonly owner: string; readonly field: string }): boolean {
  const { writes: written = [] } = call.module.tables.statements[call.statement]!;
  return written.some(([name, code]) => {
    if (name !== field) return false;
    try {
      const object = call.read(`(() => { let $1, $2, $3, $4; return ${code}; })()`) as any;
      const meta = object?.$meta ?? metaOf(object);
      return meta?.mro.some((cls: unknown) => metaOf(cls)?.name === owner) === true;
    } catch {
      return false;
    }
  });
}

function conditionProblem(module: DebuggedModule, number: number, condition: string | undefined): string | undefined {
  if (condition === undefined || condition === '') return undefined;
  try {
    compileSnippet(module, functionOf(module, number), condition);
    return undefined;
  } catch (error) {
    return `the condition is wrong: ${messageOf(error)}`;
  }
}

const hitsForm = /^\s*(>=|>|==?|%)?\s*(\d+)\s*$/;

function hitsProblem(hits: string | undefined): string | undefined {
  return hits === undefined || hits === '' || hitsForm.test(hits)
    ? undefined
    : `'${hits}' is no count: 5, >= 5, = 5 or % 5`;
}

function fitsHits({ hits, count }: Counted): boolean {
  const [, sign = '>=', text] = hitsForm.exec(hits ?? '') ?? [];
  if (text === undefined) return true;
  const n = Number(text);
  if (sign === '%') return n > 0 && count % n === 0;
  if (sign === '>') return count > n;
  return sign === '>=' ? count >= n : count === n;
}

const whereItRuns: { readonly [K in LeftOut['as']]: string } = {
  browser: 'code of the browser, where this debugger does not stop: the tools of the browser do',
  entry: 'in an entry block, and those do not run here',
  test: "in a test: `svc debug --test` runs tests, and so does an editor's `test`",
};

function noStatement(modules: ReadonlyMap<string, DebuggedModule>, file: string, line: number): string {
  return statementsOf(modules.values(), file).length === 0
    ? `no statement of the program is in ${file}`
    : `there is no statement on line ${line} or behind it`;
}

/** Gives the place of the first statement of a function of this name, or of an ability of this walker. */
function firstOf(modules: ReadonlyMap<string, DebuggedModule>, name: string): Place | undefined {
  const wholes = wholeNames(modules, name);
  for (const module of modules.values()) {
    const { functions, statements } = module.tables;
    const numbers = statements.flatMap(({ fn }, number) => {
      const { name: its, kind } = functions[fn]!;
      return wholes.has(its) || (kind === 'ability' && its.startsWith(`${name}.`)) ? [number] : [];
    });
    if (numbers[0] !== undefined) return placeOf(module, numbers[0]);
  }
  return undefined;
}

function noFunction(modules: ReadonlyMap<string, DebuggedModule>, name: string): string {
  const names = [...modules.values()].flatMap(({ tables }) => tables.functions.slice(1).map((fn) => fn.name));
  const near = didYouMean(name, [...names, ...names.map((one) => one.split('.')[0]!)]);
  return `there is no function or walker ${name}${near === undefined ? '' : `; did you mean ${near}?`}`;
}
