import type * as ast from '../1-parse/ast.ts';
import { containsNode } from '../2-resolve/children.ts';
import type { ClassInfo } from '../3-infer/types.ts';
import { derivedFrom } from './derived.ts';
import type { Rule, RuleContext } from './rule.ts';

/** W0523: a field that neither `postinit` nor that of a class derived from this one sets. */
export const postinitRule: Rule = { name: 'postinit', visit: { Archetype: visit } };

function visit(node: ast.Archetype, c: RuleContext): void {
  const cls = c.types.classRecord(node);
  for (const member of cls.memberNodes) {
    if (member.kind !== 'HasDecl') continue;
    for (const item of member.items) {
      if (item.postinit && ![cls, ...derivedFrom(cls, c.types)].some((one) => isSet(one, item.name.text, c)))
        c.report('W0523', item.name, { name: item.name.text });
    }
  }
}

function isSet(cls: ClassInfo, name: string, c: RuleContext): boolean {
  const method = cls.methods.get('postinit') ?? cls.methods.get('init');
  const decl = method?.decl;
  if (decl?.kind !== 'FunctionDecl' || method?.owner === undefined) return false;
  const home = c.projectNames.of(method.owner.module);
  const body = home.implOf(decl)?.body ?? decl.body;
  return containsNode(body, (inner) => sets(inner, name) || callsOther(inner));
}

function sets(node: ast.Node, name: string): boolean {
  if (node.kind !== 'AssignStatement') return false;
  return node.targets.some((target) =>
    containsNode(
      target,
      (inner) => inner.kind === 'Attribute' && inner.name.text === name && inner.object.kind === 'SpecialRef',
    ),
  );
}

/** A method of its own, the base's `postinit`, or what is given the object may set it. */
function callsOther(node: ast.Node): boolean {
  if (node.kind !== 'Call') return false;
  const isOwn = node.callee.kind === 'Attribute' && node.callee.object.kind === 'SpecialRef';
  return isOwn || node.args.some(({ value }) => value.kind === 'SpecialRef');
}
