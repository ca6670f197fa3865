/** Module `tomllib`: reads TOML. */

import { type AST, parseTOML } from 'toml-eslint-parser';
import { functions, type Members } from '../builtins/module.ts';
import { call } from '../values/calls/calls.ts';
import { Dict } from '../values/containers/dict.ts';
import { boxed } from '../values/numbers/float-box.ts';
import { demote } from '../values/numbers/numbers.ts';
import { nameException, TypeError, ValueError } from '../values/objects/exceptions.ts';
import { callMethod } from '../values/objects/methods.ts';
import { typeName } from '../values/objects/type-name.ts';
import { textOf } from '../values/text/text-arguments.ts';
import { parseClock } from './datetime/clock-time.ts';
import { parseDate } from './datetime/date.ts';
import { parseDateTime } from './datetime/datetime.ts';

class TOMLDecodeError extends ValueError {}
nameException(TOMLDecodeError, 'TOMLDecodeError', 'tomllib');

function loads(given: unknown, parseFloat?: unknown): Dict {
  const text = textOf(given);
  if (text === undefined) throw new TypeError(`Expected str object, not '${typeName(given)}'`);
  const root = new Dict();
  for (const item of parse(text.replaceAll('\r\n', '\n')).body[0].body) {
    if (item.type === 'TOMLKeyValue') addPair(root, item, parseFloat);
    else {
      const table = item.resolvedKey.reduce<any>(stepInto, root);
      for (const pair of item.body) addPair(table, pair, parseFloat);
    }
  }
  return root;
}

function parse(text: string): AST.TOMLProgram {
  try {
    return parseTOML(text, { tomlVersion: '1.0' });
  } catch (e) {
    const { lineNumber, column, message } = e as { lineNumber?: number; column?: number; message: string };
    const place = lineNumber === undefined ? '' : ` (at line ${lineNumber}, column ${(column ?? 0) + 1})`;
    throw new TOMLDecodeError(`${message}${place}`);
  }
}

/** The table under a key, or at a place in an array of tables (a number); made where there is none. The step before knows which it is. */
function stepInto(at: Dict | unknown[], step: string | number, i: number, path: readonly (string | number)[]): unknown {
  const make = () => (typeof path[i + 1] === 'number' ? [] : new Dict());
  if (Array.isArray(at)) {
    at[step as number] ??= make();
    return at[step as number];
  }
  if (!at.has(step)) at.set(step, make());
  return at.get(step);
}

function addPair(table: Dict, pair: AST.TOMLKeyValue, parseFloat: unknown): void {
  const names = pair.key.keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value));
  const owner = names.slice(0, -1).reduce<any>(stepInto, table);
  owner.set(names.at(-1), valueOf(pair.value, parseFloat));
}

function valueOf(node: AST.TOMLContentNode, parseFloat: unknown): unknown {
  if (node.type === 'TOMLArray') return node.elements.map((element) => valueOf(element, parseFloat));
  if (node.type === 'TOMLInlineTable') {
    const table = new Dict();
    for (const pair of node.body) addPair(table, pair, parseFloat);
    return table;
  }
  switch (node.kind) {
    case 'integer':
      return demote(node.bigint);
    case 'float':
      return parseFloat === undefined ? boxed(node.value) : call(parseFloat, node.number);
    case 'offset-date-time':
    case 'local-date-time':
      return parseDateTime(node.datetime.toUpperCase());
    case 'local-date':
      return parseDate(node.datetime);
    case 'local-time':
      return parseClock(node.datetime);
    default:
      return node.value;
  }
}

function load(file: unknown, parseFloat?: unknown): Dict {
  const data = callMethod(file, 'read');
  if (textOf(data) !== undefined)
    throw new TypeError("File must be opened in binary mode, e.g. use `open('foo.toml', 'rb')`");
  return loads(callMethod(data, 'decode'), parseFloat);
}

export function makeTomllib(): Members {
  return {
    TOMLDecodeError,
    ...functions('tomllib', {
      load: ['fp, /, *, parse_float=float', load],
      loads: ['s, /, *, parse_float=float', loads],
    }),
  };
}
