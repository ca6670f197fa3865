import type * as ast from '../1-parse/ast.ts';
import type { Rule, RuleContext } from './rule.ts';

/** W0540: a description of something that is not there (docs/language/delegation.md#sem). */
export const semRule: Rule = { name: 'sem', visit: { SemDecl: visit } };

function visit(node: ast.SemDecl, c: RuleContext): void {
  const [first, ...rest] = node.target.map((name) => name.text);
  if (first === undefined) return;
  const binding = c.names.bindings.get(first);
  const target = binding && c.projectNames.follow(binding);
  if (binding !== undefined && target === undefined) return; // imported from outside the project
  if (target?.decl === undefined || !hasPart(target.decl, rest, c)) {
    const span = { start: node.target[0]!.start, end: node.target[node.target.length - 1]!.end };
    c.report('W0540', span, { name: node.target.map((name) => name.text).join('.') });
  }
}

function hasPart(decl: ast.Node, path: readonly string[], c: RuleContext): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  if (decl.kind === 'FunctionDecl') {
    const isParam = decl.signature.params.some((param) => param.name?.text === name);
    return rest.length === 0 && (isParam || name === 'return');
  }
  if (decl.kind !== 'Archetype' && decl.kind !== 'EnumDecl') return false;
  const cls = c.types.program.classes.get(decl) ?? c.types.classRecord(decl);
  if (rest.length === 0 && (cls.fields.has(name) || cls.members.includes(name) || cls.abilities.has(name))) return true;
  const method = cls.methods.get(name)?.decl;
  if (method !== undefined) return hasPart(method, rest, c);
  const nested = cls.attributes.get(name);
  return nested !== undefined && hasPart(nested, rest, c);
}
