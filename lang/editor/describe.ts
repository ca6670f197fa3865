/** Words about what a name means: its declaration as written, documentation, access, path it is served at, and whether it waits. */
import type * as ast from '../1-parse/ast.ts';
import { isMarked, isRestSpec } from '../2-resolve/is-marked.ts';
import { typeText } from '../3-infer/classes/type-values.ts';
import type { BuiltinSignature } from '../3-infer/functions/builtin-signatures.ts';
import type { FunctionInfo, ParamInfo } from '../3-infer/types.ts';
import { declaredAt } from './declared.ts';
import { declOf, keyOf, type Meaning } from './meanings.ts';
import { sitesOf } from './sites.ts';
import { textOf } from './symbols.ts';
import { elementsOf, isOfBrowserHalf, sourceOfNode, type View, viewsOf } from './view.ts';

export interface Description {
  /** Source text of the language. */
  readonly code: string;
  /** Sentences and documentation, in Markdown. */
  readonly lines: readonly string[];
}

export function describe(view: View, meaning: Meaning): Description {
  const { builtins } = view.analysis.types.of(view.module.id).program;
  switch (meaning.of) {
    case 'builtin': {
      const signature = builtins.functions.get(meaning.name);
      return { code: signature === undefined ? meaning.name : signatureText(signature), lines: ['Built in.'] };
    }
    case 'method': {
      const signature = builtins.methods[meaning.receiver as 'str'].get(meaning.name);
      return {
        code: signature === undefined ? meaning.name : `${meaning.receiver}.${signatureText(signature)}`,
        lines: [],
      };
    }
    case 'standard': {
      const { module, member } = meaning;
      const signature = member === undefined ? undefined : builtins.standard.get(`${module}.${member}`);
      const name = member === undefined ? `import ${module}` : `${module}.${member}`;
      const code =
        signature !== undefined && signature.params.length > 0 ? `${module}.${signatureText(signature)}` : name;
      return { code, lines: ['Standard module.', ...(signature?.waits === 'always' ? ['May wait.'] : [])] };
    }
    case 'js':
      return {
        code: meaning.member ?? `import "${meaning.specifier}"`,
        lines: [`Of the JavaScript module \`${meaning.specifier}\`.`],
      };
    case 'special':
      return { code: meaning.word, lines: [specialWords[meaning.word]] };
    case 'project-module': {
      const module = view.analysis.project.modules.get(meaning.id);
      const waits = view.analysis.types.of(meaning.id)?.suspends(module!.tree) === true;
      return {
        code: `module ${meaning.id}`,
        lines: [...docLines(module?.tree.doc), ...(waits ? ['Loading it may wait.'] : [])],
      };
    }
    case 'guess':
      return { code: meaning.name, lines: ['The type of what it is read from is not known.'] };
    default:
      return describeDeclared(view, meaning);
  }
}

const specialWords: Readonly<Record<ast.SpecialRef['word'], string>> = {
  self: 'The object whose method or ability runs.',
  super: 'The base of the class.',
  here: 'The node or edge where the walker is.',
  visitor: 'The walker that visits.',
  root: "The caller's root.",
  props: 'The properties given to the component.',
};

function describeDeclared(view: View, meaning: Meaning): Description {
  const declared = declaredAt(view, meaning);
  const decl = declOf(meaning);
  if (declared === undefined || decl === undefined) {
    const binding = meaning.of === 'local' || meaning.of === 'module-name' ? meaning.binding : undefined;
    return { code: binding?.name ?? '', lines: [] };
  }
  const home: View = {
    ...view,
    module: declared.module,
    source: declared.name.source,
    names: view.analysis.names.of(declared.module.id),
  };
  const lines: string[] = [];
  const doc = 'doc' in decl ? decl.doc : undefined;
  lines.push(...docLines(doc));
  const sem = semOf(view, meaning);
  if (sem !== undefined) lines.push(`*sem*: ${sem}`);
  const types = view.analysis.types.of(declared.module.id);
  const served = servedPath(decl, home);
  if (served !== undefined) lines.push(`Served at \`${served}\`.`);
  const access = isOfBrowserHalf(home, decl) ? undefined : accessOf(decl, meaning);
  if (access !== undefined) lines.push(access);
  if ((decl.kind === 'FunctionDecl' || decl.kind === 'Ability') && types.suspends(decl)) lines.push('May wait.');
  return { code: headOf(home, decl, meaning), lines };
}

function docLines(doc: ast.StringLiteral | undefined): readonly string[] {
  return doc === undefined ? [] : [doc.value.trim()];
}

