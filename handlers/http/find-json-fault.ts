/** What is wrong with a JSON text, and where (a character index). */
export interface JsonFault {
  readonly message: string;
  readonly position: number | undefined;
}

/** A scan over JSON text: position and what was found wrong first. */
interface Scan {
  readonly text: string;
  readonly maxDepth: number;
  at: number;
  depth: number;
  message: string | undefined;
}

/**
 * Finds the first fault of a text that was already refused: a syntax error, a duplicate key or too deep nesting. Slow and only
 * used to say what is wrong; values are not built.
 */
export function findJsonFault(text: string, maxDepth: number): JsonFault {
  const scan: Scan = { text, maxDepth, at: 0, depth: 0, message: undefined };
  scanSpace(scan);
  if (scanValue(scan)) {
    scanSpace(scan);
    if (scan.at < text.length) refuse(scan, 'Unexpected text after the JSON value.');
  }
  if (scan.message === undefined) return { message: 'The body is not valid JSON.', position: undefined };
  return { message: scan.message, position: scan.at };
}

function scanValue(scan: Scan): boolean {
  switch (scan.text[scan.at]) {
    case '{':
      return scanObject(scan);
    case '[':
      return scanArray(scan);
    case '"':
      return scanString(scan) !== undefined;
    case undefined:
      return refuse(scan, 'The JSON text ends too early.');
    default:
      return scanWord(scan);
  }
}

function scanObject(scan: Scan): boolean {
  if (!enter(scan)) return false;
  const seen = new Set<string>();
  if (closes(scan, '}')) return true;
  for (;;) {
    const start = scan.at;
    if (scan.text[start] !== '"') return refuse(scan, expected(scan, 'a key in double quotes'));
    const key = scanString(scan);
    if (key === undefined) return false;
    if (seen.has(key)) {
      scan.at = start;
      return refuse(scan, 'The JSON object has a duplicate key.');
    }
    seen.add(key);
    scanSpace(scan);
    if (scan.text[scan.at] !== ':') return refuse(scan, expected(scan, "':'"));
    scan.at++;
    scanSpace(scan);
    if (!scanValue(scan)) return false;
    scanSpace(scan);
    if (closes(scan, '}')) return true;
    if (scan.text[scan.at] !== ',') return refuse(scan, expected(scan, "',' or '}'"));
    scan.at++;
    scanSpace(scan);
  }
}

function scanArray(scan: Scan): boolean {
  if (!enter(scan)) return false;
  if (closes(scan, ']')) return true;
  for (;;) {
    if (!scanValue(scan)) return false;
    scanSpace(scan);
    if (closes(scan, ']')) return true;
    if (scan.text[scan.at] !== ',') return refuse(scan, expected(scan, "',' or ']'"));
    scan.at++;
    scanSpace(scan);
  }
}

/** The string's value, or undefined when it is malformed. */
function scanString(scan: Scan): string | undefined {
  const start = scan.at;
  for (scan.at++; scan.at < scan.text.length; scan.at++) {
    const code = scan.text.charCodeAt(scan.at);
    if (code === 0x22) return JSON.parse(scan.text.slice(start, ++scan.at)) as string;
    if (code < 0x20) break;
    if (code !== 0x5c) continue;
    const escape = scan.text[scan.at + 1] ?? '';
    const length = escape === 'u' ? 5 : 1;
    if (
      escape === 'u' ? !/^[0-9a-fA-F]{4}$/.test(scan.text.slice(scan.at + 2, scan.at + 6)) : !/["\\/bfnrt]/.test(escape)
    )
      break;
    scan.at += length;
  }
  refuse(scan, scan.at >= scan.text.length ? 'The JSON text ends too early.' : 'Malformed string in JSON.');
  return undefined;
}

function scanWord(scan: Scan): boolean {
  const word = /(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?![0-9A-Za-z_.+-])/y;
  word.lastIndex = scan.at;
  if (!word.test(scan.text)) return refuse(scan, 'Unexpected character in JSON.');
  scan.at = word.lastIndex;
  return true;
}

function scanSpace(scan: Scan): void {
  while (' \t\n\r'.includes(scan.text[scan.at] ?? 'x')) scan.at++;
}

function enter(scan: Scan): boolean {
  if (++scan.depth > scan.maxDepth) return refuse(scan, `JSON nested deeper than ${scan.maxDepth} levels.`);
  scan.at++;
  scanSpace(scan);
  return true;
}

function closes(scan: Scan, bracket: string): boolean {
  if (scan.text[scan.at] !== bracket) return false;
  scan.at++;
  scan.depth--;
  return true;
}

function expected(scan: Scan, what: string): string {
  return scan.at >= scan.text.length ? 'The JSON text ends too early.' : `Expected ${what} in JSON.`;
}

function refuse(scan: Scan, message: string): false {
  scan.message = message;
  return false;
}
