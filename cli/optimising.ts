/**
 * Setting of V8 for when it turns code into fast code. V8 does so in threads beside the program, and what a start or a check runs through has
 * ended before that pays: a third of the processor time of both went into it (decisions/0780). Only the V8 of Node 20 is told: later ones keep what
 * they have compiled, by a key in which these settings are (`enableCompileCache`).
 */

/** Bytes of code that a function runs through before V8 looks whether it is worth while, and as many as V8 has by itself. */
const later = 1_000_000;
const usual = 67_584;

/** Has V8 wait longer from now on. */
export function delayOptimising(): void {
  set(later);
}

/** Undoes `delayOptimising`. */
export function optimiseAsUsual(): void {
  set(usual);
}

function set(bytes: number): void {
  if (process.versions.v8.startsWith('11.3.'))
    process.getBuiltinModule('node:v8').setFlagsFromString(`--interrupt-budget=${bytes}`);
}
