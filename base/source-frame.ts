/** A place in lines of source: columns count code points from 0, `to` is exclusive. */
export interface Marked {
  /** Index among the lines. */
  readonly line: number;
  readonly from: number;
  readonly to: number;
}

export interface SourceFrame {
  /** The lines as they are shown, tabs as spaces: of long lines the part around the mark, `…` where they go on. */
  readonly lines: readonly string[];
  /** Spaces up to the mark, and the carets below it, at least one. */
  readonly indent: string;
  readonly carets: string;
}

const widest = 160;
const shownBefore = 60;
const tab = '    ';

/** Cuts lines of source to what is read at once, all at the same columns of a terminal, so that the carets stand below the mark. */
export function sourceFrame(lines: readonly string[], { line, from, to }: Marked): SourceFrame {
  const marked = [...(lines[line] ?? '')];
  const start = widthOf(marked.slice(0, from));
  const width = Math.max(1, widthOf(marked.slice(from, to)));
  const fits = Math.max(...lines.map((text) => (text.length > widest / 4 ? widthOf([...text]) : 0))) <= widest;
  const left = fits || start + Math.min(width, widest - shownBefore) <= widest ? 0 : start - shownBefore;
  const right = fits ? Number.POSITIVE_INFINITY : left + widest;
  return {
    lines: lines.map((text) => part(text, left, right)),
    indent: ' '.repeat(start - left),
    carets: '^'.repeat(Math.min(width, right - start)),
  };
}

/** Gives the part of a line between two columns of a terminal. */
function part(text: string, left: number, right: number): string {
  let shown = '';
  let at = 0;
  let isCut = false;
  for (const char of text) {
    const end = at + cells(char);
    isCut = end > right;
    if (at >= right) break;
    // A character that is cut in two leaves blanks.
    if (at >= left && end <= right) shown += char === '\t' ? tab : char;
    else if (end > left) shown += ' '.repeat(Math.min(end, right) - Math.max(at, left));
    at = end;
  }
  const cutLeft = left > 0 && text !== '' ? `…${withoutFirst(shown)}` : shown;
  return isCut ? `${cutLeft}…` : cutLeft;
}

function withoutFirst(text: string): string {
  const [first = '', ...rest] = text;
  return ' '.repeat(Math.max(0, cells(first) - 1)) + rest.join('');
}

function widthOf(chars: readonly string[]): number {
  let width = 0;
  for (const char of chars) width += cells(char);
  return width;
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** Columns that a terminal gives to a character. */
function cells(char: string): number {
  if (char < '\u0300') return char === '\t' ? tab.length : 1;
  if (/[\p{Mn}\p{Me}]|[\u200b-\u200d]/u.test(char)) return 0;
  return wide.test(char) ? 2 : 1;
}
