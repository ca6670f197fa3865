/** Capabilities of the server, all announced when a client connects. */
import { CodeActionKind, type ServerCapabilities, TextDocumentSyncKind } from 'vscode-languageserver';
import { tokenModifiers, tokenTypes } from '../../lang/editor/tokens.ts';

export const capabilities: ServerCapabilities = {
  positionEncoding: 'utf-16',
  textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: { includeText: false } },
  completionProvider: { triggerCharacters: ['.', ':', '<', '"', '/', '@', '{', '('], resolveProvider: false },
  hoverProvider: true,
  signatureHelpProvider: { triggerCharacters: ['(', ','] },
  definitionProvider: true,
  typeDefinitionProvider: true,
  implementationProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  renameProvider: { prepareProvider: true },
  documentSymbolProvider: true,
  workspaceSymbolProvider: true,
  semanticTokensProvider: {
    legend: { tokenTypes: [...tokenTypes], tokenModifiers: [...tokenModifiers] },
    full: true,
    range: true,
  },
  foldingRangeProvider: true,
  selectionRangeProvider: true,
  inlayHintProvider: true,
  callHierarchyProvider: true,
  documentFormattingProvider: true,
  documentRangeFormattingProvider: true,
  codeActionProvider: {
    codeActionKinds: [
      CodeActionKind.QuickFix,
      CodeActionKind.RefactorExtract,
      CodeActionKind.RefactorRewrite,
      CodeActionKind.SourceOrganizeImports,
    ],
  },
  codeLensProvider: { resolveProvider: false },
  documentLinkProvider: { resolveProvider: false },
  diagnosticProvider: { identifier: 'svc', interFileDependencies: true, workspaceDiagnostics: true },
  workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
};
