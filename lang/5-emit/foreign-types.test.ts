/** Declarations of TypeScript may be wrong: what a program does never depends on them (decisions/0160). */
import { expect, test } from 'vitest';
import { compileFiles, run } from './testing.ts';

const main = `
import from "node:path" { join, basename, sep, * as path }
import from "node:util" { format, types }
import from "node:os" { cpus, constants }
import from "node:url" { URL }
obj Item { has n: int = 1; async def upper() -> str { return "item"; } def get(k: str) -> int { return 2; } }
def walk(value: any) -> any { for part in value.split("/") { print(part, part + "x"); } return value.strip().count("a"); }
def numbers() -> any {
    x = constants.signals.SIGINT; print(x, x / 2, x // 2, x % 2, x + 1, -x, x * 1.5, f"{x}", str(x), [x, 1.0], x == 1, round(x), sum([x, 2]), max(x, 1));
    xs = path.sep.split("?"); xs.append(x); print(xs[0], xs[-1] / 2, len(xs), [y for y in xs], {"a": x}, 1 in xs);
    total = 0; for y in [x, x] { total += y; } print(total, total / 2);
    return x;
}
def texts() -> any {
    t = join("a", "b "); print(t + t, t[0], t * 2, "%s" % t, t == "a", t.join(["a"]), t.strip().upper(), t.split("/"), t.format(1.0));
    for part in t.split("/") { print(part.upper(), part.count("a")); }
    m = None; if m is None { m = basename(t); } print(m or t, m and t, not m, m?.x, t if m else None);
    if isinstance(t, int) { print(t + 1); } else { print(t.find("b")); }
    try { print(t.missing()); } except Exception as e { print(e); }
    try { print(constants.signals.SIGINT.upper()); } except Exception as e { print(e); }
    try { print(format.strip()); } except Exception as e { print(e); }
    match t { case str(): print("text"); case _: print("other"); }
    u = URL("http://a/b?c=d"); print(u.pathname.strip("/"), u.searchParams.get("c"), u.port or "none"); u.hash = "x"; print(u.hash.replace("#", "")); return u;
}
with entry { numbers(); texts(); print(walk(join("a", "b")), sep.strip(), types.isDate(1), len(cpus()) > 0, Item().n); }`;

const honest = {
  path: `export function join(...p: string[]): string; export function basename(p: string): string; export const sep: string;`,
  util: 'export function format(...a: unknown[]): string; export namespace types { function isDate(x: unknown): boolean }',
  os: `export const EOL: string; export function cpus(): { model: string }[]; export const constants: { signals: Record<string, number> };`,
  url: 'export class URL { constructor(s: string); pathname: string; hash: string; port: string; searchParams: { get(k: string): string | null } }',
};
const lying = {
  path: `export function join(...p: string[]): number[]; export function basename(p: string): Promise<number>; export const sep: undefined;`,
  util: 'export const format: number[]; export namespace types { function isDate(x: unknown): number }',
  os: `export const EOL: number; export function cpus(): number; export const constants: number[];`,
  url: 'export class URL { constructor(s: number); pathname: number; hash: boolean; port: number[]; searchParams: Promise<number> }',
};
/** Everything is text. */
const boasting = {
  path: `export function join(...p: string[]): string; export function basename(p: string): string; export const sep: string;`,
  util: 'export const format: string; export const types: { isDate(x: unknown): string };',
  os: `export const EOL: string; export function cpus(): string[]; export const constants: { signals: { SIGINT: string } };`,
  url: 'export class URL { constructor(s: string); pathname: string; hash: string; port: string; searchParams: { get(k: string): string } }',
};

const files = (modules: Readonly<Record<string, string>>) => ({
  'main.svc': main,
  ...Object.fromEntries(
    Object.entries(modules).map(([name, text]) => [
      `node_modules/@types/node/${name}.d.ts`,
      `declare module "${name}" { ${text} }\ndeclare module "node:${name}" { export * from "${name}"; }`,
    ]),
  ),
});

const unknown = Object.fromEntries(Object.keys(honest).map((name) => [name, 'export {};']));

test('without text in them, declarations change no code', () => {
  for (const graph of ['sync', 'async'] as const) {
    const code = (modules: Readonly<Record<string, string>>) =>
      compileFiles(files(modules), { graph, mode: 'run' }).modules[0]!.output.code;
    expect(code(lying)).toBe(code(unknown));
    // A test stands in front of methods of what is said to be text, and of nothing else.
    expect(code(honest)).not.toBe(code(unknown));
    expect(code(honest)).toContain('typeof t === "string" ? $.strM.strip(t) : $.callMethod(t, "strip")');
  }
});

test('a program prints the same with right declarations, with wrong ones, and without', async () => {
  const { output } = await run(files(unknown));
  expect(output).toContain('a/b');
  for (const modules of [honest, lying, boasting]) expect((await run(files(modules))).output).toBe(output);
});
