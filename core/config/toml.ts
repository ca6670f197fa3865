import { type AST, parseTOML } from 'toml-eslint-parser';
import type { Finding } from './finding.ts';
import { type Place, plainTable, type TomlTable } from './toml-nodes.ts';

export interface ParsedToml {
  readonly root: TomlTable;
  readonly findings: readonly Finding[];
}

/** Reads a TOML document. A document that cannot be read gives one finding and what came before it is not used. */
export function parseToml(text: string, file: string): ParsedToml {
  const root = makeTable({ line: 1, col: 1 });
  let program: AST.TOMLProgram;
  try {
    program = parseTOML(text, { tomlVersion: '1.0' });
  } catch (error) {
    return { root, findings: [{ severity: 'error', ...brokenAt(error, file) }] };
  }
  for (const item of program.body[0].body) {
    if (item.type === 'TOMLKeyValue') addPair(root, item);
    else fillTable(tableAt(root, item.resolvedKey, placeOf(item)), item.body);
  }
  return { root, findings: [] };
}

function brokenAt(error: unknown, file: string): Pick<Finding, 'where' | 'key' | 'problem'> {
  const { lineNumber, column, message } = error as { lineNumber?: number; column?: number; message?: string };
  const where = lineNumber === undefined ? file : `${file}:${lineNumber}:${(column ?? 0) + 1}`;
  return { where, key: '', problem: `not valid TOML: ${lowerFirst(message ?? String(error))}` };
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

function makeTable(at: Place, isList = false): TomlTable {
  return { kind: 'table', at, members: new Map(), isList };
}

function placeOf(node: AST.TOMLNode): Place {
  return { line: node.loc.start.line, col: node.loc.start.column + 1 };
}

/** The table at `path`, made when missing. */
function tableAt(root: TomlTable, path: readonly (string | number)[], at: Place): TomlTable {
  let table = root;
  for (const [i, step] of path.entries()) {
    const known = table.members.get(String(step));
    if (known?.kind === 'table') table = known;
    else {
      const made = makeTable(at, typeof path[i + 1] === 'number');
      table.members.set(String(step), made);
      table = made;
    }
  }
  return table;
}

function fillTable(table: TomlTable, pairs: readonly AST.TOMLKeyValue[]): void {
  for (const pair of pairs) addPair(table, pair);
}

function addPair(table: TomlTable, pair: AST.TOMLKeyValue): void {
  const names = pair.key.keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value));
  const at = placeOf(pair);
  const owner = tableAt(table, names.slice(0, -1), at);
  const name = names[names.length - 1]!;
  if (pair.value.type === 'TOMLInlineTable') fillTable(tableAt(owner, [name], at), pair.value.body);
  else owner.members.set(name, { kind: 'value', at, value: plainValue(pair.value) });
}

function plainValue(node: AST.TOMLContentNode): unknown {
  if (node.type === 'TOMLArray') return node.elements.map(plainValue);
  if (node.type === 'TOMLInlineTable') {
    const table = makeTable(placeOf(node));
    fillTable(table, node.body);
    return plainTable(table);
  }
  return node.value;
}
