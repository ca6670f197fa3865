/** The text that a browser's source view shows of a module: that of its client code, all else blank. */
import type * as ast from '../1-parse/ast.ts';
import { containsNode } from '../2-resolve/children.ts';
import { type ClientPlan, elementsOf, type Placed } from '../2-resolve/client-plan.ts';
import type { Names } from '../2-resolve/names.ts';
import type { ProjectModule } from '../project.ts';
import type { Source } from '../source.ts';

/**
 * Sources of a module for its source map. What the server alone has (its declarations, its comments) is white space, so
 * that lines and columns stay and nothing of it leaves the server.
 */
export function visibleSources(module: ProjectModule, names: Names, plan: ClientPlan): readonly Source[] {
  const shown = shownElements(module, names, plan);
  return module.sources.map((source) => {
    const spans = shown.filter((element) => module.sourceOf(element) === source);
    return { ...source, text: onlySpans(source.text, spans) };
  });
}

function shownElements(module: ProjectModule, names: Names, plan: ClientPlan): readonly Placed[] {
  const own = plan.elements.get(module.id) ?? [];
  const impls = elementsOf(module.tree.body).filter((element): element is ast.ImplDecl => element.kind === 'ImplDecl');
  const joined = impls.filter((impl) => {
    const decl = names.declOf(impl);
    // The declaration is one of them, or a function inside of one.
    return (
      decl !== undefined && own.some((element) => element === decl || containsNode(element, (node) => node === decl))
    );
  });
  return [...own.filter(({ kind }) => kind !== 'ImplDecl'), ...joined];
}

function onlySpans(text: string, spans: readonly ast.Span[]): string {
  let shown = '';
  let at = 0;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (end <= at) continue;
    const from = Math.max(at, start);
    shown += blank(text.slice(at, from)) + text.slice(from, end);
    at = end;
  }
  return shown + blank(text.slice(at));
}

function blank(text: string): string {
  return text.replace(/[^\r\n\u2028\u2029]/g, ' ');
}
