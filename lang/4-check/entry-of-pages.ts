import type * as ast from '../1-parse/ast.ts';
import type { Rule, RuleContext } from './rule.ts';

/**
 * W0650: an entry block, which the server runs (docs/language/placement.md#inference), that prepares a package which of all code of the
 * module the page's alone uses.
 */
export const entryOfPageRule: Rule = {
  name: 'entry-of-pages',
  module(c) {
    const onClient = c.client?.plan.elements.get(c.module.id) ?? [];
    const { suffix, tree } = c.module;
    const blocks = tree.body.filter((one) => one.kind === 'EntryBlock' && one.placement === undefined);
    if (suffix !== undefined || onClient.length === 0 || blocks.length === 0) return;
    const onPage = new Set<ast.Node>(onClient);
    const isOfServer = (one: ast.Element): boolean =>
      !blocks.includes(one) &&
      !onPage.has(one) &&
      !isImport(one) &&
      (one.kind !== 'PlacedBlock' || one.placement === 'sv');
    const ofPage = packagesIn(
      onClient.filter((one) => !isImport(one)),
      c,
    );
    const ofServer = packagesIn(tree.body.filter(isOfServer), c);
    for (const block of blocks) {
      const found = [...packagesIn([block], c).values()].find(({ name }) => ofPage.has(name) && !ofServer.has(name));
      if (found === undefined) continue;
      c.source = c.module.sourceOf(block);
      c.report(
        'W0650',
        found,
        { name: found.name },
        { help: 'write `cl { with entry { … } }` for what the page needs' },
      );
    }
  },
};

const isImport = ({ kind }: ast.Element): boolean => kind === 'ImportFrom' || kind === 'ImportModules';

/** Names of imported packages that the elements mention, each with its first place. */
function packagesIn(elements: readonly ast.Element[], c: RuleContext): ReadonlyMap<string, ast.NameRef> {
  const found = new Map<string, ast.NameRef>();
  for (const element of elements)
    for (const node of c.names.mentions(element).nodes) {
      if (node.kind !== 'NameRef' || found.has(node.name)) continue;
      const binding = c.names.binding(node);
      if (binding.sort === 'module' && binding.import?.of === 'js') found.set(node.name, node);
    }
  return found;
}
