/** Caller, as far as running a unit of work is concerned; `Auth.identify` makes it. */
export interface Caller {
  readonly kind: 'user' | 'guest' | 'system';
  /** Null for guests. */
  readonly userId: string | null;
  /** The root node the call runs against: 32 hexadecimal digits. */
  readonly rootId: string;
  /** Content of the token that said who it is; absent for guests and API keys. `expiresAt`: Unix seconds. */
  readonly claims?: { readonly expiresAt: number };
  /** Walkers and functions that its API key may call; empty: all. Absent without one. */
  readonly allowed?: readonly string[];
  readonly role: 'guest' | 'user' | 'admin' | 'system';
  /** The presented token was refused and the target is public: answered with `Svc-Auth-Status: ignored-invalid-token`. */
  readonly ignoredToken: boolean;
  /** The same of an API key: `Svc-Auth-Status: ignored-invalid-key`. */
  readonly ignoredKey?: true;
  /** Account that has this call run in the name of the caller, null for whoever sits at the machine; absent: nobody. */
  readonly runBy?: string | null;
}
