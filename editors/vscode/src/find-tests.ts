/** Test blocks of a program's text: a name in quotes or a word, or none. */
export interface FoundTest {
  /** Name that `svc test` prints; '' for a test without one. */
  readonly name: string;
  /** From 0. */
  readonly line: number;
}

const testHead = /^\s*test\b[ \t]*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([A-Za-z_]\w*))?[ \t]*\{/;

export function findTests(text: string): FoundTest[] {
  const found: FoundTest[] = [];
  for (const [line, written] of text.split(/\r\n|\n|\r/).entries()) {
    const match = testHead.exec(written);
    if (match !== null) found.push({ name: match[1] ?? match[2] ?? match[3] ?? '', line });
  }
  return found;
}
