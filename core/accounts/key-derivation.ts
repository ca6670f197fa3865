export type HashParams = Readonly<Record<string, number>>;

/** One way of turning a password into a key. `params` are those new hashes get. */
export interface KeyDerivation {
  readonly id: 'argon2id' | 'scrypt';
  readonly version: number | undefined;
  readonly params: HashParams;
  /** Tells whether parameters found in a stored hash are complete and within the costs that this process accepts. */
  accepts(params: HashParams): boolean;
  /** Tells whether a stored hash is weaker than one made today. */
  isWeaker(params: HashParams): boolean;
  derive(password: Buffer, salt: Buffer, params: HashParams, length: number): Promise<Buffer>;
}
