/**
 * Signatures of built-in functions, methods and standard-module functions, as the compiler knows them: read from the table of the library,
 * which `library/signatures/builtins.ts` describes. Functions whose result depends on more than the table says are computed in
 * read/builtin-results.ts.
 */

import { any, dictOf, hinted, never, none, sure, unionOf } from '../classes/type-values.ts';
import type { ParamInfo, Type } from '../types.ts';

/** The table as `library/signatures/signatures.ts` writes it: a text of lines for each group. */
export interface SignatureTexts {
  readonly builtins: Readonly<Record<'functions' | 'forms' | ReceiverKind, string>>;
  readonly modules: Readonly<Record<'results' | 'callbacks' | 'waiting' | 'waitingMethods', string>>;
}

export interface BuiltinSignature {
  readonly name: string;
  readonly params: readonly ParamInfo[];
  readonly result: ResultRule;
  readonly waits: 'never' | 'always' | 'graph';
  /** Names of the parameters that are functions and get called. */
  readonly callbacks: readonly string[];
}

export type ResultRule =
  | { readonly rule: 'type'; readonly type: Type }
  /** `floats`: a float where the items are floats, else unknown. */
  | { readonly rule: 'item' | 'key' | 'value' | 'same' | 'floats' }
  | {
      readonly rule: 'of';
      readonly t: 'list' | 'set' | 'iterator' | 'tuple' | 'dict' | 'union';
      readonly of: readonly ResultRule[];
    };

export type ReceiverKind = 'str' | 'list' | 'dict' | 'set' | 'tuple' | 'bytes' | 'int' | 'float';

/** Signatures by name. A program asks for few of them, so a line of a table is read when its name is first asked for. */
export interface SignatureTable {
  get(name: string): BuiltinSignature | undefined;
  has(name: string): boolean;
  /** Lists the names in the order of the table. */
  names(): readonly string[];
}

export interface BuiltinSignatures {
  readonly functions: SignatureTable;
  readonly methods: Readonly<Record<ReceiverKind, SignatureTable>>;
  /** Signatures by `module.name`. Constants have no parameters. Only what has a known result or may wait is listed. */
  readonly standard: Pick<SignatureTable, 'get'>;
  /** Methods that wait, by name, of objects a standard module gives: `module` -> names. */
  readonly waitingMethods: ReadonlyMap<string, readonly string[]>;
}

export function readSignatures({ builtins, modules }: SignatureTexts): BuiltinSignatures {
  let standard: ReadonlyMap<string, BuiltinSignature> | undefined;
  return {
    functions: openTable(builtins.functions + builtins.forms),
    methods: {
      str: openTable(builtins.str),
      list: openTable(builtins.list),
      dict: openTable(builtins.dict),
      set: openTable(builtins.set),
      tuple: openTable(builtins.tuple),
      bytes: openTable(builtins.bytes),
      int: openTable(builtins.int),
      float: openTable(builtins.float),
    },
    standard: { get: (name) => (standard ??= readStandard(modules)).get(name) },
    waitingMethods: new Map(moduleLists(modules.waitingMethods)),
  };
}

