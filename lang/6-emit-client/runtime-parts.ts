import { formNames, liveNames, routerNames } from '../2-resolve/runtime-names.ts';

/** Gives the module of the browser runtime that has a member of `@svc/runtime`: parts that need packages are apart. */
export function runtimePart(member: string): string {
  if (routerNames.has(member)) return '@svc/runtime/router';
  if (formNames.has(member)) return '@svc/runtime/forms';
  return liveNames.has(member) ? '@svc/runtime/live' : '@svc/runtime';
}
