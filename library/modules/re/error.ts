/** `re.error`: a pattern or template that is not well formed. */
import { Exception, nameException } from '../../values/objects/exceptions.ts';

export class RegexError extends Exception {
  declare msg: string;
  declare pattern: unknown;
  declare pos: number | null;
  declare lineno: number | null;
  declare colno: number | null;

  constructor(msg: string, pattern = '', pos: number | null = null) {
    const before = pos === null ? '' : pattern.slice(0, pos);
    const lineno = before.split('\n').length;
    const colno = (pos ?? 0) - before.lastIndexOf('\n');
    const place =
      pos === null ? '' : ` at position ${pos}${pattern.includes('\n') ? ` (line ${lineno}, column ${colno})` : ''}`;
    super(msg + place);
    Object.assign(this, {
      msg,
      pattern,
      pos,
      lineno: pos === null ? null : lineno,
      colno: pos === null ? null : colno,
    });
  }
}
nameException(RegexError, 'error', 're');