function readStandard({
  results,
  callbacks,
  waiting,
}: SignatureTexts['modules']): ReadonlyMap<string, BuiltinSignature> {
  const standard = new Map<string, BuiltinSignature>();
  for (const line of linesOf(results)) {
    const [, module, names, word] = /^([\w.]+): (.*) -> (.*)$/.exec(line)!;
    const result = parseResult(word!);
    for (const name of names!.split(' ')) {
      standard.set(`${module}.${name}`, { name, params: [], result, waits: 'never', callbacks: [] });
    }
  }
  for (const line of linesOf(callbacks)) {
    const [, name, rest] = /^([\w.]+)(\(.*)$/.exec(line)!;
    standard.set(name!, parseSignature(`${name!.slice(name!.indexOf('.') + 1)}${rest}`));
  }
  for (const [module, names] of moduleLists(waiting)) {
    for (const name of names) {
      standard.set(`${module}.${name}`, { name, params: [], result: anyResult, waits: 'always', callbacks: [] });
    }
  }
  return standard;
}

const anyResult: ResultRule = { rule: 'type', type: any };

function linesOf(table: string): readonly string[] {
  return table.split('\n').filter((line) => line !== '');
}

function* moduleLists(table: string): Iterable<readonly [string, readonly string[]]> {
  for (const line of linesOf(table)) {
    const [, module, names] = /^([\w.]+):(.*)$/.exec(line)!;
    yield [module!, names!.split(' ').filter((name) => name !== '')];
  }
}

function openTable(table: string): SignatureTable {
  const read = new Map<string, BuiltinSignature | undefined>();
  const get = (name: string): BuiltinSignature | undefined => {
    if (!read.has(name)) read.set(name, findSignature(table, name));
    return read.get(name);
  };
  return {
    get,
    has: (name) => get(name) !== undefined,
    names: () => linesOf(table).map((line) => line.slice(0, line.indexOf('('))),
  };
}

function findSignature(table: string, name: string): BuiltinSignature | undefined {
  const at = table.indexOf(`\n${name}(`);
  return at < 0 ? undefined : parseSignature(table.slice(at + 1, table.indexOf('\n', at + 1)));
}

function parseSignature(line: string): BuiltinSignature {
  const [, name, params, result, mark] = /^(\w+)\((.*)\) -> (\S+)(?: ([!~]))?$/.exec(line)!;
  const callbacks: string[] = [];
  return {
    name: name!,
    params: parseParams(params!, callbacks),
    result: parseResult(result!),
    waits: mark === '!' ? 'always' : mark === '~' ? 'graph' : 'never',
    callbacks,
  };
}

function parseParams(text: string, callbacks: string[]): readonly ParamInfo[] {
  if (text === '') return [];
  const params: ParamInfo[] = [];
  let keywordOnly = false;
  for (const part of text.split(', ')) {
    if (part === '/') {
      for (const [i, param] of params.entries()) params[i] = { ...param, kind: 'pos' };
      continue;
    }
    if (part === '*') {
      keywordOnly = true;
      continue;
    }
    const [, stars, call, name, value] = /^(\*{0,2})(&?)(\w+)(=.*)?$/.exec(part)!;
    if (call === '&') callbacks.push(name!);
    const kind = stars === '**' ? 'kwargs' : stars === '*' ? 'args' : keywordOnly ? 'kw' : 'any';
    if (stars === '*') keywordOnly = true;
    params.push({ name: name!, kind, type: any, optional: value !== undefined || stars !== '' });
  }
  return params;
}

const words: Readonly<Record<string, Type>> = {
  any,
  none,
  int: sure.int,
  float: sure.float,
  str: sure.str,
  bool: sure.bool,
  bytes: sure.bytes,
  range: sure.range,
  list: { t: 'list', of: any, sure: true },
  dict: dictOf(any, any, true),
};

function parseResult(text: string): ResultRule {
  const parts = splitTop(text, '|');
  if (parts.length > 1) {
    const of = parts.map(parseResult);
    const types = of.flatMap((one) => (one.rule === 'type' ? [one.type] : []));
    if (types.length === of.length) return { rule: 'type', type: unionOf(types) };
    return { rule: 'of', t: 'union', of };
  }
  const generic = /^(list|set|iter|tuple)\[(.*)\]$/.exec(text);
  if (generic !== null) {
    const t = generic[1] === 'iter' ? 'iterator' : (generic[1] as 'list' | 'set' | 'tuple');
    return { rule: 'of', t, of: splitTop(generic[2]!, ',').map(parseElement) };
  }
  if (text === 'item' || text === 'key' || text === 'value' || text === 'same' || text === 'floats')
    return { rule: text };
  return { rule: 'type', type: words[text] ?? never };
}

/** Elements of containers are never sure. */
function parseElement(text: string): ResultRule {
  const rule = parseResult(text);
  if (rule.rule !== 'type') return rule;
  const { t } = rule.type;
  return t === 'int' || t === 'float' || t === 'str' || t === 'bool' || t === 'bytes'
    ? { rule: 'type', type: hinted[t] }
    : rule;
}

function splitTop(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '[') depth++;
    else if (text[i] === ']') depth--;
    else if (text[i] === separator && depth === 0) {
      parts.push(text.slice(from, i));
      from = i + 1;
    }
  }
  return [...parts, text.slice(from)];
}
