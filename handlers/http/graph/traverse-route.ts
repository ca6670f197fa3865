/**
 * `POST /traverse` (docs/server/inspection.md#traverse): the graph around an object as the caller may see it. What it
 * does is read when it is first called.
 */
import type { FixedRoute } from '../../routes.ts';
import type { TraverseParts } from './answer-traverse.ts';

export function traverseRoute(parts: TraverseParts): FixedRoute {
  return {
    method: 'POST',
    template: '/traverse',
    auth: 'bearer',
    tag: 'Graph',
    operationId: 'traverse',
    summary: 'The graph around an object',
    bounds: { maxDepth: parts.maxDepth, maxObjects: parts.maxObjects },
    run: async ({ caller, body }) => (await import('./answer-traverse.ts')).answerTraverse(parts, caller, body),
  };
}
