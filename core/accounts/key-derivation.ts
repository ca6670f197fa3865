export type HashParams = Readonly<Record<string, number>>;

/** One way of turning a password into a key. `params` are those new hashes get. */
export interface KeyDerivation {
  readonly id: 'argon2id' | 'scrypt';
  readonly version: number | undefined;
  readonly params: HashParams;
  /** Whether parameters found in a stored hash are complete and within what this process is willing to compute. */
  accepts(params: HashParams): boolean;
  /** Whether a stored hash is weaker than what would be made today. */
  isWeaker(params: HashParams): boolean;
  derive(password: Buffer, salt: Buffer, params: HashParams, length: number): Promise<Buffer>;
}
