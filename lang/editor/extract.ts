/** A function made of selected statements, called in their place. */
import type * as ast from '../1-parse/ast.ts';
import { containsNode, forEachChild } from '../2-resolve/children.ts';
import type { LocalBinding } from '../2-resolve/names.ts';
import type { Action } from './action.ts';
import { pathAt, sourceOfNode, type View } from './view.ts';

/** The action for a selection of whole statements in a plain function, method, ability or entry block; none where their flow leads out of them. */
export function extractFunction(view: View, start: number, end: number): readonly Action[] {
  const { text } = view.source;
  const [from, to] = trimmed(text, start, end);
  if (to <= from) return [];
  const path = pathAt(view, from);
  const block = path.findLast((node) => node.kind === 'Block' && node.start < from && node.end > to);
  const element = path.find((node) => node.kind !== 'PlacedBlock');
  if (block?.kind !== 'Block' || element === undefined || view.module.sources.length === 0) return [];
  const chosen = block.statements.filter((statement) => statement.start >= from && statement.end <= to);
  const [first] = chosen;
  const last = chosen.at(-1);
  if (first === undefined || last === undefined || first.start !== from || last.end !== to || last === block.tail)
    return [];
  if (chosen.some(leads) || view.names.isClient(element)) return [];
  const fn = path.findLast(
    (node) =>
      node.kind === 'FunctionDecl' ||
      node.kind === 'Ability' ||
      node.kind === 'EntryBlock' ||
      node.kind === 'TestBlock' ||
      node.kind === 'ImplDecl' ||
      node.kind === 'Lambda',
  );
  if (fn === undefined || fn.kind === 'Lambda' || fn.kind === 'EntryBlock') return [];
  const inside = localsIn(view, chosen);
  const after = localsIn(view, [fn], (node) => node.start >= to);
  const before = localsIn(view, [fn], (node) => node.end <= from);
  const given = [...inside.used].filter((binding) => before.bound.has(binding) || binding.role === 'param');
  const results = [...inside.bound].filter((binding) => after.used.has(binding) || after.bound.has(binding));
  const special = ['self', 'here', 'visitor'].filter((word) =>
    chosen.some((one) => containsNode(one, (node) => node.kind === 'SpecialRef' && node.word === word)),
  );
  if (special.length > 0) return [];
  const name = freeName(view);
  const params = given.map((binding) => binding.name).sort();
  const names = results.map((binding) => binding.name).sort();
  const call = `${name}(${params.join(', ')})`;
  const returned = names.length === 0 ? '' : names.length === 1 ? `${names[0]} = ` : `(${names.join(', ')}) = `;
  const gives = names.length === 0 ? '' : `\n    return ${names.length === 1 ? names[0] : `(${names.join(', ')})`};`;
  const body = dedented(text, from, to);
  const typed = params.map((one) => `${one}: any`).join(', ');
  const result = names.length === 0 ? ' -> None' : ' -> any';
  const head = `def ${name}(${typed})${result} {\n${body}${gives}\n}\n\n`;
  const at = element.start;
  if (sourceOfNode(view.module, element) !== view.source) return [];
  return [
    {
      title: 'Extract into a function',
      kind: 'refactor.extract',
      edits: [
        { start: at, end: at, text: head },
        { start: from, end: to, text: `${returned}${call};` },
      ],
    },
  ];
}

function trimmed(text: string, start: number, end: number): readonly [number, number] {
  let [from, to] = [start, end];
  while (from < to && /\s/.test(text.charAt(from))) from++;
  while (to > from && /\s/.test(text.charAt(to - 1))) to--;
  return [from, to];
}

/** Does a statement lead elsewhere: out of the function, of the walk, or of a loop around it? */
function leads(statement: ast.Node): boolean {
  return containsNode(statement, ({ kind }) =>
    [
      'ReturnStatement',
      'CtrlStatement',
      'Yield',
      'VisitStatement',
      'ReportStatement',
      'Await',
      'ScopeStatement',
      'DeleteStatement',
    ].includes(kind),
  );
}

interface Locals {
  readonly used: Set<LocalBinding>;
  readonly bound: Set<LocalBinding>;
}

function localsIn(view: View, nodes: readonly ast.Node[], isIn: (node: ast.Node) => boolean = () => true): Locals {
  const found: Locals = { used: new Set(), bound: new Set() };
  // Chains of operators may be longer than the stack is deep.
  const waiting = [...nodes];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ((node.kind === 'NameRef' || node.kind === 'Name') && isIn(node)) {
      const binding = view.names.binding(node);
      if (binding.sort === 'local') (isBound(view, node) ? found.bound : found.used).add(binding);
      if (binding.sort === 'local' && /^\s*[-+*/%|&^]+=/.test(view.source.text.slice(node.end, node.end + 10)))
        found.used.add(binding);
    }
    forEachChild(node, (child) => waiting.push(child));
  }
  return found;
}

function isBound({ source }: View, node: ast.Span): boolean {
  const after = source.text.slice(node.end, node.end + 40);
  const before = source.text.slice(Math.max(0, node.start - 12), node.start);
  return (
    /^\s*(?:[-+*/%|&^]|\/\/|\*\*)?=(?!=)|^\s*:=|^\s+in\b|^\s*[,)][^=\n]*\)\s*(?:=(?!=)|in\b)/.test(after) ||
    /\bas\s+$/.test(before)
  );
}

function freeName(view: View): string {
  for (let i = 0; ; i++) {
    const name = i === 0 ? 'extracted' : `extracted_${i}`;
    if (!view.source.text.includes(name)) return name;
  }
}

/** The selected lines, indented as the body of a function of the module. */
function dedented(text: string, from: number, to: number): string {
  const lineStart = text.lastIndexOf('\n', from - 1) + 1;
  const indent = /^[ \t]*/.exec(text.slice(lineStart, from))![0];
  const lines = (indent + text.slice(from, to)).split('\n');
  return lines
    .map((line) =>
      line.trim() === '' ? '' : `    ${line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()}`,
    )
    .join('\n');
}
