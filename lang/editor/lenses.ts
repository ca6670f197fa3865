/** Actions above declarations: running, debugging and calling them, and links to the files that imports lead to. */
import type * as ast from '../1-parse/ast.ts';
import { servedPath } from './describe.ts';
import { elementsOf, forEachNode, type View } from './view.ts';

export interface Lens extends ast.Span {
  readonly title: string;
  readonly command: 'run' | 'debug' | 'call' | 'stories' | 'runTest' | 'debugTest';
  readonly name: string;
}

export function lensesOf(view: View): readonly Lens[] {
  const visit = (element: ast.Element): readonly Lens[] => {
    if (element.kind === 'PlacedBlock') return element.body.flatMap(visit);
    const span = { start: element.start, end: element.end };
    if (element.kind === 'TestBlock') {
      const name = element.title?.kind === 'StringLiteral' ? element.title.value : (element.title?.text ?? '');
      return [
        { ...span, title: 'run', command: 'runTest', name },
        { ...span, title: 'debug', command: 'debugTest', name },
      ];
    }
    if (element.kind === 'EntryBlock') return [lens(span, 'run', 'run', ''), lens(span, 'debug', 'debug', '')];
    const served = servedPath(element, view);
    const name =
      (element.kind === 'Archetype' || element.kind === 'FunctionDecl' ? element.name?.text : undefined) ?? '';
    if (served !== undefined && view.names.isServer(element)) {
      const isWalker = element.kind === 'Archetype';
      const run = isWalker ? [lens(span, 'run', 'run', name), lens(span, 'debug', 'debug', name)] : [];
      return [...run, lens(span, served, 'call', name), lens(span, 'stories', 'stories', name)];
    }
    return [];
  };
  return elementsOf(view).flatMap(visit);
}

function lens(span: ast.Span, title: string, command: Lens['command'], name: string): Lens {
  return { ...span, title, command, name };
}

export interface Link extends ast.Span {
  /** Absolute path of the file. */
  readonly target: string;
}

/** Paths of imports that lead to files. */
export function linksOf(view: View): readonly Link[] {
  const found: Link[] = [];
  forEachNode(view, (node) => {
    if (node.kind !== 'ModulePath') return;
    const target = view.module.imports.get(node);
    const path =
      target?.of === 'project'
        ? view.analysis.project.modules.get(target.id)?.path
        : target?.of === 'js'
          ? target.path
          : undefined;
    if (path?.startsWith('/') === true && /\.\w+$/.test(path))
      found.push({ start: node.start, end: node.end, target: path });
  });
  return found;
}
