/** Renaming of a name in the whole project, or the reason why it cannot be. */
import type * as ast from '../1-parse/ast.ts';
import { words } from '../1-parse/tokens.ts';
import { isRefCell, setterOf } from '../2-resolve/components.ts';
import { isRestSpec } from '../2-resolve/is-marked.ts';
import type { Scope } from '../2-resolve/names.ts';
import { declaredAt } from './declared.ts';
import { siteUnder } from './definition.ts';
import { servedPath } from './describe.ts';
import { declOf, keyOf, type Meaning, valueCalled } from './meanings.ts';
import { allMembers } from './members.ts';
import { type Reference, referencesTo, sitesWhere } from './references.ts';
import type { Site } from './sites.ts';
import { forEachNode, sourceOfNode, type View, viewsOf } from './view.ts';

export interface Renaming {
  readonly refused?: undefined;
  readonly edits: readonly {
    readonly source: Reference['source'];
    readonly start: number;
    readonly end: number;
    readonly text: string;
  }[];
  /** Set when callers outside of the project may use the name. */
  readonly warning: string | undefined;
}
export interface Refusal {
  readonly refused: string;
}

/** The name under the cursor when it may be renamed. */
export function renameableAt(view: View, offset: number): Site | Refusal {
  const site = siteUnder(view, offset);
  if (site === undefined) return { refused: 'There is no name here.' };
  const meanings = site.meanings();
  const [first] = meanings;
  if (first === undefined) return { refused: `\`${site.name}\` is not declared anywhere.` };
  const outside = meanings.map(outsideReason).find((reason) => reason !== undefined);
  if (outside !== undefined) return { refused: outside };
  const hidden = meanings.map((meaning) => hiddenReason(view, meaning)).find((reason) => reason !== undefined);
  return hidden === undefined ? site : { refused: hidden };
}

export function renameAt(view: View, offset: number, to: string): Renaming | Refusal {
  const site = renameableAt(view, offset);
  if ('refused' in site) return site;
  if (to === site.name) return { edits: [], warning: undefined };
  if (!/^[A-Za-z_]\w*$/.test(to))
    return { refused: `\`${to}\` is no name: letters, digits and \`_\`, no digit first.` };
  if (keywords.has(to)) return { refused: `\`${to}\` is a word of the language.` };
  if (view.analysis.types.of(view.module.id).program.builtins.functions.has(to))
    return { refused: `\`${to}\` is built in.` };
  const unfit = site
    .meanings()
    .map((meaning) => unfitReason(view, meaning, to))
    .find((reason) => reason !== undefined);
  if (unfit !== undefined) return { refused: unfit };
  const meanings = family(view, site);
  const references = referencesTo(view, meanings);
  const clash = clashOf(view, meanings, references, to);
  if (clash !== undefined) return { refused: clash };
  const guesses = guessedUses(view, meanings, site.name);
  if (guesses === undefined)
    return {
      refused: `\`${site.name}\` is also read from values whose type is not known, and several declarations have that name.`,
    };
  const all = [...references, ...guesses];
  const edits = [...all.flatMap((one) => editOf(one, site.name, to)), ...setterEdits(view, meanings, site.name, to)];
  return { edits, warning: warningFor(view, meanings) };
}

const keywords: ReadonlySet<string> = new Set(words.map(([word]) => word));

function outsideReason(meaning: Meaning): string | undefined {
  switch (meaning.of) {
    case 'builtin':
    case 'method':
      return `\`${meaning.name}\` is built in.`;
    case 'standard':
      return `\`${meaning.member ?? meaning.module}\` belongs to a standard module.`;
    case 'js':
      return `\`${meaning.member ?? meaning.specifier}\` belongs to a JavaScript module.`;
    case 'project-module':
      return 'A module is named by its file.';
    case 'special':
      return `\`${meaning.word}\` is a word of the language.`;
    case 'guess':
      return `The type of what \`${meaning.name}\` is read from is not known, so neither is its declaration.`;
    default:
      return undefined;
  }
}

