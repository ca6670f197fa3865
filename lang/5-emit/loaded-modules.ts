/** Table of loaded modules as one module sees it (docs/language/imports.md#modules-by-name). */
import { namespaceOf, standardModule, type Unit } from './context.ts';
import { quote } from './identifiers.ts';
import { isProgram } from './names.ts';

/** `sys.modules`, as far as this module can know them: itself under its `__name__`, and what it imports. */
export function loadedModules(u: Unit): string {
  const name = isProgram(u) ? '__main__' : u.id;
  const found = new Map([[name, `$.asModule(${namespaceOf(u, u.id)}, ${quote(name)})`]]);
  for (const { import: target } of u.names.bindings.values()) {
    if (target?.of === 'module' || target?.of === 'member') found.set(target.module, namespaceOf(u, target.module));
    if (target?.of === 'builtin') found.set(target.module, standardModule(u, target.module));
  }
  return `$.Dict.of(${[...found].map(([name, code]) => `${quote(name)}, ${code}`).join(', ')})`;
}

/** `importlib.import_module`, which finds what this module imports. */
export function importer(u: Unit): string {
  return `${standardModule(u, 'importlib')}.$importer(${loadedModules(u)})`;
}