/** The head of a declaration as written, without its body. */
export function headOf(view: View, decl: ast.Node, meaning: Meaning | undefined): string {
  const owner = meaning?.of === 'member' ? `${meaning.member.owner.name}: ` : '';
  switch (decl.kind) {
    case 'FunctionDecl': {
      const { async, static: isStatic, class: isClass } = decl.mods;
      const words = [async ? 'async' : '', isStatic ? 'static' : '', isClass ? 'class' : '', 'def'].filter(
        (word) => word !== '',
      );
      const written = textOf(view, decl.signature);
      return `${owner}${words.join(' ')}${decl.access === undefined ? '' : `:${decl.access}`} ${decl.name?.text ?? ''}${written === '' ? '()' : written.startsWith('(') ? written : ` ${written}`}`;
    }
    case 'Ability':
      return `${owner}can ${decl.name?.text ?? ''} ${textOf(view, decl.event)}`;
    case 'Archetype': {
      const bases = decl.bases.length === 0 ? '' : `(${decl.bases.map((base) => textOf(view, base)).join(', ')})`;
      const fields = (decl.members ?? []).flatMap((member) => (member.kind === 'HasDecl' ? member.items : []));
      const shown = fields.slice(0, 12).map((item) => `    has ${textOf(view, item)};`);
      const body =
        shown.length === 0 ? '' : ` {\n${shown.join('\n')}${fields.length > shown.length ? '\n    …' : ''}\n}`;
      return `${decl.archetype}${decl.access === undefined ? '' : `:${decl.access}`} ${decl.name.text}${bases}${body}`;
    }
    case 'EnumDecl': {
      const members = (decl.members ?? []).map((member) => textOf(view, member));
      return `enum ${decl.name.text} { ${members.slice(0, 12).join(', ')}${members.length > 12 ? ', …' : ''} }`;
    }
    case 'HasItem':
      return `${owner}has ${textOf(view, decl)}`;
    case 'Param':
      return textOf(view, decl);
    case 'GlobItem':
      return `glob ${textOf(view, decl)}`;
    case 'TypeAlias':
      return textOf(view, decl);
    default:
      return textOf(view, decl).slice(0, 200);
  }
}

/** `POST /walker/Name`, or of a function; undefined for what is not served. */
export function servedPath(decl: ast.Node, view: View): string | undefined {
  const { names } = view;
  if (isOfBrowserHalf(view, decl)) return undefined;
  if (decl.kind === 'Archetype' && decl.archetype === 'walker') {
    const spec = decl.decorators.find(isRestSpec);
    return `${methodOf(spec) ?? 'POST'} ${pathOf(spec) ?? `/walker/${decl.name.text}`}`;
  }
  if (decl.kind === 'FunctionDecl' && decl.name !== undefined && isMarked(decl, names)) {
    const spec = decl.decorators.find(isRestSpec);
    return `${methodOf(spec) ?? 'POST'} ${pathOf(spec) ?? `/function/${decl.name.text}`}`;
  }
  return undefined;
}

function methodOf(spec: ast.Call | undefined): string | undefined {
  const value = spec?.args.find(({ name }) => name?.text === 'method')?.value;
  return value?.kind === 'Attribute' ? value.name.text : undefined;
}

function pathOf(spec: ast.Call | undefined): string | undefined {
  const value = spec?.args.find(({ name }) => name?.text === 'path')?.value;
  return value?.kind === 'StringLiteral' ? value.value : undefined;
}

function accessOf(decl: ast.Node, meaning: Meaning): string | undefined {
  const own = 'access' in decl ? decl.access : undefined;
  const access =
    own ?? (meaning.of === 'member' ? meaning.member.owner.fields.get(meaning.member.name)?.access : undefined);
  const isServed = decl.kind === 'Archetype' && decl.archetype === 'walker';
  if (access === undefined) return isServed ? 'Callers sign in.' : undefined;
  if (access === 'pub') return isServed || decl.kind === 'FunctionDecl' ? 'Public: anybody may call it.' : 'Public.';
  return access === 'priv' ? 'Private.' : 'Protected.';
}

/** The text of the `sem` statement about a declaration. */
function semOf(view: View, meaning: Meaning): string | undefined {
  const key = keyOf(meaning);
  for (const one of viewsOf(view.analysis)) {
    if (!one.source.text.includes('sem ')) continue;
    for (const element of elementsOf(one)) {
      if (element.kind !== 'SemDecl' || element.text.kind !== 'StringLiteral') continue;
      const site = sitesOf(one, element, element).at(-1);
      if (site?.meanings().some((other) => keyOf(other) === key)) return element.text.value;
    }
  }
  return undefined;
}

export function signatureText({ name, params, result }: BuiltinSignature): string {
  const given =
    result.rule === 'type' && result.type.t !== 'any'
      ? ` -> ${typeText(result.type)}`
      : result.rule === 'of' && result.t !== 'union'
        ? ` -> ${result.t}`
        : '';
  return `${name}(${params.map((param) => paramText(param)).join(', ')})${given}`;
}

export function paramText({ name, kind, type, optional }: ParamInfo): string {
  const stars = kind === 'args' ? '*' : kind === 'kwargs' ? '**' : '';
  const shown = type.t === 'any' ? '' : `: ${typeText(type)}`;
  return `${stars}${name}${shown}${optional && stars === '' ? ' = …' : ''}`;
}

/** A function of the program on one line. */
export function functionText(view: View, fn: FunctionInfo): string {
  const module = view.analysis.project.modules.get(fn.module);
  if (module !== undefined && fn.decl?.kind === 'FunctionDecl') {
    const home = { ...view, module, source: sourceOfNode(module, fn.decl) };
    return headOf(home, fn.decl, undefined);
  }
  return `def ${fn.name}(${fn.params.map(paramText).join(', ')}) -> ${typeText(fn.result)}`;
}
