import { resolve } from 'node:path';
import { shownPathFrom } from '../base/shown-path.ts';
import { CommandFailure } from './command-failure.ts';
import { exitCodes } from './exit-codes.ts';

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'not permitted',
  EDQUOT: 'the quota is used up',
  EEXIST: 'it is there already',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is a file',
  ENOTEMPTY: 'it is not empty',
  EPERM: 'not permitted',
  EROFS: 'the disk is read-only',
};

/** Gives the file system's reason for an error, in words. */
export function fileReason(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}

/** An error of the file system as the end of a command; undefined for any other. Files under construction are called by what they become. */
export function fileFailure(error: unknown, cwd: string): CommandFailure | undefined {
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  if (!(error instanceof Error) || code === undefined || syscall === undefined || path === undefined) return undefined;
  const shown = shownPathFrom(cwd, resolve(cwd, path.replace(/(\.\d+-[0-9a-f]{8})?\.partial$/, '')));
  return new CommandFailure(exitCodes.failure, `cannot use ${shown}`, fileReason(error));
}
