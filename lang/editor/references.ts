/** All places that mean what the cursor is on. */
import { siteUnder } from './definition.ts';
import { keyOf, type Meaning } from './meanings.ts';
import { type Site, sitesOf } from './sites.ts';
import { forEachNode, type Place, type View, viewsOf } from './view.ts';

export interface Reference extends Place {
  readonly binds: boolean;
  readonly view: View;
  readonly site: Site;
}

/** References in the whole project, in the order of its files. `withDeclaration`: the places that bind the name are among them. */
export function referencesAt(view: View, offset: number, withDeclaration: boolean): readonly Reference[] {
  const site = siteUnder(view, offset);
  if (site === undefined) return [];
  const found = referencesTo(view, site.meanings());
  return withDeclaration ? found : found.filter(({ binds }) => !binds);
}

/** References to any of the meanings. */
export function referencesTo(view: View, meanings: readonly Meaning[]): readonly Reference[] {
  const keys = new Set(meanings.map(keyOf));
  if (keys.size === 0) return [];
  const isLocal = meanings.every((one) => one.of === 'local' && one.binding.role !== 'param');
  const views = viewsOf(view.analysis).filter((one) => !isLocal || one.module === view.module);
  return views.flatMap((one) => sitesWhere(one, (site) => site.meanings().some((meaning) => keys.has(keyOf(meaning)))));
}

/** Sites of a file that pass the test, in textual order, each place once. */
export function sitesWhere(view: View, test: (site: Site) => boolean): readonly Reference[] {
  const found = new Map<number, Reference>();
  forEachNode(view, (node, element) => {
    for (const site of sitesOf(view, node, element)) {
      const known = found.get(site.start);
      if ((known !== undefined && (known.binds || !site.binds)) || !test(site)) continue;
      found.set(site.start, { source: view.source, start: site.start, end: site.end, binds: site.binds, view, site });
    }
  });
  return [...found.values()].sort((a, b) => a.start - b.start);
}

/** Places in one file that mean the same as the one at the cursor. */
export function highlightsAt(view: View, offset: number): readonly Reference[] {
  const site = siteUnder(view, offset);
  const keys = new Set((site?.meanings() ?? []).map(keyOf));
  if (keys.size === 0) return [];
  return sitesWhere(
    view,
    (one) => one.name === site?.name && one.meanings().some((meaning) => keys.has(keyOf(meaning))),
  );
}
