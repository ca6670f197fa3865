/** The most characters of one line that are kept; a program that never ends its line must not fill the memory of who reads it. */
export const longestLine = 256 * 1024;

/** Splits a text that comes in pieces into its lines, without their ends. Of a line that is longer than `longestLine` the rest is left out. */
export async function* textLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = shortened(lines.pop()!);
    for (const line of lines) yield shortened(line);
  }
  if (rest !== '') yield rest;
}

function shortened(line: string): string {
  return line.length > longestLine ? line.slice(0, longestLine) : line;
}
