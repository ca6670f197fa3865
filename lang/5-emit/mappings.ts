/** The `mappings` of a source map (ECMA-426), written as they come: no list of segments is kept for a large module. */
export interface Mappings {
  /** The generated line that follows. */
  nextLine(): void;
  /**
   * Code at `column` of the current line comes from `row`, `place` of file `file`, all counted from 0; `name` is an index, or -1. Columns come
   * in order; of two at one column the later counts.
   */
  add(column: number, file: number, row: number, place: number, name: number): void;
  text(): string;
}

const digits = Uint8Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', (char) =>
  char.charCodeAt(0),
);
const [comma, semicolon] = [44, 59];
// Five numbers of at most seven digits and what separates them.
const longest = 40;

export function createMappings(): Mappings {
  let bytes = new Uint8Array(1 << 14);
  let length = 0;
  // Values of the segment written last; numbers are stored as differences.
  let [lastColumn, lastFile, lastRow, lastPlace, lastName] = [0, 0, 0, 0, 0];
  let isFirst = true;
  // The segment waiting to be written: the next one may be at the same column.
  let [column, file, row, place, name] = [-1, 0, 0, 0, -1];

  const number = (difference: number): void => {
    let rest = difference < 0 ? (-difference << 1) | 1 : difference << 1;
    while (rest >= 32) {
      bytes[length++] = digits[(rest & 31) | 32]!;
      rest >>>= 5;
    }
    bytes[length++] = digits[rest]!;
  };
  const flush = (): void => {
    if (column < 0) return;
    if (length + longest > bytes.length) bytes = grown(bytes);
    if (!isFirst) bytes[length++] = comma;
    isFirst = false;
    number(column - lastColumn);
    number(file - lastFile);
    number(row - lastRow);
    number(place - lastPlace);
    if (name >= 0) {
      number(name - lastName);
      lastName = name;
    }
    lastColumn = column;
    lastFile = file;
    lastRow = row;
    lastPlace = place;
    column = -1;
  };
  return {
    nextLine() {
      flush();
      if (length + longest > bytes.length) bytes = grown(bytes);
      bytes[length++] = semicolon;
      lastColumn = 0;
      isFirst = true;
    },
    add(newColumn, newFile, newRow, newPlace, newName) {
      if (newColumn !== column) flush();
      column = newColumn;
      file = newFile;
      row = newRow;
      place = newPlace;
      name = newName;
    },
    text() {
      flush();
      return new TextDecoder('latin1').decode(bytes.subarray(0, length));
    },
  };
}

function grown(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(bytes.length * 2);
  larger.set(bytes);
  return larger;
}
