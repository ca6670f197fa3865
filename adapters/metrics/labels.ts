/** Label values of requests, so that memory for metrics is bounded whatever is asked for (docs/server/observability.md#metric-values). */
import { pagesTemplate } from '../../core/metrics/meters.ts';

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function methodLabel(method: string): string {
  return knownMethods.has(method) ? method : 'OTHER';
}

/** Gives the label of a route's template. After `maxPaths` distinct templates new ones are counted together. */
export function createPathLabels(maxPaths: number): (template: string | undefined) => string {
  const known = new Set<string>();
  return (template) => {
    if (template === undefined) return '__unmatched__';
    if (known.has(template)) return template;
    if (template === pagesTemplate) return '__page__';
    if (known.size >= maxPaths) return '__other__';
    known.add(template);
    return template;
  };
}
