/**
 * The documentation comments of a TypeScript file, by the name that is declared below each: they become descriptions, as docstrings of
 * `.svc` files do. Looks at the text only, so that a file without such comments costs one search.
 */
export function readDocs(text: string): Readonly<Record<string, string>> {
  const docs: Record<string, string> = {};
  for (const match of text.matchAll(/\/\*\*([\s\S]*?)\*\//g)) {
    const at = skipDecorators(text, match.index + match[0].length);
    const found = declaration.exec(text.slice(at, at + 200));
    if (found !== null) docs[found[1]!] = plainText(match[1]!);
  }
  return docs;
}

const declaration =
  /^(?:export\s+)?(?:default\s+)?(?:abstract\s+)?(?:class|const|let|(?:async\s+)?function\*?)\s+([A-Za-z_$][\w$]*)/;

function skipDecorators(text: string, start: number): number {
  let at = skipSpace(text, start);
  while (text[at] === '@') {
    at += /^@[\w.$]*/.exec(text.slice(at, at + 200))![0].length;
    if (text[at] === '(') at = skipBrackets(text, at);
    at = skipSpace(text, at);
  }
  return at;
}

function skipSpace(text: string, at: number): number {
  while (at < text.length && /\s/.test(text[at]!)) at += 1;
  return at;
}

function skipBrackets(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const c = text[at]!;
    if ('([{'.includes(c)) depth += 1;
    else if (')]}'.includes(c) && --depth === 0) return at + 1;
    else if ('\'"`'.includes(c)) {
      for (at += 1; at < text.length && text[at] !== c; at += 1) if (text[at] === '\\') at += 1;
    }
  }
  return text.length;
}

function plainText(comment: string): string {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\* ?/, '').trimEnd());
  // Text behind a tag is for tools.
  const end = lines.findIndex((line) => /^\s*@\w/.test(line));
  return (end < 0 ? lines : lines.slice(0, end)).join('\n').trim();
}
