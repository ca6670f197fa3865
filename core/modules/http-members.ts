/** Module `http` of server programs: `HTTPMethod`, `UploadFile`, `HTTPError` (docs/server/programs.md#names). */

import { Exception, nameException } from '../../library/values/objects/exceptions.ts';
import { UploadFile } from '../files/upload-file.ts';
import { HTTPMethod } from '../program/protocol-enums.ts';

/** Raising it ends the unit without commit and answers with that status and error (docs/server/errors.md#application-errors). */
export class HTTPError extends Exception {
  declare status: unknown;
  declare code: unknown;
  declare details: unknown;

  constructor(status?: unknown, code?: unknown, message?: unknown, details?: unknown) {
    super(...[status, code, message, details].filter((value) => value !== undefined));
    this.status = status ?? null;
    this.code = code ?? null;
    (this as any).message = message ?? '';
    this.details = details ?? null;
  }

  protected override takesKeyword(name: string): boolean {
    return ['status', 'code', 'message', 'details'].includes(name);
  }
}
nameException(HTTPError, 'HTTPError');

export const httpMembers = { HTTPMethod, UploadFile, HTTPError };
