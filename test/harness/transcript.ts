/**
 * Reads and checks wire transcripts: Markdown with `### ID title`, a `bash` block (one request made with curl) and an `http` block
 * (the answer that must come). The rules for blocks and matchers stand below.
 */
import { execFile } from 'node:child_process';

/** A request with its answer, or a session over sockets. */
export type Step = RequestStep | SessionStep;

export interface SessionStep {
  readonly session: string;
}
export interface RequestStep {
  readonly session?: undefined;
  readonly request: string;
  readonly answer: string;
  readonly exact: boolean;
}
export interface Transcript {
  readonly id: string;
  readonly title: string;
  readonly steps: readonly Step[];
}
export type Captures = Map<string, string>;

export interface RawAnswer {
  readonly status: number;
  readonly headers: Map<string, string>;
  readonly body: string;
}

export function parseTranscripts(markdown: string): Transcript[] {
  const found: { id: string; title: string; steps: Step[] }[] = [];
  const lines = markdown.split('\n');
  let request: string | undefined;
  for (let at = 0; at < lines.length; at++) {
    const heading = /^### ([A-Z]+-\d+) (.*)$/.exec(lines[at]!);
    if (heading) found.push({ id: heading[1]!, title: heading[2]!, steps: [] });
    const fence = /^```(\S.*)$/.exec(lines[at]!);
    if (!fence) continue;
    const end = lines.indexOf('```', at + 1);
    const text = lines.slice(at + 1, end).join('\n');
    at = end;
    const kind = fence[1]!.trim();
    if (kind === 'ws') found.at(-1)!.steps.push({ session: text });
    if (kind === 'bash') request = text;
    if ((kind === 'http' || kind === 'http exact') && request !== undefined) {
      found.at(-1)!.steps.push({ request, answer: text, exact: kind === 'http exact' });
      request = undefined;
    }
  }
  return found.filter((transcript) => transcript.steps.length > 0);
}

/** Runs one `bash` block; its standard output is one raw HTTP response. */
export function runRequest(script: string, env: Readonly<Record<string, string>>, cwd: string): Promise<string> {
  const whole = `curl() { command curl -sS -i --max-time 20 "$@"; }\n${script}`;
  return new Promise((resolve, reject) => {
    const child = execFile(
      'bash',
      ['-c', whole],
      { cwd, env: { ...process.env, ...env }, maxBuffer: 1 << 26 },
      (error, stdout, stderr) =>
        stdout === '' ? reject(new Error(`no answer: ${stderr || error}\n${script}`)) : resolve(stdout),
    );
    child.stdin?.end();
  });
}

export function parseAnswer(raw: string): RawAnswer {
  let text = raw;
  for (;;) {
    const gap = text.indexOf('\r\n\r\n');
    const head = (gap < 0 ? text : text.slice(0, gap)).split('\r\n');
    const body = gap < 0 ? '' : text.slice(gap + 4);
    const status = Number(head[0]!.split(' ')[1]);
    if (status >= 100 && status < 200 && body.startsWith('HTTP/')) {
      text = body;
      continue;
    }
    const headers = new Map(
      head
        .slice(1)
        .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    return { status, headers, body };
  }
}

/** Every difference between an answer and its expectation, as lines; empty when it fits. Fills `captures`. */
export function differences(step: RequestStep, got: RawAnswer, captures: Captures): string[] {
  const [head = '', ...rest] = step.answer.split('\n\n');
  const body = rest.join('\n\n').trim();
  const [statusLine = '', ...headerLines] = head.split('\n');
  const problems: string[] = [];
  const status = Number(statusLine.split(' ')[1]);
  if (got.status !== status) problems.push(`status: expected ${status}, got ${got.status}: ${got.body.slice(0, 600)}`);
  for (const line of headerLines.filter(Boolean)) {
    const name = line.slice(0, line.indexOf(':'));
    problems.push(
      ...matchValue(
        line.slice(line.indexOf(':') + 1).trim(),
        got.headers.get(name.toLowerCase()),
        `header ${name}`,
        false,
        captures,
      ),
    );
  }
  return [...problems, ...matchBody(body, got.body, step.exact, captures)];
}

function matchBody(expected: string, actual: string, exact: boolean, captures: Captures): string[] {
  if (expected === '' || expected === '<any>') return [];
  const lines = expected.split('\n').filter(Boolean);
  if (lines.some((line) => line.startsWith('~'))) {
    return lines
      .filter((line) => line.startsWith('~') && !pattern(line.slice(1)).test(actual))
      .map((line) => `body: nothing matches ${line.slice(1)} in ${actual.slice(0, 400)}`);
  }
  if (lines.every((line) => line.startsWith('json:'))) {
    const json = JSON.parse(actual);
    return lines.flatMap((line) => {
      const [path = '', value = ''] = splitOnce(line.slice('json:'.length), ' = ');
      return matchValue(JSON.parse(value), member(json, path), path, false, captures);
    });
  }
  if (expected.startsWith('{') || expected.startsWith('[')) {
    let json: unknown;
    try {
      json = JSON.parse(actual);
    } catch {
      return [`body is not JSON: ${actual.slice(0, 400)}`];
    }
    return matchValue(JSON.parse(expected), json, '$', exact, captures);
  }
  return actual.trim() === expected
    ? []
    : [`body: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`];
}

/** Every difference between two JSON values, as lines. */
export function valueDifferences(expected: unknown, actual: unknown, captures: Captures): string[] {
  return matchValue(expected, actual, '$', false, captures);
}

function pattern(source: string): RegExp {
  const insensitive = source.startsWith('(?i)');
  return new RegExp(insensitive ? source.slice(4) : source, insensitive ? 'im' : 'm');
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

function member(value: unknown, path: string): unknown {
  let current: any = value;
  for (const part of path.matchAll(/"([^"]+)"|([^.[\]"]+)/g)) {
    if (current === null || current === undefined) return undefined;
    current = current[part[1] ?? part[2]!];
  }
  return current;
}

