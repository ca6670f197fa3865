/** Plain data as YAML. Texts that could be read as anything else are quoted as in JSON, of which YAML is a superset. */
export function toYaml(value: unknown): string {
  return `${lines(value, '').join('\n')}\n`;
}

function lines(value: unknown, indent: string): string[] {
  if (Array.isArray(value) && value.length > 0) return value.flatMap((item) => listItem(item, indent));
  if (isTable(value)) return members(value).flatMap(([name, member]) => tableMember(name, member, indent));
  return [indent + scalar(value)];
}

function listItem(item: unknown, indent: string): string[] {
  if (isBlock(item)) return [`${indent}- |`, ...blockLines(item, indent)];
  const [first = '', ...rest] = lines(item, `${indent}  `);
  return [`${indent}- ${first.trimStart()}`, ...rest];
}

function tableMember(name: string, member: unknown, indent: string): string[] {
  const key = `${indent}${scalar(name)}:`;
  if (isBlock(member)) return [`${key} |`, ...blockLines(member, indent)];
  if (Array.isArray(member) && member.length > 0) return [key, ...lines(member, `${indent}  `)];
  return isTable(member) ? [key, ...lines(member, `${indent}  `)] : [`${key} ${scalar(member)}`];
}

/** Scripts read best as they are. */
function isBlock(value: unknown): value is string {
  return typeof value === 'string' && /^\S[ -~\n]*[^\n]\n$/.test(value) && value.indexOf('\n') < value.length - 1;
}

function blockLines(text: string, indent: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `${indent}  ${line}`));
}

function scalar(value: unknown): string {
  if (Array.isArray(value)) return '[]';
  if (typeof value === 'object' && value !== null) return '{}';
  if (typeof value !== 'string' || !isPlain(value)) return JSON.stringify(value);
  return value;
}

/** Nothing that a reader may take for a number, a truth value, nothing, a date or the beginning of something. */
function isPlain(text: string): boolean {
  return (
    /^[A-Za-z/.][\w./:@+-]*$/.test(text) &&
    !text.endsWith(':') &&
    !/^(true|false|yes|no|on|off|y|n|null|\.(inf|nan))$/i.test(text) &&
    !/^\.?\d/.test(text)
  );
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && members(value).length > 0;
}

function members(table: object): [string, unknown][] {
  return Object.entries(table).filter(([, member]) => member !== undefined);
}
