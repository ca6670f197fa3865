/** The 16 bytes of an IP address; IPv4 in its mapped form. Undefined for anything else. */
export function parseAddress(text: string): Uint8Array | undefined {
  const four = /^(?:::ffff:)?(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/i.exec(text);
  if (four !== null) {
    const parts = four.slice(1).map(Number);
    return parts.every((part) => part <= 255)
      ? Uint8Array.from([...new Array(10).fill(0), 255, 255, ...parts])
      : undefined;
  }
  const [head, tail, more] = text.split('%')[0]!.split('::');
  if (head === undefined || more !== undefined || !text.includes(':')) return undefined;
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const left = groups(head);
  const right = tail === undefined ? [] : groups(tail);
  const missing = 8 - left.length - right.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const all = [...left, ...new Array<string>(missing).fill('0'), ...right];
  if (!all.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return Uint8Array.from(all.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]));
}
