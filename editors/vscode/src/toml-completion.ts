/** Completion and hover in `svc.toml`, from the JSON schema that belongs to the extension: no other extension is needed. */
import { readFileSync } from 'node:fs';
import {
  CompletionItem,
  CompletionItemKind,
  type ExtensionContext,
  Hover,
  languages,
  type Position,
  SnippetString,
  type TextDocument,
} from 'vscode';
import { keysOf, type Schema, schemaAt, valuesOf, whereIn } from './toml-schema.ts';

export function registerToml(context: ExtensionContext): void {
  let loaded: Schema | undefined;
  const schema = () =>
    (loaded ??= JSON.parse(readFileSync(context.asAbsolutePath('schemas/svc.toml.schema.json'), 'utf8')) as Schema);
  const selector = { scheme: 'file', pattern: '**/svc.toml' };
  context.subscriptions.push(
    languages.registerCompletionItemProvider(
      selector,
      { provideCompletionItems: (document, position) => complete(schema(), document, position) },
      '[',
      '.',
      '=',
    ),
    languages.registerHoverProvider(selector, {
      provideHover: (document, position) => hover(schema(), document, position),
    }),
  );
}

function complete(root: Schema, document: TextDocument, { line, character }: Position): CompletionItem[] {
  const lines = document.getText().split(/\r?\n/);
  const where = whereIn(lines.slice(0, line + 1), character);
  if (where.kind === 'value') {
    return valuesOf(root, schemaAt(root, where.path)).map((text) => new CompletionItem(text, CompletionItemKind.Value));
  }
  return keysOf(root, where.path, where.kind === 'table').map(({ name, about, isTable }) => {
    const item = new CompletionItem(name, isTable ? CompletionItemKind.Module : CompletionItemKind.Property);
    item.documentation = about;
    if (where.kind === 'key' && !isTable) item.insertText = new SnippetString(`${name} = $0`);
    return item;
  });
}

function hover(root: Schema, document: TextDocument, position: Position): Hover | undefined {
  const word = document.getWordRangeAtPosition(position, /[\w-]+/);
  if (word === undefined) return undefined;
  const lines = document
    .getText()
    .split(/\r?\n/)
    .slice(0, position.line + 1);
  const { path } = whereIn(lines, word.start.character);
  const about = schemaAt(root, [...path, document.getText(word)])?.description;
  return about === undefined ? undefined : new Hover(about, word);
}
