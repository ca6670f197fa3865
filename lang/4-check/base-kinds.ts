import type * as ast from '../1-parse/ast.ts';
import type { ClassRecord } from '../3-infer/program.ts';
import type { ClassInfo, Type } from '../3-infer/types.ts';
import type { Rule, RuleContext } from './rule.ts';

/**
 * E0526 and E0527: bases without a common order, bases that are no classes or inherit from the type themselves, and bases of
 * a kind that does not go with the type's own (docs/language/archetypes.md#inheritance).
 */
export const baseKindRule: Rule = { name: 'base-kinds', blocks: true, half: 'both', visit: { Archetype: visit } };

function visit(node: ast.Archetype, c: RuleContext): void {
  const cls = c.types.classRecord(node);
  const name = node.name.text;
  if (cls.inconsistent) c.report('E0526', node.name, { name });
  const bases = [...node.bases, ...(c.names.implOf(node)?.impl.bases ?? [])];
  bases.forEach((expression, i) => {
    const base = whatIsWrong(node, cls.direct[i], expression, c);
    if (base === undefined) return;
    const help =
      base === itself
        ? `\`${name}\` means the new type everywhere: give it, or what it inherits from, another name`
        : undefined;
    // A base that is no class raises where the type is declared: a function may never run, and an entry block may catch it.
    const blocking = cls.direct[i] !== undefined || c.module.tree.body.includes(node);
    c.report('E0527', expression, { kind: node.archetype, name, base }, { help, blocking });
  });
}

const itself = 'itself';

/** Says why a type cannot have a base: text for E0527; undefined when it can, or when the base is not known. */
function whatIsWrong(node: ast.Archetype, base: ClassInfo | undefined, e: ast.Expression, c: RuleContext) {
  if (base === undefined)
    return e.kind !== 'Starred' && isNoClass(c.typeOf(e)) ? `${textOf(e, c)}, which is no class` : undefined;
  const cls = c.types.classRecord(node);
  // A second type of the name is E0203.
  if (base === cls) return isOnlyOne(node, c) ? itself : undefined;
  if (isFirstOfCircle(cls, base, c)) return `${textOf(e, c)}, which inherits from it`;
  return goesWith(node.archetype, base) ? undefined : `${kindOf(base)} ${base.name}`;
}

function textOf(e: ast.Expression, c: RuleContext): string {
  return `\`${c.source.text.slice(e.start, Math.min(e.end, e.start + 40))}\``;
}

function isOnlyOne(node: ast.Archetype, c: RuleContext): boolean {
  return c.module.tree.body.every(
    (other) => other === node || other.kind !== 'Archetype' || other.name.text !== node.name.text,
  );
}

const noClasses: ReadonlySet<Type['t']> = new Set<Type['t']>(
  'none bool int str bytes range float list set frozenset tuple dict module'.split(' ') as Type['t'][],
);

function isNoClass(type: Type): boolean {
  return noClasses.has(type.t) || (type.t === 'function' && type.fn.direct && type.fn.decl?.kind === 'FunctionDecl');
}

/** Tells whether a base leads back to the class, which stands before all others on the way: one report for a circle. */
function isFirstOfCircle(cls: ClassRecord, base: ClassInfo, c: RuleContext): boolean {
  const seen = new Set<ClassInfo>();
  const leadsBack = (one: ClassInfo): boolean => {
    if (one === cls) return true;
    if (seen.has(one) || one.decl === undefined || isBefore(one, cls)) return false;
    seen.add(one);
    return (c.types.program.classes.get(one.decl)?.direct ?? []).some((next) => next !== undefined && leadsBack(next));
  };
  return leadsBack(base);
}

function isBefore(a: ClassInfo, b: ClassInfo): boolean {
  return a.module === b.module ? a.decl!.start < b.decl!.start : a.module < b.module;
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
