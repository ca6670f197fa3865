import { hasModule, std } from '../../library/registry.ts';
import './modules.ts';

/**
 * Gives the names that a standard module provides; undefined for one that is not made here (`byllm`, `svclang`), whose
 * members are not known.
 */
export function standardMembers(name: string): ReadonlySet<string> | undefined {
  return hasModule(name) ? new Set(Object.keys(std(name))) : undefined;
}
