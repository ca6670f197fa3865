/**
 * The message catalogue (docs/reference/diagnostics.md) and the reporter that collects what is wrong with one source.
 *
 * How to read the catalogue: a code has one template, or several under names when it speaks of several things; `{x}` is filled from
 * the parameters given at the report, and the parameter `form` picks the name. The first letter of a code is its severity, but for notes and W0203,
 * which `svc check` does not let pass (docs/language/modules.md#given-twice).
 */
import type { Span } from './1-parse/ast.ts';
import { lineAt, positionAt, type Source } from './source.ts';

export type Severity = 'error' | 'warning' | 'note';

export interface Diagnostic {
  readonly code: Code;
  readonly severity: Severity;
  readonly message: string;
  /** Values that fill the template of the message: for code that asks what a finding is about. */
  readonly params?: Params;
  readonly path: string;
  /** UTF-16 offsets into the text of `path`, `end` exclusive. */
  readonly start: number;
  readonly end: number;
  /**
   * An error that keeps the program from running at all, not only from passing `svc check`
   * (docs/language/diagnostics.md#principles).
   */
  readonly blocking: boolean;
  readonly help?: string;
  readonly related?: readonly Related[];
}

/** A second place that explains the first. */
export interface Related {
  readonly message: string;
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

export type Params = Readonly<Record<string, string | number>>;

export interface Details {
  readonly help?: string | undefined;
  readonly related?: readonly Related[] | undefined;
  readonly severity?: Severity | undefined;
  /** Given where it differs from `blocks(code)`: an E0701 inside a function, an E0901 that may never execute. */
  readonly blocking?: boolean | undefined;
}

export interface Reporter {
  readonly source: Source;
  /** Notes that `code` holds at `span`. Asked twice for the same code, place and message, it keeps one. */
  at(code: Code, span: Span, params?: Params, details?: Details): void;
  /** Silences codes (all without a list) on the physical line of `offset`, whenever they were or will be reported. */
  suppress(offset: number, codes?: readonly string[]): void;
  /** Was a syntax error reported in this part of the text? */
  isBroken(span: Span): boolean;
  /** Lists the diagnostics that are not silenced, by position. May be asked again after more reports. */
  sorted(): readonly Diagnostic[];
}

/** A report, of which a diagnostic is made when it is shown: help may take a search. */
interface Found {
  readonly code: Code;
  readonly span: Span;
  readonly params: Params | undefined;
  readonly details: Details | undefined;
}

/** Collects diagnostics for one source; see `Reporter`. */
export function createReporter(source: Source): Reporter {
  const found: Found[] = [];
  const silenced: { readonly offset: number; readonly codes: readonly string[] | undefined }[] = [];
  return {
    source,
    at(code, span, params, details) {
      found.push({ code, span, params, details });
    },
    suppress(offset, codes) {
      silenced.push({ offset, codes });
    },
    isBroken(span) {
      return found.some(({ code, span: { start } }) => isOfSyntax(code) && start >= span.start && start <= span.end);
    },
    sorted() {
      const byLine = new Map<number, (readonly string[] | undefined)[]>();
      for (const { offset, codes } of silenced) {
        const line = lineAt(source, offset);
        const lists = byLine.get(line);
        if (lists === undefined) byLine.set(line, [codes]);
        else lists.push(codes);
      }
      const isSilenced = ({ code, span: { start } }: Found) =>
        byLine.get(lineAt(source, start))?.some((codes) => codes === undefined || codes.includes(code)) ?? false;
      const kept = silenced.length === 0 ? found : found.filter((one) => !isSilenced(one));
      const made = kept.map(({ code, span, params, details }) =>
        makeDiagnostic(code, source.path, span, params, details),
      );
      return withoutRepeats(made.sort(compareDiagnostics));
    },
  };
}

/** A diagnostic without a reporter: for problems of whole files and projects. */
/** Is this the code of a syntax error? */
export function isOfSyntax(code: string): boolean {
  return code.startsWith('E01');
}

export function makeDiagnostic(code: Code, path: string, span: Span, params?: Params, details?: Details): Diagnostic {
  const severity = details?.severity ?? severityOf(code);
  return {
    code,
    severity,
    message: messageOf(code, params),
    ...(params !== undefined && { params }),
    path,
    start: span.start,
    end: Math.max(span.start, span.end),
    blocking: severity === 'error' && (details?.blocking ?? blocks(code)),
    ...(details?.help !== undefined && { help: details.help }),
    ...(details?.related !== undefined && { related: details.related }),
  };
}

/** Gives the severity that `svc check` assigns to a code. */
export function severityOf(code: Code): Severity {
  if (noteCodes.has(code)) return 'note';
  return code.startsWith('W') && code !== 'W0203' ? 'warning' : 'error';
}

/**
 * Compares diagnostics by file, then position, then code: the order of every list of diagnostics
 * (docs/language/diagnostics.md#principles).
 */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.start - b.start || a.end - b.end || (a.code < b.code ? -1 : a.code > b.code ? 1 : 0);
}

