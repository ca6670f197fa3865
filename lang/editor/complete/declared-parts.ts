/** Parts of declarations that code elsewhere may name: after `impl` and `sem` those that the program declares, in a class those that a method of it may replace. */
import type * as ast from '../../1-parse/ast.ts';
import type { ModuleTypes } from '../../3-infer/infer.ts';
import { classesIn } from '../definition.ts';
import { docOf } from '../docs.ts';
import { allMembers, type Member } from '../members.ts';
import { type View, viewsOf } from '../view.ts';
import type { Candidate } from './candidate.ts';

/**
 * Parts that a class, a method or a function of the program declares, which an `impl` may give a body, or a `sem` a meaning: those that have none first.
 * `path`: names from that of the module's declaration inwards.
 */
export function declaredIn(
  view: View,
  types: ModuleTypes,
  word: 'impl' | 'sem',
  [name = '', ...inner]: readonly string[],
): readonly Candidate[] {
  let found: readonly Declared[] = classesIn(view, types.program)
    .filter((one) => one.name === name)
    .flatMap(allMembers);
  const decl = view.names.bindings.get(name)?.decl;
  if (found.length === 0 && decl?.kind === 'FunctionDecl') found = insideOf(decl, word);
  for (const one of inner) {
    const next = found.find((member) => member.name === one)?.node;
    found = next?.kind === 'FunctionDecl' || next?.kind === 'Ability' ? insideOf(next, word) : [];
  }
  const said = new RegExp(`\\b${word}\\s+${[name, ...inner].join('\\.')}\\.(\\w+)`, 'g');
  const given = new Set(
    viewsOf(view.analysis).flatMap(({ source }) => [...source.text.matchAll(said)].map(([, one]) => one)),
  );
  return found.flatMap(({ name: member, node }, i): readonly Candidate[] => {
    const isFunction = node.kind === 'FunctionDecl' || node.kind === 'Ability';
    if (!isFunction && word === 'impl') return [];
    const isDone = given.has(member) || (word === 'impl' && hasBlock(node));
    return [
      {
        name: member,
        kind: isFunction ? 'method' : 'field',
        detail: name,
        rank: (isDone ? -60 : 60) - i / 10,
        doc: docOf(node),
      },
    ];
  });
}

type Declared = Pick<Member, 'name'> & { readonly node: Member['node'] | ast.Param };

function hasBlock(node: Declared['node']): boolean {
  return (node.kind === 'FunctionDecl' || node.kind === 'Ability') && node.body?.kind === 'Block';
}

/** Functions that a function declares itself, as a component does; for a `sem` its parameters too. */
function insideOf(decl: ast.FunctionDecl | ast.Ability, word: 'impl' | 'sem'): readonly Declared[] {
  const params = word === 'sem' && decl.kind === 'FunctionDecl' ? decl.signature.params : [];
  const functions = decl.body?.kind === 'Block' ? decl.body.statements : [];
  return [...params, ...functions].flatMap((node) =>
    (node.kind === 'FunctionDecl' || node.kind === 'Param') && node.name !== undefined
      ? [{ name: node.name.text, node }]
      : [],
  );
}

/** Methods that a class has from its bases and does not write anew itself. */
export function overridable(view: View, types: ModuleTypes, decl: ast.Archetype): readonly Candidate[] {
  const cls = classesIn(view, types.program).find((one) => one.decl === decl);
  const inherited = (cls?.bases ?? []).flatMap((base) => declaredIn(view, types, 'impl', [base.name]));
  return inherited.map((one) => ({ ...one, rank: 60 }));
}
