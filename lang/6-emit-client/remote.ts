/** Requests of client code to the server: walks, calls of functions, and the types of what comes back. */
import type * as ast from '../1-parse/ast.ts';
import { quote } from '../5-emit/identifiers.ts';
import { args, namedObject } from './calls.ts';
import { type Code, code, P } from './code.ts';
import { type Cx, type Unit, unique, wire } from './cx.ts';
import { endpointOf } from './endpoint.ts';
import { expr, property } from './expressions.ts';

/** Is the walk one of the server? Walkers that are declared on the client would run there. */
export function isRemoteSpawn(c: Cx, e: ast.Spawn): boolean {
  const { decl } = walkerSide(c, e);
  return decl === undefined || !c.u.link.plan.isHere(decl);
}

interface Sides {
  /** The construction of the walker, or what stands for one. */
  readonly walker: ast.Expression;
  readonly at: ast.Expression | undefined;
  readonly decl: ast.Archetype | undefined;
  readonly module: string;
}

function walkerSide(c: Cx, { left, right }: ast.Spawn): Sides {
  const [l, r] = [left === undefined ? undefined : namedWalker(c, left), namedWalker(c, right)];
  if (left !== undefined && l !== undefined && (l.decl !== undefined || r === undefined))
    return { walker: left, at: right, ...l };
  return { walker: right, at: left, decl: r?.decl, module: r?.module ?? c.u.module.id };
}

/** The walker that an operand names: a declaration of the program, or a name nobody declares, which the server may know. */
function namedWalker(c: Cx, e: ast.Expression): { decl: ast.Archetype | undefined; module: string } | undefined {
  const name = e.kind === 'Call' ? e.callee : e;
  if (name.kind !== 'NameRef') return undefined;
  const binding = c.u.names.binding(name);
  if (binding.sort === 'unresolved') return e.kind === 'Call' ? { decl: undefined, module: c.u.module.id } : undefined;
  const declared =
    binding.sort === 'module'
      ? binding.role === 'import'
        ? c.u.link.follow(binding)
        : binding
      : binding.sort === 'local' && binding.import?.of === 'member'
        ? c.u.link.namesOf(binding.import.module).bindings.get(binding.import.member)
        : undefined;
  const decl = declared?.decl;
  return decl?.kind === 'Archetype' && decl.archetype === 'walker' ? { decl, module: declared!.module } : undefined;
}

export function spawn(c: Cx, e: ast.Spawn): Code {
  const { walker, at, decl, module } = walkerSide(c, e);
  const spawned = wire(c.u, 'spawn');
  const name = walker.kind === 'Call' ? walker.callee : walker;
  const descriptor =
    decl !== undefined
      ? walkerDescriptor(c.u, decl.name.text, decl, module)
      : name.kind === 'NameRef' && c.u.names.binding(name).sort === 'unresolved'
        ? quote(name.name)
        : expr(c, name);
  const fields = walker.kind === 'Call' ? fieldsOf(c, walker, decl, module) : '{}';
  const place = at === undefined || (at.kind === 'SpecialRef' && at.word === 'root') ? '' : `, ${expr(c, at)}`;
  const text =
    fields === '{}' && place === '' ? `${spawned}(${descriptor})` : `${spawned}(${descriptor}, ${fields}${place})`;
  return code(`await ${text}`, P.unary);
}

function fieldsOf(c: Cx, e: ast.Call, decl: ast.Archetype | undefined, module: string): string {
  const order = decl === undefined ? [] : c.u.link.typesOf(module).classOf(decl).constructorFields;
  const parts = e.args.map(({ sort, name, value }, i) => {
    if (sort === 'doublestar') return `...${expr(c, value)}`;
    const key = name?.text ?? order[i]?.name ?? `arg${i}`;
    return `${property(key)}: ${expr(c, value)}`;
  });
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

/** Is it a function that only the server has? */
export function isRemoteFunction(c: Cx, decl: ast.FunctionDecl): boolean {
  return !c.u.link.plan.isHere(decl) && !isNested(c, decl);
}

/** A function inside of another is where its owner is. */
function isNested(c: Cx, decl: ast.FunctionDecl): boolean {
  const { name } = decl;
  return name !== undefined && c.u.names.binding(name).sort === 'local';
}

/** Arguments by position; the descriptor knows their names. Keywords of unknown functions and `**` go as an object of names. */
export function remoteArguments(c: Cx, decl: ast.FunctionDecl, list: readonly ast.Argument[]): string {
  if (list.every(({ sort }) => sort === 'positional' || sort === 'star')) return args(c, list);
  const { params } = decl.signature;
  const parts = list.map((one, i): ast.Argument => {
    const name = one.sort === 'positional' ? params[i]?.name : one.name;
    return { ...one, name, sort: one.sort === 'doublestar' ? 'doublestar' : 'keyword' };
  });
  return `${wire(c.u, 'named')}(${namedObject(c, parts)})`;
}

export function walkerDescriptor(u: Unit, name: string, decl: ast.Archetype, module: string): string {
  const key = `walker ${module}.${name}`;
  const known = u.descriptors.get(key);
  if (known !== undefined) return known;
  const local = unique(u, name);
  u.descriptors.set(key, local);
  const fields = u.link
    .typesOf(module)
    .classOf(decl)
    .constructorFields.map((field) => quote(field.name));
  const info = [
    fields.length === 0 ? '' : `fields: [${fields.join(', ')}]`,
    ...endpointOf(u.link.module(module)!, decl),
  ].filter((part) => part !== '');
  u.descriptors.set(
    `code ${local}`,
    `const ${local} = ${wire(u, 'walker')}(${quote(name)}${info.length === 0 ? '' : `, { ${info.join(', ')} }`});`,
  );
  return local;
}

export function functionDescriptor(u: Unit, name: string, decl: ast.FunctionDecl, module: string): string {
  const key = `function ${module}.${name}`;
  const known = u.descriptors.get(key);
  if (known !== undefined) return known;
  const local = unique(u, name);
  u.descriptors.set(key, local);
  const params = decl.signature.params.flatMap((param) => (param.name === undefined ? [] : [quote(param.name.text)]));
  const info = [`params: [${params.join(', ')}]`, ...endpointOf(u.link.module(module)!, decl)];
  u.descriptors.set(`code ${local}`, `const ${local} = ${wire(u, 'remote')}(${quote(name)}, { ${info.join(', ')} });`);
  return local;
}

/** A class for objects of a type of the server, so that `isinstance` knows what came over the wire. */
export function typeStub(u: Unit, name: string, decl: ast.Archetype, module: string): string {
  const key = `type ${module}.${name}`;
  const known = u.descriptors.get(key);
  if (known !== undefined) return known;
  const local = unique(u, name);
  u.descriptors.set(key, local);
  const fields = u.link
    .typesOf(module)
    .classOf(decl)
    .constructorFields.map((field) => quote(field.name));
  u.descriptors.set(`code ${local}`, `const ${local} = ${wire(u, 'stub')}(${quote(name)}, [${fields.join(', ')}]);`);
  return local;
}
