/** A function made of selected statements, called in their place. */
import type * as ast from '../1-parse/ast.ts';
import { containsNode, forEachChild } from '../2-resolve/children.ts';
import type { LocalBinding } from '../2-resolve/names.ts';
import { namesOfTarget } from '../2-resolve/target-names.ts';
import type { Action } from './action.ts';
import { pathAt, sourceOfNode, type View } from './view.ts';

/**
 * The action for a selection of whole statements in a plain function, method, ability or test; none where their flow leads out of them, and none
 * where their variables may have no value yet, or are those of another function.
 */
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
  if (sourceOfNode(view.module, element) !== view.source) return [];
  const functions = path.filter(({ kind }) => functionKinds.has(kind));
  const [fn] = functions;
  if (fn === undefined || functions.length > 1 || containsNode(fn, ({ kind }) => kind === 'ScopeStatement')) return [];
  const around = path.slice(path.indexOf(fn)).filter((node) => node.end >= to);
  const flow = flowOf(view, fn, chosen, around);
  if (flow === undefined) return [];
  const name = freeName(view);
  const params = flow.given.map((binding) => binding.name).sort();
  const names = flow.results.map((binding) => binding.name).sort();
  const call = `${name}(${params.join(', ')})`;
  const returned = names.length === 0 ? '' : names.length === 1 ? `${names[0]} = ` : `(${names.join(', ')}) = `;
  const gives = names.length === 0 ? '' : `\n    return ${names.length === 1 ? names[0] : `(${names.join(', ')})`};`;
  const typed = params.map((one) => `${one}: any`).join(', ');
  const result = names.length === 0 ? ' -> None' : ' -> any';
  const head = `def ${name}(${typed})${result} {\n${dedented(text, from, to, chosen)}${gives}\n}\n\n`;
  const at = element.start;
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

const functionKinds: ReadonlySet<string> = new Set<ast.Node['kind']>([
  'FunctionDecl',
  'Ability',
  'ImplDecl',
  'TestBlock',
  'Lambda',
]);

function trimmed(text: string, start: number, end: number): readonly [number, number] {
  let [from, to] = [start, end];
  while (from < to && /\s/.test(text.charAt(from))) from++;
  while (to > from && /\s/.test(text.charAt(to - 1))) to--;
  return [from, to];
}

const leading: ReadonlySet<string> = new Set<ast.Node['kind']>([
  'ReturnStatement',
  'CtrlStatement',
  'Yield',
  'VisitStatement',
  'ReportStatement',
  'Await',
  'ScopeStatement',
  'DeleteStatement',
]);

/** Kinds of declarations that later statements may name. */
const declaring: ReadonlySet<string> = new Set<ast.Node['kind']>([
  'FunctionDecl',
  'Archetype',
  'EnumDecl',
  'TypeAlias',
  'ImportFrom',
  'ImportModules',
  'Include',
]);

/** Does a statement lead out of the function, of the walk or of a loop around it, does it declare a name, or does it mean the object or the place of its function? */
function leads(statement: ast.Node): boolean {
  return containsNode(
    statement,
    (node) =>
      leading.has(node.kind) ||
      declaring.has(node.kind) ||
      (node.kind === 'SpecialRef' && node.word !== 'root') ||
      (node.kind === 'EdgeRef' && node.origin === undefined),
  );
}

interface Flow {
  /** Variables that the statements read or change, and that have their value from elsewhere. */
  readonly given: readonly LocalBinding[];
  /** Variables that they give a value which is read elsewhere. */
  readonly results: readonly LocalBinding[];
}

/** Finds which variables go into the chosen statements of a function and which come out; undefined where a call cannot take their place. `around`: nodes that they stand in. */
function flowOf(
  view: View,
  fn: ast.Node,
  chosen: readonly ast.Statement[],
  around: readonly ast.Node[],
): Flow | undefined {
  const [from, to] = [chosen[0]!.start, chosen.at(-1)!.end];
  const isChosen = (use: Use) => use.start >= from && use.start < to;
  const uses = usesIn(view, fn);
  const isInLoop = around.some(({ kind }) => loops.has(kind));
  const isInTry = around.some(({ kind }) => kind === 'TryStatement');
  const [given, results]: [LocalBinding[], LocalBinding[]] = [[], []];
  for (const [binding, all] of uses) {
    const inside = all.filter(isChosen);
    const { node } = binding.scope;
    if (inside.length === 0 || (node.start >= from && node.end <= to)) continue;
    const outside = all.filter((use) => !isChosen(use));
    const isOwn = setsFirst(view, chosen, binding, inside);
    const isSet = inside.some(({ sets }) => sets);
    const isSetBefore = binding.role === 'param' || outside.some((use) => use.sets && use.start < from);
    const isReadAfter = outside.some((use) => use.reads && (isInLoop || use.start >= to));
    const isResult = isSet && (isReadAfter || (isInLoop && !isOwn));
    // Functions inside see the variable itself, not its value.
    if (isSet && binding.captured) return undefined;
    const isGiven = !isOwn && (inside.some(({ reads }) => reads) || isResult) && (isSetBefore || isInLoop);
    if (!isOwn && (isGiven || isResult) && (!isSetBefore || binding.mayBeUnbound)) return undefined;
    if (isResult && isInTry) return undefined;
    if (isGiven) given.push(binding);
    if (isResult) results.push(binding);
  }
  return { given, results };
}