/** Names that the runtime looks for, and served names that text spells: renaming would not reach those. */
function hiddenReason(view: View, meaning: Meaning): string | undefined {
  const name = nameOfMeaning(meaning);
  if (/^__\w+__$/.test(name) || (meaning.of === 'member' && runtimeMembers.has(name)))
    return `The runtime calls \`${name}\` by that name.`;
  const isParameter = meaning.of === 'local' && meaning.binding.role === 'param';
  if (isParameter && name === 'children' && view.analysis.browser !== undefined)
    return 'A component gets what stands between its tags as `children`.';
  if (isParameter && name === 'props' && view.analysis.browser !== undefined)
    return 'A component gets its attributes together as `props`.';
  const decl = declOf(meaning);
  if (
    meaning.of === 'module-name' &&
    name === 'app' &&
    decl?.kind === 'FunctionDecl' &&
    view.analysis.browser !== undefined
  )
    return 'The page begins with the component `app`.';
  const home = declaredAt(view, meaning);
  if (decl === undefined || home === undefined) return undefined;
  const isOfPages = view.analysis.browser !== undefined && /(^|\/)pages\//.test(home.name.source.path);
  if (isOfPages && meaning.of === 'module-name' && (name === 'page' || name === 'layout'))
    return `A file in pages/ shows the component \`${name}\`.`;
  const servedName = servedPath(decl, {
    ...view,
    module: home.module,
    source: home.name.source,
    names: view.analysis.names.of(home.module.id),
  });
  const isField = meaning.of === 'member' && decl.kind === 'HasItem';
  if (servedName === undefined && !isField && !isParameter) return undefined;
  return isSpelt(view, name, isParameter ? 'parameter' : isField ? 'field' : 'target')
    ? `\`${name}\` is also named as text, which renaming would not reach.`
    : undefined;
}

/** Reason why a function of the browser half would be something else under the new name: the form of its name tells what it is. */
function unfitReason(view: View, meaning: Meaning, to: string): string | undefined {
  const decl = declOf(meaning);
  if (view.analysis.browser === undefined || decl?.kind !== 'FunctionDecl' || meaning.of === 'member') return undefined;
  const name = nameOfMeaning(meaning);
  if (hookName.test(name) !== hookName.test(to))
    return hookName.test(name)
      ? `\`${name}\` is a hook, whose name begins with \`use\` and a capital letter.`
      : `\`${to}\` would be a hook.`;
  const isTag = view.analysis.browser.plan.tags.has(decl);
  return isTag && /^[A-Z]/.test(name) && !/^[A-Z]/.test(to)
    ? `\`${name}\` is used as a tag, whose name begins with a capital letter.`
    : undefined;
}

const hookName = /^use[A-Z]/;

const runtimeMembers: ReadonlySet<string> = new Set(['init', 'postinit', 'reports']);

function nameOfMeaning(meaning: Meaning): string {
  if (meaning.of === 'member') return meaning.member.name;
  return meaning.of === 'local' || meaning.of === 'module-name' ? meaning.binding.name : '';
}

/** Does a text name it: a path of `restspec`, or in client code an address or the key of an object? */
function isSpelt(view: View, name: string, sort: 'field' | 'parameter' | 'target'): boolean {
  const isField = sort === 'field';
  const inPath = new RegExp(`[/{:]${name}\\b`);
  return viewsOf(view.analysis).some((one) => {
    if (!one.source.text.includes(name)) return false;
    let found = false;
    forEachNode(one, (node, element) => {
      const isOfClient = sort !== 'parameter' && node.kind === 'StringLiteral' && one.names.isClient(element);
      if (isOfClient && (isField ? node.value === name : node.value === name || inPath.test(node.value))) found = true;
      if (
        node.kind === 'Call' &&
        isRestSpec(node) &&
        node.args.some(({ value }) => value.kind === 'StringLiteral' && inPath.test(value.value))
      )
        found = true;
    });
    return found;
  });
}

/** All meanings that must change together: members that are one through unions of types. */
function family(view: View, site: Site): readonly Meaning[] {
  const found = new Map<unknown, Meaning>(site.meanings().map((meaning) => [keyOf(meaning), meaning]));
  for (let size = 0, round = 0; size < found.size && round < 5; round++) {
    size = found.size;
    for (const one of viewsOf(view.analysis)) {
      for (const { site: other } of sitesWhere(one, ({ name }) => name === site.name)) {
        const meanings = other.meanings();
        if (meanings.length < 2 || !meanings.some((meaning) => found.has(keyOf(meaning)))) continue;
        for (const meaning of meanings) found.set(keyOf(meaning), meaning);
      }
    }
  }
  return [...found.values()];
}

