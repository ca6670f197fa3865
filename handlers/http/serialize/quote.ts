import type { Writer } from './writer.ts';

const needsEscape = /[\u0000-\u001f"\\\u007f-\uffff]/;
const wide = /[\u0080-\uffff]/;

/** A string as JSON. Short plain text, the usual case, needs no call into the runtime's encoder. */
export function quote(text: string, writer: Pick<Writer, 'isAscii'>): string {
  if (text.length < 80 && !needsEscape.test(text)) return `"${text}"`;
  const quoted = JSON.stringify(text);
  if (writer.isAscii && wide.test(quoted)) writer.isAscii = false;
  return quoted;
}

/** Whether a text is all ASCII, so that its length is that of its bytes. */
export function isAscii(text: string): boolean {
  return !wide.test(text);
}