/**
 * Tells whether errors of this code keep the program from running (docs/language/diagnostics.md#principles): bad text
 * and syntax, duplicate definitions, modules that are not found, contradictions of placement and class layout,
 * unsupported constructs.
 */
export function blocks(code: Code): boolean {
  if (!code.startsWith('E')) return false;
  const number = Number(code.slice(1));
  return number < 300 || blockingCodes.has(code);
}

/** `line:col` as templates such as those of E0111 and E0203 name a place. */
export function placeParams(source: Source, offset: number): { readonly line: number; readonly col: number } {
  const { line, column } = positionAt(source, offset);
  return { line, col: column };
}

/** Codes of notes: nothing is wrong, but the author may not expect it. */
const noteCodes: ReadonlySet<string> = new Set(['W0513', 'W0541', 'W0642', 'W0645', 'W0647']);

const blockingCodes: ReadonlySet<string> = new Set([
  'E0521',
  'E0526',
  'E0527',
  'E0610',
  'E0611',
  'E0701',
  'E0703',
  'E0901',
  'E0903',
  'E0904',
  'E0906',
  'E0907',
  'E0999',
]); // prettier-ignore

function messageOf(code: Code, params: Params = {}): string {
  const entry: string | Readonly<Record<string, string>> = catalogue[code];
  const template = typeof entry === 'string' ? entry : (entry[params['form'] ?? ''] ?? Object.values(entry)[0] ?? '');
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
}

function withoutRepeats(sorted: readonly Diagnostic[]): readonly Diagnostic[] {
  return sorted.filter((diagnostic, index) => {
    const before = sorted[index - 1];
    return (
      before === undefined ||
      before.start !== diagnostic.start ||
      before.code !== diagnostic.code ||
      before.message !== diagnostic.message
    );
  });
}

export type Code = keyof typeof catalogue;

