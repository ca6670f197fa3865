/** `uuid` in the browser: ids as texts. */

export function uuid4(): string {
  return crypto.randomUUID();
}
