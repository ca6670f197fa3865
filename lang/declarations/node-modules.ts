/**
 * Declarations of the functions of Node's modules that programs use most: for projects without `@types/node`. What is
 * not here is unknown.
 */

const path = `
export function basename(path: string, suffix?: string): string;
export function dirname(path: string): string;
export function extname(path: string): string;
export function isAbsolute(path: string): boolean;
export function join(...paths: string[]): string;
export function normalize(path: string): string;
export function relative(from: string, to: string): string;
export function resolve(...paths: string[]): string;
export interface ParsedPath { root: string; dir: string; base: string; ext: string; name: string }
export function parse(path: string): ParsedPath;
export const sep: string;
export const delimiter: string;
`;

const texts: Readonly<Record<string, string>> = {
  path,
  'path/posix': path,
  'path/win32': path,
  os: `
export function arch(): string;
export function freemem(): number;
export function homedir(): string;
export function hostname(): string;
export function platform(): string;
export function release(): string;
export function tmpdir(): string;
export function totalmem(): number;
export function type(): string;
export function uptime(): number;
export const EOL: string;
`,
  crypto: `
export function randomUUID(options?: unknown): string;
export function timingSafeEqual(a: unknown, b: unknown): boolean;
`,
  fs: `
export function existsSync(path: string | URL): boolean;
export function mkdtempSync(prefix: string | URL): string;
export function readFileSync(path: string | URL, options: 'utf8' | 'utf-8' | 'latin1' | 'ascii' | 'hex' | 'base64'): string;
export function readFileSync(path: string | URL, options?: unknown): unknown;
`,
  'fs/promises': `
export function mkdtemp(prefix: string | URL): Promise<string>;
export function readFile(path: string | URL, options: 'utf8' | 'utf-8' | 'latin1' | 'ascii' | 'hex' | 'base64'): Promise<string>;
export function readFile(path: string | URL, options?: unknown): Promise<unknown>;
`,
  url: `
export function domainToASCII(domain: string): string;
export function fileURLToPath(url: string | URL, options?: unknown): string;
`,
  util: `
export function format(format?: unknown, ...rest: unknown[]): string;
export function inspect(value: unknown, ...rest: unknown[]): string;
export function isDeepStrictEqual(a: unknown, b: unknown, ...rest: unknown[]): boolean;
`,
};

/** Declarations of the module `node:name`, undefined when there are none. */
export function nodeDeclarations(name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}
