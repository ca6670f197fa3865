/** Effects of taking a part of a program's tree away: sites in trees, and the code that is left without them. */
import type * as ast from '../../lang/1-parse/ast.ts';
import { compileProject } from '../../lang/compile.ts';
import type { Diagnostic } from '../../lang/diagnostics.ts';
import type { Project } from '../../lang/project.ts';
import { signatures } from '../../library/signatures/signatures.ts';

/** A part of a tree that may be taken away: an item of a list, or what an optional property holds. */
export interface Site {
  readonly module: string;
  readonly path: readonly (string | number)[];
  /** Span of the part in the text: for one without a place of its own, that of the node around it. */
  readonly span: ast.Span;
  /** `Ability > HasItem.value`, `EntryBlock > Block.statements: DeleteStatement`. The owner is the declaration around the node. */
  readonly key: string;
}

const options = { target: 'server', signatures, graph: 'sync', runtime: '#runtime', entryLabel: '__main__' } as const;

/** Generated code of all modules of both halves; '' when an error stops them. */
export function codeOf(project: Project): string {
  const client = { mode: 'production', tests: true } as const;
  const compiled = compileProject(project, { ...options, mode: 'test', rules: false, client });
  return [...compiled.modules, ...compiled.client].map(({ path, output }) => `${path}\n${output.code}`).join('\n');
}

/** Gives the findings of `svc check`. */
export function findingsOf(project: Project): readonly Diagnostic[] {
  return compileProject(project, options).diagnostics;
}

/** Lint of every other line, which tells nothing of an effect. */
const lint: ReadonlySet<string> = new Set(['W0401', 'W0402', 'W0404']);

/** Does a finding stand inside of the place? */
export function isTold(site: Site, findings: readonly Diagnostic[]): boolean {
  return findings.some(({ code, start, end }) => !lint.has(code) && start >= site.span.start && end <= site.span.end);
}

/** Takes the part away; the tree is one of its own, which nothing else uses. */
export function takeAway(project: Project, { module, path }: Site): void {
  let at: any = project.modules.get(module)!.tree;
  for (const step of path.slice(0, -1)) at = at[step];
  const last = path.at(-1)!;
  if (Array.isArray(at)) at.splice(last as number, 1);
  else at[last] = at[last] === true ? false : undefined;
}

const owners: ReadonlySet<string> = new Set([
  ...['FunctionDecl', 'Ability', 'EntryBlock', 'TestBlock', 'Lambda', 'Accessor', 'ImplDecl'],
  ...['Archetype', 'EnumDecl', 'Module', 'PlacedBlock'],
]);
/** No parts of the program: places, and what phases find out while they parse. */
const skipped: ReadonlySet<string> = new Set(['kind', 'start', 'end', 'spines', 'semicolon', 'hasList', 'escaped']);
/** Properties that hold a word and may be absent. */
const optionalWords: ReadonlySet<string> = new Set(['access', 'conversion', 'debugText']);

/** Every site below a node. `owner` stands in front of the keys. */
export function sitesOf(module: string, node: any, path: Site['path'], owner: string): Site[] {
  const found: Site[] = [];
  const visit = (value: any, at: Site['path'], around: string, label: string, span: ast.Span): void => {
    if (typeof value !== 'object' || value === null || value instanceof Map) return;
    if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) visit(item, [...at, i], around, label, span);
      return;
    }
    const name: string = value.kind ?? label;
    const own: ast.Span = value.start === undefined ? span : value;
    const inner = owners.has(value.kind) && at.length > path.length ? value.kind : around;
    for (const [field, part] of Object.entries<any>(value)) {
      if (skipped.has(field) || part === undefined || part === false || part === null || part === '') continue;
      const here = [...at, field];
      const key = `${around} > ${name}.${field}`;
      if (Array.isArray(part))
        for (const [i, item] of part.entries())
          found.push({
            module,
            path: [...here, i],
            span: item?.start === undefined ? own : item,
            key: `${key}: ${item?.kind ?? 'part'}`,
          });
      else if (typeof part === 'object' || part === true || optionalWords.has(field))
        found.push({ module, path: here, span: part.start === undefined ? own : part, key });
      visit(part, here, inner, `${name}.${field}`, own);
    }
  };
  visit(node, path, owner, '', node);
  return found;
}
