/** Port for the messages about accounts that processes of one application send each other (docs/server/accounts.md#news). */
export interface AccountNews {
  /** Sessions, keys or names of the account changed. Resolves when the other processes know, or can no longer be waited for. */
  tell(userId: string): Promise<void>;
  /** Gives a function that stops following. */
  follow(listener: (userId: string) => void): () => void;
}
