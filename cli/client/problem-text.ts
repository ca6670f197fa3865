/** Problems of the browser half as people read them: the place, and the line it is on. */
import type { ClientProblem } from '../../adapters/client/failure.ts';
import { shownPathFrom } from '../../base/shown-path.ts';

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
  const blank = text.slice(0, Math.max(0, (column ?? 1) - 1)).replace(/[^\t]/g, ' ');
  return [
    `${gutter} |`,
    `${number} | ${text.slice(0, 300)}`,
    ...(column === undefined ? [] : [`${gutter} | ${blank}^`]),
  ];
}
