/** Kinds of things, in the numbers of the protocol. */
import { CompletionItemKind, SymbolKind } from 'vscode-languageserver';
import type { CallItem } from '../../lang/editor/calls.ts';
import type { Candidate } from '../../lang/editor/complete/candidate.ts';
import type { SymbolKind as Kind } from '../../lang/editor/symbols.ts';

export const symbolKinds: Readonly<Record<Kind, SymbolKind>> = {
  node: SymbolKind.Class,
  edge: SymbolKind.Class,
  walker: SymbolKind.Class,
  class: SymbolKind.Class,
  enum: SymbolKind.Enum,
  'enum-member': SymbolKind.EnumMember,
  function: SymbolKind.Function,
  method: SymbolKind.Method,
  ability: SymbolKind.Event,
  field: SymbolKind.Field,
  variable: SymbolKind.Variable,
  constructor: SymbolKind.Constructor,
  test: SymbolKind.Method,
  entry: SymbolKind.Namespace,
  impl: SymbolKind.Namespace,
  alias: SymbolKind.Interface,
};

export const completionKinds: Readonly<Record<Candidate['kind'], CompletionItemKind>> = {
  node: CompletionItemKind.Class,
  edge: CompletionItemKind.Class,
  walker: CompletionItemKind.Class,
  class: CompletionItemKind.Class,
  enum: CompletionItemKind.Enum,
  'enum-member': CompletionItemKind.EnumMember,
  function: CompletionItemKind.Function,
  method: CompletionItemKind.Method,
  ability: CompletionItemKind.Event,
  field: CompletionItemKind.Field,
  variable: CompletionItemKind.Variable,
  constructor: CompletionItemKind.Constructor,
  test: CompletionItemKind.Method,
  entry: CompletionItemKind.Module,
  impl: CompletionItemKind.Module,
  alias: CompletionItemKind.Interface,
  keyword: CompletionItemKind.Keyword,
  module: CompletionItemKind.Module,
  snippet: CompletionItemKind.Snippet,
  tag: CompletionItemKind.Property,
  attribute: CompletionItemKind.Property,
  event: CompletionItemKind.Event,
  param: CompletionItemKind.Variable,
};

export const callKinds: Readonly<Record<CallItem['kind'], SymbolKind>> = {
  function: SymbolKind.Function,
  walker: SymbolKind.Class,
  ability: SymbolKind.Event,
  class: SymbolKind.Class,
  test: SymbolKind.Method,
  entry: SymbolKind.Namespace,
};
