/**
 * The part of the table of signatures that a running program reads, made from the text of `library/signatures/builtins.ts`: names of
 * parameters and which are optional. Functions without parameters have no line, and `bytes` none that `str` has too.
 */
export function parametersOnly(table) {
  const lines = table
    .replace(/^ {2}forms: `[^`]*`,$/m, '')
    .replace(/^(\w+)\((.*)\) -> .*\n/gm, (_, name, params) =>
      params === '' ? '' : `${name}(${params.replace(/&|(?<==)[^,]+| /g, '')})\n`,
    );
  const [, str] = /^ {2}str: `([^`]*)`/m.exec(lines);
  return lines.replace(/^ {2}bytes: `[^`]*`/m, (bytes) =>
    bytes.replace(/^\w+\(.*\)\n/gm, (line) => (str.includes(`\n${line}`) ? '' : line)),
  );
}