export const catalogue = {
  // ---- text (docs/language/lexical.md)
  E0100: 'unterminated string',
  E0101: 'unterminated block comment',
  E0102: 'unterminated formatted string',
  E0103: 'unterminated inline block',
  E0104: 'unterminated markup',
  E0105: 'unexpected character `{c}`',
  E0106: 'cannot mix bytes and text literals',
  E0107: 'nested more than {limit} levels deep',
  E0108: 'byte {byte} of this file is not UTF-8',

  // ---- syntax (chapters 2 to 4)
  E0110: 'expected {expected}, found {got}',
  E0111: 'missing `{token}` to close the `{open}` opened at {line}:{col}',
  E0112: 'expected an expression, found {got}',
  E0113: 'expected a name, found {got}',
  E0120: 'missing `;`',
  E0121: '`{kw}` without a matching {parent}',
  E0122: 'tuple targets need parentheses',
  E0123: 'loop targets need parentheses',
  E0125: 'misplaced `del` of a connection',
  E0140: '`{kw}` is reserved and cannot name a parameter',
  E0142: '`{name}` cannot be a field',
  E0150: 'there is no `?:` operator',
  E0151: 'there is no `!` operator',
  E0152: 'there is no `{op}` operator',
  E0153: 'arrow functions do not exist',
  E0154: 'there is no `catch` clause',
  E0155: 'there is no `new` operator',
  E0156: '`case` needs `:`',
  E0160: 'positional argument after keyword argument',
  E0161: 'cannot assign through `?.`',
  E0162: 'connection needs a right operand',
  E0163: 'typed connection is not closed by {close}',
  E0170: 'closing tag `</{b}>` does not match `<{a}>`',
  E0171: 'empty `{}` in markup',

  // ---- modules (docs/language/modules.md)
  E0202: 'statement outside of a function or `with entry`',
  E0203: '`{name}` is already defined at {line}:{col}',
  E0205: 'placement marker inside a function',
  E0210: '`with exit` at module level',
  E0220: 'expression without `;` is only a result at the end of a function',

  // ---- names and types
  E0301: '`{name}` is not defined',
  E0302: 'typed declaration of `{name}` after it was used with an outer meaning',
  E0310: '`await` outside of an async function',
  E0410: 'cannot assign {actual} to `{name}` of type {expected}',
  E0411: 'cannot return {actual}, expected {expected}',
  E0412: {
    missing: 'missing argument `{p}` in call of `{f}`',
    many: 'too many arguments in call of `{f}`',
    unknown: 'unknown argument `{p}` in call of `{f}`',
  },
  E0413: {
    plain: '`{T}` has no attribute `{a}`',
    near: '`{T}` has no attribute `{a}` (did you mean `{b}`?)',
  },
  E0414: {
    binary: 'operator `{op}` is not defined for {A} and {B}',
    unary: 'operator `{op}` is not defined for {A}',
  },
  E0415: '`{T}` is not {what}',
  E0420: '`{m}` is a JavaScript member; use `{alternative}` on the server',

  // ---- archetypes
  E0501: 'impl of `{name}` without declaration',
  E0502: 'declaration of `{name}` without implementation',
  E0510: '`{name}` is private to {owner}',
  E0521: 'only edges have an endpoint clause',
  E0522: {
    field: 'required field `{name}` after a field with a default',
    param: 'required parameter `{name}` after a parameter with a default',
  },
  E0524: 'property `{name}` with an initialiser',
  E0526: 'inconsistent bases of `{name}`',
  E0527: '{kind} `{name}` cannot inherit from {base}',
  E0528: '{text}',

  // ---- client and server
  E0601: 'client code uses server symbol `{s}`',
  E0602: 'server code uses client symbol `{s}`',
  E0603: 'state in a nested block',
  E0604: 'state in a slot',
  E0605: '`return` in a slot',
  E0606: 'a component cannot wait',
  E0607: 'positional argument for a walker whose fields are not known',
  E0608: {
    unknown: '`<{f}>` has no property `{p}`',
    missing: 'missing property `{p}` of `<{f}>`',
  },
  E0610: 'two files define route `{r}`',
  E0611: 'two layouts in `{dir}`',
  E0612: '`{W}` writes, so it cannot be followed',
  E0613: '`{a}` takes {expected}, not {got}',
  E0701: 'module `{m}` not found (tried: {tried})',
  E0702: '`{m}` has no member `{n}`',

  // ---- not supported
  E0703: '{text}',
  E0704: '{text} (TS{number})',
  E0901: 'inline Python blocks are not supported',
  E0902: 'module `{m}` is a CPython package and is not available on this runtime',
  E0903: 'native code and C declarations are not supported',
  E0904: '`\\N{…}` escapes are not supported',
  E0905: 'built-in `{f}` is not available',
  E0906: '{what} are not supported',
  E0907: '`ignore` statements were removed',
  E0999: 'internal compiler error in {pass} of {module}',

  // ---- accepted, but odd
  W0100: 'unknown escape `\\{c}`',
  W0101: 'two escapes that make one character',
  W0124: '`try` without `except` or `finally`',
  W0126: '`default` is not the last case',
  W0130: 'comments in markup are written `{#* … *#}`',
  W0131: '`<>` before a name is an old escape',
  W0132: '`check` is an old spelling of `assert`',
  W0133: '`{name}` is spelled `{instead}`',
  W0134: '`{op}` is spelled `{instead}`',
  W0135: '`pass` does nothing',
  W0136: '`except {name}` catches every exception as `{name}`',
  W0137: 'ownership and regions are accepted without effect',
  W0138: '`{op}` binds tighter than `{other}`',
  W0139: '`{sign}` applies before `**`',
  W0141: 'text that begins with `#` is a comment',
  W0142: "write 'elif'",
  W0143: 'filters are written in square brackets',
  W0144: '`{old}` is an old spelling',
  W0145: '`{ get; }` does not keep `{name}` from being assigned',
  W0201: 'stray `;`',
  W0203: '`{name}` replaces the one at {line}:{col}',
  W0204: '`{name}` was already imported',
  W0206: 'native code is accepted and placed on the server',
  W0207: 'braces show what `to {side}:` places',
  W0208: 'empty import list',
  W0209: 'the tag `{tag}` is ignored',
  W0221: '`can` without an event is a `def`',
  W0311: '`{f}` blocks where it cannot block',
  W0312: 'threads are cooperative here',
  W0401: 'parameter `{p}` has no type',
  W0402: 'the default of `{p}` is shared by all calls',
  W0403: 'unreachable code',
  W0404: '`{name}` is never used',
  W0405: '`==` compares the identity of `{T}` objects',
  W0406: 'integer literal is not exact on the client',

  // ---- access, archetypes and graphs
  W0503: {
    names: 'parameter names of `{name}` differ from its declaration',
    event: 'the event of `{name}` differs from its declaration, which holds',
    bases: 'the bases of `{name}` differ from its declaration, which holds',
  },
  W0504: '`{name}` has a body in its declaration; the `impl` is ignored',
  W0510: '`{name}` is private to {owner}',
  W0511: '`{name}` is {access} in `{owner}`',
  W0512: '`{name}` overrides nothing',
  W0513: {
    one: '`{names}` is not served, because it has no access marker',
    many: '{n} functions are not served, because they have no access marker: {names}',
  },
  W0514: '`{what}` has no effect here',
  W0523: 'field `{name}` is never set by `postinit`',
  W0525: '`{name}` is not a declared field of `{T}`',
  W0530: '`root` used as a type means `Root`',
  W0531: 'a trigger on `{T}` can never match',
  W0533: {
    plain: '`{E}` is an edge and is connected here like a node',
    kind: '`{E}` is a {kind} and stands here in the place of an edge',
    class: '`{E}` is a type and is connected here like a node',
    ends: '`{E}` connects `{A}` to `{B}`',
  },
  W0534: 'walker class `{W}` without a call',
  W0535: 'async walker `{W}` is not awaited',
  W0536: 'an edge reference without origin starts at `root` here',
  W0537: 'no item has a field `{name}`',
  W0540: '`sem` target `{name}` not found',
  W0541: '`@schedule` is not run in this release',

  // ---- client
  W0601: 'client code drops the import `{name}` it uses',
  W0620: '`awaiting` has no meaning here',
  W0631: 'markup with `;` at the end of a component is its result',
  W0632: 'changing a value in place does not render again',
  W0633: '`self.{name}` in a component means `{name}`',
  W0634: 'a loop in a slot without `key`',
  W0635: 'the hook `{h}` is called {where}',
  W0636: { attribute: '`<{tag}>` has no attribute `{a}`', style: '`style` has no property `{a}`' },
  W0637: 'the server answers `GET {route}` itself, so the page `{r}` is hidden when it is loaded anew',
  W0638: '`<{tag}>` is an element of the page, not the component',
  W0640: 'text and number are joined as JavaScript does',
  W0641: '`{name}` is not a known browser global',
  W0642: 'an empty list or dictionary counts as false',
  W0643: 'the result of asynchronous `{f}` is used at once',
  W0644: 'client dictionary keys are strings',
  W0645: 'client code {verb} `{f}`, which makes it an endpoint with a token',
  W0646: '`{name}` is read as it was before this function assigned it',
  W0647: 'the {kind} that this path names is not known before the page runs',
  W0648: 'no walker of the program is called `{w}`',
  W0649: '`<{tag}>` with `{a}` and without `onChange` cannot be changed',
  W0650: 'an entry block runs on the server, where no code but the page uses `{name}`',
  W0656: 'what the method `{m}` of a `class` is called on is `{p}`, its first parameter',
  W0701: 'module `{m}` is provided only in part; member `{n}` is missing',
} as const satisfies Readonly<Record<string, string | Readonly<Record<string, string>>>>;