const loops: ReadonlySet<string> = new Set<ast.Node['kind']>(['ForIn', 'ForCount', 'WhileStatement']);

interface Use {
  readonly start: number;
  readonly reads: boolean;
  readonly sets: boolean;
}

/** Uses of variables below a node, in the order of the text. */
function usesIn(view: View, within: ast.Node): Map<LocalBinding, Use[]> {
  const changed = new Set<ast.Node>();
  const set = new Set<ast.Node>();
  const named: (ast.NameRef | ast.Name)[] = [];
  // Chains of operators may be longer than the stack is deep.
  const waiting: ast.Node[] = [within];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === 'NameRef' || node.kind === 'Name') named.push(node);
    if (node.kind === 'AugAssign') changed.add(node.target);
    for (const name of namesSetBy(node)) set.add(name);
    forEachChild(node, (child) => waiting.push(child));
  }
  const found = new Map<LocalBinding, Use[]>();
  for (const node of named.sort((a, b) => a.start - b.start)) {
    const binding = view.names.binding(node);
    if (binding.sort !== 'local') continue;
    const uses = found.get(binding) ?? [];
    found.set(binding, uses);
    uses.push({ start: node.start, reads: !set.has(node), sets: set.has(node) || changed.has(node) });
  }
  return found;
}

/** Names that a node itself gives a value. */
function namesSetBy(node: ast.Node): readonly (ast.NameRef | ast.Name)[] {
  const one = (name: ast.Name | undefined) => (name === undefined ? [] : [name]);
  switch (node.kind) {
    case 'AssignStatement':
      return node.targets.flatMap(namesOfTarget);
    case 'ForIn':
    case 'CompClause':
      return namesOfTarget(node.target);
    case 'WithStatement':
      return node.items.flatMap(({ target }) => (target === undefined ? [] : namesOfTarget(target)));
    case 'Walrus':
    case 'ExceptClause':
    case 'AsPattern':
    case 'CapturePattern':
    case 'StarPattern':
    case 'FunctionDecl':
    case 'Param':
      return one(node.name);
    case 'MappingPattern':
      return one(node.rest);
    default:
      return [];
  }
}

/** Is one of the statements an assignment of the variable that comes before all else that they do with it? */
function setsFirst(
  view: View,
  chosen: readonly ast.Statement[],
  binding: LocalBinding,
  inside: readonly Use[],
): boolean {
  const setter = chosen.find(
    (node) =>
      node.kind === 'AssignStatement' &&
      node.value !== undefined &&
      node.targets.flatMap(namesOfTarget).some((name) => view.names.binding(name) === binding),
  );
  return setter !== undefined && inside.every((use) => use.start >= (use.reads ? setter.end : setter.start));
}

function freeName(view: View): string {
  for (let i = 0; ; i++) {
    const name = i === 0 ? 'extracted' : `extracted_${i}`;
    if (!view.source.text.includes(name)) return name;
  }
}

/** The selected lines, indented as the body of a function of the module. Lines that begin inside of a text stay as they are. */
function dedented(text: string, from: number, to: number, chosen: readonly ast.Node[]): string {
  const lineStart = text.lastIndexOf('\n', from - 1) + 1;
  const indent = /^[ \t]*/.exec(text.slice(lineStart, from))![0];
  const texts: ast.Span[] = [];
  const waiting = [...chosen];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ((node.kind === 'StringLiteral' || node.kind === 'Joined') && text.slice(node.start, node.end).includes('\n'))
      texts.push(node);
    forEachChild(node, (child) => waiting.push(child));
  }
  let at = from;
  const lines = text.slice(from, to).split('\n');
  return lines
    .map((line, i) => {
      const begin = at;
      at += line.length + 1;
      if (texts.some(({ start, end }) => start < begin && begin < end)) return line;
      if (line.trim() === '') return '';
      return `    ${i > 0 && line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()}`;
    })
    .join('\n');
}
