/** Does something with each entry, a few at a time. All are tried: what failed first is thrown when the others are over. */
export async function inLanes<T>(
  count: number,
  entries: Iterable<T> | AsyncIterable<T>,
  act: (one: T) => Promise<void>,
): Promise<void> {
  const rest = Symbol.asyncIterator in entries ? entries[Symbol.asyncIterator]() : entries[Symbol.iterator]();
  let failed: { readonly error: unknown } | undefined;
  const lane = async () => {
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
      try {
        await act(next.value);
      } catch (error) {
        failed ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: count }, lane));
  if (failed !== undefined) throw failed.error;
}