/** Uses through values of unknown type: they are renamed when no other declaration has the name; undefined when one does. */
function guessedUses(view: View, meanings: readonly Meaning[], name: string): readonly Reference[] | undefined {
  const views = viewsOf(view.analysis);
  const given = meanings.filter((one) => one.of === 'local' && isParamOfValue(view, one));
  const calls =
    given.length === 0
      ? []
      : views.flatMap((one) =>
          sitesWhere(
            one,
            (site) =>
              site.name === name &&
              site.meanings().some((meaning) => meaning.of === 'guess' && meaning.callee === valueCalled),
          ),
        );
  if (calls.length > 0) {
    const keys = new Set(meanings.map(keyOf));
    const isOther = (meaning: Meaning) =>
      meaning.of === 'local' && !keys.has(keyOf(meaning)) && isParamOfValue(view, meaning);
    const isShared = views.some(
      (one) => sitesWhere(one, (site) => site.name === name && site.binds && site.meanings().some(isOther)).length > 0,
    );
    return isShared ? undefined : calls;
  }
  // Arguments by name are told apart by the method that is called.
  const method = methodOfParam(meanings);
  const callee = method?.name?.text;
  const read = callee ?? name;
  const members = views.flatMap((one) =>
    sitesWhere(one, (site) => site.name === read && site.binds).flatMap(({ site }) => site.meanings().filter(isMember)),
  );
  const own = method === undefined ? meanings : members.filter(({ member }) => member.node === method);
  if (!own.some(isMember)) return [];
  const guesses = views.flatMap((one) =>
    sitesWhere(
      one,
      (site) =>
        site.name === name && site.meanings().some((meaning) => meaning.of === 'guess' && meaning.callee === callee),
    ),
  );
  if (guesses.length === 0) return [];
  const keys = new Set(own.map(keyOf));
  const { methods } = view.analysis.types.of(view.module.id).program.builtins;
  const isBuiltIn = Object.values(methods).some((table) => table.has(read)) || commonNames.has(read);
  return members.some((other) => !keys.has(keyOf(other))) || isBuiltIn ? undefined : guesses;
}

/** Is it a parameter of a function that may be called under another name: a function in a function, or one that is named without a call? */
function isParamOfValue(view: View, { binding }: Meaning & { of: 'local' }): boolean {
  if (binding.role !== 'param') return false;
  const { node } = binding.scope;
  if (node.kind === 'Lambda') return true;
  if (node.kind !== 'FunctionDecl' || node.name === undefined) return false;
  const home = viewsOf(view.analysis).find((one) => one.names.binding(node.name!).sort !== 'unresolved');
  const own = home === undefined ? undefined : home.names.binding(node.name);
  if (own?.sort === 'local') return true;
  return viewsOf(view.analysis).some((one) => isNamedAsValue(one, node.name!.text));
}

function isNamedAsValue(view: View, name: string): boolean {
  if (!view.source.text.includes(name)) return false;
  const called = new Set<ast.Node>();
  let found = false;
  forEachNode(view, (node) => {
    if (node.kind === 'Call') called.add(node.callee);
    else if (node.kind === 'NameRef' && node.name === name && !called.has(node)) found = true;
  });
  return found;
}

function isMember(meaning: Meaning): meaning is Meaning & { of: 'member' } {
  return meaning.of === 'member';
}

/** The function that has the parameter. */
function methodOfParam([first]: readonly Meaning[]): ast.FunctionDecl | undefined {
  if (first?.of !== 'local' || first.binding.role !== 'param') return undefined;
  const { node } = first.binding.scope;
  return node.kind === 'FunctionDecl' ? node : undefined;
}

/** Members that objects of a browser, of JSON or of packages have. */
const commonNames: ReadonlySet<string> = new Set(
  'id key value name type length target status data error message code text href path title style children current ref map filter find'.split(
    ' ',
  ),
);

/** A name that is taken where the new one would be seen. */
function clashOf(
  view: View,
  meanings: readonly Meaning[],
  references: readonly Reference[],
  to: string,
): string | undefined {
  const taken = `\`${to}\` is taken here.`;
  for (const meaning of meanings) {
    if (meaning.of === 'member') {
      const classes = classesWith(view, meaning);
      if (classes.some((cls) => allMembers(cls).some(({ name }) => name === to))) return taken;
    } else if (meaning.of === 'local') {
      if (meaning.binding.scope.locals.has(to)) return taken;
    } else if (meaning.of === 'module-name' && view.analysis.names.of(meaning.binding.module).bindings.has(to))
      return taken;
  }
  if (meanings.every(({ of }) => of === 'member')) return undefined;
  const scope = scopeAround(meanings, references);
  const isParam = scope !== undefined && meanings.every((one) => one.of === 'local' && one.binding.role === 'param');
  // Wherever the name is used, the new one must mean nothing yet; and where the new one is used, it must go on meaning the same.
  for (const one of new Set(references.map((reference) => reference.view))) {
    const isUsed = sitesWhere(
      one,
      (site) =>
        site.name === to && site.meanings().every(({ of }) => of !== 'member' && of !== 'guess' && of !== 'method'),
    ).some(({ start }) => scope === undefined || isWithin(scope.node, start));
    // A parameter is always one of its own, whatever the name means around its function.
    if (isUsed || (!isParam && one.names.lookup(to, scope ?? one.names.module).sort !== 'unresolved')) return taken;
  }
  return undefined;
}

