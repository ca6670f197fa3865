/** A type written inside a string annotation, as a tree of names. */
export type TypeTree =
  | { readonly kind: 'name'; readonly name: string; readonly args: readonly TypeTree[] }
  | { readonly kind: 'union'; readonly of: readonly TypeTree[] }
  | { readonly kind: 'none' | 'ellipsis' | 'literal' };

/** Reads `"list[Task] | None"`. Undefined when the text is no type. */
export function parseTypeText(text: string): TypeTree | undefined {
  const tokens = text.match(/[A-Za-z_][\w.]*|\.\.\.|[[\],|]|"[^"]*"|'[^']*'|-?\d+|\S/g) ?? [];
  let at = 0;
  const primary = (): TypeTree | undefined => {
    const token = tokens[at++];
    if (token === undefined) return undefined;
    if (token === 'None') return { kind: 'none' };
    if (token === '...') return { kind: 'ellipsis' };
    if (/^["'\d-]/.test(token)) return { kind: 'literal' };
    if (!/^[A-Za-z_]/.test(token)) return undefined;
    const args: TypeTree[] = [];
    if (tokens[at] === '[') {
      do {
        at++;
        if (tokens[at] === ']') break;
        const arg = union();
        if (arg === undefined) return undefined;
        args.push(arg);
      } while (tokens[at] === ',');
      if (tokens[at++] !== ']') return undefined;
    }
    return { kind: 'name', name: token, args };
  };
  const union = (): TypeTree | undefined => {
    const of: TypeTree[] = [];
    do {
      if (of.length > 0) at++;
      const one = primary();
      if (one === undefined) return undefined;
      of.push(one);
    } while (tokens[at] === '|');
    return of.length === 1 ? of[0] : { kind: 'union', of };
  };
  const tree = union();
  return at >= tokens.length ? tree : undefined;
}
