/** Places elsewhere in a program that say what a value is: what a walker reports, what markup gives to a component, what is put into a list. */
import type * as ast from '../../1-parse/ast.ts';
import { forEachNode, type View, viewsOf } from '../view.ts';

/** An expression with the file it stands in. */
export interface Found {
  readonly home: View;
  readonly value: ast.Expression;
}

/** Values that the walker of a name reports, dicts first. */
export function reportedBy(view: View, walker: string): readonly Found[] {
  const found: Found[] = [];
  for (const home of viewsOf(view.analysis)) {
    if (!home.source.text.includes(walker)) continue;
    const ofWalker = (node: ast.Node): boolean =>
      node.kind === 'Archetype'
        ? node.name.text === walker
        : node.kind === 'ImplDecl' && node.target[0]?.text === walker;
    let end = -1;
    forEachNode(home, (node) => {
      if (ofWalker(node)) end = Math.max(end, node.end);
      if (node.kind === 'ReportStatement' && node.end <= end) found.push({ home, value: node.value });
    });
  }
  return found.toSorted((a, b) => Number(b.value.kind === 'DictExpr') - Number(a.value.kind === 'DictExpr'));
}

/** Values that markup anywhere gives to a component under a name. */
export function givenTo(view: View, component: string, name: string): readonly Found[] {
  const found: Found[] = [];
  for (const home of viewsOf(view.analysis)) {
    if (!home.source.text.includes(`<${component}`)) continue;
    forEachNode(home, (node) => {
      if (node.kind !== 'Markup' || typeof node.tag !== 'object' || node.tag.kind !== 'NameRef') return;
      if (node.tag.name !== component) return;
      for (const one of node.attributes)
        if (one.name === name && one.value !== undefined) found.push({ home, value: one.value });
    });
  }
  return found;
}

/** Values that are put into a list which a name, or a field of `self`, holds. */
export function addedTo(view: View, list: string, within: readonly ast.Node[]): readonly Found[] {
  const found: Found[] = [];
  const isList = (node: ast.Expression): boolean => view.source.text.slice(node.start, node.end) === list;
  forEachNode(view, (node) => {
    if (node.kind !== 'Call' || node.callee.kind !== 'Attribute' || !isList(node.callee.object)) return;
    if (!within.some(({ start, end }) => start <= node.start && node.end <= end)) return;
    const value = node.args[0]?.value;
    if (value === undefined) return;
    const method = node.callee.name.text;
    if (method === 'append' || method === 'push') found.push({ home: view, value });
    else if (method === 'concat' && value.kind === 'ListExpr' && value.items[0] !== undefined)
      found.push({ home: view, value: value.items[0] });
  });
  return found;
}

/** Values that are assigned to a cell of state, in the component and wherever an `impl` gives one of its functions a body. */
export function assignedTo(view: View, component: ast.Node, cell: string): readonly Found[] {
  const found: Found[] = [];
  for (const home of viewsOf(view.analysis)) {
    if (home.module.id !== view.module.id || !home.source.text.includes(cell)) continue;
    let end = -1;
    forEachNode(home, (node) => {
      const isInside =
        node === component ||
        (node.kind === 'ImplDecl' && node.target[0]?.text === (component as ast.FunctionDecl).name?.text);
      if (isInside) end = Math.max(end, node.end);
      const [target] = node.kind === 'AssignStatement' ? node.targets : [];
      if (node.kind !== 'AssignStatement' || node.value === undefined || node.end > end) return;
      if (target?.kind === 'NameRef' && target.name === cell) found.push({ home, value: node.value });
    });
  }
  return found;
}

/** The class that a condition around a place says a name has: `if x is Item {`, `if isinstance(x, Item) {`. */
export function saidToBe(view: View, path: readonly ast.Node[], name: string): ast.NameRef | undefined {
  const isName = (node: ast.Expression | undefined) => node?.kind === 'NameRef' && node.name === name;
  const said = (test: ast.Expression): ast.NameRef | undefined => {
    if (test.kind === 'Logical' && test.op === 'and') return said(test.left) ?? said(test.right);
    if (test.kind === 'Compare') {
      const [left, right] = test.operands;
      const isOne = view.source.text.slice(left!.end, right?.start).trim() === 'is';
      return isOne && isName(left) && right?.kind === 'NameRef' ? right : undefined;
    }
    if (test.kind !== 'Call' || test.callee.kind !== 'NameRef' || test.callee.name !== 'isinstance') return undefined;
    const of = test.args[1]?.value;
    return isName(test.args[0]?.value) && of?.kind === 'NameRef' ? of : undefined;
  };
  for (const [i, node] of [...path.entries()].reverse()) {
    if (node.kind !== 'IfStatement' || path[i + 1] !== node.body) continue;
    const found = said(node.test);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Names that the path of a page, or the routes in its text, give to parts of the address. */
export function pathParameters({ module, source }: View): readonly string[] {
  const inPath = [...module.path.matchAll(/\[(?:\.\.\.)?(\w+)\]/g)];
  const inText = [...source.text.matchAll(/\bpath="[^"]*?:(\w+)/g)];
  return [...new Set([...inPath, ...inText].map((match) => match[1]!))];
}

/** Names of the properties that markup anywhere in the project gives to a component. */
export function givenProperties(view: View, component: string): readonly string[] {
  const found = new Set<string>();
  const tag = new RegExp(`<${component}\\b`, 'g');
  for (const { source } of viewsOf(view.analysis))
    for (const match of source.text.matchAll(tag)) {
      const rest = source.text.slice(match.index, match.index + 600);
      for (const [, name] of attributesOf(rest)) found.add(name!);
    }
  return [...found];
}

/** Attributes of the first tag of a text. */
function attributesOf(text: string): readonly RegExpMatchArray[] {
  let [depth, end] = [0, text.length];
  let flat = '';
  for (let i = 0; i < text.length; i++) {
    const c = text.charAt(i);
    if (c === '{') depth++;
    if (depth === 0 && c === '>') {
      end = i;
      break;
    }
    if (depth === 0) flat += c;
    if (c === '}') depth--;
  }
  return end === 0 ? [] : [...flat.matchAll(/\s([A-Za-z_]\w*)(?==|\s|\/|$)/g)];
}
