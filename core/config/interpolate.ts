export type Interpolated = { readonly text: string } | Unfilled;

/** Reason why a text is not filled in. `unset`: everything is written as it should be, and a variable is not there. */
export interface Unfilled {
  readonly problem: string;
  readonly unset?: boolean;
}

/**
 * Fills in `${NAME}`, `${NAME:-default}` and `${NAME:?message}`; `$$` is a dollar sign
 * (docs/server/configuration.md#references). Happens once: what is put in is not looked at again. `lookup` gives
 * undefined for variables that are unset or empty.
 */
export function interpolate(text: string, lookup: (name: string) => string | undefined): Interpolated {
  if (!text.includes('$')) return { text };
  let wrong: string | undefined;
  let missing: string | undefined;
  const filled = text.replace(
    /\$\$|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::([-?])([^}]*))?\}|\$\{/g,
    (match: string, name: string | undefined, operator: string | undefined, rest: string | undefined) => {
      if (match === '$$') return '$';
      if (name === undefined) {
        wrong ??= 'a reference must look like ${NAME}, ${NAME:-default} or ${NAME:?message}';
        return match;
      }
      const value = lookup(name);
      if (value !== undefined) return value;
      if (operator === '-') return rest ?? '';
      missing ??= operator === '?' && rest ? `${name}: ${rest}` : `environment variable ${name} is not set`;
      return match;
    },
  );
  if (wrong !== undefined) return { problem: wrong };
  return missing === undefined ? { text: filled } : { problem: missing, unset: true };
}
