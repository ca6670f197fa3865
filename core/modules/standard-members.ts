import { hasModule, std } from '../../library/registry.ts';
import './modules.ts';

/**
 * Gives the names that a standard module provides. Undefined for a name that no module has; any name below `svclang` that has no module of its
 * own stands for the runtime's facade (docs/language/standard-modules.md#modules).
 */
export function standardMembers(name: string): ReadonlySet<string> | undefined {
  const found = name.startsWith('svclang.') && !hasModule(name) ? 'svclang.' : name;
  return hasModule(found) ? new Set(Object.keys(std(found))) : undefined;
}
