import type { Mode } from './config.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const modes: readonly Mode[] = ['development', 'production', 'test'];

/** Mode named by `SVC_ENV`; undefined when it names none of the three. */
export function readMode(env: Environment): Mode | undefined {
  const name = env['SVC_ENV']?.trim() || 'development';
  return modes.find((mode) => mode === name);
}

/** A variable of the process beats the same one in `.env`; an empty one counts as unset (docs/server/configuration.md#precedence). */
export function mergeEnv(processEnv: Environment, dotEnv: Environment): Record<string, string> {
  const result: Record<string, string> = {};
  for (const source of [dotEnv, processEnv]) {
    for (const [name, value] of Object.entries(source)) if (value) result[name] = value;
  }
  return result;
}

/**
 * Reads `.env` text: `NAME=value` per line, `export` allowed, `#` comments, values bare, in single quotes (as they are) or in double
 * quotes (`\n`, `\"` and `\\` understood, several lines allowed). Lines that are none of this are left out.
 */
export function parseDotEnv(text: string): Record<string, string> {
  const result: Record<string, string> = {};
  const line =
    /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.]*)[ \t]*=[ \t]*(?:'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|([^\r\n]*?))?[ \t]*(?:(?<=[ \t'"=])#[^\r\n]*)?$/gm;
  for (const [, name, single, double, bare] of text.replace(/^\uFEFF/, '').matchAll(line)) {
    result[name!] = single ?? (double === undefined ? (bare ?? '') : unescapeQuoted(double));
  }
  return result;
}

function unescapeQuoted(text: string): string {
  return text.replace(/\\([\s\S])/g, (_, char: string) => ({ n: '\n', r: '\r', t: '\t' })[char] ?? char);
}
