import { DeployFailure } from '../orchestrator/deploy-failure.ts';
import type { Revision } from './target.ts';

/** Gives the revision to go back to. @throws DeployFailure naming those that there are, when it was not found by its number, or without one */
export function requireRevision<R extends Pick<Revision, 'number' | 'version'>>(
  found: R | undefined,
  to: number | undefined,
  revisions: readonly R[],
): R {
  if (found !== undefined) return found;
  const shown = revisions.map(({ number, version }) => `${number} (${version})`).join(', ') || 'none';
  const message = to === undefined ? 'there is no earlier revision' : `there is no revision ${to}`;
  throw new DeployFailure('failed', message, { hints: [`revisions: ${shown}`] });
}
