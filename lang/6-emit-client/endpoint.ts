import type * as ast from '../1-parse/ast.ts';
import { isRestSpec } from '../2-resolve/is-marked.ts';
import type { Names } from '../2-resolve/names.ts';
import { quote } from '../5-emit/identifiers.ts';
import type { ClientLink } from './cx.ts';

/** Options of `restspec` that a browser must know, in the order of its parameters. */
const options = ['method', 'path', 'protocol'];

/**
 * Facts that `@restspec(…)` gives about a walker or function of a module that a browser must know to call it: parts of an object literal. A value
 * that the text alone does not tell is left to the default of the runtime.
 */
export function endpointOf(link: ClientLink, id: string, decl: ast.Archetype | ast.FunctionDecl): readonly string[] {
  const names = link.namesOf(id);
  const parts: string[] = [];
  for (const decorator of [...decl.decorators, ...(names.implOf(decl)?.impl.decorators ?? [])]) {
    if (!isRestSpec(decorator)) continue;
    for (const [i, { name, value }] of decorator.args.entries()) {
      const key = name?.text ?? options[i];
      // Members of HTTPMethod and APIProtocol are called as their values.
      const text = value.kind === 'Attribute' ? value.name.text : constantText(link, names, value);
      if (text === undefined) continue;
      if (key === 'path') parts.push(`path: ${quote(text)}`);
      else if (key === 'method') parts.push(`method: ${quote(text.toUpperCase())}`);
      else if (key === 'protocol' && text.toUpperCase() === 'WEBSOCKET') parts.push('socket: true');
    }
  }
  if (streams(link, id, decl)) parts.push('streams: true');
  return parts;
}

/** A text that stands in the program, perhaps in parts and under names of the module's variables. */
function constantText(link: ClientLink, names: Names, e: ast.Expression, depth = 0): string | undefined {
  const of = (part: ast.Expression) => constantText(link, names, part, depth + 1);
  if (depth > 20) return undefined;
  switch (e.kind) {
    case 'StringLiteral':
      return e.value;
    case 'Binary': {
      const [left, right] = e.op === '+' ? [of(e.left), of(e.right)] : [];
      return left === undefined || right === undefined ? undefined : left + right;
    }
    case 'Joined': {
      const texts = e.parts.map((part) =>
        part.kind === 'StringLiteral' ? part.value : part.spec === undefined ? of(part.expr) : undefined,
      );
      return texts.includes(undefined) ? undefined : texts.join('');
    }
    case 'NameRef': {
      const binding = names.binding(e);
      const declared = binding.sort === 'module' ? link.follow(binding) : undefined;
      if (declared?.decl?.kind !== 'GlobItem' || declared.reassigned || declared.decl.value === undefined)
        return undefined;
      return constantText(link, link.namesOf(declared.module), declared.decl.value, depth + 1);
    }
    default:
      return undefined;
  }
}

/** Does a function give its values one by one? */
function streams(link: ClientLink, id: string, decl: ast.Archetype | ast.FunctionDecl): boolean {
  const { text } = link.module(id)!.sourceOf(decl);
  return decl.kind === 'FunctionDecl' && /\byield\b/.test(text.slice(decl.start, decl.end));
}
