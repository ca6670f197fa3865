/** Facts that `sqlite3` needs about the text of a statement: its first word, its parameters and where it ends. */

export interface SqlText {
  /** First word in upper case: `SELECT`, `INSERT` …; empty when there is no statement. */
  readonly word: string;
  /** Names of the parameters in order; a plain `?` has none. */
  readonly parameters: readonly (string | undefined)[];
  /** Is there another statement behind the first? */
  readonly more: boolean;
}

// Text, quoted names, comments, parameters, words, the end; other characters one by one.
const token =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\?(\d*)|[:@$]([A-Za-z_]\w*)|[A-Za-z_]\w*|;|\s+|./g;

/** Reads the text of one statement. */
export function readSql(sql: string): SqlText {
  const parameters: (string | undefined)[] = [];
  let word = '';
  let isOver = false;
  for (const match of sql.matchAll(token)) {
    const [text, number, name] = match;
    if (/^(\s|--|\/\*)/.test(text)) continue;
    if (isOver) return { word, parameters, more: true };
    if (text === ';') {
      isOver = word !== '';
      continue;
    }
    if (word === '') word = text.toUpperCase();
    if (name !== undefined) {
      if (!parameters.includes(name)) parameters.push(name);
    } else if (number !== undefined && number !== '') {
      while (parameters.length < Number(number)) parameters.push(undefined);
    } else if (text === '?') parameters.push(undefined);
  }
  return { word, parameters, more: false };
}

/** The statements of a script, each with its `;`; those of a trigger are one with it. */
export function isComplete(sql: string): boolean {
  const tokens = [...sql.matchAll(token)].map(([text]) => text).filter((text) => !/^(\s|--|\/\*)/.test(text));
  return tokens.at(-1) === ';';
}
