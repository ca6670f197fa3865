import type * as ast from '../1-parse/ast.ts';
import type { Rule, RuleContext } from './rule.ts';

/**
 * W0514, and W0503 of an `impl`: what is understood and changes nothing where it stands. Words in front of declarations that never take them
 * are told by the parser (1-parse/declarations.ts).
 */
export const withoutEffectRule: Rule = {
  name: 'without-effect',
  visit: {
    FunctionDecl(node, c) {
      if (!isMember(node, c))
        tellWords(node, ['static', 'class'], 'outside of a type every `def` is a plain function', c);
    },
    Ability(node, c) {
      if (node.name === undefined && node.body.kind === 'NoBody')
        tell(node, 'can with', 'nothing can give it a body later: write `can with … { … }`', c);
      tellWords(node, ['static', 'class'], 'an ability has the walker and the place it is at', c);
      if (!mayRun(c))
        tell(
          node.name ?? node,
          `can ${node.name?.text ?? 'with'}`,
          'only walkers, nodes and edges have abilities: write `def`',
          c,
        );
    },
    HasDecl(node, c) {
      if (node.static && node.items.some(({ accessors }) => accessors !== undefined))
        tell(node, 'static', 'a property is computed for each object', c);
    },
    EntryBlock(node, c) {
      const isInType = c.parent.kind === 'Archetype' || c.parent.kind === 'EnumDecl' || c.parent.kind === 'ImplBody';
      if (isInType && node.label !== undefined)
        tell(node.label, `:${node.label.text}`, 'an entry block of a type runs when the type is made', c);
    },
    EnumDecl(node, c) {
      for (const { name, start, end } of node.keywords)
        if (name !== undefined && !/^(boundary|metaclass)$/.test(name.text))
          tell({ start, end }, `${name.text}=`, 'an enum takes `boundary` only', c);
    },
    ImplDecl: visitImpl,
  },
};

function tell(span: ast.Span, what: string, help: string, c: RuleContext): void {
  c.report('W0514', span, { what }, { help });
}

function tellWords(
  node: ast.FunctionDecl | ast.Ability,
  words: readonly ('static' | 'class')[],
  help: string,
  c: RuleContext,
): void {
  for (const word of words) if (node.mods[word]) tell(node.name ?? node, word, help, c);
}

/** Tells whether a function is a member of a type, also by its entry block. */
function isMember(node: ast.FunctionDecl, c: RuleContext): boolean {
  if (c.parent.kind === 'Archetype' || c.parent.kind === 'EnumDecl' || c.parent.kind === 'ImplBody') return true;
  const binding = node.name === undefined ? undefined : c.names.binding(node.name);
  return binding?.sort === 'local' && binding.scope.kind === 'class';
}

/** Is the type around one that walks meet, or may one derive from it? */
function mayRun(c: RuleContext): boolean {
  const { owner } = c;
  if (owner === undefined || (owner.kind !== 'obj' && owner.kind !== 'class')) return true;
  for (const cls of c.types.program.classes.values())
    if (cls.kind !== 'obj' && cls.kind !== 'class' && cls.bases.includes(owner)) return true;
  return false;
}

function visitImpl(node: ast.ImplDecl, c: RuleContext): void {
  const decl = c.names.declOf(node);
  if (decl === undefined) return;
  const name = node.target.map(({ text }) => text).join('.');
  const isFunction = decl.kind === 'FunctionDecl' && c.module.tree.body.some((element) => holds(element, decl));
  if (!isFunction)
    for (const decorator of node.decorators) tell(decorator, '@', 'write it in front of the declaration', c);
  if (
    decl.kind === 'Ability' &&
    node.event !== undefined &&
    decl.event.trigger !== undefined &&
    !isSame(decl.event, node.event)
  )
    c.report('W0503', node.event, { form: 'event', name });
  if (decl.kind === 'Archetype' && node.bases !== undefined && decl.bases.length > 0 && !isSame(decl.bases, node.bases))
    c.report('W0503', node.target.at(-1) ?? node, { form: 'bases', name });
}

function holds(element: ast.Element, decl: ast.Node): boolean {
  return element === decl || (element.kind === 'PlacedBlock' && element.body.some((inner) => holds(inner, decl)));
}

/** The same text, wherever it stands. */
function isSame(a: unknown, b: unknown): boolean {
  const text = (x: unknown) =>
    JSON.stringify(x, (key, value) => (key === 'start' || key === 'end' ? undefined : value));
  return text(a) === text(b);
}
