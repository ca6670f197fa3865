/** Answers of `lang/editor/` in the shapes of the protocol. */
import {
  type CallHierarchyItem,
  type CodeAction,
  type CompletionList,
  type Diagnostic,
  DiagnosticSeverity,
  type DocumentSymbol,
  type InlayHint,
  InlayHintKind,
  InsertTextFormat,
  type Location,
  MarkupKind,
  type SelectionRange,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import type { Analysis } from '../../lang/analysis.ts';
import type { Diagnostic as Finding } from '../../lang/diagnostics.ts';
import type { Action } from '../../lang/editor/action.ts';
import type { CallItem } from '../../lang/editor/calls.ts';
import type { Completion } from '../../lang/editor/complete/completion.ts';
import type { Target } from '../../lang/editor/definition.ts';
import type { Hint } from '../../lang/editor/inlay.ts';
import { selectionsAt } from '../../lang/editor/ranges.ts';
import type { Renaming } from '../../lang/editor/rename.ts';
import type { DocumentSymbol as Symbol } from '../../lang/editor/symbols.ts';
import { type Token, tokenModifiers, tokenTypes } from '../../lang/editor/tokens.ts';
import type { Place, View } from '../../lang/editor/view.ts';
import type { Project } from '../../lang/project.ts';
import type { Source } from '../../lang/source.ts';
import { callKinds, completionKinds, symbolKinds } from './kinds.ts';
import { positionOf, rangeOf } from './positions.ts';
import { pathOfSource } from './units.ts';
import { uriOfPath } from './uris.ts';

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  note: DiagnosticSeverity.Information,
} as const;

export function uriOfSource(project: Pick<Project, 'root'>, source: Source): string {
  return uriOfPath(pathOfSource(project, source));
}

/** Findings in one file, in the words of `svc check`. */
export function diagnosticsIn(analysis: Analysis, source: Source): Diagnostic[] {
  return analysis.diagnostics
    .filter(({ path }) => path === source.path)
    .map((one) => shownDiagnostic(analysis, source, one));
}

/** One finding. `analysis`: what has the other files that it speaks of. */
export function shownDiagnostic(
  analysis: Analysis | undefined,
  source: Source,
  { code, severity, message, start, end, help, related }: Finding,
): Diagnostic {
  const places = (related ?? []).flatMap((one) => {
    const other = analysis && sourceAt(analysis.project, one.path);
    return analysis === undefined || other === undefined
      ? []
      : [{ message: one.message, location: { uri: uriOfSource(analysis.project, other), range: rangeOf(other, one) } }];
  });
  return {
    range: rangeOf(source, { start, end }),
    severity: severities[severity],
    code,
    source: 'svc',
    message: help === undefined ? message : `${message}\n${help}`,
    ...(code === 'W0404' ? { tags: [1] } : {}),
    ...(places.length > 0 ? { relatedInformation: places } : {}),
  };
}

