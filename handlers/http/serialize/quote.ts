const needsEscape = /[\u0000-\u001f"\\\u007f-\uffff]/;

/** A string as JSON. Short plain text, the usual case, needs no call into the runtime's encoder. */
export function quote(text: string): string {
  return text.length < 80 && !needsEscape.test(text) ? `"${text}"` : JSON.stringify(text);
}
