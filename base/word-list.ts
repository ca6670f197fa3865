const mostWords = 12;

/** `GET, POST or PUT`: what one may choose from. Of many, the first twelve and how many are left. */
export function wordList(words: readonly string[], joiner = 'or'): string {
  const left = words.length - mostWords;
  if (left > 1) return `${words.slice(0, mostWords).join(', ')} and ${left} more`;
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} ${joiner} ${words.at(-1)}`;
}
