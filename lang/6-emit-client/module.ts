/** The layout of an emitted module: imports, descriptors of what is asked of the server, then the declarations in textual order. */

import type * as ast from '../1-parse/ast.ts';
import type { Placed } from '../2-resolve/client-plan.ts';
import { isComponent } from '../2-resolve/components.ts';
import type { ModuleBinding } from '../2-resolve/names.ts';
import { quote } from '../5-emit/identifiers.ts';
import { positionAt } from '../source.ts';
import { classCode } from './classes.ts';
import { type Cx, indented, inFile, inner, line, mark, moduleCx, type Unit, wire } from './cx.ts';
import { heldLines, withDefaults } from './defaults.ts';
import { enumCode } from './enums.ts';
import { expr } from './expressions.ts';
import { decorated, decoratorsOf, functionBody, functionText, place } from './functions.ts';
import { identifier } from './identifier.ts';
import { parameterNote } from './named.ts';
import { declaredName, ownName, scriptSpecifier } from './names.ts';
import { defaultOf } from './pages.ts';
import { relativePath } from './paths.ts';
import { givesComponent, kept, noteComponent, registrations, signatureLines, signedAfter } from './refresh.ts';
import { statements } from './statements.ts';

export function moduleParts(u: Unit): readonly string[] {
  const c = moduleCx(u);
  const elements = u.link.plan.elements.get(u.module.id) ?? [];
  const entries = elements.flatMap((element) => (element.kind === 'EntryBlock' ? element.body.statements : []));
  place(c, u.names.module, entries);
  const before = registerImports(u);
  const body = elements.map((element) => inFile(u, element, () => elementCode(c, element)));
  const temps = c.fn.hoisted.length === 0 ? [] : [`\nlet ${[...new Set(c.fn.hoisted)].join(', ')};`];
  const tests = u.link.options.tests === true ? testList(c, elements) : '';
  const descriptors = [...u.descriptors.values()].map(({ code }) => `\n${code}`);
  return [
    importLines(u, before),
    signatureLines(u),
    ...descriptors,
    ...variables(u, elements),
    ...temps,
    ...body,
    tests,
    exported(u, elements),
    registrations(u),
    '\n',
  ];
}

// ---------------------------------------------------------------- imports

/** Imports of the text get the names it gives them. Gives the modules that are run for what they do: sheets, and client code of the project. */
function registerImports(u: Unit): readonly string[] {
  const run: string[] = [];
  for (const element of allElements(u)) {
    if (element.kind !== 'ImportModules' && element.kind !== 'ImportFrom' && element.kind !== 'Include') continue;
    const plan = u.names.importPlan(element);
    const items = element.kind === 'Include' ? [] : element.items;
    plan.targets.forEach((target, i) => {
      const item = items[i];
      if (target.of !== 'js') return;
      const specifier = scriptSpecifier(u, target.specifier, target.member);
      const name = item === undefined ? undefined : boundName(item);
      if (name === undefined) {
        if (element.kind === 'ImportModules') run.push(specifier);
        return;
      }
      const binding = u.names.bindings.get(name.text);
      if (binding?.role !== 'import') return;
      const one = { specifier, member: target.member ?? '*', local: identifier(name.text), used: false };
      u.imports.push(one);
      u.importOf.set(binding, one);
    });
    for (const id of plan.loads) {
      const other = u.link.module(id);
      if (other !== undefined && id !== u.module.id && u.link.plan.elements.has(id))
        run.push(relativePath(u.module.path, other.path));
    }
  }
  const { sheet } = u.module;
  if (sheet !== undefined) run.push(`./${sheet.name}`);
  return run;
}

function boundName(item: ast.ImportItem | ast.ImportModuleItem): ast.Name | undefined {
  if (item.kind === 'ImportItem') return item.alias ?? item.name;
  return item.alias ?? item.path.segments.at(-1);
}

function allElements(u: Unit): readonly Placed[] {
  return (u.link.plan.elements.get(u.module.id) ?? []) as readonly Placed[];
}

function importLines(u: Unit, run: readonly string[]): string {
  const lines: string[] = [];
  const specifiers = [...new Set([...u.imports.filter(({ used }) => used).map(({ specifier }) => specifier)])];
  const rank = (specifier: string) => (specifier.startsWith('react') ? 0 : specifier.startsWith('@svc/') ? 1 : 2);
  for (const specifier of specifiers.toSorted((a, b) => rank(a) - rank(b))) {
    const members = u.imports.filter((one) => one.used && one.specifier === specifier);
    const whole = members.filter(({ member }) => member === '*');
    const named = members.filter(({ member }) => member !== '*');
    for (const { local } of whole) lines.push(`import * as ${local} from ${quote(specifier)};`);
    if (named.length > 0)
      lines.push(
        `import { ${named.map(({ member, local }) => (member === local ? local : `${member} as ${local}`)).join(', ')} } from ${quote(specifier)};`,
      );
  }
  for (const specifier of new Set(run)) if (!specifiers.includes(specifier)) lines.push(`import ${quote(specifier)};`);
  return lines.join('\n');
}

// ---------------------------------------------------------------- declarations

/** Variables that entry blocks make, and globals that code before their text may name. */
function variables(u: Unit, elements: readonly Placed[]): string[] {
  const names: string[] = [];
  for (const binding of u.names.bindings.values()) {
    if (
      binding.role !== 'entry' ||
      !elements.some((element) => element.kind === 'EntryBlock' && assigns(element, binding.name))
    )
      continue;
    names.push(ownName(u, binding));
  }
  return names.length === 0 ? [] : [`\nlet ${names.join(', ')};`];
}

