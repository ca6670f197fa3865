import type { TypeRef } from '../../../library/classes/spec.ts';

/** Tells whether the type, or one of its members, is `UploadFile` or a list of it. */
export function isUpload(type: TypeRef): boolean {
  if (type.t === 'UploadFile') return true;
  if (type.t === 'list') return isUpload(type.of);
  return type.t === 'union' && type.of.some(isUpload);
}
