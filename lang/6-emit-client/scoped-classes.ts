/** Class names of scoped sheets: `Card.style.css` beside `Card.svc` (language reference, styles and assets). */

/** The suffix of classes of a sheet, by its path from the project root. */
export function scopeOf(sheet: string): string {
  const stem = sheet.replace(/\.style\.\w+$/, '');
  let hash = 0x811c9dc5;
  for (let i = 0; i < stem.length; i++) hash = Math.imul(hash ^ stem.charCodeAt(i), 0x01000193);
  return `_${(hash >>> 0).toString(36)}`;
}

/** Ends of a text that another value goes on at: a word there is part of a longer one. */
export interface Joints {
  readonly start: boolean;
  readonly end: boolean;
}

/** `card open` with the classes of the sheet suffixed. */
export function scopedClasses(value: string, suffix: string, classes: ReadonlySet<string>, joints?: Joints): string {
  const words = value.split(/(\s+)/);
  const isPart = (i: number) => (i === 0 && joints?.start === true) || (i === words.length - 1 && joints?.end === true);
  return words.map((name, i) => (classes.has(name) && !isPart(i) ? name + suffix : name)).join('');
}

/** Classes that a sheet says something of. */
export function classesOf(sheet: string): ReadonlySet<string> {
  const text = sheet
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/:global\((?:[^()]|\([^()]*\))*\)/g, '')
    .replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|url\([^)]*\)/g, '');
  const selectors = text.match(/[^{};]*(?=\{)/g) ?? [];
  return new Set(selectors.flatMap((one) => [...one.matchAll(/\.(-?[_a-zA-Z][\w-]*)/g)].map(([, name]) => name!)));
}
