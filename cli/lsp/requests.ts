/** Handlers of all requests about a place in a file. Broken text and unknown files give null or an empty list. */
import {
  type CancellationToken,
  type Connection,
  LSPErrorCodes,
  type Position,
  type Range,
  ResponseError,
} from 'vscode-languageserver';
import { actionsIn } from '../../lang/editor/actions.ts';
import { type CallEdge, callItemAt, incomingCalls, outgoingCalls } from '../../lang/editor/calls.ts';
import { completionAt } from '../../lang/editor/complete/completion.ts';
import { definitionsAt, implementationsAt, typeDefinitionsAt } from '../../lang/editor/definition.ts';
import { hoverAt } from '../../lang/editor/hover.ts';
import { hintsIn } from '../../lang/editor/inlay.ts';
import { lensesOf, linksOf } from '../../lang/editor/lenses.ts';
import { foldsOf } from '../../lang/editor/ranges.ts';
import { highlightsAt, referencesAt } from '../../lang/editor/references.ts';
import { renameAt, renameableAt } from '../../lang/editor/rename.ts';
import { signatureAt } from '../../lang/editor/signature.ts';
import { searchSymbols, symbolsOf } from '../../lang/editor/symbols.ts';
import { tokensOf } from '../../lang/editor/tokens.ts';
import { type View, viewsOf } from '../../lang/editor/view.ts';
import * as answers from './answers.ts';
import { symbolKinds } from './kinds.ts';
import { layoutEdits } from './layout.ts';
import { offsetOf, rangeOf } from './positions.ts';
import type { Extent, Units } from './units.ts';
import { pathOfUri, uriOfPath } from './uris.ts';

export interface RequestOptions {
  readonly units: Units;
  /** The client asks people before it makes edits that are marked so. */
  readonly asksBeforeEdits: () => boolean;
  readonly onFailure: (error: unknown) => void;
}

type Document = { readonly textDocument: { readonly uri: string } };
type At = Document & { readonly position: Position };

const mostSymbols = 500;

