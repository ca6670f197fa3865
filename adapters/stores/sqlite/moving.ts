/** A file whose content goes to another store, or has gone there (migration-source.ts). */

/** Message of the triggers that keep writers out. */
export const MOVING = 'svc: this store is moving';

/** Query for the name of the place to which everything has gone; null when nothing has. */
export const movedTo = "SELECT value AS v FROM meta WHERE key = 'moved'";

export function movedMessage(to: string): string {
  return `the store has moved to ${to}: set DATABASE_URL to its address and start again`;
}
