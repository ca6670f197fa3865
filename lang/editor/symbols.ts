/** The outline of a file. */
import type * as ast from '../1-parse/ast.ts';
import { elementsOf, type View } from './view.ts';

export type SymbolKind =
  | 'node'
  | 'edge'
  | 'walker'
  | 'class'
  | 'enum'
  | 'enum-member'
  | 'function'
  | 'method'
  | 'ability'
  | 'field'
  | 'variable'
  | 'constructor'
  | 'test'
  | 'entry'
  | 'impl'
  | 'alias';

export interface DocumentSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly detail: string;
  readonly start: number;
  readonly end: number;
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly children: readonly DocumentSymbol[];
}

export function symbolsOf(view: View): readonly DocumentSymbol[] {
  return elementsOf(view).flatMap((element) => symbolsOfNode(view, element, false));
}

function symbolsOfNode(view: View, node: ast.Node, isMember: boolean): readonly DocumentSymbol[] {
  const inside = (nodes: readonly ast.Node[], areMembers = true) =>
    nodes.flatMap((one) => symbolsOfNode(view, one, areMembers));
  switch (node.kind) {
    case 'PlacedBlock':
      return inside(node.body, isMember);
    case 'Archetype': {
      const kind = node.archetype === 'obj' || node.archetype === 'class' ? 'class' : node.archetype;
      return [symbol(node, node.name, kind, node.archetype, inside(node.members ?? []))];
    }
    case 'EnumDecl': {
      const members = (node.members ?? []).flatMap((one) => symbol(one, one.name, 'enum-member', '', []));
      return [symbol(node, node.name, 'enum', 'enum', [...members, ...inside(node.body)])];
    }
    case 'FunctionDecl': {
      if (node.name === undefined) return [];
      const kind = !isMember
        ? 'function'
        : node.name.text === 'init' || node.name.text === '__init__'
          ? 'constructor'
          : 'method';
      return [symbol(node, node.name, kind, textOf(view, node.signature), [])];
    }
    case 'Ability': {
      const event = textOf(view, node.event);
      return node.name === undefined
        ? [named(node, event, 'ability', '', node.event)]
        : [symbol(node, node.name, 'ability', event, [])];
    }
    case 'HasDecl':
      return node.items.map((item) =>
        symbol(item, item.name, 'field', item.type === undefined ? '' : textOf(view, item.type), []),
      );
    case 'GlobDecl':
      return node.items.map((item) =>
        symbol(item, item.name, 'variable', item.type === undefined ? '' : textOf(view, item.type), []),
      );
    case 'TypeAlias':
      return [symbol(node, node.name, 'alias', textOf(view, node.type), [])];
    case 'TestBlock': {
      const title = node.title?.kind === 'StringLiteral' ? node.title.value : node.title?.text;
      return [
        named(
          node,
          `"${title ?? 'test'}"`,
          'test',
          'test',
          node.title ?? { start: node.start, end: Math.min(node.end, node.start + 4) },
        ),
      ];
    }
    case 'EntryBlock':
      return [
        named(node, node.label === undefined ? 'with entry' : `with entry:${node.label.text}`, 'entry', '', {
          start: node.start,
          end: node.body.start,
        }),
      ];
    case 'ImplDecl': {
      const [first] = node.target;
      const last = node.target.at(-1);
      if (first === undefined || last === undefined) return [];
      const span = { start: first.start, end: last.end };
      return [named(node, `impl ${node.target.map(({ text }) => text).join('.')}`, 'impl', '', span)];
    }
    default:
      return [];
  }
}

function symbol(
  node: ast.Span,
  name: ast.Name,
  kind: SymbolKind,
  detail: string,
  children: readonly DocumentSymbol[],
): DocumentSymbol {
  return { ...named(node, name.text === '' ? '…' : name.text, kind, detail, name), children };
}

function named(node: ast.Span, name: string, kind: SymbolKind, detail: string, span: ast.Span): DocumentSymbol {
  // The name lies in the whole, whatever the parser made of broken text.
  const start = Math.min(Math.max(span.start, node.start), node.end);
  const end = Math.min(Math.max(span.end, start), node.end);
  return { name, kind, detail, start: node.start, end: node.end, nameStart: start, nameEnd: end, children: [] };
}

/** The text of a node on one line. */
export function textOf({ source }: View, { start, end }: ast.Span): string {
  return source.text.slice(start, end).replace(/\s+/g, ' ').trim();
}

/** Symbols of the whole project whose name holds the letters of the query in order. */
export function searchSymbols(
  views: readonly View[],
  query: string,
  most: number,
): readonly { readonly view: View; readonly symbol: DocumentSymbol; readonly inside: string }[] {
  const letters = query.toLowerCase();
  const found: { view: View; symbol: DocumentSymbol; inside: string }[] = [];
  const visit = (view: View, symbol: DocumentSymbol, inside: string): void => {
    if (found.length >= most) return;
    if (holdsLetters(symbol.name.toLowerCase(), letters)) found.push({ view, symbol, inside });
    for (const child of symbol.children) visit(view, child, symbol.name);
  };
  for (const view of views) for (const one of symbolsOf(view)) visit(view, one, '');
  return found;
}

function holdsLetters(name: string, letters: string): boolean {
  let at = 0;
  for (const letter of letters) {
    at = name.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