export function answerRequests(connection: Connection, { units, asksBeforeEdits, onFailure }: RequestOptions): void {
  /**
   * Answers from the view of the file; a request that was cancelled meanwhile is told so, a mistake of the server gives nothing. `extent`: is more of the
   * program asked than what concerns files that are open?
   */
  const about =
    <P extends Document, R>(nothing: R, answer: (view: View, params: P) => R | Promise<R>, extent: Extent = 'open') =>
    async (params: P, token: CancellationToken): Promise<R> => {
      try {
        const path = pathOfUri(params.textDocument.uri);
        const view = path === undefined ? undefined : await units.viewOf(path, extent);
        if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled');
        return view === undefined ? nothing : await answer(view, params);
      } catch (error) {
        if (error instanceof ResponseError) throw error;
        onFailure(error);
        return nothing;
      }
    };
  const at = <R>(nothing: R, answer: (view: View, offset: number) => R, extent: Extent = 'open') =>
    about<At, R>(nothing, (view, { position }) => answer(view, offsetOf(view.source, position)), extent);

  connection.onCompletion(
    at(
      null,
      (view, offset) => answers.completionList(view, completionAt(view, offset, units.world(view)), offset),
      'typed',
    ),
  );
  connection.onHover(
    at(
      null,
      (view, offset) => {
        const found = hoverAt(view, offset);
        return found === undefined
          ? null
          : { contents: { kind: 'markdown', value: found.text }, range: rangeOf(view.source, found) };
      },
      'whole',
    ),
  );
  connection.onSignatureHelp(
    at(null, (view, offset) => {
      const found = signatureAt(view, offset);
      if (found === undefined) return null;
      const { label, params, active, doc } = found;
      const parameters = params.map(([start, end]) => ({ label: [start, end] as [number, number] }));
      const signature = {
        label,
        parameters,
        ...(doc === undefined ? {} : { documentation: { kind: 'markdown', value: doc } as const }),
      };
      return { signatures: [signature], activeSignature: 0, activeParameter: active };
    }),
  );
  const locations = (view: View, targets: ReturnType<typeof definitionsAt>) =>
    targets.map((target) => answers.locationOf(view.analysis.project, target));
  connection.onDefinition(at([], (view, offset) => locations(view, definitionsAt(view, offset)), 'whole'));
  connection.onTypeDefinition(at([], (view, offset) => locations(view, typeDefinitionsAt(view, offset)), 'whole'));
  connection.onImplementation(at([], (view, offset) => locations(view, implementationsAt(view, offset)), 'whole'));
  connection.onReferences(
    about<At & { readonly context: { readonly includeDeclaration: boolean } }, ReturnType<typeof locations>>(
      [],
      (view, { position, context }) =>
        locations(view, referencesAt(view, offsetOf(view.source, position), context.includeDeclaration)),
      'whole',
    ),
  );
  connection.onDocumentHighlight(
    at([], (view, offset) =>
      highlightsAt(view, offset).map((one) => ({
        range: rangeOf(view.source, one),
        kind: one.binds ? (3 as const) : (2 as const),
      })),
    ),
  );
  connection.onPrepareRename(
    at(
      null,
      (view, offset) => {
        const site = renameableAt(view, offset);
        if ('refused' in site) throw new ResponseError(LSPErrorCodes.RequestFailed, site.refused);
        return { range: rangeOf(view.source, site), placeholder: site.name };
      },
      'whole',
    ),
  );
  connection.onRenameRequest(
    about<At & { readonly newName: string }, ReturnType<typeof answers.renameEdit> | null>(
      null,
      (view, { position, newName }) => {
        const renamed = renameAt(view, offsetOf(view.source, position), newName);
        if (renamed.refused !== undefined) throw new ResponseError(LSPErrorCodes.RequestFailed, renamed.refused);
        return answers.renameEdit(view.analysis.project, renamed, asksBeforeEdits());
      },
      'whole',
    ),
  );
  connection.onDocumentSymbol(
    about([], (view) => symbolsOf(view).map((one) => answers.documentSymbol(view.source, one))),
  );
  connection.onFoldingRanges(
    about([], (view) =>
      foldsOf(view).map((fold) => {
        const { start, end } = rangeOf(view.source, fold);
        return { startLine: start.line, endLine: end.line, ...(fold.kind === 'code' ? {} : { kind: fold.kind }) };
      }),
    ),
  );
  connection.onSelectionRanges(
    about<Document & { readonly positions: readonly Position[] }, ReturnType<typeof answers.selectionRange>[]>(
      [],
      (view, { positions }) =>
        positions.map((position) => answers.selectionRange(view, offsetOf(view.source, position))),
    ),
  );
  connection.languages.semanticTokens.on(
    about({ data: [] as number[] }, (view) => ({ data: answers.tokenNumbers(view.source, tokensOf(view)) })),
  );
  connection.languages.semanticTokens.onRange(
    about({ data: [] as number[] }, (view, { range }) => {
      const [start, end] = [offsetOf(view.source, range.start), offsetOf(view.source, range.end)];
      return {
        data: answers.tokenNumbers(
          view.source,
          tokensOf(view).filter((token) => token.end > start && token.start < end),
        ),
      };
    }),
  );
  connection.languages.inlayHint.on(
    about([], (view, { range }) =>
      hintsIn(view, offsetOf(view.source, range.start), offsetOf(view.source, range.end)).map((one) =>
        answers.inlayHint(view.source, one),
      ),
    ),
  );
  connection.onDocumentFormatting(about(null, (view) => layoutEdits(view.source) ?? null));
  connection.onDocumentRangeFormatting(
    about(
      null,
      (view, { range }) =>
        layoutEdits(view.source, {
          start: offsetOf(view.source, range.start),
          end: offsetOf(view.source, range.end),
        }) ?? null,
    ),
  );
  connection.onCodeAction(
    about(
      [],
      (view, { range, context }) => {
        const spanOf = ({ start, end }: Range) => ({
          start: offsetOf(view.source, start),
          end: offsetOf(view.source, end),
        });
        const { start, end } = spanOf(range);
        const asked = context.diagnostics.map((one) => spanOf(one.range));
        const found = actionsIn(view, start, end, asked);
        const wanted =
          context.only === undefined
            ? found
            : found.filter(({ kind }) => context.only!.some((one) => kind === one || kind.startsWith(`${one}.`)));
        return wanted.map((one) => answers.codeAction(view.analysis, view.source, one));
      },
      'whole',
    ),
  );
  connection.onCodeLens(
    about([], (view) =>
      lensesOf(view).map(({ start, end, title, command, name }) => {
        const uri = answers.uriOfSource(view.analysis.project, view.source);
        return {
          range: rangeOf(view.source, { start, end: Math.min(end, start + 1) }),
          command: { title, command: `svc.${command}`, arguments: [{ uri, name }] },
        };
      }),
    ),
  );
  connection.onDocumentLinks(
    about([], (view) =>
      linksOf(view).map((link) => ({ range: rangeOf(view.source, link), target: uriOfPath(link.target) })),
    ),
  );
  answerCalls(connection, at, about);
  connection.onWorkspaceSymbol(async ({ query }, token) => {
    const all = await units.all();
    if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled');
    return all.flatMap((analysis) =>
      searchSymbols(viewsOf(analysis), query, mostSymbols).map(({ view, symbol, inside }) => ({
        name: symbol.name,
        kind: symbolKinds[symbol.kind],
        location: {
          uri: answers.uriOfSource(analysis.project, view.source),
          range: rangeOf(view.source, { start: symbol.nameStart, end: symbol.nameEnd }),
        },
        ...(inside === '' ? {} : { containerName: inside }),
      })),
    );
  });
}

