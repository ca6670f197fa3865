/** One row of a command's option table; parsing, help and error messages come from it. */
export interface CliOption {
  /** Name of the option without the dashes: `log-level`. */
  readonly name: string;
  readonly short?: string;
  readonly type: CliOptionType;
  readonly about: string;
  /** Shown in help. */
  readonly default?: string;
  /** Name of another option without which this one is a usage error. */
  readonly needs?: string;
}

export type CliOptionType =
  | { readonly kind: 'flag' }
  | { readonly kind: 'text'; readonly placeholder: string }
  /** A flag that may have a value: `--push`, `--push=REF`, or `--push REF` where the next argument looks like one. */
  | { readonly kind: 'optional'; readonly placeholder: string; readonly isValue: (argument: string) => boolean }
  | { readonly kind: 'int'; readonly placeholder: string; readonly min: number; readonly max: number }
  /** Accepted spelling -> canonical value. */
  | { readonly kind: 'choice'; readonly placeholder: string; readonly of: Readonly<Record<string, string>> };

/** Values by option name; an option that was not given is absent. */
export type OptionValues = Readonly<Record<string, string | number | boolean>>;

export const flagType: CliOptionType = { kind: 'flag' };

/** A choice whose values are their own names. */
export function choiceOf(placeholder: string, ...names: readonly string[]): CliOptionType {
  return { kind: 'choice', placeholder, of: Object.fromEntries(names.map((name) => [name, name])) };
}

export const helpOption: CliOption = { name: 'help', short: 'h', type: flagType, about: 'Print this help.' };

export const configOption: CliOption = {
  name: 'config',
  type: { kind: 'text', placeholder: 'PATH' },
  about: 'Configuration file.',
  default: 'svc.toml',
};

export const profileOption: CliOption = {
  name: 'profile',
  type: { kind: 'text', placeholder: 'NAME' },
  about: 'Apply [environments.<name>] over the file.',
  default: 'SVC_PROFILE',
};
