/**
 * Data as YAML, by blocks. Texts that could be anything else are quoted as JSON, which YAML reads; scripts stand as they are. Members that
 * are undefined are left out.
 */
export function toYaml(data: object): string {
  return `${block(data, '').slice(1)}\n`;
}

/** Writes a list or an object with a line break before each of its lines. */
function block(data: object, indent: string): string {
  if (Array.isArray(data)) return data.map((item) => `\n${indent}- ${member(item, indent).trimStart()}`).join('');
  return Object.entries(data)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `\n${indent}${scalar(name)}:${member(value, indent)}`)
    .join('');
}

function member(value: unknown, indent: string): string {
  if (isScript(value))
    return ` |${value
      .trimEnd()
      .replace(/^(?=.)/gm, `${indent}  `)
      .replace(/^/, '\n')}`;
  if (typeof value !== 'object' || value === null) return ` ${scalar(value)}`;
  const isEmpty = Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
  if (isEmpty) return Array.isArray(value) ? ' []' : ' {}';
  return block(value, `${indent}  `);
}

/** Several lines, the first of which shows how far they are indented, with one line break at the end. */
function isScript(value: unknown): value is string {
  return typeof value === 'string' && /^[!-~][ -~]*\n(?:[ -~]*\n)*[ -~]*[!-~]\n$/.test(value);
}

/** Letters first, then nothing that means something; and no word that is a value of another type. */
const plain = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[A-Za-z/][\w./-]*(?:(?:::?| )[\w./-]+)*$/i;

function scalar(value: unknown): string {
  return typeof value === 'string' && !plain.test(value) ? JSON.stringify(value) : String(value);
}
