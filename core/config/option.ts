import type { AnyTable, Mode, TextTable } from './config.ts';

/** One row of the option table: what may be written and what holds when nothing is. Its meaning: `option-meanings.ts`. */
export interface Option<T = unknown> {
  readonly type: OptionType;
  readonly default: T;
  /** Defaults that differ by mode (docs/server/commands.md#modes). */
  readonly defaultIn?: { readonly [M in Mode]?: T };
  /**
   * Environment names with a fixed spelling, first match wins. The generated name
   * (docs/server/configuration.md#variables) comes after them unless the list has it already.
   */
  readonly env?: readonly string[];
  /** Full name in `svc.toml` where it is not the snake-case form of the path. */
  readonly toml?: string;
  /** `--reload` applies a change without a restart. */
  readonly reloadable?: boolean;
  /** Holds a secret: never shown, and a literal in a file tracked by git gives a warning. */
  readonly secret?: boolean;
  /** References `${NAME}` stay as they are until the application is deployed (docs/server/configuration.md#references). */
  readonly deferred?: boolean;
}

export type OptionType =
  | { readonly kind: 'text' }
  | { readonly kind: 'flag' }
  | { readonly kind: 'int' | 'number'; readonly min: number; readonly max: number }
  | { readonly kind: 'choice'; readonly of: readonly string[] }
  | { readonly kind: 'texts' | 'numbers' | 'providers' }
  /** Members are texts; `scalars`: numbers and flags are read as texts; `anything`: they are as they are written, tables and lists too. */
  | { readonly kind: 'table'; readonly holds?: 'scalars' | 'anything' };

type Extra<T> = Pick<Option<T>, 'defaultIn' | 'env' | 'toml' | 'secret' | 'deferred'> & {
  readonly reload?: boolean;
};

function option<T>(type: OptionType, value: T, extra: Extra<T> = {}): Option<T> {
  const { reload, ...rest } = extra;
  return { type, default: value, ...rest, ...(reload ? { reloadable: true } : {}) };
}

type Row<T> = (value: T, extra?: Extra<T>) => Option<T>;

const range =
  (kind: 'int' | 'number', min: number, max: number): Row<number> =>
  (value, extra) =>
    option({ kind, min, max }, value, extra);

export const text: Row<string> = (value, extra) => option({ kind: 'text' }, value, extra);
export const flag: Row<boolean> = (value, extra) => option({ kind: 'flag' }, value, extra);
export const texts: Row<readonly string[]> = (value, extra) => option({ kind: 'texts' }, value, extra);
export const numbers: Row<readonly number[]> = (value, extra) => option({ kind: 'numbers' }, value, extra);
export const table: Row<TextTable> = (value, extra) => option({ kind: 'table' }, value, extra);
export const mixed: Row<TextTable> = (value, extra) => option({ kind: 'table', holds: 'scalars' }, value, extra);
export const anything: Row<AnyTable> = (value, extra) => option({ kind: 'table', holds: 'anything' }, value, extra);

export function choice<const T extends string>(of: readonly T[], value: T, extra?: Extra<T>): Option<T> {
  return option({ kind: 'choice', of }, value, extra);
}

// The range table of docs/server/configuration.md#validation.
export const port = range('int', 1, 65_535);
export const portOrFree = range('int', 0, 65_535);
export const seconds = range('number', 0, 86_400);
export const milliseconds = range('number', 0, 86_400_000);
export const leaseMilliseconds = range('int', 100, 60_000);
export const bytes = range('int', 1024, 5 * 1024 ** 3);
export const count = range('int', 1, 1_000_000);
export const countOrNone = range('int', 0, 1_000_000);
export const days = range('int', 1, 3650);
export const daysOrForever = range('int', 0, 36_500);
export const ratio = range('number', 0, 1);