/** The scope that a local and all places that name it stand in; undefined where the new name may be seen elsewhere too. */
function scopeAround(meanings: readonly Meaning[], references: readonly Reference[]): Scope | undefined {
  const [meaning, other] = meanings;
  if (meaning?.of !== 'local' || other !== undefined || meaning.binding.decl?.kind === 'HasItem') return undefined;
  const { scope } = meaning.binding;
  if (scope.kind === 'class') return undefined;
  const [first] = references;
  const isAround = (one: Reference) => one.source === first?.source && isWithin(scope.node, one.start);
  return first !== undefined &&
    sourceOfNode(first.view.module, scope.node) === first.source &&
    references.every(isAround)
    ? scope
    : undefined;
}

function isWithin({ start, end }: ast.Node, offset: number): boolean {
  return start <= offset && offset < end;
}

function classesWith(view: View, { member, first }: Meaning & { of: 'member' }) {
  const owners = [member.owner, first.owner];
  const { classes } = view.analysis.types.of(view.module.id).program;
  return [
    ...owners,
    ...[...classes.values()].filter((cls) =>
      cls.bases.some((base) => owners.some(({ decl }) => decl !== undefined && decl === base.decl)),
    ),
  ];
}

/** Edits where the function that sets a cell of state is named: its name is made of the cell's. */
function setterEdits(view: View, meanings: readonly Meaning[], from: string, to: string): Renaming['edits'] {
  return meanings.flatMap((meaning) => {
    if (meaning.of !== 'local' || meaning.binding.decl?.kind !== 'HasItem' || isRefCell(meaning.binding.decl))
      return [];
    const component = meaning.binding.scope.node;
    return viewsOf(view.analysis)
      .filter(({ module, source }) => module.id === meaning.module && source.text.includes(setterOf(from)))
      .flatMap((one) => {
        const homes: ast.Node[] = sourceOfNode(one.module, component) === one.source ? [component] : [];
        const setters: ast.NameRef[] = [];
        forEachNode(one, (node) => {
          if (node.kind === 'ImplDecl' && one.names.declOf(node) === component) homes.push(node);
          else if (node.kind === 'NameRef' && node.name === setterOf(from)) setters.push(node);
        });
        return setters
          .filter((node) => one.names.binding(node).sort === 'unresolved')
          .filter(({ start, end }) => homes.some((home) => home.start <= start && end <= home.end))
          .map(({ start, end }) => ({ source: one.source, start, end, text: setterOf(to) }));
      });
  });
}

/** The edit of one place; none where the text spells the name in another way. */
function editOf({ source, start, end, site }: Reference, from: string, to: string): Renaming['edits'] {
  if (source.text.slice(start, end) !== from || site.name !== from) return [];
  return [{ source, start, end, text: to }];
}

function warningFor(view: View, meanings: readonly Meaning[]): string | undefined {
  for (const meaning of meanings) {
    const decl = declOf(meaning);
    const home = decl && declaredAt(view, meaning);
    if (decl === undefined || home === undefined) continue;
    const homeView: View = {
      ...view,
      module: home.module,
      source: home.name.source,
      names: view.analysis.names.of(home.module.id),
    };
    if (servedPath(decl, homeView) !== undefined)
      return 'It is served under this name: callers outside of the project may use it.';
    const owner: ast.Node | undefined = meaning.of === 'member' ? meaning.member.owner.decl : undefined;
    if (owner?.kind === 'Archetype' && decl.kind === 'HasItem')
      return 'Stored objects, requests and answers have this field: callers outside of the project may use it.';
    if (decl.kind === 'Param' && isParamOfServed(view, homeView, decl))
      return 'Requests have this parameter: callers outside of the project may use it.';
  }
  return undefined;
}

function isParamOfServed(view: View, home: View, param: ast.Param): boolean {
  let found = false;
  for (const one of viewsOf(view.analysis)) {
    if (one.module !== home.module) continue;
    forEachNode(one, (node) => {
      if (node.kind === 'FunctionDecl' && node.signature.params.includes(param) && servedPath(node, one) !== undefined)
        found = true;
    });
  }
  return found;
}
