/** The entry of a store, among the claims of idempotency keys, that it is being filled. */
export const noteKey = 'svc:import';
export const noteDays = 365;
/** Name that stands in the place of an archive's while a store moves here (core/migration). */
export const migrationNote = 'svc migrate';
