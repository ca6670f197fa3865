/**
 * Teller of strays (`strays.ts`), in a file apart from them: the code that writes them as Python does is read when
 * there are some.
 */
export interface Stray {
  /** `Exception in thread Thread-1 (fetch)`. */
  readonly what: string;
  /** A line that shows the values involved; for the program's own eyes, never for a log. */
  readonly detail?: string | undefined;
  readonly error: unknown;
}

export type TellStray = (stray: Stray) => void;

let teller: TellStray | undefined;

/** Sets a teller of strays other than the program's standard error. */
export function setStrays(next: TellStray): void {
  teller = next;
}

/** Undefined: nobody, and the program's standard error has them. */
export function strayTeller(): TellStray | undefined {
  return teller;
}
