/**
 * Gives the description of a declaration or a part of it: its documentation, then its `sem`
 * (docs/language/delegation.md#sem); undefined without one.
 */
export function docOf(
  spec: { readonly doc?: string; readonly sem?: Readonly<Record<string, string>> } | undefined,
  part = '',
  own: string | undefined = part === '' ? spec?.doc : undefined,
): string | undefined {
  const meaning = spec?.sem?.[part];
  return own === undefined || own === '' ? (meaning ?? own) : meaning === undefined ? own : `${own}\n\n${meaning}`;
}