function answerCalls(
  connection: Connection,
  at: <R>(
    nothing: R,
    answer: (view: View, offset: number) => R,
    extent: Extent,
  ) => (params: At, token: CancellationToken) => Promise<R>,
  about: <P extends Document, R>(
    nothing: R,
    answer: (view: View, params: P) => R,
    extent: Extent,
  ) => (params: P, token: CancellationToken) => Promise<R>,
): void {
  connection.languages.callHierarchy.onPrepare(
    at(
      null,
      (view, offset) => {
        const item = callItemAt(view, offset);
        return item === undefined ? null : [answers.callItem(view.analysis.project, item)];
      },
      'whole',
    ),
  );
  type Ask = (view: View, offset: number) => readonly CallEdge[];
  const edges = (ask: Ask) =>
    about<
      Document & { readonly position: Position },
      { item: ReturnType<typeof answers.callItem>; ranges: ReturnType<typeof answers.rangesOf> }[]
    >(
      [],
      (view, { position }) =>
        ask(view, offsetOf(view.source, position)).map(({ item, at: places }) => ({
          item: answers.callItem(view.analysis.project, item),
          ranges: answers.rangesOf(places),
        })),
      'whole',
    );
  const [incoming, outgoing] = [edges(incomingCalls), edges(outgoingCalls)];
  connection.languages.callHierarchy.onIncomingCalls(async ({ item }, token) =>
    (await incoming({ textDocument: item, position: item.selectionRange.start }, token)).map(
      ({ item: from, ranges }) => ({ from, fromRanges: ranges }),
    ),
  );
  connection.languages.callHierarchy.onOutgoingCalls(async ({ item }, token) =>
    (await outgoing({ textDocument: item, position: item.selectionRange.start }, token)).map(
      ({ item: to, ranges }) => ({ to, fromRanges: ranges }),
    ),
  );
}
