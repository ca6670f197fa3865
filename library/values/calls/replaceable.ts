/** Names of program modules that a test puts something else in the place of (`unittest.mock.patch`, decisions/0211). */

/** A variable of a module. */
export interface Replaceable {
  get(): unknown;
  set(value: unknown): void;
}

export type Names = Readonly<Record<string, Replaceable | undefined>>;

const modules = new Map<string, Names>();

/** Called by compiled modules; a module loaded again takes the place of the one before. */
export function replaceable(ids: readonly string[], names: Names): void {
  for (const id of ids) modules.set(id, names);
}

export function namesOf(id: string): Names | undefined {
  return modules.get(id);
}
