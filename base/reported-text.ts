/**
 * Text that a client reports, for logs and terminals: without characters that control them. Line ends stay, as stacks have them. '' for a value that is
 * no text.
 */
export function reportedText(value: unknown, longest: number): string {
  return typeof value === 'string' ? value.slice(0, longest).replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, ' ') : '';
}
