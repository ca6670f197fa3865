/** Names of a module as JavaScript sees them: variables, exports, standard imports. */
import type { ModuleBinding } from '../2-resolve/names.ts';
import type { Unit } from './context.ts';
import { exportName, identifier, quote } from './identifiers.ts';
import { isDeclaration } from './is-declaration.ts';
import { isOfClient } from './is-of-client.ts';
import { importedValue, isLive } from './names.ts';

/** Is the binding a JavaScript variable of this module? */
export function isVariable(u: Unit, binding: ModuleBinding): boolean {
  switch (binding.role) {
    case 'glob':
    case 'entry':
    case 'alias':
      return true;
    case 'import': {
      const target = binding.import;
      return target !== undefined && target.of === 'member' && !isLive(u, target.module, target.member);
    }
    default:
      return false;
  }
}

/** Standard and JavaScript modules have no effect of their own: their names exist from the start. */
export function standardImports(u: Unit): string {
  let text = '';
  for (const binding of onServer(u)) {
    const target = binding.import;
    if (binding.role !== 'import' || target === undefined) continue;
    if (target.of === 'builtin' || target.of === 'js')
      text += `\n${binding.reassigned || u.types.mocked.has(binding.name) ? 'let' : 'const'} ${identifier(binding.name)} = ${importedValue(u, target)};`;
    else if (target.of === 'unavailable') text += `\nlet ${identifier(binding.name)};`;
  }
  return text;
}

/** Writes the table of names of this module that tests may replace: how each is read and set. */
export function replaceable(u: Unit): string {
  if (u.types.mocked.size === 0) return '';
  const entries: string[] = [];
  for (const binding of onServer(u)) {
    if (!u.types.mocked.has(binding.name)) continue;
    const { import: target } = binding;
    const code = identifier(binding.name);
    const isOwn = isVariable(u, binding) || isDeclaration(binding) || target?.of === 'builtin' || target?.of === 'js';
    if (isOwn) entries.push(`${quote(binding.name)}: { get: () => ${code}, set: ($value) => { ${code} = $value; } }`);
    else if (target?.of === 'member' && u.namespaces.has(target.module))
      entries.push(
        `get ${quote(binding.name)}() { return ${u.namespaces.get(target.module)}.$names[${quote(target.member)}]; }`,
      );
  }
  const ids = u.options.isEntry ? [u.id, '__main__'] : [u.id];
  return `\nexport const $names = { ${entries.join(', ')} };\n$.replaceable([${ids.map(quote).join(', ')}], $names);`;
}

function onServer(u: Unit): readonly ModuleBinding[] {
  const found: ModuleBinding[] = [];
  for (const binding of u.names.bindings.values()) {
    const { module, decl } = binding;
    if (module === u.id && (decl === undefined || !u.clientNodes.has(decl))) found.push(binding);
  }
  return found;
}

export function exports(
  u: Unit,
  submodules: ReadonlyMap<string, string>,
): { head: string; variables: string; list: string } {
  const variables: string[] = [];
  const list: string[] = [];
  const taken = new Set<string>();
  let head = '';
  for (const binding of onServer(u)) {
    const code = identifier(binding.name);
    const name = exportName(binding.name);
    const shown = code === name ? code : `${code} as ${name}`;
    taken.add(binding.name);
    if (isVariable(u, binding)) {
      variables.push(code);
      list.push(shown);
    } else if (isDeclaration(binding)) list.push(shown);
    else if (binding.import !== undefined) {
      const { import: target } = binding;
      if (target.of === 'builtin' || target.of === 'js') list.push(shown);
      else if (target.of === 'module')
        head += `\nexport * as ${name} from ${quote(u.options.moduleSpecifier(target.module))};`;
      else if (target.of === 'member') {
        const found = u.options.member?.(target.module, target.member);
        if (found !== undefined && !isOfClient(u, found))
          head += `\nexport { ${exportName(found.name)} as ${name} } from ${quote(u.options.moduleSpecifier(found.module))};`;
      } else taken.delete(binding.name);
    }
  }
  for (const [name, id] of submodules) {
    if (!taken.has(name)) head += `\nexport * as ${name} from ${quote(u.options.moduleSpecifier(id))};`;
  }
  return {
    head,
    variables: variables.length === 0 ? '' : `\nvar ${variables.join(', ')};`,
    list: list.length === 0 ? '' : `\nexport { ${list.join(', ')} };`,
  };
}
