import { randomBytes, randomUUID } from 'node:crypto';
import { newId } from '../graph/ids.ts';

/** Makes the random names of the account layer. */
export interface AccountIds {
  /** UUID v4, dashed. */
  userId(): string;
  /** 32 hexadecimal digits. */
  rootId(): string;
  /** 128 bits, base64url. */
  tokenId(): string;
}

export const randomIds: AccountIds = {
  userId: () => randomUUID(),
  rootId: newId,
  tokenId: () => randomBytes(16).toString('base64url'),
};
