/** Names that texts and keys of the browser half spell: routes, walkers, their fields, properties of styles. */
import type * as ast from '../../1-parse/ast.ts';
import { type View, viewsOf } from '../view.ts';
import type { Candidate } from './candidate.ts';
import { styleProperties } from './words.ts';

export type Spelt = 'route' | 'walker' | 'field of walker' | 'style';

/** Meaning of the text that the path ends at; undefined for one that may say anything. */
export function speltIn(path: readonly ast.Node[], text: string): Spelt | undefined {
  const literal = path.at(-1);
  if (literal?.kind !== 'StringLiteral') return undefined;
  const attribute = path.findLast((node) => node.kind === 'MarkupAttribute');
  const name = attribute?.kind === 'MarkupAttribute' ? attribute.name : undefined;
  if ((name === 'to' || name === 'redirect') && path.length - path.indexOf(attribute!) <= 3) return 'route';
  const call = path.findLast((node) => node.kind === 'Call');
  if (call?.kind !== 'Call') return undefined;
  const called = call.callee.kind === 'NameRef' ? call.callee.name : '';
  const place = call.args.findIndex(({ value }) => value.start <= literal.start && literal.end <= value.end);
  const isAlone = call.args[place]?.value === literal;
  const method = call.callee.kind === 'Attribute' ? call.callee.name.text : called;
  if (isAlone && place === 0 && (method === 'navigate' || method === 'push')) return 'route';
  if (called !== 'svcSpawn') return undefined;
  if (isAlone && place === 0) return 'walker';
  const entries = path.findLast(({ kind }) => kind === 'DictExpr' || kind === 'SetExpr');
  const isKey = entries?.kind === 'SetExpr' || !/:\s*$/.test(text.slice(entries?.start ?? 0, literal.start));
  return place === 1 && entries !== undefined && isKey ? 'field of walker' : undefined;
}

/** Is the path at a key of an object that is the value of `style`? */
export function isStyleKey(path: readonly ast.Node[], text: string, start: number): boolean {
  const at = path.findLastIndex((node) => node.kind === 'MarkupAttribute');
  const attribute = path[at];
  if (attribute?.kind !== 'MarkupAttribute' || attribute.name !== 'style') return false;
  return /\{\s*\{(?:[^{}]*,)?\s*"?$/.test(text.slice(attribute.start, start));
}

export function speltNames(view: View, spelt: Spelt, path: readonly ast.Node[]): readonly Candidate[] {
  const named = (name: string, detail: string, i: number): Candidate => ({
    name,
    kind: 'field',
    detail,
    rank: 70 - i / 2,
  });
  switch (spelt) {
    case 'style':
      return styleProperties.map((name, i) => named(name, 'style', i));
    case 'route':
      return routesOf(view).map((route, i) => named(route, 'route', i));
    case 'walker':
      return walkersOf(view).map(({ name }, i) => ({ ...named(name.text, 'walker', i), kind: 'walker' }));
    case 'field of walker': {
      const call = path.findLast((node) => node.kind === 'Call');
      const first = call?.kind === 'Call' ? call.args[0]?.value : undefined;
      const walker = walkersOf(view).find((one) => first?.kind === 'StringLiteral' && one.name.text === first.value);
      const fields = (walker?.members ?? []).flatMap((member) => (member.kind === 'HasDecl' ? member.items : []));
      return fields.map(({ name }, i) => named(name.text, walker!.name.text, i));
    }
  }
}

function walkersOf(view: View): readonly ast.Archetype[] {
  return viewsOf(view.analysis).flatMap((one) =>
    one.source !== one.module.source
      ? []
      : [...one.names.bindings.values()].flatMap(({ decl, role }) =>
          role !== 'import' && decl?.kind === 'Archetype' && decl.archetype === 'walker' ? [decl] : [],
        ),
  );
}

/** Addresses of pages, of routes by hand, and those that the program leads to elsewhere. */
function routesOf(view: View): readonly string[] {
  const sources = viewsOf(view.analysis).map(({ source }) => source);
  const pages = sources.flatMap(({ path }) => {
    const [, page] = /(?:^|\/)pages\/(.*?)(?:\.cl)?\.svc$/.exec(path) ?? [];
    if (page === undefined || /(?:^|\/)layout$|\.\.\.|\.impl|\.test/.test(page)) return [];
    const parts = page.split('/').filter((part) => part !== 'index' && !/^\(.*\)$/.test(part));
    return [`/${parts.map((part) => part.replace(/^\[(.*)\]$/, ':$1')).join('/')}`];
  });
  const written = sources.flatMap(({ text }) =>
    [...text.matchAll(/<Route\s[^<>]*?\bpath="(\/[^"\s*]*)"|\bto="(\/[^"\s]+)"|navigate\("(\/[^"\s]+)"/g)].map(
      ([, path, to, navigated]) => (path ?? to ?? navigated)!,
    ),
  );
  return [...new Set([...pages.sort(), ...written])];
}
