/**
 * Messages to the server in its own words (PostgreSQL, "Message Formats"): statements that are asked together are one piece of bytes with one end, so
 * they are one write here and one answer there (decisions/0825). The driver would describe each result, which nobody reads, and end each statement by itself.
 */
/** Number of bytes that most pieces fit into: those of them are written where the one before was. */
const usualBytes = 16_384;

type Value = string | number | boolean | null;

export interface Messages {
  /** Prepares a statement under its name, or without one. */
  parse(name: string, text: string): void;
  /** Forgets a prepared statement; there need be none. */
  close(name: string): void;
  /** Runs a statement that was prepared under this name; its columns come as text. */
  run(name: string, values: readonly Value[]): void;
  /** All of it since the last one, with its end: after an error the server goes on from there. */
  end(): Buffer;
}

export function createMessages(): Messages {
  const usual = Buffer.allocUnsafe(usualBytes);
  let buffer = usual;
  let at = 0;
  const room = (bytes: number): void => {
    if (at + bytes <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, at + bytes));
    buffer.copy(larger, 0, 0, at);
    buffer = larger;
  };
  /** Text up to a zero byte. */
  const name = (text: string): void => {
    room(text.length * 3 + 1);
    at += buffer.write(text, at);
    buffer[at++] = 0;
  };
  const int16 = (value: number): void => {
    room(2);
    at = buffer.writeInt16BE(value, at);
  };
  /** A message says its length behind its first byte. */
  const message = (kind: string, write: () => void): void => {
    room(5);
    buffer[at] = kind.charCodeAt(0);
    const start = at + 1;
    at += 5;
    write();
    buffer.writeInt32BE(at - start, start);
  };
  const value = (given: Value): void => {
    const text = given === null ? '' : String(given);
    room(text.length * 3 + 4);
    const start = at;
    at += 4;
    at += buffer.write(text, at);
    buffer.writeInt32BE(given === null ? -1 : at - start - 4, start);
  };
  return {
    parse(statement, text) {
      message('P', () => {
        name(statement);
        name(text);
        int16(0);
      });
    },
    close(statement) {
      message('C', () => name(`S${statement}`));
    },
    run(statement, values) {
      message('B', () => {
        name('');
        name(statement);
        int16(0);
        int16(values.length);
        for (const one of values) value(one);
        int16(0);
      });
      message('E', () => {
        name('');
        int16(0);
        int16(0);
      });
    },
    end() {
      message('S', () => {});
      const piece = buffer === usual ? Buffer.allocUnsafe(at) : buffer.subarray(0, at);
      if (buffer === usual) usual.copy(piece, 0, 0, at);
      buffer = usual;
      at = 0;
      return piece;
    },
  };
}