const shapes: Readonly<Record<string, (value: unknown) => boolean>> = {
  any: (value) => value !== undefined,
  str: (value) => typeof value === 'string' && value !== '',
  int: (value) => Number.isInteger(value),
  num: (value) => typeof value === 'number',
  bool: (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value),
  uuid: (value) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(String(value)),
  hex32: (value) => /^[0-9a-f]{32}$/.test(String(value)),
  jwt: (value) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(String(value)),
  iso: (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value)),
  b64: (value) => /^[A-Za-z0-9+/]+=*$/.test(String(value)),
};

function matchValue(expected: unknown, actual: unknown, where: string, exact: boolean, captures: Captures): string[] {
  if (typeof expected === 'string') return matchString(expected, actual, where, captures);
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length)
      return [`${where}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`];
    return expected.flatMap((item, index) => matchValue(item, actual[index], `${where}[${index}]`, exact, captures));
  }
  if (expected !== null && typeof expected === 'object') {
    if (actual === null || typeof actual !== 'object' || Array.isArray(actual))
      return [`${where}: expected an object, got ${JSON.stringify(actual)}`];
    const extra = exact
      ? Object.keys(actual)
          .filter((key) => !(key in expected))
          .map((key) => `${where}.${key}: not expected`)
      : [];
    return [
      ...extra,
      ...Object.entries(expected).flatMap(([key, item]) =>
        matchValue(item, (actual as Record<string, unknown>)[key], `${where}.${key}`, exact, captures),
      ),
    ];
  }
  return Object.is(expected, actual)
    ? []
    : [`${where}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`];
}

function matchString(expected: string, actual: unknown, where: string, captures: Captures): string[] {
  const wrong = [`${where}: expected ${expected}, got ${JSON.stringify(actual)}`];
  if (expected === '<absent>') return actual === undefined ? [] : wrong;
  const regex = /^<re:(.*?)(?::([A-Z][A-Z0-9_]*))?>$/s.exec(expected);
  if (regex) {
    if (typeof actual !== 'string' || !new RegExp(`^(?:${regex[1]})$`).test(actual)) return wrong;
    if (regex[2]) captures.set(regex[2], actual);
    return [];
  }
  const shape = /^<([a-z0-9]+)(?::([A-Z][A-Z0-9_]*))?>$/.exec(expected);
  if (shape && shapes[shape[1]!]) {
    if (!shapes[shape[1]!]!(actual)) return wrong;
    if (shape[2]) captures.set(shape[2], String(actual));
    return [];
  }
  const filled = expected.replace(/\$([A-Z][A-Z0-9_]*)/g, (whole, name: string) => captures.get(name) ?? whole);
  return filled === actual ? [] : [`${where}: expected ${JSON.stringify(filled)}, got ${JSON.stringify(actual)}`];
}
