/** Changes that an editor offers at a place: corrections of what is wrong there, and changes that are made on wish. */
import { didYouMean } from '../../base/did-you-mean.ts';
import type { Span } from '../1-parse/ast.ts';
import type { Type } from '../3-infer/types.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { Action } from './action.ts';
import { extractFunction } from './extract.ts';
import { organiseImports, type TextEdit } from './organise.ts';
import { elementIn, elementsOf, pathAt, probeAt, typesAt, type View } from './view.ts';

/** Actions for a selection, corrections first; also of findings beside it that the editor asks about, such as those of its line. */
export function actionsIn(view: View, start: number, end: number, asked: readonly Span[] = []): readonly Action[] {
  const isAsked = (one: Span) => asked.some((span) => span.start === one.start && span.end === one.end);
  const here = view.analysis.diagnostics.filter(
    (one) => one.path === view.source.path && ((one.start <= end && start <= one.end) || isAsked(one)),
  );
  const fixes = here.flatMap((one) => fixesOf(view, one));
  const organised = organiseImports(view);
  return [
    ...fixes,
    ...abilityActions(view, start),
    ...implementActions(view, start),
    ...extractFunction(view, start, end),
    ...(organised === undefined
      ? []
      : [{ title: 'Organise imports', kind: 'source.organizeImports', edits: [organised] } as const]),
  ];
}

/** Corrections of one finding. */
function fixesOf(view: View, finding: Diagnostic): readonly Action[] {
  const fix = (title: string, ...edits: readonly TextEdit[]): Action => ({
    title,
    kind: 'quickfix',
    edits,
    fixes: finding,
  });
  const { code, help = '', params = {}, start, end } = finding;
  const found: Action[] = [];
  const words = [...help.matchAll(/`([^`]+)`/g)].map((match) => match[1]!);
  const [first] = words;
  const text = view.source.text.slice(start, end);
  if (code === 'E0120') {
    const misspelt = first === undefined ? undefined : misspeltWord(view.source.text, end, first);
    if (misspelt !== undefined) found.push(fix(`Change to \`${first}\``, { ...misspelt, text: first! }));
    const foreign = first === 'def' ? /\bfunction$/.exec(view.source.text.slice(0, end)) : null;
    if (foreign === null) found.push(fix('Add `;`', { start: end, end, text: ';' }));
    else found.push(fix('Write `def`', { start: foreign.index, end, text: 'def' }));
  }
  if (code === 'E0413' && typeof params['b'] === 'string' && typeof params['a'] === 'string') {
    const at = view.source.text.slice(start, end).lastIndexOf(params['a']);
    if (at >= 0)
      found.push(
        fix(`Change to \`${params['b']}\``, {
          start: start + at,
          end: start + at + params['a'].length,
          text: params['b'],
        }),
      );
  }
  if (code === 'E0412' && params['form'] === 'missing') found.push(...argumentFix(view, finding, fix));
  if (code === 'E0301') {
    if (first !== undefined && /^import /.test(first)) found.push(fix(`Add \`${first}\``, importEdit(view, first)));
    else if (first !== undefined && isWord(first) && /^(did you mean|write)/.test(help))
      found.push(fix(`Change to \`${first}\``, { start, end, text: first }));
    for (const module of modulesWith(view, text))
      found.push(fix(`Import \`${text}\` from \`${module}\``, importEdit(view, `import from ${module} { ${text} }`)));
  } else if (code === 'E0151') found.push(fix('Write `not`', { start, end, text: 'not ' }));
  else if (code !== 'E0120' && code !== 'E0413' && /^did you mean/.test(help) && isWord(first ?? '') && isWord(text))
    found.push(fix(`Change to \`${first}\``, { start, end, text: first! }));
  else if (
    first !== undefined &&
    words.length === 1 &&
    (code.startsWith('W01') || code === 'E0155') &&
    isPlain(first) &&
    !text.includes('\n')
  )
    found.push(fix(`Write \`${first}\``, { start, end, text: first }));
  else if (code === 'W0209')
    found.push(fix(`Remove \`${text}\``, { ...tagAround(view.source.text, start, end), text: '' }));
  else if (code === 'W0221') found.push(fix('Write `def`', { start, end: start + 'can'.length, text: 'def' }));
  else if (code === 'W0404' && isImported(view, start)) {
    const organised = organiseImports(view, start);
    if (organised !== undefined) found.push(fix('Remove imports that nobody uses', organised));
  }
  return found;
}

/** Finds the word beside a place, the one before it first, for which `meant` may be meant. */
function misspeltWord(text: string, offset: number, meant: string): Span | undefined {
  const before = /[A-Za-z]*$/.exec(text.slice(Math.max(0, offset - 40), offset))![0];
  const [space, after] = /^(\s*)([A-Za-z]*)/.exec(text.slice(offset, offset + 40))!.slice(1) as [string, string];
  const from = offset + space.length;
  const words = [
    { word: before, start: offset - before.length, end: offset },
    { word: after, start: from, end: from + after.length },
  ];
  const found = words.find(({ word }) => didYouMean(word, [meant]) !== undefined);
  return found && { start: found.start, end: found.end };
}

/** A tag with its colon, which stands before it, or behind it with the space there. */
function tagAround(text: string, start: number, end: number): Span {
  const before = /:\s*$/.exec(text.slice(0, start));
  if (before !== null) return { start: before.index, end };
  return { start, end: end + /^\s*:?\s*/.exec(text.slice(end))![0].length };
}

function isWord(text: string): boolean {
  return /^[A-Za-z_][\w.]*$/.test(text);
}

/** Source text without places to fill in. */
function isPlain(text: string): boolean {
  return !text.includes('…') && text.length < 80;
}

