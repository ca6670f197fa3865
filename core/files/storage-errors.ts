/** Errors that a storage raises, named by the path the program gave. */

import { caught } from '../../library/values/calls/raise.ts';
import {
  type BaseException,
  FileNotFoundError,
  IsADirectoryError,
  NotADirectoryError,
  OSError,
} from '../../library/values/objects/exceptions.ts';

export function notFound(path: string): FileNotFoundError {
  return new FileNotFoundError(2, 'No such file or directory', path);
}

export function isDirectory(path: string): IsADirectoryError {
  return new IsADirectoryError(21, 'Is a directory', path);
}

export function notDirectory(path: string): NotADirectoryError {
  return new NotADirectoryError(20, 'Not a directory', path);
}

const lessUsual: Readonly<Record<number, string>> = {
  16: 'Device or resource busy',
  27: 'File too large',
  122: 'Disk quota exceeded',
};

/** An error of the file system as the exception for `path`; anything else as it is. */
export function fileError(error: any, path: string): unknown {
  if (typeof error?.code !== 'string' || typeof error.syscall !== 'string') return error;
  const found: BaseException = caught(Object.assign(new Error(error.message), { code: error.code, path }));
  if (found instanceof OSError) return found;
  const errno = Math.abs(Number(error.errno));
  return new OSError(errno, lessUsual[errno] ?? `Unknown error ${errno}`, path);
}
