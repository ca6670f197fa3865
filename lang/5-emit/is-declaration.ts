import type { ModuleBinding } from '../2-resolve/names.ts';

/** Tells whether a name at module level is declared there as a function, a type or an enumeration. */
export function isDeclaration(binding: ModuleBinding): boolean {
  return binding.role === 'function' || binding.role === 'archetype' || binding.role === 'enum';
}