function sourceAt(project: Project, path: string): Source | undefined {
  for (const { sources } of project.modules.values()) {
    const found = sources.find((one) => one.path === path);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function locationOf(project: Project, target: Target): Location {
  if ('file' in target) {
    const source = { path: target.file, text: target.text };
    return { uri: uriOfPath(target.file), range: rangeOf(source, target) };
  }
  return { uri: uriOfSource(project, target.source), range: rangeOf(target.source, target) };
}

export function completionList(
  { source }: View,
  { items, start, isPartial }: Completion,
  offset: number,
): CompletionList {
  const range = rangeOf(source, { start, end: offset });
  return {
    isIncomplete: isPartial,
    items: items.map(({ name, kind, detail, doc, insert, isSnippet, isGuess }, i) => ({
      label: name,
      kind: completionKinds[kind],
      sortText: String(i).padStart(4, '0'),
      filterText: name,
      textEdit: { range, newText: insert ?? name },
      insertTextFormat: isSnippet === true ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
      ...(isGuess === true ? { labelDetails: { description: 'guess' } } : detail === '' ? {} : { detail }),
      ...(doc === undefined ? {} : { documentation: { kind: MarkupKind.Markdown, value: doc } }),
    })),
  };
}

export function documentSymbol(
  source: Source,
  { name, kind, detail, start, end, nameStart, nameEnd, children }: Symbol,
): DocumentSymbol {
  return {
    name,
    kind: symbolKinds[kind],
    ...(detail === '' ? {} : { detail }),
    range: rangeOf(source, { start, end }),
    selectionRange: rangeOf(source, { start: nameStart, end: nameEnd }),
    children: children.map((child) => documentSymbol(source, child)),
  };
}

/** Tokens as the protocol counts them: each from the one before. */
export function tokenNumbers(source: Source, tokens: readonly Token[]): number[] {
  const data: number[] = [];
  let [line, character] = [0, 0];
  for (const { start, end, type, modifiers } of tokens) {
    const at = positionOf(source, start);
    const isSameLine = at.line === line;
    const bits = modifiers.reduce((sum, one) => sum | (1 << tokenModifiers.indexOf(one)), 0);
    data.push(
      at.line - line,
      isSameLine ? at.character - character : at.character,
      end - start,
      tokenTypes.indexOf(type),
      bits,
    );
    [line, character] = [at.line, at.character];
  }
  return data;
}

export function inlayHint(source: Source, { at, text, kind }: Hint): InlayHint {
  return {
    position: positionOf(source, at),
    label: text,
    kind: kind === 'type' ? InlayHintKind.Type : InlayHintKind.Parameter,
  };
}

export function selectionRange(view: View, offset: number): SelectionRange {
  const spans = selectionsAt(view, offset);
  let range: SelectionRange | undefined;
  for (const span of [...spans].reverse())
    range =
      range === undefined
        ? { range: rangeOf(view.source, span) }
        : { range: rangeOf(view.source, span), parent: range };
  return range ?? { range: rangeOf(view.source, { start: offset, end: offset }) };
}

export function callItem(project: Project, { name, kind, whole, nameAt }: CallItem): CallHierarchyItem {
  return {
    name,
    kind: callKinds[kind],
    uri: uriOfSource(project, whole.source),
    range: rangeOf(whole.source, whole),
    selectionRange: rangeOf(nameAt.source, nameAt),
  };
}

export function rangesOf(places: readonly Place[]) {
  return places.map((place) => rangeOf(place.source, place));
}

export function renameEdit(
  project: Project,
  { edits, warning }: Renaming,
  supportsAnnotations: boolean,
): WorkspaceEdit {
  const byUri = new Map<string, TextEdit[]>();
  for (const { source, start, end, text } of edits) {
    const uri = uriOfSource(project, source);
    const list = byUri.get(uri) ?? [];
    list.push({ range: rangeOf(source, { start, end }), newText: text });
    byUri.set(uri, list);
  }
  if (warning === undefined || !supportsAnnotations) return { changes: Object.fromEntries(byUri) };
  const documentChanges = [...byUri].map(([uri, list]) => ({
    textDocument: { uri, version: null },
    edits: list.map((edit) => ({ ...edit, annotationId: 'outside' })),
  }));
  return {
    documentChanges,
    changeAnnotations: {
      outside: { label: 'Used outside of the project', needsConfirmation: true, description: warning },
    },
  };
}

export function codeAction(analysis: Analysis, source: Source, { title, kind, edits, fixes }: Action): CodeAction {
  const changes = {
    [uriOfSource(analysis.project, source)]: edits.map(({ start, end, text }) => ({
      range: rangeOf(source, { start, end }),
      newText: text,
    })),
  };
  return {
    title,
    kind,
    edit: { changes },
    ...(fixes === undefined ? {} : { diagnostics: [shownDiagnostic(analysis, source, fixes)], isPreferred: true }),
  };
}
