/** Names of modules that something else is put in the place of while the program runs: what is called then decides itself what it takes. */

import { oncePer } from '../../../base/once-per.ts';
import type { ProjectNames } from '../../2-resolve/resolve.ts';
import type { Project, ProjectModule } from '../../project.ts';
import type { Source } from '../../source.ts';

const patched = /\bpatch(?:\.object)?\s*\(\s*(?:[^,"'()]+,\s*)?(["'])([\w.]+)\1/g;

/**
 * Attributes that are assigned, and names given to `patch`, in a program that imports `unittest.mock` (those of built-ins as `builtins.input`);
 * names of modules that assign to what `globals()` gives.
 */
export function mockedNames(project: Project, names: ProjectNames): ReadonlySet<string> {
  const found = new Set<string>();
  const modules = [...project.modules.values()];
  for (const module of modules)
    if (setsGlobals(module)) for (const name of names.of(module.id).bindings.keys()) found.add(name);
  for (const module of modules) for (const name of replacedIn(names, module)) found.add(name);
  const usesMocks = modules.some((module) =>
    [...module.imports.values()].some((target) => target.of === 'standard' && target.name.startsWith('unittest')),
  );
  if (!usesMocks) return found;
  for (const module of modules) {
    for (const name of names.of(module.id).assignedAttributes) found.add(name);
    for (const { text } of module.sources)
      for (const [, , path] of text.matchAll(patched)) {
        if (path!.startsWith('builtins.')) found.add(path!);
        else for (const name of path!.split('.')) found.add(name);
      }
  }
  return found;
}

/** `other.f = g` of a module of the program: functions and classes that another one takes the place of. */
function replacedIn(names: ProjectNames, module: ProjectModule): readonly string[] {
  const mine = names.of(module.id);
  return mine.attributeAssignments.flatMap(({ object, name }) => {
    const binding = object.kind === 'NameRef' ? mine.binding(object) : undefined;
    const target = binding?.sort === 'local' || binding?.sort === 'module' ? binding.import : undefined;
    if (target?.of !== 'module') return [];
    const role = names.of(target.module).bindings.get(name.text)?.role;
    return role === 'function' || role === 'archetype' ? [name.text] : [];
  });
}

const changed =
  /\bglobals\(\)\s*(?:\[[^\]]*\]\s*(?:[-+*/|&^%@]|\*\*|\/\/|<<|>>)?=(?!=)|\.(?:update|setdefault|pop|clear)\b)|(?:\bdel|[^=!<>]=|[(,])\s*globals\(\)(?!\s*[.[])|\bdel\s+globals\(\)/;

/** Does code of the module change its variables through `globals()`, or hand that on (decisions/0211)? */
export function setsGlobals(module: ProjectModule): boolean {
  return module.sources.some(changesGlobals);
}

const changesGlobals = oncePer(({ text }: Source) => text.includes('globals()') && changed.test(text));
