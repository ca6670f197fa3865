/**
 * Calls of `node:fs` that change something, for the standard modules: a replay of a recorded call makes none of them (docs/guide/stories.md#replay, decisions/0716).
 * Each has the name and the parameters that it has in `node:fs`. `test/house.test.ts` checks that nobody in this room goes past it.
 */
import * as fs from 'node:fs';
import { refuseInReplay } from './outside.ts';

/** @param isHarmless says of arguments that nothing changes with them */
function kept<F extends (...given: any[]) => any>(change: F, isHarmless?: (...given: any[]) => boolean): F {
  const guarded = (...given: any[]) => {
    if (isHarmless?.(...given) !== true) refuseInReplay('may not write');
    return change(...given);
  };
  // The name is seen where a program is handed the function, by an error handler of `shutil.rmtree`.
  return Object.defineProperty(guarded, 'name', { value: change.name }) as F;
}

export const chmodSync = kept(fs.chmodSync);
export const copyFileSync = kept(fs.copyFileSync);
export const ftruncateSync = kept(fs.ftruncateSync);
export const linkSync = kept(fs.linkSync);
export const mkdirSync = kept(fs.mkdirSync);
export const openSync = kept(fs.openSync, (_path, flags = 'r') => flags === 'r' || flags === fs.constants.O_RDONLY);
export const renameSync = kept(fs.renameSync);
export const rmSync = kept(fs.rmSync);
export const rmdirSync = kept(fs.rmdirSync);
export const symlinkSync = kept(fs.symlinkSync);
export const truncateSync = kept(fs.truncateSync);
export const unlinkSync = kept(fs.unlinkSync);
export const utimesSync = kept(fs.utimesSync);
export const writeFileSync = kept(fs.writeFileSync);
/** The terminal is nothing that is left behind. */
export const writeSync = kept(fs.writeSync, (fd) => fd === 1 || fd === 2);
