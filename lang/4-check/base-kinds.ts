import type * as ast from '../1-parse/ast.ts';
import type { ClassInfo } from '../3-infer/types.ts';
import type { Rule, RuleContext } from './rule.ts';

/**
 * E0526 and E0527: bases without a common order, bases of a kind that does not go with the type's own
 * (docs/language/archetypes.md#inheritance).
 */
export const baseKindRule: Rule = { name: 'base-kinds', blocks: true, visit: { Archetype: visit } };

function visit(node: ast.Archetype, c: RuleContext): void {
  const cls = c.types.classRecord(node);
  if (cls.inconsistent) c.report('E0526', node.name, { name: node.name.text });
  const bases = [...node.bases, ...(c.names.implOf(node)?.impl.bases ?? [])];
  cls.direct.forEach((base, i) => {
    const expression = bases[i];
    if (base === undefined || expression === undefined || goesWith(node.archetype, base)) return;
    c.report('E0527', expression, { kind: node.archetype, name: node.name.text, base: `${kindOf(base)} ${base.name}` });
  });
}

const graphKinds = ['node', 'edge', 'walker'];
const runtimeKinds: Readonly<Record<string, string>> = {
  Node: 'node',
  Root: 'node',
  Edge: 'edge',
  GenericEdge: 'edge',
  Walker: 'walker',
};

function kindOf(base: ClassInfo): string {
  return base.kind === 'runtime' ? (runtimeKinds[base.name] ?? 'class') : base.kind;
}

/** A node inherits from nodes and plain objects; a plain object not from nodes. */
function goesWith(kind: ast.ArchetypeKind, base: ClassInfo): boolean {
  const baseKind = kindOf(base);
  return baseKind === kind || !graphKinds.includes(baseKind);
}
