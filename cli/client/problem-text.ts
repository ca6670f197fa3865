/** Problems of the browser half as people read them: the place, and the line it is on. */
import type { ClientProblem } from '../../adapters/client/failure.ts';
import { shownPathFrom } from '../../base/shown-path.ts';
import { sourceFrame } from '../../base/source-frame.ts';

/** Ends without a line end. */
export function problemText({ message, file, line, column, source }: ClientProblem, cwd: string): string {
  if (file === undefined) return `error: ${message}`;
  const place = [shownPathFrom(cwd, file), line, column].filter((part) => part !== undefined).join(':');
  return [`error: ${message}`, `  --> ${place}`, ...frameLines(source, line, column)].join('\n');
}

export function frameLines(source: string | undefined, line: number | undefined, column: number | undefined): string[] {
  const text = line === undefined ? undefined : source?.split('\n')[line - 1];
  if (text === undefined) return [];
  const number = String(line);
  const gutter = ' '.repeat(number.length);
  const from = Math.max(0, (column ?? 1) - 1);
  const { lines, indent, carets } = sourceFrame([text], { line: 0, from, to: from + 1 });
  return [
    `${gutter} |`,
    `${number} | ${lines[0]}`,
    ...(column === undefined ? [] : [`${gutter} | ${indent}${carets}`]),
  ];
}
