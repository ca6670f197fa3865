import { movedTo } from './moving.ts';
import { openDriver } from './open-driver.ts';

/** Gives the name of the place to which everything in a file has gone; undefined where nothing has, or the file cannot be read. */
export function movedFrom(file: string): string | undefined {
  try {
    const db = openDriver(file);
    try {
      return db.prepare(movedTo).value() ?? undefined;
    } finally {
      db.close();
    }
  } catch {
    return undefined;
  }
}
