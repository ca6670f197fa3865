/** Meanings of the service's errors for a program. */
import { notFound } from '../../../core/files/storage-errors.ts';
import { StorageUnavailable } from '../../../core/files/unavailable.ts';
import { BaseException, PermissionError } from '../../../library/values/objects/exceptions.ts';

export function isMissing(error: unknown): boolean {
  return ['NoSuchKey', 'NotFound'].includes(nameOf(error));
}

/** The exception for `path`. What a program's own source raised stays as it is. */
export function storageTrouble(error: unknown, path: string): unknown {
  if (error instanceof BaseException || !isOfService(error)) return error;
  if (isMissing(error)) return notFound(path);
  const name = nameOf(error);
  if (['AccessDenied', 'Forbidden'].includes(name)) return new PermissionError(13, 'Permission denied', path);
  return new StorageUnavailable(`the file storage is not available (${reasonOf(error)})`, error);
}

/** Answers of the service, and whatever keeps them from arriving. */
function isOfService(error: unknown): boolean {
  const { $metadata, code, name, syscall } = error as {
    $metadata?: unknown;
    code?: unknown;
    name?: unknown;
    syscall?: unknown;
  };
  if ($metadata !== undefined) return true;
  if (name === 'TimeoutError' || name === 'AbortError' || /Credentials/.test(String(name))) return true;
  const files = ['open', 'read', 'write', 'stat'];
  return typeof code === 'string' && /^E[A-Z_]+$/.test(code) && !files.includes(String(syscall));
}

function reasonOf(error: unknown): string {
  const { code, $metadata } = error as { code?: unknown; $metadata?: { httpStatusCode?: number } };
  const name = nameOf(error);
  if (name !== 'Error' && name !== 'UnknownError' && name !== 'Unknown') return name;
  return typeof code === 'string' ? code : `status ${$metadata?.httpStatusCode}`;
}

function nameOf(error: unknown): string {
  return String((error as { name?: unknown })?.name ?? '');
}
