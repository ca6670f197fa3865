/** The pages of diagnostic, failure and close codes: `docs/reference/codes` of a checkout, `dist/codes` of the package. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const places = ['docs/reference/codes', 'codes'];

export interface CodePage {
  /** `E0410`, `NOT_FOUND`, `4401`. */
  readonly code: string;
  /** Text behind the code in the headline. */
  readonly title: string;
  /** Markdown, headline included. */
  readonly text: string;
}

/** All pages: diagnostics, then failures, then close codes. @throws Error when the package is not whole */
export function readPages(): CodePage[] {
  const folder = findFolder();
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort((a, b) => orderOf(a).localeCompare(orderOf(b)))
    .map((name) => {
      const code = name.slice(0, -3);
      const text = readFileSync(join(folder, name), 'utf8');
      return { code, title: text.slice(`# ${code}: `.length, text.indexOf('\n')), text };
    });
}

function orderOf(name: string): string {
  return `${/^[EW]\d/.test(name) ? 0 : /^\d/.test(name) ? 2 : 1}${name}`;
}

/** Nearest above this file. */
function findFolder(): string {
  for (let above = dirname(fileURLToPath(import.meta.url)); ; above = dirname(above)) {
    const found = places.map((place) => join(above, place)).find((path) => existsSync(join(path, 'E0100.md')));
    if (found !== undefined) return found;
    if (dirname(above) === above) throw new Error('the pages of the codes are missing from this installation');
  }
}
