import { entityValues } from './entities.ts';

/**
 * Text of a markup child as it renders (docs/language/expressions.md#markup): split into lines, blanks at line ends
 * trimmed except at both ends of the whole, empty lines dropped, the rest joined with one space, and only then entities
 * decoded, so that `&nbsp;` and `&#32;` survive. Empty when nothing is left.
 */
export function normalizeText(raw: string): string {
  if (!/[\n\r]/.test(raw)) return decodeEntities(raw);
  const lines = raw.split(/\r\n|\n|\r/);
  const last = lines.length - 1;
  const kept: string[] = [];
  for (let i = 0; i <= last; i++) {
    let line = lines[i]!;
    if (i > 0) line = line.replace(/^[ \t\f]+/, '');
    if (i < last) line = line.replace(/[ \t\f]+$/, '');
    if (line !== '') kept.push(line);
  }
  return decodeEntities(kept.join(' '));
}

/** `&amp;`, `&#38;`, `&#x26;`; what is no entity stays as it is. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]*));/g,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return entityValues().get(name) ?? whole;
      const point = decimal !== undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff) ? String.fromCodePoint(point) : whole;
    },
  );
}
