import { didYouMean } from '../../base/did-you-mean.ts';
import type { FixedRoute } from '../routes.ts';
import { placeOf, type ServedTarget } from '../served-targets.ts';

interface Places {
  readonly targets: readonly ServedTarget[];
  readonly fixed: readonly FixedRoute[];
}

export type NearestPlace = typeof nearestPlace;

/** Suggests a path for one that leads nowhere: the target it names without its folder, else the path most like it. */
export function nearestPlace(path: string, { targets, fixed }: Places): string | undefined {
  const bare = /^\/([^/]+)\/?$/.exec(path)?.[1];
  const byName = new Map(targets.map((target) => [target.name, target]));
  const name = bare === undefined ? undefined : byName.has(bare) ? bare : didYouMean(bare, byName.keys());
  if (name !== undefined) return `Did you mean this? ${placeOf(byName.get(name)!)}`;
  const overHttp = targets.filter(({ rest }) => rest.protocol === 'HTTP');
  const routes = [...fixed.filter(({ operationId }) => operationId !== ''), ...overHttp.map(routeOf)];
  const templates = new Map(routes.map((route) => [route.template, route.method]));
  const nearest = didYouMean(path, templates.keys());
  return nearest === undefined ? undefined : `Did you mean ${templates.get(nearest)} ${nearest}?`;
}

function routeOf({ path, methods }: ServedTarget) {
  return { template: path, method: methods[0]! };
}