function assigns(element: ast.EntryBlock, name: string): boolean {
  const visit = (node: unknown): boolean => {
    if (typeof node !== 'object' || node === null) return false;
    if (Array.isArray(node)) return node.some(visit);
    const one = node as ast.Node;
    if (
      one.kind === 'AssignStatement' &&
      one.targets.some((target) => target.kind === 'NameRef' && target.name === name)
    )
      return true;
    return Object.values(node).some(visit);
  };
  return visit(element.body);
}

function elementCode(c: Cx, element: Placed): string {
  switch (element.kind) {
    case 'FunctionDecl': {
      if (element.name === undefined) return '';
      const binding = c.u.names.bindings.get(element.name.text);
      if (binding?.decl !== element) return '';
      const name = ownName(c.u, binding);
      const [text, held] = withDefaults(c, () => decorated(c, element, functionText(c, element, name), name), true);
      noteComponent(c.u, name);
      const signature = decoratorsOf(element).length > 0 ? '' : signedAfter(c, element, name);
      const note = parameterNote(c, element, name);
      return `\n${heldLines(c, held)}\n${isExported(c.u, binding) ? 'export ' : ''}${text}${signature}${note === undefined ? '' : line(c, note)}`;
    }
    case 'Archetype': {
      if (element.archetype !== 'obj' && element.archetype !== 'class') return '';
      const binding = c.u.names.bindings.get(element.name.text);
      const name = identifier(element.name.text);
      // Objects of it may come from the server, too.
      const isOfBoth =
        element.archetype === 'obj' && !c.u.names.isClient(element) && !c.u.link.plan.isOnlyHere(element);
      const known = isOfBoth ? line(c, `${wire(c.u, 'received')}(${quote(element.name.text)}, ${name});`) : '';
      const [text, held] = withDefaults(c, () => classCode(c, element, name), true);
      return `\n${heldLines(c, held)}\n${binding !== undefined && isExported(c.u, binding) ? 'export ' : ''}${text}${known}`;
    }
    case 'EnumDecl': {
      const binding = c.u.names.bindings.get(element.name.text);
      return `\n\n${binding !== undefined && isExported(c.u, binding) ? 'export ' : ''}${enumCode(c, element, identifier(element.name.text))}`;
    }
    case 'GlobDecl':
      return element.items.map((item) => globCode(c, item)).join('');
    case 'EntryBlock':
      return statements(c, element.body.statements);
    default:
      return '';
  }
}

function globCode(c: Cx, item: ast.GlobItem): string {
  const value = item.value === undefined ? 'null' : kept(c, item, expr(c, item.value));
  return [item.name, ...item.chained]
    .map((name, i, all) => {
      const binding = c.u.names.bindings.get(name.text);
      const word = binding?.reassigned === true ? 'let' : 'const';
      const code = i === 0 ? value : identifier(all[0]!.text);
      if (givesComponent(item.value)) noteComponent(c.u, identifier(name.text));
      return `\n${binding !== undefined && isExported(c.u, binding) ? 'export ' : ''}${mark(c, name, name.text)}${word} ${identifier(name.text)} = ${code};`;
    })
    .join('');
}

/** Is the name seen from outside? Components are, so that pages and tests find them; other names where they say so or another module asks. */
function isExported(u: Unit, binding: ModuleBinding): boolean {
  const { decl, access, name } = binding;
  if (access === 'pub' || u.link.plan.shared.get(u.module.id)?.has(name) === true) return true;
  return decl?.kind === 'FunctionDecl' && isComponent(decl);
}

/** Components that begin in lower case are known by that name too, and one is the `default` of a module that scripts import. */
function exported(u: Unit, elements: readonly Placed[]): string {
  const names: string[] = [];
  const whole = u.link.byScripts.has(u.module.id) ? defaultOf(u.module, u.names) : undefined;
  for (const element of elements) {
    if (element.kind !== 'FunctionDecl' || element.name === undefined) continue;
    const binding = u.names.bindings.get(element.name.text);
    if (binding?.decl !== element || !isExported(u, binding)) continue;
    const code = declaredName(u, binding);
    if (code !== binding.name) names.push(`${code} as ${binding.name}`);
    if (element === whole) names.push(`${code} as default`);
  }
  return names.length === 0 ? '' : `\n\nexport { ${names.join(', ')} };`;
}

// ---------------------------------------------------------------- tests

function testList(c: Cx, elements: readonly Placed[]): string {
  const tests = elements.flatMap((element, i) => {
    if (element.kind !== 'TestBlock') return [];
    const { title } = element;
    const name = title === undefined ? `test_${i + 1}` : title.kind === 'StringLiteral' ? title.value : title.text;
    const write = () => functionBody(inner(c, { isAsync: true, isVoid: true }), element, element.body);
    const text = inFile(c.u, element, () => indented(c, write));
    const { path } = c.u.module.sourceOf(element);
    const at = positionAt(c.u.module.sourceOf(element), element.start);
    const place = quote(`${path}:${at.line}:${at.column}`);
    return [line(c, `  { name: ${quote(name)}, at: ${place}, run: async () => ${text} },`)];
  });
  return tests.length === 0 ? '' : `\n\nexport const $tests = [${tests.join('')}\n];`;
}
