import type * as ast from '../1-parse/ast.ts';
import { quote } from '../5-emit/identifiers.ts';
import type { ProjectModule } from '../project.ts';

/**
 * Facts that `@restspec(…)` gives about a walker or function that a browser must know to call it: parts of an object literal. Values that are not
 * written out are left to the defaults of the runtime.
 */
export function endpointOf(module: ProjectModule, decl: ast.Archetype | ast.FunctionDecl): readonly string[] {
  const parts: string[] = [];
  for (const decorator of decl.decorators) {
    if (decorator.kind !== 'Call' || decorator.callee.kind !== 'NameRef' || decorator.callee.name !== 'restspec')
      continue;
    for (const { name, value } of decorator.args) {
      const key = name?.text;
      if (key === 'path' && value.kind === 'StringLiteral') parts.push(`path: ${quote(value.value)}`);
      else if (key === 'method') {
        const method =
          value.kind === 'Attribute' ? value.name.text : value.kind === 'StringLiteral' ? value.value : undefined;
        if (method !== undefined) parts.push(`method: ${quote(method.toUpperCase())}`);
      } else if (key === 'protocol' && value.kind === 'Attribute' && value.name.text === 'WEBSOCKET')
        parts.push('socket: true');
    }
  }
  if (streams(module, decl)) parts.push('streams: true');
  return parts;
}

/** Does a function give its values one by one? */
function streams(module: ProjectModule, decl: ast.Archetype | ast.FunctionDecl): boolean {
  const { text } = module.sourceOf(decl);
  return decl.kind === 'FunctionDecl' && /\byield\b/.test(text.slice(decl.start, decl.end));
}
