import type { Node } from './ast.ts';

/**
 * A tree as text, for tests and for looking at: `(Binary op=+ left=a right=1)`. Spans, absent parts, empty lists and false flags are
 * left out; names, numbers, strings and constants print as themselves.
 */
export function printTree(value: unknown): string {
  if (value === null) return 'None';
  if (Array.isArray(value)) return `[${value.map(printTree).join(' ')}]`;
  switch (typeof value) {
    case 'string':
      return value === '' ? "''" : value;
    case 'object':
      return 'kind' in value ? printNode(value as Node) : `{${printFields(value, 0)}}`;
    default:
      return String(value);
  }
}

function printNode(node: Node): string {
  switch (node.kind) {
    case 'Name':
      return node.escaped ? `\`${node.text}` : node.text;
    case 'NameRef':
      return node.escaped ? `\`${node.name}` : node.name;
    case 'SpecialRef':
      return `@${node.word}`;
    case 'NumberLiteral':
      return typeof node.value === 'bigint' ? `${node.value}n` : node.float ? `${node.value}f` : String(node.value);
    case 'StringLiteral':
      return `${node.bytes ? 'b' : ''}${JSON.stringify(node.value)}`;
    case 'Constant':
      return node.value === null ? 'None' : node.value === 'ellipsis' ? '...' : node.value ? 'True' : 'False';
    default: {
      const fields = printFields(node, 3);
      return fields === '' ? `(${node.kind})` : `(${node.kind} ${fields})`;
    }
  }
}

/** `skipped`: kind, start and end come first in every node. */
function printFields(value: object, skipped: number): string {
  const shown: string[] = [];
  for (const [key, field] of Object.entries(value).slice(skipped)) {
    if (field === undefined || field === false || (Array.isArray(field) && field.length === 0)) continue;
    shown.push(field === true ? key : `${key}=${printTree(field)}`);
  }
  return shown.join(' ');
}
