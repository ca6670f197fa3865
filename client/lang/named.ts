/** A function with its form for keywords, `f.$kw(positions, named)`. Calls are marked as pure, so that bundles leave out what they do not use. */
export function named<F extends object, K>(f: F, $kw: K): F & { readonly $kw: K } {
  return Object.assign(f, { $kw });
}