function isImported(view: View, offset: number): boolean {
  return pathAt(view, offset).some(({ kind }) => kind === 'ImportFrom' || kind === 'ImportModules');
}

/** Adds an import behind those that are there, or at the beginning. */
function importEdit(view: View, line: string): TextEdit {
  const imports = elementsOf(view).filter(
    ({ kind }) => kind === 'ImportFrom' || kind === 'ImportModules' || kind === 'Include',
  );
  const last = imports.at(-1);
  if (last !== undefined) return { start: last.end, end: last.end, text: `\n${line}` };
  const { doc } = view.module.tree;
  if (doc !== undefined && view.source === view.module.source)
    return { start: doc.end, end: doc.end, text: `\n\n${line}` };
  return { start: 0, end: 0, text: `${line}\n\n` };
}

/** Paths of modules of the project that declare a name. */
function modulesWith(view: View, name: string): readonly string[] {
  if (!/^[A-Za-z_]\w*$/.test(name)) return [];
  const found = [...view.analysis.project.modules.keys()].filter((id) => {
    const binding = view.analysis.names.of(id).bindings.get(name);
    return id !== view.module.id && binding !== undefined && binding.role !== 'import' && binding.access !== 'priv';
  });
  return found.slice(0, 3);
}

function argumentFix(
  view: View,
  { start, end, params = {} }: Diagnostic,
  fix: (title: string, ...edits: readonly TextEdit[]) => Action,
): readonly Action[] {
  const path = pathAt(view, Math.max(start, end - 1));
  const call = path.findLast((node) => node.kind === 'Call' && node.start <= start);
  const name = String(params['p'] ?? '');
  if (call?.kind !== 'Call' || name === '' || view.source.text.charAt(call.end - 1) !== ')') return [];
  const comma = call.args.length === 0 ? '' : ', ';
  const callee = typesAt(view, elementIn(path)).of(call.callee);
  const takes = callee.t === 'class' ? callee.cls.constructorFields : 'fn' in callee ? callee.fn.params : ([] as const);
  const value = exampleOf(takes.find((one) => one.name === name)?.type);
  return [fix(`Add \`${name}\``, { start: call.end - 1, end: call.end - 1, text: `${comma}${name}=${value}` })];
}

const examples: Readonly<Partial<Record<Type['t'], string>>> = {
  str: '""',
  int: '0',
  float: '0.0',
  bool: 'False',
  bytes: 'b""',
  list: '[]',
  dict: '{}',
  set: 'set()',
  tuple: '()',
};

/** A value of a type, as short as it can be written, for somebody to put the right one in its place. */
function exampleOf(type: Type | undefined): string {
  if (type === undefined) return 'None';
  if (type.t === 'union') return type.of.some(({ t }) => t === 'none') ? 'None' : exampleOf(type.of[0]);
  if (type.t === 'instance' && type.cls.kind === 'enum') return `${type.cls.name}.${type.cls.members[0] ?? ''}`;
  if (type.t === 'instance' && type.cls.decl !== undefined) return `${type.cls.name}()`;
  return examples[type.t] ?? 'None';
}

/** An ability for a class of nodes that a walker has none for. */
function abilityActions(view: View, offset: number): readonly Action[] {
  const walker = pathAt(view, probeAt(view.source.text, offset)).findLast((node) => node.kind === 'Archetype');
  if (
    walker?.kind !== 'Archetype' ||
    walker.archetype !== 'walker' ||
    walker.members === undefined ||
    offset > walker.name.end
  )
    return [];
  const handled = new Set(
    walker.members.flatMap((member) =>
      member.kind === 'Ability' && member.event.trigger?.kind === 'NameRef' ? [member.event.trigger.name] : [],
    ),
  );
  const nodes = [...view.names.bindings.values()].flatMap((binding) => {
    const decl = view.analysis.names.follow(binding)?.decl;
    return decl?.kind === 'Archetype' && decl.archetype === 'node' ? [binding.name] : [];
  });
  const at = walker.end - 1;
  if (view.source.text.charAt(at) !== '}') return [];
  return ['Root', ...nodes]
    .filter((name) => !handled.has(name))
    .slice(0, 5)
    .map((name) => {
      const text = `\n    can on_${name.toLowerCase()} with ${name} entry {\n    }\n`;
      return {
        title: `Add an ability for \`${name}\``,
        kind: 'refactor.rewrite',
        edits: [{ start: at, end: at, text }],
      };
    });
}

/** Bodies for what is declared without one. */
function implementActions(view: View, offset: number): readonly Action[] {
  const path = pathAt(view, probeAt(view.source.text, offset));
  const decl = path.findLast((node) => node.kind === 'FunctionDecl' || node.kind === 'Ability');
  if (
    (decl?.kind !== 'FunctionDecl' && decl?.kind !== 'Ability') ||
    decl.body.kind !== 'NoBody' ||
    view.names.implOf(decl) !== undefined
  )
    return [];
  const owner = path.findLast((node) => node.kind === 'Archetype');
  if (decl.name === undefined) return [];
  const name = owner?.kind === 'Archetype' ? `${owner.name.text}.${decl.name.text}` : decl.name.text;
  const head =
    decl.kind === 'Ability'
      ? view.source.text.slice(decl.event.start, decl.event.end)
      : view.source.text.slice(decl.signature.start, decl.signature.end);
  const { text } = view.source;
  const edit = {
    start: text.length,
    end: text.length,
    text: `${text.endsWith('\n') ? '' : '\n'}\nimpl ${name}${decl.kind === 'Ability' ? ' ' : ''}${head} {\n}\n`,
  };
  return [{ title: `Implement \`${name}\``, kind: 'refactor.rewrite', edits: [edit] }];
}
