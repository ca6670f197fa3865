/**
 * The time as envelopes show it: ISO 8601, UTC, milliseconds. The text is made once per millisecond, however many answers are
 * sent in it.
 */
export function createClockText(now: () => number): () => string {
  let last = -1;
  let text = '';
  let second = -1;
  let prefix = '';
  return () => {
    const time = now();
    if (time === last) return text;
    last = time;
    const inSecond = Math.floor(time / 1000);
    if (inSecond !== second) {
      second = inSecond;
      prefix = new Date(inSecond * 1000).toISOString().slice(0, 20);
    }
    text = `${prefix}${String(time - inSecond * 1000).padStart(3, '0')}Z`;
    return text;
  };
}
