/** One mistake, one diagnostic (language.md 8.1 rule 3): what is said of names and types only because syntax is broken nearby. */
import type { Diagnostic } from './diagnostics.ts';
import { lineAt, type Source } from './source.ts';

/** The findings of one source without those that follow from its syntax errors (decisions/0290). */
export function withoutFollowUps(found: readonly Diagnostic[], source: Source): readonly Diagnostic[] {
  const broken = found.filter(({ code }) => isOfSyntax(code) || code === 'E0901');
  if (broken.length === 0) return found;
  const onLine = new Map<number, number>();
  for (const { code, start } of broken) {
    const line = lineAt(source, start);
    if (isOfSyntax(code)) onLine.set(line, Math.min(start, onLine.get(line) ?? start));
  }
  const isUnsure = onLine.size > 0;
  return found.filter(({ code, start, end }) => {
    if (!/^[EW]0[345]/.test(code)) return true;
    if (start >= (onLine.get(lineAt(source, start)) ?? Number.POSITIVE_INFINITY)) return false;
    if (code === 'W0404') return !isUnsure; // what was not read may use it
    return code !== 'E0301' || !mayDeclare(source.text, source.text.slice(start, end));
  });
}

/** Is the text at this span damaged? */
export function isOfSyntax(code: string): boolean {
  return code.startsWith('E01');
}

/** Does some part of the text, which may not have been read, look as if it declared the name? */
function mayDeclare(text: string, name: string): boolean {
  if (!/^\w+$/.test(name)) return false;
  const words = 'def|obj|class|node|edge|walker|enum|glob|has|can|type|import|as|for|impl|static';
  return new RegExp(`\\b(?:${words})\\b(?:\\s*:\\s*\\w+)?\\s+${name}\\b|\\b${name}\\s*(?::(?!:)|=(?!=))`).test(text);
}
